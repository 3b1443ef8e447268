// The image of a strip with its time scale, on its way into a file.

import GStreamer
import SlitScanCapture

/// A strip in a spool, on its way into a file.
struct StripImage: ~Copyable {
  let spool: StripSpool
  private let drawing: ScaleDrawing?

  /// About how many bytes of the image are in memory at a time.
  private static let bandBytes = 8 << 20
  /// The longest piece of a scale that is drawn at a time, in pixels.
  private static let pieceLines = 4096

  init(spool: consuming StripSpool, scale: TimeScale?) {
    drawing = scale.map { [direction = spool.direction] in ScaleDrawing($0, direction) }
    self.spool = spool
  }

  /// The size of the image with its scale, in pixels.
  var size: (width: Int, height: Int) {
    let (width, height) = spool.size
    guard let drawing else { return (width, height) }
    return spool.direction == .rightwards
      ? (width, height + drawing.breadth) : (width + drawing.breadth, height)
  }

  /// Writes the image, and returns its size in pixels.
  func write(
    _ file: UnfinishedFile, _ progress: FilmRendering.Listener
  ) async throws -> (width: Int, height: Int) {
    let size = size
    let png = try PNGFile.create(
      file.temporaryPath, called: file.path, width: size.width, height: size.height)
    let (width, height) = spool.size
    let rowCount = max(1, min(Self.bandBytes / (3 * max(1, width)), Self.pieceLines))
    var band = [UInt8](repeating: 0, count: 3 * width * min(rowCount, height))
    for first in stride(from: 0, to: height, by: rowCount) {
      try Task.checkCancellation()
      // Others may run meanwhile.
      await Task.yield()
      let rows = first..<min(first + rowCount, height)
      try spool.read(rows, into: &band)
      try write(rows, band, to: png)
      progress(
        RenderProgress(stage: .writing, frames: rows.upperBound, total: height, time: .zero))
    }
    if spool.direction == .rightwards, let drawing { try write(drawing, to: png) }
    try png.finish()
    return size
  }

  /// Writes rows of the strip, each with its piece of the scale where that is beside it.
  private func write(
    _ rows: Range<Int>, _ band: [UInt8], to png: borrowing PNGFile
  ) throws(CaptureError) {
    let rowBytes = 3 * spool.size.width
    guard spool.direction == .downwards, let drawing else {
      for row in 0..<rows.count {
        try png.write(band.span.extracting(row * rowBytes..<(row + 1) * rowBytes))
      }
      return
    }
    let scale = try drawing.pixels(rows)
    let scaleBytes = 3 * drawing.breadth
    for row in 0..<rows.count {
      let line =
        band[row * rowBytes..<(row + 1) * rowBytes]
        + scale[row * scaleBytes..<(row + 1) * scaleBytes]
      try png.write(line.span)
    }
  }

  /// Writes the scale below the strip.
  private func write(_ drawing: ScaleDrawing, to png: borrowing PNGFile) throws(CaptureError) {
    let width = spool.size.width
    var pixels = [UInt8](repeating: 0, count: 3 * width * drawing.breadth)
    for first in stride(from: 0, to: width, by: Self.pieceLines) {
      let piece = first..<min(first + Self.pieceLines, width)
      let drawn = try drawing.pixels(piece)
      for row in 0..<drawing.breadth {
        let start = 3 * (row * width + first)
        pixels.replaceSubrange(
          start..<start + 3 * piece.count,
          with: drawn[3 * row * piece.count..<3 * (row + 1) * piece.count])
      }
    }
    for row in 0..<drawing.breadth {
      try png.write(pixels.span.extracting(3 * row * width..<3 * (row + 1) * width))
    }
  }
}
