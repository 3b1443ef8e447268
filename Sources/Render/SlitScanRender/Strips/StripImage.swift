// The image of a strip with its time scale, on its way into a file.

import GStreamer
import SlitScanCapture

/// A strip with what is drawn beside and below it.
struct StripLayout {
  /// The size of the strip alone, in pixels.
  private let strip: (width: Int, height: Int)
  private let direction: StripDirection
  fileprivate let drawing: ScaleDrawing?
  fileprivate let title: TitleDrawing?

  /// - Parameter title: Texts that stand below; none for no title.
  init(
    _ direction: StripDirection, strip: (width: Int, height: Int), scale: TimeScale?,
    title: [String]
  ) throws(CaptureError) {
    self.direction = direction
    self.strip = strip
    drawing = scale.map { ScaleDrawing($0, direction) }
    let beside = direction == .downwards ? drawing?.breadth ?? 0 : 0
    self.title = title.isEmpty ? nil : try TitleDrawing(title, width: strip.width + beside)
  }

  /// The size of the image, in pixels.
  var size: (width: Int, height: Int) {
    let breadth = drawing?.breadth ?? 0
    let below = (direction == .rightwards ? breadth : 0) + (title?.height ?? 0)
    return (strip.width + (direction == .downwards ? breadth : 0), strip.height + below)
  }
}

/// A strip in a spool, on its way into a file.
struct StripImage: ~Copyable {
  let spool: StripSpool
  private let pixels: PNGPixels
  private let layout: StripLayout

  /// About how many bytes of the image are in memory at a time.
  private static let bandBytes = 8 << 20
  /// The longest piece of a scale that is drawn at a time, in pixels.
  private static let pieceLines = 4096

  init(spool: consuming StripSpool, _ pixels: PNGPixels, _ layout: StripLayout) {
    self.pixels = pixels
    self.layout = layout
    self.spool = spool
  }

  /// Writes the image, and returns its size in pixels.
  func write(
    _ file: UnfinishedFile, _ progress: FilmRendering.Listener
  ) async throws -> (width: Int, height: Int) {
    let size = layout.size
    let png = try PNGFile.create(
      file.temporaryPath, called: file.path, width: size.width, height: size.height, pixels)
    let (width, height) = spool.size
    let rowBytes = spool.bytesPerPixel * width
    let rowCount = max(1, min(Self.bandBytes / max(1, rowBytes), Self.pieceLines))
    var band = [UInt8](repeating: 0, count: rowBytes * min(rowCount, height))
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
    if spool.direction == .rightwards, let drawing = layout.drawing { try write(drawing, to: png) }
    if let title = layout.title { try write(gray: title.pixels(), width: size.width, to: png) }
    try png.finish()
    return size
  }

  /// Writes rows of the strip, each with its piece of the scale where that is beside it.
  private func write(
    _ rows: Range<Int>, _ band: [UInt8], to png: borrowing PNGFile
  ) throws(CaptureError) {
    let rowBytes = spool.bytesPerPixel * spool.size.width
    guard spool.direction == .downwards, let drawing = layout.drawing else {
      for row in 0..<rows.count {
        try png.write(band.span.extracting(row * rowBytes..<(row + 1) * rowBytes))
      }
      return
    }
    let scale = pixels.pixels(ofGray: try drawing.pixels(rows))
    let scaleBytes = pixels.byteCount * drawing.breadth
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
    var gray = [UInt8](repeating: 0, count: width * drawing.breadth)
    for first in stride(from: 0, to: width, by: Self.pieceLines) {
      let piece = first..<min(first + Self.pieceLines, width)
      let drawn = try drawing.pixels(piece)
      for row in 0..<drawing.breadth {
        let start = row * width + first
        gray.replaceSubrange(
          start..<start + piece.count, with: drawn[row * piece.count..<(row + 1) * piece.count])
      }
    }
    try write(gray: gray, width: width, to: png)
  }

  /// Writes rows of drawn pixels.
  private func write(gray: [UInt8], width: Int, to png: borrowing PNGFile) throws(CaptureError) {
    for row in stride(from: 0, to: gray.count, by: width) {
      try png.write(pixels.pixels(ofGray: Array(gray[row..<row + width])).span)
    }
  }
}
