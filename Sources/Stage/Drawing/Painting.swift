// A painting is a grey picture to which strokes are added, and from which they fade. A value.

import SlitScanCapture

/// A picture of strokes: 0 is now, the largest value the oldest frame.
///
/// The same strokes at the same moments make the same picture, however often it was looked at meanwhile.
struct Painting: Sendable, Equatable {
  /// The longer side, in pixels: soft edges are as smooth as in a larger one, and a stroke is cheap.
  static let longerSide = 320

  let width: Int
  let height: Int
  private var pixels: [UInt16]
  /// No pixel is brighter.
  private var brightest: UInt16 = 0
  /// The time that the whole range takes to fade, in seconds; 0 for strokes that stay.
  private(set) var fade = 0.0
  /// Since when they fade so.
  private var start: ContinuousClock.Instant
  /// The value that every pixel has lost since.
  private var faded = 0.0

  /// - Parameter aspect: The width of the frame over its height.
  init(aspect: Double, at moment: ContinuousClock.Instant) {
    let aspect = min(max(aspect, 1 / 16), 16)
    let side = Double(Self.longerSide)
    width = Int((aspect < 1 ? side * aspect : side).rounded())
    height = Int((aspect < 1 ? side : side / aspect).rounded())
    pixels = [UInt16](repeating: 0, count: width * height)
    start = moment
  }

  var isFading: Bool { fade > 0 && brightest > 0 }

  var isEmpty: Bool { brightest == 0 }

  /// - Throws: Never, as its sides are such as a map can have.
  func image() throws(CaptureError) -> MapImage {
    try MapImage(width: width, height: height, gray16: pixels)
  }

  /// The value at a pixel, 0 to 1.
  subscript(x: Int, y: Int) -> Double { Double(pixels[y * width + x]) / Double(UInt16.max) }

  // MARK: Time

  /// Lets strokes fade until a moment.
  mutating func advance(to moment: ContinuousClock.Instant) {
    guard fade > 0, moment > start else { return }
    // Counted from the start, so that it does not matter how often this is done.
    let all = (Double(UInt16.max) * ((moment - start) / .seconds(fade))).rounded(.down)
    guard all > faded else { return }
    let step = UInt16(min(all - faded, Double(UInt16.max)))
    faded = all
    guard brightest > 0 else { return }
    for index in pixels.indices { pixels[index] -= min(pixels[index], step) }
    brightest -= min(brightest, step)
  }

  /// Has strokes fade in another time from a moment on.
  mutating func setFade(_ seconds: Double, at moment: ContinuousClock.Instant) {
    advance(to: moment)
    if seconds != fade { setFade(seconds, from: moment) }
  }

  /// Has strokes fade from what they are now on, however long ago that was.
  mutating func setFade(_ seconds: Double, from moment: ContinuousClock.Instant) {
    fade = seconds
    start = moment
    faded = 0
  }

  // MARK: Strokes

  /// - Parameter strokes: The strokes that may be gone on with; this one is among them then.
  mutating func draw(
    _ stroke: Stroke, _ strokes: inout OpenStrokes, at moment: ContinuousClock.Instant
  ) {
    advance(to: moment)
    strokes.go(on: stroke, count: pixels.count) { coverage in
      let brush = Brush(stroke, width, height)
      for line in stroke.lines {
        let ends = line.count > 1 ? Array(zip(line, line.dropFirst())) : [(line[0], line[0])]
        for (from, to) in ends { draw(brush, from, to, &coverage) }
      }
    }
    brightest = max(brightest, Brush.level(stroke.value))
  }

  /// Draws a straight piece: each pixel gets as much more of the value as it is covered more than before.
  private mutating func draw(
    _ brush: Brush, _ from: Stroke.Point, _ to: Stroke.Point, _ coverage: inout [UInt16]
  ) {
    let (x0, y0) = (Float(from.x) * Float(width), Float(from.y) * Float(height))
    let (dx, dy) = (Float(to.x) * Float(width) - x0, Float(to.y) * Float(height) - y0)
    let squared = dx * dx + dy * dy
    let reach = brush.reach
    let columns = range(min(x0, x0 + dx) - reach, max(x0, x0 + dx) + reach, width)
    for row in range(min(y0, y0 + dy) - reach, max(y0, y0 + dy) + reach, height) {
      let y = Float(row) + 0.5 - y0
      for column in columns {
        let index = row * width + column
        let before = coverage[index]
        guard before < UInt16.max else { continue }
        let x = Float(column) + 0.5 - x0
        let along = squared > 0 ? min(max((x * dx + y * dy) / squared, 0), 1) : 0
        let (ex, ey) = (x - along * dx, y - along * dy)
        let now = brush.coverage(atSquared: ex * ex + ey * ey)
        guard now > before else { continue }
        coverage[index] = now
        let share = Float(now - before) / Float(UInt16.max - before)
        let pixel = Float(pixels[index])
        pixels[index] = UInt16((pixel + (Float(brush.level) - pixel) * share).rounded())
      }
    }
  }

  /// The whole pixels between two places, as far as there are any.
  private func range(_ from: Float, _ to: Float, _ count: Int) -> Range<Int> {
    let start = min(max(Int(from.rounded(.down)), 0), count)
    return start..<min(max(Int(to.rounded(.up)), start), count)
  }
}

/// The brush of a stroke, in pixels.
private struct Brush {
  let level: UInt16
  /// The distance from the line at which it ends.
  let reach: Float
  /// The square of the distance up to which it is full.
  private let full: Float
  private let soft: Float

  init(_ stroke: Stroke, _ width: Int, _ height: Int) {
    level = Self.level(stroke.value)
    // The finest touches a pixel wherever it is; the hardest is soft over one, as it would have steps.
    let radius = max(Float(stroke.size) * Float(min(width, height)) / 2, 1)
    soft = max(Float(stroke.softness) * radius, 1)
    reach = radius + (1 - Float(stroke.softness)) / 2
    full = max(reach - soft, 0) * max(reach - soft, 0)
  }

  static func level(_ value: Double) -> UInt16 { UInt16((value * Double(UInt16.max)).rounded()) }

  func coverage(atSquared distance: Float) -> UInt16 {
    guard distance > full else { return UInt16.max }
    guard distance < reach * reach else { return 0 }
    let place = min((reach - distance.squareRoot()) / soft, 1)
    return UInt16(place * place * (3 - 2 * place) * Float(UInt16.max))
  }
}

/// The strokes that may be gone on with: how much of each pixel they cover, so that where two pieces of one
/// stroke meet, nothing is covered twice.
struct OpenStrokes: Sendable {
  /// The most, of all inputs; the oldest is over when there is another one.
  static let limit = 16

  private var strokes: [(last: Stroke, coverage: [UInt16])] = []

  /// - Parameter count: The number of pixels.
  mutating func go(on stroke: Stroke, count: Int, _ body: (inout [UInt16]) -> Void) {
    var coverage = [UInt16](repeating: 0, count: 0)
    if let index = strokes.lastIndex(where: { stroke.continues($0.last) }) {
      coverage = strokes.remove(at: index).coverage
    }
    if coverage.count != count { coverage = [UInt16](repeating: 0, count: count) }
    body(&coverage)
    strokes.append((stroke, coverage))
    if strokes.count > Self.limit { strokes.removeFirst() }
  }
}
