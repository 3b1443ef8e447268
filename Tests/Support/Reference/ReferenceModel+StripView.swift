// The reference of a canvas in perspective: each sample is the mean of its footprint.

import Foundation

/// The part of a canvas that a sample shows.
private struct Footprint {
  /// Ages of lines.
  var ages: ClosedRange<Double>
  /// Samples along the slit.
  var range: ClosedRange<Double>

  /// At least one line deep, and at least one sample wide.
  init(from inner: Double, to outer: Double, depth: Double, range: ClosedRange<Double>) {
    func age(_ distance: Double) -> Double {
      distance <= 0 ? farthest : min(max((1 / distance - 1) * depth, 0), farthest)
    }
    let ages = (age(outer)...age(inner)).atLeastOne
    self.ages = max(ages.lowerBound, 0)...ages.upperBound
    self.range = range.atLeastOne
  }
}

private let farthest = 4_194_304.0
/// Of more lines, so many are read.
private let mostLines = 128

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }

  /// A range around the same middle.
  fileprivate func resized(to length: Double) -> Self {
    let middle = (lowerBound + upperBound) / 2
    return middle - length / 2...middle + length / 2
  }

  fileprivate var atLeastOne: Self { length < 1 ? resized(to: 1) : self }

  /// The whole numbers n of which n to n + 1 is partly in the range, and how much of it.
  ///
  /// - Parameter most: Of more, so many are read.
  /// - Returns: Several numbers where rounding decides which is read.
  fileprivate func parts(most: Int = .max) -> [(numbers: ClosedRange<Int>, weight: Double)] {
    guard length > 0 else { return [] }
    let (first, end) = (Int(lowerBound.rounded(.down)), Int(upperBound.rounded(.up)))
    if end - first > most {
      let step = length / Double(most)
      return (0..<most).map { index in
        let at = lowerBound + (Double(index) + 0.5) * step
        let (least, most) = (Int((at - 1e-3).rounded(.down)), Int((at + 1e-3).rounded(.down)))
        return (Swift.max(least, first)...Swift.min(most, end - 1), step)
      }
    }
    return (first..<end).map { number in
      (
        number...number,
        Swift.min(upperBound, Double(number + 1)) - Swift.max(lowerBound, Double(number))
      )
    }
  }

  /// The part of it that lies in another one, nil for none.
  fileprivate func part(in other: Self) -> Self? {
    let (from, to) = (
      Swift.max(lowerBound, other.lowerBound), Swift.min(upperBound, other.upperBound)
    )
    return from < to ? from...to : nil
  }
}

/// A component's samples in perspective.
struct StripView {
  private let settings: Settings
  private let strip: Strip
  private let component: Int
  private let sample: FormatDescription.Component
  private let width: Double
  private let height: Double
  private let vanishing: (x: Double, y: Double)
  private let black: Double
  /// Samples from one end of the slit to the other.
  private let slit: Double
  /// By age, the lines that the canvas has.
  private let held: [[Strip.Point]]
  /// What older ones show.
  private let older: [Strip.Point]?

  fileprivate init(_ model: ReferenceModel, _ strip: Strip, component: Int) {
    settings = model.settings
    self.strip = strip
    self.component = component
    sample = model.format.components[component]
    width = Double(model.width)
    height = Double(model.height)
    vanishing = (settings.vanishingX * width, settings.vanishingY * height)
    black = Double(model.black(component: component))
    slit =
      Double(strip.points)
      / Double(strip.growsRightwards ? sample.rowsPerSample : sample.columnsPerSample)
    held = (0..<strip.lines.count).compactMap { strip.lines[model.place(ofAge: $0, strip)] }
    older =
      switch settings.warmup {
      case .hold: held.last
      case .live: held.first
      case .black, .transparent: nil
      }
  }

  /// The values that a sample may have.
  fileprivate func values(column: Int, row: Int) -> Ranges {
    let cell = (x: Double(sample.columnsPerSample), y: Double(sample.rowsPerSample))
    let x = Double(column) * cell.x...Double(column + 1) * cell.x
    let y = Double(row) * cell.y...Double(row + 1) * cell.y
    if settings.canvas == .tunnel { return [inRing(x.middle, y.middle, cell)] }
    return distances(x, vanishing.x, width).flatMap { across in
      distances(y, vanishing.y, height).flatMap { down in corridor(x, y, across, down) }
    }
  }

  private func corridor(
    _ x: ClosedRange<Double>, _ y: ClosedRange<Double>, _ across: Distances, _ down: Distances
  ) -> Ranges {
    let (side, level) = (
      { onWall(across, along: y, vanishing.y, height) },
      { onWall(down, along: x, vanishing.x, width) }
    )
    switch settings.walls {
    case .sides: return [side()]
    case .floor: return [down.isFar ? level() : ClosedRange(black)]
    case .all:
      let gap = across.range.middle - down.range.middle
      let share = min(max(0.5 + gap / (across.range.length + down.range.length), 0), 1)
      let one = share > 0 ? side() * share : ClosedRange(0)
      let other = share < 1 ? level() * (1 - share) : ClosedRange(0)
      return [one.lowerBound + other.lowerBound...one.upperBound + other.upperBound]
    }
  }

  /// The distance of a sample from the vanishing point, across or down; at the border that is 1.
  private struct Distances {
    var range: ClosedRange<Double>
    /// Whether it is to the right, or below.
    var isFar: Bool
  }

  private func distances(
    _ edges: ClosedRange<Double>, _ vanishing: Double, _ size: Double
  ) -> [Distances] {
    let near = Distances(range: (-edges + vanishing) * (1 / vanishing), isFar: false)
    let far = Distances(range: (edges + -vanishing) * (1 / (size - vanishing)), isFar: true)
    if vanishing <= 0 { return [far] }
    if vanishing >= size { return [near] }
    if abs(edges.middle - vanishing) < Tolerance.computedMap * size { return [near, far] }
    return [edges.middle > vanishing ? far : near]
  }

  /// The mean on a wall, along which the slit lies.
  private func onWall(
    _ distances: Distances, along edges: ClosedRange<Double>, _ vanishing: Double, _ size: Double
  ) -> ClosedRange<Double> {
    let (inner, outer) = (max(distances.range.lowerBound, 0), distances.range.upperBound)
    let distance = (inner + outer) / 2
    var range = ((edges + -vanishing) * (1 / distance) + vanishing) * (slit / size)
    if range.length > slit / 32 {
      range = range.resized(to: 32 * range.length * range.length / slit)
    }
    var place = Footprint(
      from: inner, to: outer, depth: settings.canvasDepth, range: range)
    place.range = place.range.resized(to: min(place.range.length, 2 * slit))
    return mean(place) { range in
      let turns = Int((range.lowerBound / slit).rounded(.down))...Int(range.upperBound / slit + 1)
      return turns.compactMap { turn in
        let part = (range + -Double(turn) * slit).part(in: 0...slit)
        return turn % 2 == 0 ? part : part.map { -$0 + slit }
      }
    }
  }

  /// The mean in a ring.
  private func inRing(
    _ x: Double, _ y: Double, _ cell: (x: Double, y: Double)
  ) -> ClosedRange<Double> {
    let (dx, dy) = (x - vanishing.x, y - vanishing.y)
    let corner = hypot(
      max(vanishing.x, width - vanishing.x), max(vanishing.y, height - vanishing.y))
    let distance = hypot(dx, dy)
    let half = (cell.x + cell.y) / 4
    let turn = atan2(dx, -dy) / (2 * Double.pi)
    let middle = (turn < 0 ? turn + 1 : turn) * slit
    let length = min(max(slit * half / (Double.pi * max(distance, 1e-6)), 1), slit)
    var place = Footprint(
      from: (distance - half) / corner, to: (distance + half) / corner,
      depth: settings.canvasDepth, range: middle...middle)
    place.range = middle - length / 2...middle + length / 2
    // Once around, so that the slit is there three times.
    return mean(place) { range in
      [-slit, 0, slit].compactMap { turn in (range + turn).part(in: 0...slit) }
    }
  }

  /// The mean of a footprint; `inside` gives its pieces on the slit.
  private func mean(
    _ place: Footprint, inside: (ClosedRange<Double>) -> [ClosedRange<Double>]
  ) -> ClosedRange<Double> {
    let ranges = inside(place.range)
    func sum(_ line: [Strip.Point]) -> ClosedRange<Double> {
      var sum = ClosedRange(0.0)
      for part in ranges.flatMap({ $0.parts() }) {
        let words = part.numbers.flatMap { number in
          line[min(number * step + step / 2, strip.points - 1)][component]
        }
        sum = sum.adding(words.map(Double.init), weight: part.weight)
      }
      return sum
    }
    var total = ClosedRange(0.0)
    let near = place.ages.part(in: 0...Double(held.count))
    for part in near?.parts(most: mostLines) ?? [] {
      let sums = part.numbers.map { sum(held[$0]) }.hull
      total = total.adding([sums.lowerBound, sums.upperBound], weight: part.weight)
    }
    let rest = place.ages.length - (near?.length ?? 0)
    if rest > 0 {
      let sums = older.map(sum) ?? ClosedRange(black * place.range.length)
      total = total.adding([sums.lowerBound, sums.upperBound], weight: rest)
    }
    return total * (1 / (place.ages.length * place.range.length))
  }

  /// Points of the slit that share a sample.
  private var step: Int {
    strip.growsRightwards ? sample.rowsPerSample : sample.columnsPerSample
  }
}

extension ClosedRange<Double> {
  fileprivate var middle: Double { (lowerBound + upperBound) / 2 }

  fileprivate static prefix func - (range: Self) -> Self { -range.upperBound ... -range.lowerBound }

  /// The least and the most that it becomes with one of several numbers.
  fileprivate func adding(_ numbers: [Double], weight: Double) -> Self {
    lowerBound + weight * (numbers.min() ?? 0)...upperBound + weight * (numbers.max() ?? 0)
  }
}

extension ReferenceModel {
  /// The values that a sample of a canvas in perspective may have.
  func viewed(_ strip: Strip, component: Int, column: Int, row: Int) -> Expectation {
    Expectation(
      oneOf: StripView(self, strip, component: component).values(column: column, row: row),
      tolerance: Tolerance.blend * format.step(component: component))
  }
}
