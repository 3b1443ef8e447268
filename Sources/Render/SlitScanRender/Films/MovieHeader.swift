// The movie header of an MP4 or QuickTime file holds what GStreamer's demuxer does not read of it.

import GStreamer
import SlitScanCapture

/// The box `moov` of a file: its chapters, whether its first video uses the full range of samples, and what is lost.
///
/// GStreamer 1.22 reads no chapters, timecodes and coordinates, and looks for the range at another place.
struct MovieHeader {
  private(set) var chapters: [Chapter] = []
  /// Nil where the file does not say.
  private(set) var isFullRange: Bool?
  /// The contents that are lost, as a sentence names them.
  private(set) var losses: [String] = []

  /// Reads the header of a file; nil where there is none.
  init?(_ path: String) {
    guard let bytes = Self.movie(of: path) else { return nil }
    var duration: ClockTime?
    var hasChapterTrack = false
    for box in Self.boxes(bytes[...]) {
      switch box.name {
      case "mvhd": duration = Self.duration(box.content)
      case "udta":
        let boxes = Self.boxes(box.content)
        let list = boxes.first { $0.name == "chpl" }
        if let list { chapters = Self.chapters(list.content) }
        if boxes.contains(where: { $0.name == Self.location }) { losses.append("its location") }
      case "trak":
        isFullRange = isFullRange ?? Self.range(ofTrack: box.content)
        if Self.handler(ofTrack: box.content) == "tmcd" { losses.append("its timecode") }
        hasChapterTrack = hasChapterTrack || Self.box(["tref", "chap"], in: box.content) != nil
      default: break
      }
    }
    if hasChapterTrack, chapters.isEmpty { losses.append("its chapters") }
    if let last = chapters.indices.last { chapters[last].end = duration }
  }

  /// The duration in a box `mvhd`, behind its times of creation and its time scale.
  private static func duration(_ bytes: ArraySlice<UInt8>) -> ClockTime? {
    let size = bytes.first == 1 ? 8 : 4
    let fields = bytes.dropFirst(4 + 2 * size)
    let scale = fields.prefix(4).bigEndian
    guard fields.count >= 4 + size, scale > 0 else { return nil }
    return .seconds(Double(fields.dropFirst(4).prefix(size).bigEndian) / Double(scale))
  }

  private typealias Box = (name: String, content: ArraySlice<UInt8>)

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [Box] {
    var boxes: [Box] = []
    var rest = bytes
    while rest.count >= 8 {
      let size = rest.prefix(4).bigEndian
      guard size >= 8, size <= rest.count else { break }
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      boxes.append((name, rest.prefix(size).dropFirst(8)))
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  /// The box in boxes that are in each other.
  private static func box(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    path.reduce(bytes as ArraySlice<UInt8>?) { bytes, name in
      bytes.flatMap { bytes in boxes(bytes).first { $0.name == name }?.content }
    }
  }

  /// The chapters of Nero: a number of entries, each of a time in 100 ns, and a title behind its length.
  private static func chapters(_ bytes: ArraySlice<UInt8>) -> [Chapter] {
    guard bytes.count > 9 else { return [] }
    var rest = bytes.dropFirst(bytes.first == 0 ? 5 : 9)
    var chapters: [Chapter] = []
    while rest.count >= 9 {
      let start = ClockTime(nanoseconds: UInt64(clamping: rest.prefix(8).bigEndian) &* 100)
      let length = Int(rest[rest.startIndex + 8])
      let title = String(decoding: rest.dropFirst(9).prefix(length), as: UTF8.self)
      if !chapters.isEmpty { chapters[chapters.count - 1].end = start }
      var tags = TagList()
      try? tags.set("title", to: title)
      chapters.append(Chapter(tags, start: start, end: nil))
      rest = rest.dropFirst(9 + length)
    }
    return chapters
  }

  private static func range(ofTrack track: ArraySlice<UInt8>) -> Bool? {
    // Version and flags, the number of entries, the first entry, and the fields of one of video.
    guard let table = box(["mdia", "minf", "stbl", "stsd"], in: track),
      box(["mdia", "minf", "vmhd"], in: track) != nil,
      let entry = boxes(table.dropFirst(8)).first?.content,
      let colour = boxes(entry.dropFirst(78)).first(where: { $0.name == "colr" })?.content,
      colour.count >= 11, colour.prefix(4).elementsEqual("nclx".utf8)
    else { return nil }
    return colour[colour.startIndex + 10] & 0x80 != 0
  }

  /// The name of the box with the coordinates, whose first character is © in Mac OS Roman, which is no UTF-8.
  private static let location = "\u{FFFD}xyz"

  /// The kind of a track, in a box behind version, flags and a reserved field.
  private static func handler(ofTrack track: ArraySlice<UInt8>) -> String? {
    box(["mdia", "hdlr"], in: track).map {
      String(decoding: $0.dropFirst(8).prefix(4), as: UTF8.self)
    }
  }

  /// The content of the box `moov`, of a reasonable size.
  private static func movie(of path: String) -> [UInt8]? {
    guard let file = FileBytes(path) else { return nil }
    var position = 0
    while let box = file.box(at: position) {
      let (name, size) = (String(decoding: box.name, as: UTF8.self), box.size)
      guard position > 0 || name == "ftyp" else { return nil }
      guard size >= 8, size <= file.size - position else { return nil }
      if name == "moov", size < 1 << 28 { return file.bytes(at: position + 8, count: size - 8) }
      position += size
    }
    return nil
  }
}

extension Caps {
  /// Decoded frames with the range that their file states.
  func corrected(isFullRange: Bool?) -> Caps {
    guard isFullRange == true, var structure = structures.first,
      let colorimetry = structure.fields["colorimetry"]?.text,
      let colours = Colorimetry(colorimetry), colours.isFullRange == false
    else { return self }
    structure.fields["colorimetry"] = .string(colours.inFullRange)
    return (try? Caps(structure)) ?? self
  }
}
