// Bright marks and text on dark ground, as pixels, with Cairo.

import CCairo
import SlitScanCapture

@safe
struct Drawing {
  /// The height of text, in pixels.
  static let textSize = 13.0

  private let context: OpaquePointer

  func line(fromX x: Double, y: Double, toX endX: Double, y endY: Double) {
    unsafe cairo_move_to(context, x, y)
    unsafe cairo_line_to(context, endX, endY)
    unsafe cairo_stroke(context)
  }

  func text(_ text: String, x: Double, y: Double) {
    unsafe cairo_move_to(context, x, y)
    unsafe cairo_show_text(context, text)
  }

  /// The width of a text in pixels.
  func width(of text: String) -> Double {
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  /// The drawing in light grey: rows from top to bottom, a byte a pixel.
  ///
  /// - Parameters:
  ///   - width: Pixels across, 30,000 at most.
  ///   - height: Pixels down, 30,000 at most.
  static func pixels(
    width: Int, height: Int, _ draw: (Drawing) -> Void
  ) throws(CaptureError) -> [UInt8] {
    guard
      let surface = unsafe cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(clamping: width), Int32(clamping: height))
    else { throw failure }
    defer { unsafe cairo_surface_destroy(surface) }
    guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = unsafe cairo_create(surface)
    else { throw failure }
    unsafe cairo_set_source_rgb(context, 0.08, 0.08, 0.08)
    unsafe cairo_paint(context)
    unsafe cairo_set_source_rgb(context, 0.92, 0.92, 0.92)
    unsafe cairo_set_line_width(context, 1)
    unsafe cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    unsafe cairo_set_font_size(context, textSize)
    draw(unsafe Drawing(context: context))
    unsafe cairo_destroy(context)
    unsafe cairo_surface_flush(surface)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { throw failure }

    let stride = unsafe Int(cairo_image_surface_get_stride(surface))
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      // Of a pixel of four bytes, the three that are used are alike.
      for column in 0..<width { pixels.append(unsafe data[row * stride + 4 * column + 1]) }
    }
    return pixels
  }

  private static var failure: CaptureError {
    CaptureError(.scanFailed, "There is not enough memory to draw the scale and the title.")
  }
}

/// Text below a strip, in as many rows as it takes.
struct TitleDrawing {
  private let rows: [String]
  private let width: Int

  /// The pixels around text and between its rows.
  private static let (margin, rowHeight) = (8, 19)
  /// The widest text: no surface is as wide as a strip can be.
  private static let widest = 4096

  /// - Parameters:
  ///   - items: Texts, none of which is divided where it fits into a row.
  ///   - width: The width of the image in pixels.
  init(_ items: [String], width: Int) throws(CaptureError) {
    self.width = width
    let room = Double(min(width, Self.widest) - 2 * Self.margin)
    var rows: [String] = []
    _ = try Drawing.pixels(width: 1, height: 1) { drawing in
      func fits(_ text: String) -> Bool { drawing.width(of: text) <= room }
      for item in items {
        if let last = rows.last, fits("\(last)  ·  \(item)") {
          rows[rows.count - 1] = "\(last)  ·  \(item)"
          continue
        }
        guard !fits(item) else {
          rows.append(item)
          continue
        }
        var row = ""
        for word in item.split(separator: " ") {
          let longer = row.isEmpty ? "\(word)" : "\(row) \(word)"
          if row.isEmpty || fits(longer) {
            row = longer
          } else {
            rows.append(row)
            row = "\(word)"
          }
        }
        rows.append(row)
      }
    }
    self.rows = rows
  }

  /// Pixels down.
  var height: Int { Self.rowHeight * rows.count + Self.margin }

  /// Rows from top to bottom, a byte a pixel.
  func pixels() throws(CaptureError) -> [UInt8] {
    let drawn = min(width, Self.widest)
    let text = try Drawing.pixels(width: drawn, height: height) { drawing in
      for (index, row) in rows.enumerated() {
        let y = Self.rowHeight * (index + 1) - 2
        drawing.text(row, x: Double(Self.margin), y: Double(y))
      }
    }
    guard width > drawn else { return text }
    // The ground goes on.
    var pixels: [UInt8] = []
    for row in 0..<height {
      pixels += text[row * drawn..<(row + 1) * drawn]
      pixels += [UInt8](repeating: text[0], count: width - drawn)
    }
    return pixels
  }
}
