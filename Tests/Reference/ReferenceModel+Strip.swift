// Mode `strip`: the line of pixels at `position` is appended to a canvas, frame after frame.

import Foundation

/// The canvas of a strip.
struct Strip {
  /// What a line shows at a point: for each component every word it may be.
  typealias Point = [[UInt16]]

  /// Whether lines are columns, side by side, not rows, one below the other.
  let growsRightwards: Bool
  /// Points of a line.
  let points: Int
  /// All lines from the near end to the far end.
  var lines: [[Point]]
  /// The line that `canvas=wrap` writes next.
  var next = 0

  /// Width and height of the canvas, pixels.
  var size: (width: Int, height: Int) {
    growsRightwards ? (lines.count, points) : (points, lines.count)
  }
}

extension ReferenceModel {
  mutating func takeStrip(_ frame: Frame) {
    let growsRightwards =
      settings.map == .linear && !isDiagonal && abs(map.direction.sin) > abs(map.direction.cos)
    let points = growsRightwards ? height : width
    let ownLength = growsRightwards ? width : height
    let length = settings.canvasLength == 0 ? ownLength : settings.canvasLength

    var strip =
      self.strip ?? emptyStrip(growsRightwards: growsRightwards, points: points, length: length)
    if strip.growsRightwards != growsRightwards || strip.lines.count != length {
      strip = emptyStrip(growsRightwards: growsRightwards, points: points, length: length)
    }
    defer { self.strip = strip }
    guard !settings.freeze else { return }

    for m in 0..<min(settings.slitWidth, length) {
      let line = (0..<points).map { k in point(k, ofLine: m, growsRightwards, frame) }
      switch settings.canvas {
      case .scroll:
        strip.lines.removeFirst()
        strip.lines.append(line)
      case .wrap:
        strip.lines[strip.next] = line
        strip.next = (strip.next + 1) % length
      }
    }
  }

  func stripped(component: Int, column: Int, row: Int) -> Expectation {
    guard let strip else { return Expectation(oneOf: []) }
    let sample = format.components[component]
    let x = min(
      column * sample.columnsPerSample + sample.columnsPerSample / 2, strip.size.width - 1)
    let y = min(row * sample.rowsPerSample + sample.rowsPerSample / 2, strip.size.height - 1)
    let point = strip.growsRightwards ? strip.lines[x][y] : strip.lines[y][x]
    return Expectation(oneOf: point[component])
  }

  /// Whether the angle is 45° from both axes, where neither way is nearer than the other.
  private var isDiagonal: Bool { abs(settings.angle.remainder(dividingBy: 90)) == 45 }

  private func emptyStrip(growsRightwards: Bool, points: Int, length: Int) -> Strip {
    let empty = format.components.indices.map { [black(component: $0)] }
    return Strip(
      growsRightwards: growsRightwards, points: points,
      lines: Array(repeating: Array(repeating: empty, count: points), count: length))
  }

  /// What the slit's line m sees at point k.
  private func point(
    _ k: Int, ofLine m: Int, _ growsRightwards: Bool, _ frame: Frame
  ) -> Strip.Point {
    let place = slitPlace(
      along: Double(k) + 0.5, aside: Double(m) - Double(settings.slitWidth - 1) / 2,
      growsRightwards)
    let columns = pixels(at: place.x)
    let rows = pixels(at: place.y)

    return format.components.indices.map { number in
      let sample = format.components[number]
      let words = columns.flatMap { column in
        rows.map { row in
          guard (0..<width).contains(column), (0..<height).contains(row) else {
            return black(component: number)
          }
          let at = index(
            component: number, column: column / sample.columnsPerSample,
            row: row / sample.rowsPerSample)
          return frame.samples[number][at]
        }
      }
      return Array(Set(words))
    }
  }

  /// The pixel a coordinate lies in; where rounding decides between two, both.
  private func pixels(at coordinate: Double) -> Set<Int> {
    // Far outside is outside; this keeps the conversion from overflowing.
    let near = min(max(coordinate, -1e9), 1e9)
    return [Int((near - hair).rounded(.down)), Int((near + hair).rounded(.down))]
  }

  /// Where a point of the slit lies in the picture.
  private func slitPlace(
    along t: Double, aside a: Double, _ growsRightwards: Bool
  ) -> (x: Double, y: Double) {
    let position = settings.invert ? 1 - settings.position : settings.position
    let turn = 2 * Double.pi
    switch settings.map {
    case .linear:
      let s = (2 * position - 1) * map.halfExtent
      let (sine, cosine) = map.direction
      return growsRightwards
        ? (map.width / 2 + (s - (t - map.height / 2) * cosine) / sine + a, t)
        : (t, map.height / 2 + (s - (t - map.width / 2) * sine) / cosine + a)
    case .radial:
      let angle = turn * t / map.width
      let radius = position * map.farthestCorner + a
      return (map.center.x + radius * sin(angle), map.center.y - radius * cos(angle))
    case .angular, .spiral:
      // A ray is an arm without turns.
      let turns = settings.map == .spiral ? settings.turns : 0
      let angle = turn * (position - turns * t / map.width)
      let radius = map.farthestCorner * t / map.width
      return (
        map.center.x + radius * sin(angle) + a * cos(angle),
        map.center.y - radius * cos(angle) + a * sin(angle)
      )
    case .grid, .random:
      // The pixel of the column whose f is nearest to the position, the uppermost of several.
      let distances = (0..<height).map { abs(map.visit(x: t, y: Double($0) + 0.5) - position) }
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      return (t, Double(nearest) + 0.5 + a)
    }
  }
}
