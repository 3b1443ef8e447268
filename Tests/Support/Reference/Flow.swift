// The reference's motion between two frames, by Sources/Effect/Definitions.md: in whole numbers.

/// The motion from a newer frame to an older, at nodes of four pixels of the first level.
struct Flow {
  /// Half the motion, in 1/16 pixel.
  struct Vector: Equatable {
    var x = 0
    var y = 0
  }

  /// An image of 8-bit luma.
  struct Image {
    let width: Int
    let height: Int
    var pixels: [Int]

    subscript(x: Int, y: Int) -> Int {
      pixels[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }

    /// The mean of each `size`×`size` pixels.
    func reduced(by size: Int) -> Image {
      let (wide, high) = ((width + size - 1) / size, (height + size - 1) / size)
      var result = Image(width: wide, height: high, pixels: [])
      for y in 0..<high {
        for x in 0..<wide {
          var sum = 0
          for j in 0..<size { for i in 0..<size { sum += self[x * size + i, y * size + j] } }
          result.pixels.append((sum + size * size / 2) / (size * size))
        }
      }
      return result
    }

    /// The 10×10 pixels around a patch of a node, moved, in 1/4; row by row.
    func patch(_ i: Int, _ j: Int, movedBy vector: Vector) -> [Int] {
      let (x, y) = ((4 * i - 3) * 16 + vector.x, (4 * j - 3) * 16 + vector.y)
      let (across, down) = (x & 15, y & 15)
      let columns = (0...10).map { min(max((x >> 4) + $0, 0), width - 1) }
      // Between columns, then between rows.
      var rows: [Int] = []
      rows.reserveCapacity(110)
      for row in 0...10 {
        let start = min(max((y >> 4) + row, 0), height - 1) * width
        for column in 0..<10 {
          rows.append(
            pixels[start + columns[column]] * (16 - across)
              + pixels[start + columns[column + 1]] * across)
        }
      }
      return (0..<100).map { (rows[$0] * (16 - down) + rows[$0 + 10] * down + 32) >> 6 }
    }

    /// S: how much the patches of a node differ that are so many pixels apart, across or down.
    private func difference(_ i: Int, _ j: Int, apart: Int, isDown: Bool) -> Int {
      let back = apart / 2
      let (x, y) = isDown ? (4 * i - 2, 4 * j - 2 - back) : (4 * i - 2 - back, 4 * j - 2)
      let (across, down) = isDown ? (0, apart) : (apart, 0)
      return (0..<64).reduce(0) { sum, at in
        let (column, row) = (x + at % 8, y + at / 8)
        return sum + abs(self[column, row] - self[column + across, row + down])
      }
    }

    /// Whether the patch of a node repeats itself.
    func repeats(_ i: Int, _ j: Int) -> Bool {
      [false, true].contains { isDown in
        let differences = (1...8).map { difference(i, j, apart: $0, isDown: isDown) }
        return (1..<8).contains { at in
          let most = differences[..<at].max() ?? 0
          return most > 64 && 10 * differences[at] < 3 * most
        }
      }
    }
  }

  /// The motion at the nodes of a level, and which of them repeat.
  private struct Field {
    let wide: Int
    let high: Int
    var vectors: [Vector]
    var repeats: [Bool]

    /// The place of a node; beyond the border that at the border.
    func node(_ i: Int, _ j: Int) -> Int {
      min(max(j, 0), high - 1) * wide + min(max(i, 0), wide - 1)
    }
  }

  /// Both patches of a node.
  private struct Pair {
    let newer: [Int]
    let older: [Int]

    init(_ newer: Image, _ older: Image, _ i: Int, _ j: Int, _ v: Vector) {
      self.newer = newer.patch(i, j, movedBy: Vector(x: -v.x, y: -v.y))
      self.older = older.patch(i, j, movedBy: v)
    }

    /// The places of the patch itself, among the pixels around it.
    private static let places = (1...8).flatMap { y in (1...8).map { 10 * y + $0 } }

    private func difference(_ at: Int) -> Int { older[at] - newer[at] }

    private var offset: Int { (Self.places.reduce(0) { $0 + difference($1) } + 32) >> 6 }

    /// E.
    var cost: Int {
      let offset = offset
      return Self.places.reduce(0) { $0 + abs(difference($1) - offset) }
    }

    /// R.
    var activity: Int {
      let mean = Self.places.reduce(0) { $0 + newer[$1] + older[$1] } >> 7
      return Self.places.reduce(0) { $0 + abs((newer[$1] + older[$1]) / 2 - mean) }
    }

    /// The step to where both are alike.
    var step: Vector {
      var (xx, xy, yy, x, y) = (2000, 0, 2000, 0, 0)
      let offset = offset
      for at in Self.places {
        let gx = newer[at + 1] - newer[at - 1] + older[at + 1] - older[at - 1]
        let gy = newer[at + 10] - newer[at - 10] + older[at + 10] - older[at - 10]
        let rest = difference(at) - offset
        xx += gx * gx
        xy += gx * gy
        yy += gy * gy
        x += gx * rest
        y += gy * rest
      }
      let determinant = xx * yy - xy * xy
      func quotient(_ number: Int) -> Int {
        let half = -32 * number + determinant / 2
        let (whole, rest) = half.quotientAndRemainder(dividingBy: determinant)
        return min(max(rest < 0 ? whole - 1 : whole, -32), 32)
      }
      return Vector(x: quotient(yy * x - xy * y), y: quotient(xx * y - xy * x))
    }
  }

  /// Pixels of the first level are this many across.
  let size: Int
  private let wide: Int
  private let high: Int
  private var vectors: [Vector] = []
  /// 0…256.
  private var trust: [Int] = []

  init(from newer: Image, to older: Image) {
    var size = 1
    while max(newer.width, newer.height) / size > 480 && size < 128 { size *= 2 }
    self.size = size
    var levels = [(newer.reduced(by: size), older.reduced(by: size))]
    while let (one, other) = levels.last, min(one.width, one.height) > 12 {
      levels.append((one.reduced(by: 2), other.reduced(by: 2)))
    }
    wide = (levels[0].0.width + 3) / 4
    high = (levels[0].0.height + 3) / 4
    var field: Field?
    for (number, (one, other)) in levels.enumerated().reversed() {
      field = Self.search(one, other, number, from: field)
    }
    vectors = field?.vectors ?? []
    judge(levels[0].0, levels[0].1, field?.repeats ?? [])
  }

  private static func search(
    _ newer: Image, _ older: Image, _ level: Int, from coarse: Field?
  ) -> Field {
    let (wide, high) = ((newer.width + 3) / 4, (newer.height + 3) / 4)
    var found = Field(wide: wide, high: high, vectors: [], repeats: [])
    for j in 0..<high {
      for i in 0..<wide {
        var best = Vector()
        var pair = Pair(newer, older, i, j, best)
        var cost = pair.cost
        var repeats = level > 0 && newer.repeats(i, j)
        func tryOut(_ x: Int, _ y: Int) -> Bool {
          let vector = Vector(x: min(max(x, -1023), 1023), y: min(max(y, -1023), 1023))
          guard vector != best else { return false }
          let other = Pair(newer, older, i, j, vector)
          let otherCost = other.cost
          guard otherCost < cost else { return false }
          (best, pair, cost) = (vector, other, otherCost)
          return true
        }
        if coarse == nil || level >= 2 {
          for y in -2...2 { for x in -2...2 { _ = tryOut(16 * x, 16 * y) } }
        }
        if let coarse {
          let (a, b) = (i % 2 == 1 ? 1 : -1, j % 2 == 1 ? 1 : -1)
          for (x, y) in [(0, 0), (a, 0), (0, b), (a, b), (-a, 0), (0, -b)] {
            let vector = coarse.vectors[coarse.node(i / 2 + x, j / 2 + y)]
            _ = tryOut(2 * vector.x, 2 * vector.y)
          }
          for (x, y) in [(0, 0), (a, 0), (0, b), (a, b)] {
            repeats = repeats || coarse.repeats[coarse.node(i / 2 + x, j / 2 + y)]
          }
        }
        for _ in 0..<4 {
          let step = pair.step
          guard tryOut(best.x + step.x, best.y + step.y) else { break }
        }
        found.vectors.append(best)
        found.repeats.append(repeats)
      }
    }
    var smoothed = found
    for j in 0..<high {
      for i in 0..<wide {
        let near = (0..<9).map { found.vectors[found.node(i + $0 % 3 - 1, j + $0 / 3 - 1)] }
        smoothed.vectors[j * wide + i] = Vector(
          x: near.map(\.x).sorted()[4], y: near.map(\.y).sorted()[4])
      }
    }
    return smoothed
  }

  private mutating func judge(_ newer: Image, _ older: Image, _ repeats: [Bool]) {
    let nodes = vectors.indices.map { at in
      let moved = Pair(newer, older, at % wide, at / wide, vectors[at])
      let standing = Pair(newer, older, at % wide, at / wide, Vector())
      return (standing: standing.cost, moved: moved.cost, activity: moved.activity)
    }
    /// 256 where value/unit is `least` hundredths or less, 0 from `most` on.
    func ramp(_ value: Int, _ unit: Int, _ least: Int, _ most: Int) -> Int {
      min(max(256 * (most * unit - 100 * value) / ((most - least) * unit), 0), 256)
    }
    let all = nodes.reduce((standing: 0, moved: 0, activity: 1)) {
      ($0.standing + $1.standing, $0.moved + $1.moved, $0.activity + $1.activity)
    }
    let frame = max(
      ramp(all.moved, all.activity, 30, 38), ramp(all.standing, all.activity, 110, 135))
    trust = zip(nodes, repeats).map { node, repeats in
      repeats ? 0 : ramp(node.moved, node.standing + 1, 50, 100) * frame / 256
    }
  }

  /// The motion and trust at a point, in half pixels of the frame: in 1/256 pixel of the first level.
  func motion(atHalves x: Int, _ y: Int) -> (x: Int, y: Int, trust: Int) {
    let full = 8 * size
    let (left, top) = (x - full / 2, y - full / 2)
    let (i, across) = (left.floorDivided(by: full))
    let (j, down) = (top.floorDivided(by: full))
    func sum(_ value: (Int) -> Int) -> Int {
      func node(_ i: Int, _ j: Int) -> Int {
        value(min(max(j, 0), high - 1) * wide + min(max(i, 0), wide - 1))
      }
      return (node(i, j) * (full - across) + node(i + 1, j) * across) * (full - down)
        + (node(i, j + 1) * (full - across) + node(i + 1, j + 1) * across) * down
    }
    let unit = full * full / 16
    return (
      (sum { vectors[$0].x } + unit / 2).floorDivided(by: unit).whole,
      (sum { vectors[$0].y } + unit / 2).floorDivided(by: unit).whole,
      sum { trust[$0] } / (full * full)
    )
  }
}

extension Int {
  /// The quotient, rounded down, and the rest.
  func floorDivided(by number: Int) -> (whole: Int, rest: Int) {
    let (whole, rest) = quotientAndRemainder(dividingBy: number)
    return rest < 0 ? (whole - 1, rest + number) : (whole, rest)
  }
}

extension Flow.Image {
  /// The luma of a frame.
  init(_ samples: [[UInt16]], width: Int, height: Int, format: FormatDescription) {
    let weights = format.colors == .rgb ? [54, 183, 19] : [256]
    self.init(
      width: width, height: height,
      pixels: (0..<width * height).map { at in
        weights.indices.reduce(0) { sum, number in
          let component = format.components[number]
          let value = Int(samples[number][at] & component.mask) >> component.shift
          return sum + weights[number] * (value >> (component.depth - 8))
        } / 256
      })
  }
}

// MARK: Frames between two

extension ReferenceModel {
  /// The sample between two frames of the history, along their motion.
  func warped(
    _ d: ClosedRange<Double>, held: Int, component: Int, column: Int, row: Int
  ) -> ClosedRange<Double> {
    let oldest = Double(held - 1)
    let first = Int(((max(d.lowerBound - Tolerance.weight, 0)) * 4096).rounded(.down))
    let last = Int((min(d.upperBound + Tolerance.weight, oldest) * 4096).rounded(.up))
    return (first / 4096...last / 4096).flatMap { level in
      let parts = max(first - level * 4096, 0)...min(last - level * 4096, 4095)
      return between(level, parts, component: component, column: column, row: row)
    }.hull
  }

  /// What lies between a frame and the one before, at parts of 1/4096 of the way.
  private func between(
    _ level: Int, _ parts: ClosedRange<Int>, component number: Int, column: Int, row: Int
  ) -> [ClosedRange<Double>] {
    let component = format.components[number]
    let at = index(component: number, column: column, row: row)
    let newer = history.word(component: number, at: at, frame: level)
    guard parts.upperBound > 0 else { return [newer] }
    let older = history.word(component: number, at: at, frame: level + 1)
    func linear(_ a: Int) -> ClosedRange<Double> {
      let weight = Double(a) / 4096
      return newer.lowerBound + (older.lowerBound - newer.lowerBound) * weight...newer.upperBound
        + (older.upperBound - newer.upperBound) * weight
    }
    let ends = [linear(parts.lowerBound), linear(parts.upperBound)]
    switch history.frames[level].flow {
    case .none: return ends
    case .open:
      // A mean of samples of both frames.
      let words = [level, level + 1].flatMap { frame in
        [history.frames[frame].lowest[number].min(), history.frames[frame].highest[number].max()]
      }
      let known = words.compactMap { $0.map(Double.init) }
      return [(known.min() ?? 0)...(known.max() ?? 0)]
    case .found(let flow, let isCertain):
      let (sx, sy) = (component.columnsPerSample, component.rowsPerSample)
      let motion = flow.motion(atHalves: (2 * column + 1) * sx, (2 * row + 1) * sy)
      guard motion.trust > 0 else { return ends }
      let step = (
        x: (motion.x * 2 * flow.size).floorDivided(by: sx).whole,
        y: (motion.y * 2 * flow.size).floorDivided(by: sy).whole
      )
      let moved = parts.map { a in
        ClosedRange(
          warped(
            step, trust: motion.trust, level, a, component, number, column, row,
            linear: linear(a).lowerBound))
      }
      return isCertain ? moved : moved + ends
    }
  }

  private func warped(
    _ step: (x: Int, y: Int), trust: Int, _ level: Int, _ a: Int,
    _ component: FormatDescription.Component, _ number: Int, _ column: Int, _ row: Int,
    linear: Double
  ) -> Double {
    let (fx, fy) = step
    let x = 256 * column - (fx * a + 2048).floorDivided(by: 4096).whole
    let y = 256 * row - (fy * a + 2048).floorDivided(by: 4096).whole
    let columns = component.columns(ofWidth: width)
    let rows = component.rows(ofHeight: height)
    func sample(_ frame: Int, _ x: Int, _ y: Int) -> Int {
      let (i, across) = x.floorDivided(by: 256)
      let (j, down) = y.floorDivided(by: 256)
      func word(_ i: Int, _ j: Int) -> Int {
        Int(
          history.frames[frame].lowest[number][
            min(max(j, 0), rows - 1) * columns + min(max(i, 0), columns - 1)])
      }
      let sum =
        (word(i, j) * (256 - across) + word(i + 1, j) * across) * (256 - down)
        + (word(i, j + 1) * (256 - across) + word(i + 1, j + 1) * across) * down
      return (sum + 32_768) / 65_536
    }
    let moved = sample(level, x, y)
    let met = sample(level + 1, x + fx, y + fy)
    let at = row * columns + column
    let standing = abs(
      Int(history.frames[level].lowest[number][at])
        - Int(history.frames[level + 1].lowest[number][at]))
    let worse = (abs(moved - met) - standing)
      .floorDivided(by: 1 << (component.shift + component.depth - 8)).whole
    let share = Double(trust * min(max(36 - worse, 0), 32)) / 8192
    let warped = Double(moved) + Double(met - moved) * Double(a) / 4096
    return linear + (warped - linear) * share
  }
}
