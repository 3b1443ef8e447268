// A part label identifies a rendered part in its file, so that only matching parts are joined.

import GStreamer
import SlitScanCapture

/// The label of a part, which is in its file as a comment.
struct PartLabel: Sendable, Hashable {
  let part: FilmPart
  /// Its frames by their numbers in the whole film.
  let pictures: Range<Int>
  /// The frames of the whole film.
  let total: Int
  /// A number that parts of one film have in common, and others most likely not.
  let fingerprint: UInt64

  /// The label as it is written.
  var text: String {
    "slitscan part \(part), pictures \(pictures.lowerBound) to \(pictures.upperBound) of \(total), "
      + "look \(String(fingerprint, radix: 16))"
  }

  init(part: FilmPart, pictures: Range<Int>, total: Int, fingerprint: UInt64) {
    self.part = part
    self.pictures = pictures
    self.total = total
    self.fingerprint = fingerprint
  }

  /// A label as it is written, nil where it is none.
  init?(_ text: String) {
    let words = text.split { " ,".contains($0) }.map(String.init)
    guard words.count == 11, words[0] == "slitscan", words[1] == "part",
      let part = FilmPart(words[2]), let first = Int(words[4]), let end = Int(words[6]),
      let total = Int(words[8]), 0 <= first, first <= end, end <= total,
      let fingerprint = UInt64(words[10], radix: 16)
    else { return nil }
    self.init(part: part, pictures: first..<end, total: total, fingerprint: fingerprint)
  }

  /// What follows from the effect's properties, the times of the film, and what happens in it: FNV-1a, 64
  /// bits.
  static func fingerprint(
    of scan: Element, _ times: [ClockTime], _ timeline: ScanTimeline
  ) throws(GStreamerError) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for property in scan.properties where !property.isInherited && property.isWritable {
      // Those change with the part and the machine, and not what is seen.
      guard !["drain", "threads", "max-memory"].contains(property.name) else { continue }
      let value = try scan.get(property.name, as: Value.self)
      for byte in "\(property.name)=\(value);".utf8 { add(byte) }
    }
    for time in times {
      for shift in stride(from: 0, to: 64, by: 8) {
        add(UInt8(truncatingIfNeeded: time.nanoseconds >> UInt64(shift)))
      }
    }
    for entry in timeline.entries {
      for byte in "\(entry.time?.nanoseconds ?? 0) \(entry.change.text);".utf8 { add(byte) }
    }
    return hash
  }
}

extension ScanTimeline.Change {
  /// The same text for the same change, whatever the order of a dictionary is in this process.
  fileprivate var text: String {
    switch self {
    case .set(let values):
      values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    case .move(let name, let motion): "\(name)~\(motion.map { "\($0)" } ?? "")"
    case .black(let isBlack): "black=\(isBlack)"
    }
  }
}
