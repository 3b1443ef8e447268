// The part description holds what was found in the file of a rendered part.

import GStreamer
import SlitScanCapture

/// The content of a part's file.
struct PartDescription: Sendable {
  let path: String
  let label: PartLabel
  /// Its encoded frames.
  let video: FilmStreams.Stream
  let codec: VideoCodec
  let sounds: [SoundStream]
  let streams: FilmStreams
  private let frameRate: Double?

  /// Looks into a part.
  ///
  /// - Throws: ``CaptureError/Code/badParts`` where the file is no part, and others.
  init(_ path: String) async throws {
    self.path = path
    guard let streams = try await FilmStreams(path), let video = streams.defaultVideo else {
      throw CaptureError(.sourceFailed, "\(path): There is no video in this file.")
    }
    guard let label = (streams.tags["comment"]?.text).flatMap(PartLabel.init),
      let codec = VideoCodec(mediaType: video.format.name)
    else {
      throw CaptureError(
        .badParts,
        "\(path) is not a part made by slitscan render --segment. To join other films, name them "
          + "all to slitscan render.")
    }
    self.label = label
    self.streams = streams
    self.video = video
    self.codec = codec
    let rate = video.format.get("framerate", as: Fraction.self)?.quotient
    frameRate = rate.flatMap { $0 > 0 ? $0 : nil }
    var sounds: [SoundStream] = []
    for stream in streams.sounds {
      guard let sound = try await SoundStream(path, stream.id, stream) else {
        throw CaptureError(
          .badParts,
          "\(path): A sound track of this part is empty. Render part \(label.part) again.")
      }
      sounds.append(sound)
    }
    self.sounds = sounds
  }

  /// From one frame to the next.
  var frameDuration: ClockTime { .seconds(frameRate.map { 1 / $0 } ?? 0) }

  /// An encoded frame, at its time in the film: that of the file, wherever the file begins.
  ///
  /// Matroska rounds times to milliseconds; where the video comes at a steady pace, they are brought back
  /// to it.
  func frame(_ packet: Sample) throws -> Sample {
    guard let buffer = packet.buffer, let time = buffer.presentationTime else {
      throw CaptureError(.badParts, "\(path): A frame has no timestamp.")
    }
    var place = time
    if let frameRate {
      let steady = ClockTime.seconds((time.seconds * frameRate).rounded() / frameRate)
      let distance = steady > time ? steady - time : time - steady
      if distance <= .milliseconds(1) { place = steady }
    }
    let moved = try buffer.moved(to: place, decodingTime: place, duration: buffer.duration)
    return Sample(moved, caps: video.caps)
  }

  /// - Throws: ``CaptureError/Code/badParts`` where there are not as many frames as there should be.
  func require(_ count: Int) throws(CaptureError) {
    // Frames that the effect adds at the end are in no count.
    let isComplete =
      label.part.isLast ? count >= label.frames.count : count == label.frames.count
    guard isComplete else {
      throw CaptureError(
        .badParts,
        "\(path) has \(count) frames, and should have \(label.frames.count). Render part "
          + "\(label.part) again.")
    }
  }

  /// - Throws: ``CaptureError/Code/badParts`` where this is not of the same film as `first`.
  func requireFits(_ first: PartDescription) throws(CaptureError) {
    let isSameFilm =
      label.part.count == first.label.part.count && label.total == first.label.total
      && label.fingerprint == first.label.fingerprint
    guard isSameFilm else {
      throw CaptureError(
        .badParts,
        "\(path) and \(first.path) are parts of different films, or were made with different settings. "
          + "Render one of them again with the settings of the other.")
    }
    guard video.caps == first.video.caps, sounds.map(\.format) == first.sounds.map(\.format) else {
      throw CaptureError(
        .badParts,
        "\(path) and \(first.path) are encoded differently. Render one of them again with the settings of the other."
      )
    }
  }
}

/// The label of a part, which is in its file as a comment.
struct PartLabel: Sendable, Hashable {
  let part: FilmPart
  /// Its frames by their numbers in the joined film.
  let frames: Range<Int>
  /// The frames of the joined film.
  let total: Int
  /// A number that parts of one film have in common, and others most likely not.
  let fingerprint: UInt64

  /// The label as it is written.
  var text: String {
    "slitscan part \(part), frames \(frames.lowerBound) to \(frames.upperBound) of \(total), "
      + "look \(String(fingerprint, radix: 16))"
  }
}

extension PartLabel {
  /// A label as it is written, in the first line of a comment; nil where it is none.
  init?(_ text: String) {
    let words = text.prefix { $0 != "\n" }.split { " ,".contains($0) }.map(String.init)
    guard words.count == 11, words[0] == "slitscan", words[1] == "part",
      let part = FilmPart(words[2]), let first = Int(words[4]), let end = Int(words[6]),
      let total = Int(words[8]), 0 <= first, first <= end, end <= total,
      let fingerprint = UInt64(words[10], radix: 16)
    else { return nil }
    self.init(part: part, frames: first..<end, total: total, fingerprint: fingerprint)
  }

  /// A hash of the effect's properties, the times of the film, which of its frames are joined, and what happens in it:
  /// FNV-1a, 64 bits.
  static func fingerprint(
    of scan: Element, _ times: [ClockTime], in range: Range<Int>, _ timeline: ScanTimeline
  ) throws(GStreamerError) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for property in scan.properties where !property.isInherited && property.isWritable {
      // Those change with the part and the machine, and not what is seen.
      let machine = ["drain", "threads", "max-memory", "history-location", "max-disk"]
      guard !machine.contains(property.name) else { continue }
      let value = try scan.get(property.name, as: Value.self)
      for byte in "\(property.name)=\(value);".utf8 { add(byte) }
    }
    let numbers = [range.lowerBound, range.upperBound].map(UInt64.init)
    for number in times.map(\.nanoseconds) + numbers {
      for shift in stride(from: 0, to: 64, by: 8) {
        add(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    for entry in timeline.entries {
      for byte in "\(entry.time?.nanoseconds ?? 0) \(entry.change.text);".utf8 { add(byte) }
    }
    for byte in (timeline.mapImages?.content ?? "").utf8 { add(byte) }
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

/// One of several parts of a film, `2/4` for the second of four.
public struct FilmPart: Sendable, Hashable, CustomStringConvertible {
  /// Which one, from 1 on.
  public let number: Int
  /// Of how many.
  public let count: Int

  /// The most parts that a film can have.
  public static let limit = 100_000

  /// A part, nil where there is none such.
  public init?(_ number: Int, of count: Int) {
    guard 1...Self.limit ~= count, 1...count ~= number else { return nil }
    self.number = number
    self.count = count
  }

  /// A part as people write it, nil where that makes no sense.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
    self.init(number, of: count)
  }

  /// Whether nothing follows it.
  public var isLast: Bool { number == count }

  /// As people write it.
  public var description: String { "\(number)/\(count)" }

  /// The frames of the part, of a film of so many: each is in one part, and all parts have about as
  /// many.
  func frames(of total: Int) -> Range<Int> {
    func boundary(_ index: Int) -> Int {
      let (whole, rest) = total.quotientAndRemainder(dividingBy: count)
      return whole * index + rest * index / count
    }
    return boundary(number - 1)..<boundary(number)
  }
}
