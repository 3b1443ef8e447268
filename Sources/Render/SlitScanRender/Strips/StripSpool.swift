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
/// A tile has all pixels across the strip and some lines along it, row by row. All tiles have as many lines but the
/// last, which may have fewer. The file has no name: nothing is left of it, whatever happens to the process.
struct StripSpool: ~Copyable {
  let direction: StripDirection
  /// Pixels across the strip.
  let breadth: Int
  /// Lines of a tile.
  let tileLines: Int
  /// The lines of each frame, which keep their order, where frames are read from the last to the first; else nil.
  let reversedFrameLines: Int?
  let bytesPerPixel: Int
  /// The lines of the whole.
  var lines: Int { appended - skipped }
  private var appended = 0
  private var skipped = 0
  private let file: Int32
  private let name: String

  private var tileBytes: Int { bytesPerPixel * breadth * tileLines }

  /// Makes a file in the folder of another.
  ///
  /// - Parameter name: What errors call it.
  init(
    beside path: String, called name: String, _ direction: StripDirection, breadth: Int,
    tileLines: Int, reversedFrameLines: Int? = nil, bytesPerPixel: Int = 3
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
    self.reversedFrameLines = reversedFrameLines
    self.bytesPerPixel = bytesPerPixel
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
      direction == .rightwards
      ? (breadth, bytesPerPixel * tileLines) : (tileLines, bytesPerPixel * breadth)
    var bytes = [UInt8](repeating: 0, count: tileBytes)
    for row in 0..<rowCount {
      let place = row * rowBytes
      bytes.replaceSubrange(place..<place + rowBytes, with: pixels(row, rowBytes))
    }
    let offset = appended / tileLines * tileBytes
    try transfer(bytes.count) { done in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          file, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, offset + done)
      }
    }
    appended += min(count, tileLines)
  }

  /// The place in the whole of a line that was appended, and the other way round.
  private func place(_ line: Int) -> Int {
    guard let count = reversedFrameLines else { return line }
    return lines - (line / count + 1) * count + line % count
  }

  /// Leaves out lines that were appended first, of whole frames.
  mutating func skip(_ count: Int) { skipped = count }

  /// Reads rows of the whole, one after the other without padding.
  func read(_ rows: Range<Int>, into target: inout [UInt8]) throws(CaptureError) {
    let rowBytes = bytesPerPixel * size.width
    guard direction == .rightwards else {
      // As they lie.
      let count = reversedFrameLines == nil ? rows.count : 1
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: count) {
        let start = (row - rows.lowerBound) * rowBytes
        try fetch(
          count * rowBytes, at: (skipped + place(row)) * rowBytes, into: &target, at: start)
      }
      return
    }
    let tileRow = bytesPerPixel * tileLines
    var band = [UInt8](repeating: 0, count: rows.count * tileRow)
    for first in stride(from: skipped / tileLines * tileLines, to: appended, by: tileLines) {
      let offset = first / tileLines * tileBytes + rows.lowerBound * tileRow
      try fetch(band.count, at: offset, into: &band, at: 0)
      let wanted = max(first, skipped)..<min(first + tileLines, appended)
      // Lines that lie beside each other in the whole, too.
      let count = reversedFrameLines ?? wanted.count
      for line in stride(from: wanted.lowerBound, to: wanted.upperBound, by: max(1, count)) {
        let bytes = bytesPerPixel * count
        for row in 0..<rows.count {
          let start = row * rowBytes + bytesPerPixel * place(line - skipped)
          let source = row * tileRow + bytesPerPixel * (line - first)
          target.replaceSubrange(start..<start + bytes, with: band[source..<source + bytes])
        }
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
