// The reference of the mode `strip`: the line of pixels at `position` of every frame, appended to a canvas.

import Foundation

/// The canvas of a strip.
struct Strip {
  /// The sample of a line at a point: for each component every word it may be.
  typealias Point = [[UInt16]]

  /// Whether lines are columns, side by side, not rows, one below the other.
  let growsRightwards: Bool
  /// Points of a line.
  let points: Int
  /// The newest lines that fit into memory.
  let kept: Int
  /// All lines from the near end to the far end, nil where the canvas does not have one.
  var lines: [[Point]?]
  /// The line that `canvas=wrap` writes next.
  var next = 0

  /// Width and height of the canvas, pixels.
  var size: (width: Int, height: Int) {
    growsRightwards ? (lines.count, points) : (points, lines.count)
  }
}

extension Settings {
  /// Whether the canvas is shown in perspective, in a frame of the input's size.
  var hasView: Bool { canvas == .corridor || canvas == .tunnel }
}

extension ReferenceModel {
  mutating func takeStrip(_ frame: Frame) {
    let growsRightwards =
      settings.map == .linear && !isDiagonal && abs(map.direction.sin) > abs(map.direction.cos)
    let points = growsRightwards ? height : width
    let ownLength = growsRightwards ? width : height
    let length = settings.canvasLength == 0 ? ownLength : settings.canvasLength

    let lineBytes = bytes(ofPoints: points, growsRightwards)
    let kept =
      settings.maxMemory == 0
      ? length : min(max(Int(clamping: settings.maxMemory) / lineBytes, 1), length)

    if let strip, strip.growsRightwards == growsRightwards, strip.lines.count == length,
      strip.kept == kept
    {
      if !settings.freeze { append(frame.samples.map { $0.map { [$0] } }) }
      return
    }
    strip = Strip(
      growsRightwards: growsRightwards, points: points, kept: kept,
      lines: Array(repeating: nil, count: length))
    if settings.reserve > 0 {
      for ago in (0..<min(settings.reserve, history.frames.count)).reversed() {
        append(
          format.components.indices.map { number in
            frame.samples[number].indices.map {
              let words = history.word(component: number, at: $0, frame: ago)
              return Array(UInt16(words.lowerBound)...UInt16(words.upperBound))
            }
          })
      }
    } else if !settings.freeze {
      append(frame.samples.map { $0.map { [$0] } })
    }
  }

  /// Appends the lines of a frame, of which each sample may be one of several words.
  private mutating func append(_ samples: [[[UInt16]]]) {
    guard var strip else { return }
    defer { self.strip = strip }
    let length = strip.lines.count
    // The maps of which the slit is no curve are looked up pixel by pixel.
    let isCurve = [.linear, .radial, .angular, .spiral].contains(settings.map)
    let visits = isCurve ? [] : map.visits(ofCells: (1, 1), hasCurve: false)
    for m in 0..<min(settings.slitWidth, length) {
      let line = (0..<strip.points).map { k in
        point(k, ofLine: m, strip.growsRightwards, samples, visits)
      }
      switch settings.canvas {
      case .scroll, .corridor, .tunnel:
        strip.lines.removeFirst()
        strip.lines.append(line)
      case .wrap:
        strip.lines[strip.next] = line
        strip.next = (strip.next + 1) % length
      }
    }
    for age in strip.kept..<length { strip.lines[place(ofAge: age, strip)] = nil }
  }

  /// The line of the canvas that is so many lines older than the newest.
  func place(ofAge age: Int, _ strip: Strip) -> Int {
    let length = strip.lines.count
    let newest = settings.canvas == .wrap ? strip.next + length - 1 : length - 1
    return (newest - age + length) % length
  }

  /// A line of the canvas, or what is shown in its place; nil for nothing.
  private func line(_ index: Int, of strip: Strip) -> [Strip.Point]? {
    if let line = strip.lines[index] { return line }
    let held = strip.lines.indices.lazy.compactMap { strip.lines[self.place(ofAge: $0, strip)] }
    switch settings.warmup {
    case .hold: return held.last
    case .live: return held.first
    case .black, .transparent: return nil
    }
  }

  func stripped(component: Int, column: Int, row: Int) -> Expectation {
    guard let strip else { return Expectation(oneOf: []) }
    if settings.hasView { return viewed(strip, component: component, column: column, row: row) }
    let sample = format.components[component]
    let x = min(
      column * sample.columnsPerSample + sample.columnsPerSample / 2, strip.size.width - 1)
    let y = min(row * sample.rowsPerSample + sample.rowsPerSample / 2, strip.size.height - 1)
    let (index, point) = strip.growsRightwards ? (x, y) : (y, x)
    return Expectation(
      oneOf: line(index, of: strip)?[point][component] ?? [black(component: component)])
  }

  /// Whether the angle is 45° from both axes, where neither way is nearer than the other.
  private var isDiagonal: Bool { abs(settings.angle.remainder(dividingBy: 90)) == 45 }

  /// The bytes of a line of the canvas, with those of packed pixels that no component owns.
  private func bytes(ofPoints points: Int, _ growsRightwards: Bool) -> Int {
    func samples(_ component: FormatDescription.Component) -> Int {
      growsRightwards ? component.rows(ofHeight: points) : component.columns(ofWidth: points)
    }
    return (0..<format.planeCount).reduce(0) { sum, plane in
      let components = format.components.filter { $0.plane == plane }
      let owned = components.map { samples($0) * $0.bytes }.reduce(0, +)
      // Components that share a pixel have the same step, which covers them all.
      guard let first = components.first, components.allSatisfy({ $0.step == first.step }) else {
        return sum + owned
      }
      return sum + max(owned, samples(first) * first.step)
    }
  }

  /// What the slit's line m sees at point k.
  private func point(
    _ k: Int, ofLine m: Int, _ growsRightwards: Bool, _ samples: [[[UInt16]]], _ visits: [Ranges]
  ) -> Strip.Point {
    let places = slitPlaces(
      along: Double(k) + 0.5, aside: Double(m) - Double(settings.slitWidth - 1) / 2,
      growsRightwards, visits)
    let covered = places.flatMap { place in
      pixels(at: place.x).flatMap { column in pixels(at: place.y).map { (column, $0) } }
    }
    return format.components.indices.map { number in
      let sample = format.components[number]
      var words: [UInt16] = []
      for (column, row) in covered {
        let (column, row) =
          extendsFrames
          ? (min(max(column, 0), width - 1), min(max(row, 0), height - 1)) : (column, row)
        let isInside = (0..<width).contains(column) && (0..<height).contains(row)
        let seen =
          isInside
          ? samples[number][
            index(
              component: number, column: column / sample.columnsPerSample,
              row: row / sample.rowsPerSample)] : [black(component: number)]
        words += seen.filter { !words.contains($0) }
      }
      return words
    }
  }

  /// The pixel a coordinate lies in; where rounding decides between two, both.
  private func pixels(at coordinate: Double) -> [Int] {
    // Far outside is outside; this keeps the conversion from overflowing.
    let near = min(max(coordinate, -1e9), 1e9)
    let (one, other) = (
      Int((near - Tolerance.place).rounded(.down)), Int((near + Tolerance.place).rounded(.down))
    )
    return one == other ? [one] : [one, other]
  }

  /// Where a point of the slit lies in the frame; several places where rounding decides.
  private func slitPlaces(
    along t: Double, aside a: Double, _ growsRightwards: Bool, _ visits: [Ranges]
  ) -> [(x: Double, y: Double)] {
    let position = map.slitPosition
    let turn = 2 * Double.pi
    switch settings.map {
    case .linear:
      let s = (2 * position - 1) * map.halfExtent
      let (sine, cosine) = map.direction
      return [
        growsRightwards
          ? (map.width / 2 + (s - (t - map.height / 2) * cosine) / sine + a, t)
          : (t, map.height / 2 + (s - (t - map.width / 2) * sine) / cosine + a)
      ]
    case .radial:
      let angle = turn * t / map.width
      let radius = position * map.farthestCorner + a
      return [(map.center.x + radius * sin(angle), map.center.y - radius * cos(angle))]
    case .angular, .spiral:
      // A ray is an arm without turns.
      let turns = settings.map == .spiral ? settings.turns : 0
      let angle = turn * (position - turns * t / map.width)
      let radius = map.farthestCorner * t / map.width
      return [
        (
          map.center.x + radius * sin(angle) + a * cos(angle),
          map.center.y - radius * cos(angle) + a * sin(angle)
        )
      ]
    default:
      return nearestRows(toPosition: position, column: Int(t), visits)
        .map { (t, Double($0) + 0.5 + a) }
    }
  }

  /// The pixel of a column whose f is nearest to the position, the uppermost of several.
  ///
  /// Where rounding decides which is nearest, all that may be.
  private func nearestRows(toPosition position: Double, column: Int, _ visits: [Ranges]) -> [Int] {
    let column = (0..<height).map { visits[$0 * width + column].hull }
    let distances = column.map { $0.distance(to: ClosedRange(position)) }
    let nearest = distances.map(\.upperBound).min() ?? 0
    let rows = distances.indices.filter { distances[$0].lowerBound <= nearest }
    guard isFreeOfSums else { return rows }
    // The same f is as near, however it is rounded.
    return rows.filter { row in !rows.contains { $0 < row && column[$0] == column[row] } }
  }

  /// Whether f is not computed from several samples, which may be summed up in any order.
  private var isFreeOfSums: Bool {
    guard settings.mapSmoothing == 0 else { return false }
    guard let image = map.image else { return true }
    // Between two pixels f is a sum of both.
    return !image.isSum && (image.width, image.height) == (width, height)
  }
}
