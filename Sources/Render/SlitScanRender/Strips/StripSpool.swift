// The strip spool transposes a strip from columns to rows in a temporary file, as it may exceed memory.

import LibC
import SlitScanCapture

enum StripDirection: Sendable, Hashable {
  /// Each frame's lines are columns, to the right of those before.
  case rightwards
  /// Each frame's lines are rows, below those before.
  case downwards
}

/// Tiles of a strip as they come, to be read as rows of the whole.
///
/// A tile has all pixels across the strip and some lines along it, three bytes a pixel, row by row. All
/// tiles have as many lines but the last, which may have fewer. The file has no name: nothing is left of
/// it, whatever happens to the process.
struct StripSpool: ~Copyable {
  let direction: StripDirection
  /// Pixels across the strip.
  let breadth: Int
  /// Lines of a tile.
  let tileLines: Int
  private(set) var lines = 0
  private let file: Int32
  private let name: String

  private var tileBytes: Int { 3 * breadth * tileLines }

  /// Makes a file in the folder of another.
  ///
  /// - Parameter name: What errors call it.
  init(
    beside path: String, called name: String, _ direction: StripDirection, breadth: Int,
    tileLines: Int
  ) throws(CaptureError) {
    let place = path + ".strip"
    let file = unsafe open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CaptureError(system: errno, writing: name, unsafe String(cString: strerror(errno)))
    }
    _ = unsafe unlink(place)
    self.file = file
    self.name = name
    self.direction = direction
    self.breadth = breadth
    self.tileLines = tileLines
  }

  deinit { _ = close(file) }

  /// The size of the whole, in pixels.
  var size: (width: Int, height: Int) {
    direction == .rightwards ? (lines, breadth) : (breadth, lines)
  }

  /// Appends a tile.
  ///
  /// - Parameters:
  ///   - count: How many of its lines are the strip's; those of the last tile alone may be fewer.
  ///   - pixels: Gives the pixels of each row of the tile, by its number, and how many bytes those are.
  mutating func append(
    _ count: Int, _ pixels: (_ row: Int, _ bytes: Int) -> [UInt8]
  ) throws(CaptureError) {
    let (rowCount, rowBytes) =
      direction == .rightwards ? (breadth, 3 * tileLines) : (tileLines, 3 * breadth)
    var bytes = [UInt8](repeating: 0, count: tileBytes)
    for row in 0..<rowCount {
      let place = row * rowBytes
      bytes.replaceSubrange(place..<place + rowBytes, with: pixels(row, rowBytes))
    }
    let offset = lines / tileLines * tileBytes
    try transfer(bytes.count) { done in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          file, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, offset + done)
      }
    }
    lines += min(count, tileLines)
  }

  /// Reads rows of the whole, one after the other without padding.
  func read(_ rows: Range<Int>, into target: inout [UInt8]) throws(CaptureError) {
    let rowBytes = 3 * size.width
    guard direction == .rightwards else {
      // As they lie.
      return try fetch(rows.count * rowBytes, at: rows.lowerBound * rowBytes, into: &target, at: 0)
    }
    let tileRow = 3 * tileLines
    var band = [UInt8](repeating: 0, count: rows.count * tileRow)
    for first in stride(from: 0, to: lines, by: tileLines) {
      let offset = first / tileLines * tileBytes + rows.lowerBound * tileRow
      try fetch(band.count, at: offset, into: &band, at: 0)
      let bytes = 3 * min(tileLines, lines - first)
      for row in 0..<rows.count {
        let start = row * rowBytes + 3 * first
        target.replaceSubrange(
          start..<start + bytes, with: band[row * tileRow..<row * tileRow + bytes])
      }
    }
  }

  private func fetch(
    _ count: Int, at offset: Int, into target: inout [UInt8], at start: Int
  ) throws(CaptureError) {
    try transfer(count) { done in
      unsafe target.withUnsafeMutableBytes { bytes in
        unsafe pread(
          file, bytes.baseAddress.map { unsafe $0 + start + done }, count - done, offset + done)
      }
    }
  }

  /// Repeats what may do only a part.
  private func transfer(_ count: Int, _ body: (_ done: Int) -> Int) throws(CaptureError) {
    var done = 0
    while done < count {
      let step = body(done)
      if step < 0, errno == EINTR { continue }
      guard step > 0 else {
        let number = step < 0 ? errno : EIO
        throw CaptureError(system: number, writing: name, unsafe String(cString: strerror(number)))
      }
      done += step
    }
  }
}
