// Corrections of what GStreamer's Matroska muxer writes of tracks and tags.

import GStreamer
import StreamingThread

/// Corrects headers and tags on their way out of `matroskamux` or `webmmux`, byte for byte in place.
///
/// The muxer marks every track as a default one, names those without a title, leaves out an unknown language, which
/// then is English, writes the text of tags in quotation marks, with backslashes, and a fifth of the luminance of a
/// mastering display. All corrections are shorter:
/// a string ends at a zero byte, and a track needs no identifier of eight bytes.
final class MatroskaOutput: Sendable {
  /// A track, in the order in which the muxer has them.
  struct Track: Sendable {
    let hasTitle: Bool
    let isDefault: Bool
    /// Of the display that the video was mastered on, in candela per square metre.
    var luminance: ClosedRange<Double>?
  }

  /// The elements that contain others, and those that are corrected.
  private enum ID {
    static let segment = 0x1853_8067
    static let cluster = 0x1F43_B675
    static let tags = 0x1254_C367
    static let trackEntry = 0xAE
    static let trackUID = 0x73C5
    static let trackName = 0x536E
    static let language = 0x22B59C
    static let video = 0xE0
    static let colour = 0x55B0
    static let mastering = 0x55D0
    static let luminanceMax = 0x55D9
    static let luminanceMin = 0x55DA
    static let tagTrackUID = 0x63C5
    static let tagName = 0x45A3
    static let tagString = 0x4487
    /// Segment, Tracks, Tags, Tag, Targets, SimpleTag.
    static let masters = [segment, 0x1654_AE6B, tags, 0x7373, 0x63C0, 0x67C8]
  }

  private struct State {
    /// Whether frames are written, which are not looked into.
    var isInFrames = false
    var trackCount = 0
  }

  /// An element: where it begins, where its content does, and where it ends.
  private struct Element {
    let id: Int
    let start: Int
    let content: Range<Int>
  }

  private let tracks: [Track]
  private let state = Lock(State())

  init(_ tracks: [Track]) { self.tracks = tracks }

  /// Corrects what passes a muxer's source pad.
  func correct(_ pad: Pad) {
    pad.addProbe(.buffer) { [self] item in
      guard case .buffer(let buffer) = item, let mapping = try? buffer.map() else { return .pass }
      var bytes = unsafe mapping.bytes.withUnsafeBytes { unsafe Array($0) }
      guard correct(&bytes), var corrected = try? WritableBuffer(copying: buffer) else {
        return .pass
      }
      try? corrected.write(bytes)
      return .replace(corrected.finish())
    }
  }

  /// Corrects a piece of the file, which begins with an element.
  ///
  /// - Returns: Whether anything was changed.
  func correct(_ bytes: inout [UInt8]) -> Bool {
    guard let first = Self.element(in: bytes, at: 0..<bytes.count) else { return false }
    let isLooked = state.withLock { state in
      if first.id == ID.cluster { state.isInFrames = true }
      if first.id == ID.tags, bytes.count == 12 { state.isInFrames = false }
      return !state.isInFrames
    }
    let before = bytes
    if isLooked { correct(&bytes, in: 0..<bytes.count) }
    return bytes != before
  }

  private func correct(_ bytes: inout [UInt8], in range: Range<Int>) {
    for element in Self.elements(in: bytes, range) {
      switch element.id {
      case let id where ID.masters.contains(id): correct(&bytes, in: element.content)
      case ID.trackEntry: correctTrack(&bytes, element.content)
      case ID.tagString:
        if let text = Self.unquoted(bytes[element.content]) {
          Self.fill(&bytes, element.content, text)
        }
      case ID.tagName:
        if bytes[element.content].starts(with: "COMMENTS".utf8) {
          Self.fill(&bytes, element.content, Array("COMMENT".utf8))
        }
      case ID.tagTrackUID:
        // As many bytes as the track's identifier has left.
        for index in element.content.prefix(3) where element.content.count > 3 { bytes[index] = 0 }
      default: break
      }
    }
  }

  private func correctTrack(_ bytes: inout [UInt8], _ range: Range<Int>) {
    let number = state.withLock { state in
      defer { state.trackCount += 1 }
      return state.trackCount
    }
    guard tracks.indices.contains(number) else { return }
    let elements = Self.elements(in: bytes, range)
    let hasLanguage = elements.contains { $0.id == ID.language }
    for element in elements {
      let whole = element.start..<element.content.upperBound
      switch element.id {
      case ID.trackUID where element.content.count > 3:
        let identifier = Array(bytes[element.content].dropFirst(3))
        // FlagDefault, whose value without an element is 1.
        let flag: [UInt8] = [0x88, 0x81, tracks[number].isDefault ? 1 : 0]
        bytes.replaceSubrange(
          whole, with: [0x73, 0xC5, 0x80 | UInt8(identifier.count)] + identifier + flag)
      case ID.video:
        if let luminance = tracks[number].luminance {
          correctLuminance(&bytes, element.content, luminance)
        }
      case ID.trackName where !tracks[number].hasTitle:
        let count = whole.count
        if hasLanguage {
          // Void.
          bytes.replaceSubrange(
            whole, with: [0xEC, 0x80 | UInt8(count - 2)] + [UInt8](repeating: 0, count: count - 2))
        } else {
          bytes.replaceSubrange(
            whole,
            with: [0x22, 0xB5, 0x9C, 0x80 | UInt8(count - 4)] + Array("und".utf8)
              + [UInt8](repeating: 0, count: count - 7))
        }
      default: break
      }
    }
  }

  private func correctLuminance(
    _ bytes: inout [UInt8], _ range: Range<Int>, _ luminance: ClosedRange<Double>
  ) {
    for element in Self.elements(in: bytes, range) {
      switch element.id {
      case ID.colour, ID.mastering: correctLuminance(&bytes, element.content, luminance)
      case ID.luminanceMax where element.content.count == 8:
        bytes.replaceSubrange(element.content, with: Self.bytes(of: luminance.upperBound))
      case ID.luminanceMin where element.content.count == 8:
        bytes.replaceSubrange(element.content, with: Self.bytes(of: luminance.lowerBound))
      default: break
      }
    }
  }

  private static func bytes(of number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(56 - 8 * $0)) }
  }

  private static func fill(_ bytes: inout [UInt8], _ range: Range<Int>, _ text: [UInt8]) {
    bytes.replaceSubrange(
      range, with: text + [UInt8](repeating: 0, count: max(0, range.count - text.count)))
  }

  /// The text that GStreamer has put into quotation marks; nil where it has not.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let quoted = bytes.prefix { $0 != 0 }
    let quote = UInt8(ascii: "\"")
    guard quoted.count >= 2, quoted.first == quote, quoted.last == quote else { return nil }
    var rest = quoted.dropFirst().dropLast()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }) {
        text.append(digits.reduce(0) { $0 << 3 | $1 & 7 })
        rest = rest.dropFirst(3)
      } else if let escaped = rest.popFirst() {
        text.append(escaped)
      }
    }
    return text
  }

  private static func elements(in bytes: [UInt8], _ range: Range<Int>) -> [Element] {
    var elements: [Element] = []
    var rest = range
    while let element = element(in: bytes, at: rest) {
      elements.append(element)
      rest = element.content.upperBound..<range.upperBound
    }
    return elements
  }

  /// The element that begins at the start of a range; of an unknown size, it takes all of it.
  private static func element(in bytes: [UInt8], at range: Range<Int>) -> Element? {
    guard let head = MatroskaHead(bytes[range]) else { return nil }
    let start = range.lowerBound + head.length
    let end = head.size.map { start + $0 } ?? range.upperBound
    guard end <= range.upperBound else { return nil }
    return Element(id: head.id, start: range.lowerBound, content: start..<end)
  }
}
