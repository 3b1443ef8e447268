// The structure of MP4, Matroska and RIFF files, read to detect files that are cut short.

import LibC
import SlitScanCapture

/// A check of a file's structure: whether the file has all that its container announces.
///
/// GStreamer's demuxers end the stream where a file breaks off, as they do at its end, and skip what they cannot
/// read in the middle. MP4 boxes, Matroska elements and RIFF chunks say how long they are, so that both can be
/// told from a film that is complete. Other containers are not judged.
enum FileStructure {
  enum Damage: Sendable, Hashable {
    /// The file ends before its last part does, both in bytes.
    case truncated(size: Int, expected: Int)
    /// Nothing that belongs to the container begins at a position, in bytes.
    case broken(at: Int)
    /// Another film begins at a position, in bytes, which GStreamer's demuxers do not read.
    case appended(at: Int)
    /// An animated PNG file, of which GStreamer decodes the first frame.
    case animated(frames: Int)

    /// The frames that there should be; nil where that is not known.
    var frameCount: Int? { if case .animated(let frames) = self { frames } else { nil } }
  }

  /// The damage of a file; nil where there is none, or none that can be told.
  static func damage(of path: String) -> Damage? {
    guard let file = FileBytes(path), let start = file.bytes(at: 0, count: 12) else { return nil }
    if start[4..<8].elementsEqual("ftyp".utf8) { return boxes(file) }
    if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return elements(file) }
    if start.starts(with: "RIFF".utf8) { return chunks(file) }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return animation(file) }
    return nil
  }

  // MARK: PNG

  /// The chunk `acTL` comes before the first image, and begins with the number of frames.
  private static func animation(_ file: borrowing FileBytes) -> Damage? {
    var position = 8
    while let header = file.bytes(at: position, count: 12) {
      let name = header[4..<8]
      if name.elementsEqual("IDAT".utf8) { return nil }
      if name.elementsEqual("acTL".utf8) {
        let frames = header[8..<12].bigEndian
        return frames > 1 ? .animated(frames: frames) : nil
      }
      position += 12 + header[0..<4].bigEndian
    }
    return nil
  }

  // MARK: MP4

  private static func boxes(_ file: borrowing FileBytes) -> Damage? {
    var position = 0
    var isFragmented = false
    while let (name, size) = file.box(at: position) {
      guard name.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0xA9 }) else {
        // A table says where frames are, but for those of fragments; and files may be padded.
        return isFragmented && name.contains { $0 != 0 } ? .broken(at: position) : nil
      }
      if name.elementsEqual("moof".utf8) { isFragmented = true }
      if name.elementsEqual("ftyp".utf8), position > 0, !isFragmented {
        return .appended(at: position)
      }
      // The rest of the file.
      if size == 0 { return nil }
      guard size >= 8 else { return isFragmented ? .broken(at: position) : nil }
      let (end, overflow) = position.addingReportingOverflow(size)
      guard !overflow, end <= file.size else {
        return .truncated(size: file.size, expected: overflow ? .max : end)
      }
      position = end
    }
    return nil
  }

  // MARK: RIFF

  private static func chunks(_ file: borrowing FileBytes) -> Damage? {
    var position = 0
    while let header = file.bytes(at: position, count: 12), header.starts(with: "RIFF".utf8) {
      // Larger files go on in a chunk of another type.
      if position > 0, header[8..<12].elementsEqual("AVI ".utf8) { return .appended(at: position) }
      let size = header[4..<8].reversed()[...].bigEndian
      // A file whose writer was stopped says nothing.
      guard size > 0, size < 0xFFFF_FFFF else { return nil }
      let end = position + 8 + size
      guard end <= file.size else { return .truncated(size: file.size, expected: end) }
      position = end + size % 2
    }
    return nil
  }

  // MARK: Matroska

  private static let segment = 0x1853_8067
  private static let cluster = 0x1F43_B675
  /// The elements of a segment: SeekHead, Info, Tracks, Cluster, Cues, Attachments, Chapters, Tags, Void, CRC-32.
  private static let segmentElements: Set<Int> = [
    0x114D_9B74, 0x1549_A966, 0x1654_AE6B, cluster, 0x1C53_BB6B, 0x1941_A469, 0x1043_A770,
    0x1254_C367, 0xEC, 0xBF,
  ]

  private static func elements(_ file: borrowing FileBytes) -> Damage? {
    guard let header = element(file, at: 0), let headerSize = header.size,
      let whole = element(file, at: header.start + headerSize), whole.id == segment
    else { return nil }
    // A file that was written for a stream says no size, and may end anywhere.
    let isMeasured = whole.size != nil
    let end = whole.size.map { whole.start + $0 } ?? file.size
    guard end <= file.size else { return .truncated(size: file.size, expected: end) }
    var position = whole.start
    while position < end {
      guard let child = element(file, at: position), segmentElements.contains(child.id) else {
        return isMeasured ? .broken(at: position) : nil
      }
      guard let size = child.size else {
        // A cluster without a size ends where the next element of the segment begins.
        guard let next = clusterEnd(file, from: child.start, to: end) else { return nil }
        position = next
        continue
      }
      guard child.start + size <= end else { return isMeasured ? .broken(at: position) : nil }
      if child.id == cluster, let damage = blocks(file, child.start..<child.start + size) {
        return damage
      }
      position = child.start + size
    }
    return element(file, at: end)?.id == 0x1A45_DFA3 ? .appended(at: end) : nil
  }

  private static func blocks(_ file: borrowing FileBytes, _ range: Range<Int>) -> Damage? {
    var position = range.lowerBound
    while position < range.upperBound {
      guard let child = element(file, at: position), let size = child.size,
        child.start + size <= range.upperBound
      else { return .broken(at: position) }
      position = child.start + size
    }
    return nil
  }

  private static func clusterEnd(
    _ file: borrowing FileBytes, from start: Int, to end: Int
  ) -> Int? {
    var position = start
    while position < end {
      guard let child = element(file, at: position) else { return nil }
      if segmentElements.contains(child.id), child.id > 0xFF { return position }
      guard let size = child.size, child.start + size <= end else { return nil }
      position = child.start + size
    }
    return end
  }

  /// The element at a position: its identifier, where its data begins, and how many bytes it has, nil where it does
  /// not say.
  private static func element(
    _ file: borrowing FileBytes, at position: Int
  ) -> (id: Int, start: Int, size: Int?)? {
    let count = max(0, min(12, file.size - position))
    guard let bytes = file.bytes(at: position, count: count), let head = MatroskaHead(bytes[...])
    else { return nil }
    return (head.id, position + head.length, head.size)
  }
}
