// The drawing of a time scale as pixels.

import GStreamer
import SlitScanCapture

/// Draws a time scale beside a strip, piece by piece: no surface is as long as a strip can be.
struct ScaleDrawing {
  private let scale: TimeScale
  private let direction: StripDirection
  /// Pixels across the scale.
  let breadth: Int

  /// The lengths of marks, in pixels.
  private static let (smallMark, mediumMark, largeMark) = (4.0, 7.0, 10.0)
  /// Pixels from the strip to the far edge, where the text of `1:23:45` stands.
  private static let (height, width) = (30, 84)
  /// The reach of a text along the strip beyond its mark, in pixels.
  private static let reach = 100

  init(_ scale: TimeScale, _ direction: StripDirection) {
    self.scale = scale
    self.direction = direction
    let longest = scale.marks.map { $0.text?.count ?? 0 }.max() ?? 0
    breadth = direction == .rightwards ? Self.height : max(Self.width, 20 + 8 * longest)
  }

  /// Lines of a strip from one text to the next, at least.
  static func spacing(_ direction: StripDirection) -> Int {
    direction == .rightwards ? reach : 40
  }

  /// The pixels of a piece: rows from top to bottom, a byte a pixel.
  ///
  /// - Parameter lines: Where along the strip; 30,000 at most.
  func pixels(_ lines: Range<Int>) throws(CaptureError) -> [UInt8] {
    let (width, height) =
      direction == .rightwards ? (lines.count, breadth) : (breadth, lines.count)
    return try Drawing.pixels(width: width, height: height) { draw(lines, $0) }
  }

  private func draw(_ lines: Range<Int>, _ drawing: Drawing) {
    // Text of a mark before this piece may reach into it.
    let reach = lines.lowerBound - Self.reach..<lines.upperBound
    for mark in scale.marks where reach.contains(mark.line) {
      let along = Double(mark.line - lines.lowerBound) + 0.5
      let length =
        mark.text != nil ? Self.largeMark : mark.isMedium ? Self.mediumMark : Self.smallMark
      switch direction {
      case .rightwards:
        drawing.line(fromX: along, y: 0, toX: along, y: length)
        if let text = mark.text {
          drawing.text(text, x: along + 3, y: Double(Self.height) - 6)
        }
      case .downwards:
        drawing.line(fromX: 0, y: along, toX: length, y: along)
        if let text = mark.text {
          drawing.text(text, x: length + 4, y: along + Drawing.textSize - 2)
        }
      }
    }
  }
}
