// The drawing of a time scale as pixels with Cairo.

import CCairo
import GStreamer
import SlitScanCapture

/// Draws a time scale beside a strip, piece by piece: no surface is as long as a strip can be.
struct ScaleDrawing {
  private let scale: TimeScale
  private let direction: StripDirection
  /// Pixels across the scale.
  let breadth: Int

  /// The lengths of marks, and the height of text, in pixels.
  private static let (smallMark, largeMark, textSize) = (5.0, 10.0, 13.0)
  /// Pixels from the strip to the far edge, where the text of `1:23:45` stands.
  private static let (height, width) = (30, 84)
  /// The reach of a text along the strip beyond its mark, in pixels.
  private static let reach = 100

  init(_ scale: TimeScale, _ direction: StripDirection) {
    self.scale = scale
    self.direction = direction
    breadth = direction == .rightwards ? Self.height : Self.width
  }

  /// Lines of a strip from one text to the next, at least.
  static func spacing(_ direction: StripDirection) -> Int {
    direction == .rightwards ? reach : 40
  }

  /// The pixels of a piece: rows from top to bottom, three bytes a pixel.
  ///
  /// - Parameter lines: Where along the strip; 30,000 at most.
  func pixels(_ lines: Range<Int>) throws(CaptureError) -> [UInt8] {
    let (width, height) =
      direction == .rightwards ? (lines.count, breadth) : (breadth, lines.count)
    guard
      let surface = unsafe cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(clamping: width), Int32(clamping: height))
    else { throw Self.failure }
    defer { unsafe cairo_surface_destroy(surface) }
    guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = unsafe cairo_create(surface)
    else { throw Self.failure }
    unsafe draw(lines, on: context)
    unsafe cairo_destroy(context)
    unsafe cairo_surface_flush(surface)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { throw Self.failure }

    let stride = unsafe Int(cairo_image_surface_get_stride(surface))
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    for row in 0..<height {
      // A pixel is one number, 0x00RRGGBB.
      let source = unsafe UnsafeRawPointer(data + row * stride)
      for column in 0..<width {
        let pixel = unsafe source.load(fromByteOffset: 4 * column, as: UInt32.self)
        let target = 3 * (row * width + column)
        pixels[target] = UInt8(truncatingIfNeeded: pixel >> 16)
        pixels[target + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
        pixels[target + 2] = UInt8(truncatingIfNeeded: pixel)
      }
    }
    return pixels
  }

  private func draw(_ lines: Range<Int>, on context: OpaquePointer) {
    unsafe cairo_set_source_rgb(context, 0.08, 0.08, 0.08)
    unsafe cairo_paint(context)
    unsafe cairo_set_source_rgb(context, 0.92, 0.92, 0.92)
    unsafe cairo_set_line_width(context, 1)
    unsafe cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    unsafe cairo_set_font_size(context, Self.textSize)
    // Text of a mark before this piece may reach into it.
    for mark in scale.marks(in: lines.lowerBound - Self.reach..<lines.upperBound) {
      let along = Double(mark.line - lines.lowerBound) + 0.5
      let length = mark.text == nil ? Self.smallMark : Self.largeMark
      switch direction {
      case .rightwards:
        unsafe cairo_move_to(context, along, 0)
        unsafe cairo_line_to(context, along, length)
      case .downwards:
        unsafe cairo_move_to(context, 0, along)
        unsafe cairo_line_to(context, length, along)
      }
      unsafe cairo_stroke(context)
      guard let text = mark.text else { continue }
      switch direction {
      case .rightwards: unsafe cairo_move_to(context, along + 3, Double(Self.height) - 6)
      case .downwards: unsafe cairo_move_to(context, length + 4, along + Self.textSize - 2)
      }
      unsafe cairo_show_text(context, text)
    }
  }

  private static var failure: CaptureError {
    CaptureError(.scanFailed, "There is not enough memory to draw the time scale.")
  }
}

extension TimeScale {
  func marks(in lines: Range<Int>) -> ArraySlice<Mark> {
    func first(from line: Int) -> Int {
      var (low, high) = (0, marks.count)
      while low < high {
        let middle = (low + high) / 2
        if marks[middle].line < line { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return marks[first(from: lines.lowerBound)..<first(from: lines.upperBound)]
  }
}
