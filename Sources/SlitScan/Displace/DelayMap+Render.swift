// The displace mode: every output line is gathered from the lines of the past.

/// What to show in lanes whose delay is older than anything held.
enum LateLanes {
  /// The oldest frame.
  case oldest
  /// The newest frame.
  case newest
  /// The colour of these tiles.
  case tiles(ColourTiles)
}

extension DelayMap {
  /// Draws in(x, y, t − d) for the whole picture; `history` must hold a frame.
  func render(
    _ history: borrowing History, tiles: TiledLayout, late: LateLanes,
    into picture: inout MutablePicture
  ) {
    guard history.count > 0, firstLines.count == tiles.grids.count, let key else { return }
    let past = Past(
      bytes: history.bytes, starts: history.starts, oldest: UInt32(history.count - 1))
    var tile = InlineArray<24, UInt64>(repeating: 0)

    for (index, grid) in tiles.grids.enumerated() {
      let kernel: Kernel =
        switch (key.interpolation, grid.plane.sampleBytes) {
        case (.nearest, _): .nearest
        case (.linear, 1): .blendBytes
        case (.linear, _):
          .blendWords(isBigEndian: tiles.layout.isBigEndian, unusedBits: grid.plane.unusedBits)
        }
      // From a line's number in the history to that in the map.
      let shift = firstLines[index] - grid.firstLine
      picture.withPlane(index) { rows, stride in
        for tileY in 0..<grid.tilesHigh {
          for tileX in 0..<grid.tilesWide {
            let firstLine = grid.line(tileX: tileX, tileY: tileY)
            var tileSpan = tile.mutableSpan
            var tileBytes = unsafe tileSpan.mutableBytes
            for part in 0..<grid.shape.lineCount {
              let line = firstLine + part
              let delay = line + shift
              var lanes = read(line, delay: delay, from: past, kernel: kernel)
              if lines[delay].last > past.oldest {
                switch late {
                case .oldest: break
                case .newest:
                  let newest = past.line(line, level: 0)
                  replaceLate(&lanes, of: delay, oldest: past.oldest, kernel: kernel, with: newest)
                case .tiles(let black):
                  let colour = black.line(part, ofPlane: index)
                  replaceLate(&lanes, of: delay, oldest: past.oldest, kernel: kernel, with: colour)
                }
              }
              lanes.store(to: &tileBytes, at: part * TileLine.byteCount)
            }
            unsafe grid.store(
              tileX: tileX, tileY: tileY, from: tile.span.bytes, at: 0, to: &rows, stride: stride)
          }
        }
      }
    }
  }

  /// How lanes are made of levels.
  private enum Kernel {
    case nearest
    case blendBytes
    case blendWords(isBigEndian: Bool, unusedBits: Int)
  }

  /// The history as the kernels see it.
  private struct Past: ~Escapable {
    let bytes: RawSpan
    let starts: Span<Int>
    /// The last level that there is.
    let oldest: UInt32

    @_lifetime(copy bytes, copy starts)
    init(bytes: RawSpan, starts: Span<Int>, oldest: UInt32) {
      self.bytes = bytes
      self.starts = starts
      self.oldest = oldest
    }

    /// A line of one frame of the past.
    @inline(__always)
    func line(_ line: Int, level: UInt32) -> TileLine {
      TileLine(bytes, at: starts[Int(level)] + line * TileLine.byteCount)
    }

    /// A byte of one frame of the past.
    @inline(__always)
    func byte(_ offset: Int, level: UInt32) -> UInt8 {
      unsafe bytes.unsafeLoad(fromByteOffset: starts[Int(level)] + offset, as: UInt8.self)
    }
  }

  /// One line of output, with delays that are too old taken as the oldest.
  @inline(__always)
  private func read(
    _ line: Int, delay number: Int, from past: borrowing Past, kernel: Kernel
  ) -> TileLine {
    let delay = lines[number]
    if delay.base >= past.oldest { return past.line(line, level: past.oldest) }
    if delay.reach == 0 { return past.line(line, level: delay.base) }
    return switch kernel {
    case .nearest:
      delay.reach > Self.narrowReach
        ? gatherNearest(line, delay, past) : mergeNearest(line, number, delay, past)
    case .blendBytes:
      delay.reach > Self.narrowReach
        ? gatherBlend(line, delay, past) : mergeBlend(line, number, delay, past)
    case .blendWords(let isBigEndian, let unusedBits):
      gatherBlendWords(line, delay, past, isBigEndian: isBigEndian, unusedBits: unusedBits)
    }
  }
}

extension DelayMap {
  /// The smaller of two vectors, lane by lane; the standard library's is not inlined.
  @inline(__always)
  private static func smaller(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    a.replacing(with: b, where: b .< a)
  }

  /// The smaller of two vectors, lane by lane; the standard library's is not inlined.
  @inline(__always)
  private static func smaller(_ a: SIMD16<UInt16>, _ b: SIMD16<UInt16>) -> SIMD16<UInt16> {
    a.replacing(with: b, where: b .< a)
  }
}

// MARK: - Nearest

extension DelayMap {
  /// Level by level: the lanes whose level it is are taken.
  @inline(__always)
  private func mergeNearest(
    _ line: Int, _ number: Int, _ delay: LineDelay, _ past: borrowing Past
  ) -> TileLine {
    let last = UInt8(truncatingIfNeeded: min(delay.reach, past.oldest - delay.base))
    let limit = SIMD16<UInt8>(repeating: last)
    let first = Self.smaller(narrowLevels[4 * number], limit)
    let second = Self.smaller(narrowLevels[4 * number + 1], limit)
    let third = Self.smaller(narrowLevels[4 * number + 2], limit)
    let fourth = Self.smaller(narrowLevels[4 * number + 3], limit)
    var lanes = TileLine()
    for level in 0...last {
      let source = past.line(line, level: delay.base + UInt32(level))
      let wanted = SIMD16<UInt8>(repeating: level)
      lanes.first.replace(with: source.first, where: first .== wanted)
      lanes.second.replace(with: source.second, where: second .== wanted)
      lanes.third.replace(with: source.third, where: third .== wanted)
      lanes.fourth.replace(with: source.fourth, where: fourth .== wanted)
    }
    return lanes
  }

  /// Lane by lane.
  private func gatherNearest(_ line: Int, _ delay: LineDelay, _ past: borrowing Past) -> TileLine {
    TileLine { lane in
      let level = min(wide[delay.wideStart + lane], past.oldest)
      return past.byte(line * TileLine.byteCount + lane, level: level)
    }
  }
}

// MARK: - Linear

extension DelayMap {
  /// Level by level: each weighs in by the hat 1 − |d − level|, in 1/256.
  @inline(__always)
  private func mergeBlend(
    _ line: Int, _ number: Int, _ delay: LineDelay, _ past: borrowing Past
  ) -> TileLine {
    let last = UInt16(truncatingIfNeeded: min(delay.reach, past.oldest - delay.base))
    let limit = SIMD16<UInt16>(repeating: last << Self.narrowFraction)
    let first = Self.smaller(narrowDelays[4 * number], limit)
    let second = Self.smaller(narrowDelays[4 * number + 1], limit)
    let third = Self.smaller(narrowDelays[4 * number + 2], limit)
    let fourth = Self.smaller(narrowDelays[4 * number + 3], limit)
    // Half a step, so that the sum is rounded when its fraction is dropped.
    var firstSum = SIMD16<UInt16>(repeating: 128)
    var secondSum = firstSum
    var thirdSum = firstSum
    var fourthSum = firstSum
    for level in 0...last {
      let source = past.line(line, level: delay.base + UInt32(level))
      let centre = SIMD16<UInt16>(repeating: level << Self.narrowFraction)
      firstSum &+= Self.weight(first, centre) &* SIMD16<UInt16>(truncatingIfNeeded: source.first)
      secondSum &+= Self.weight(second, centre) &* SIMD16<UInt16>(truncatingIfNeeded: source.second)
      thirdSum &+= Self.weight(third, centre) &* SIMD16<UInt16>(truncatingIfNeeded: source.third)
      fourthSum &+= Self.weight(fourth, centre) &* SIMD16<UInt16>(truncatingIfNeeded: source.fourth)
    }
    var lanes = TileLine()
    lanes.first = SIMD16<UInt8>(truncatingIfNeeded: firstSum &>> 8)
    lanes.second = SIMD16<UInt8>(truncatingIfNeeded: secondSum &>> 8)
    lanes.third = SIMD16<UInt8>(truncatingIfNeeded: thirdSum &>> 8)
    lanes.fourth = SIMD16<UInt8>(truncatingIfNeeded: fourthSum &>> 8)
    return lanes
  }

  /// The hat: 256 − |delay − centre|, at least 0.
  @inline(__always)
  private static func weight(
    _ delay: SIMD16<UInt16>, _ centre: SIMD16<UInt16>
  ) -> SIMD16<UInt16> {
    let below = centre &- delay
    let distance = (delay &- centre).replacing(with: below, where: delay .< centre)
    let full = SIMD16<UInt16>(repeating: 256)
    return full &- smaller(distance, full)
  }

  /// Lane by lane, one-byte samples.
  private func gatherBlend(_ line: Int, _ delay: LineDelay, _ past: borrowing Past) -> TileLine {
    TileLine { lane in
      let (level, next, weight) = Self.neighbours(
        wide[delay.wideStart + lane], oldest: past.oldest)
      let offset = line * TileLine.byteCount + lane
      let newer = UInt32(past.byte(offset, level: level))
      let older = UInt32(past.byte(offset, level: next))
      return UInt8(truncatingIfNeeded: Self.blend(newer, older, weight: weight, unusedBits: 0))
    }
  }

  /// Sample by sample, two-byte samples.
  private func gatherBlendWords(
    _ line: Int, _ delay: LineDelay, _ past: borrowing Past, isBigEndian: Bool, unusedBits: Int
  ) -> TileLine {
    let lowByte = isBigEndian ? 1 : 0
    var high: UInt8 = 0
    return TileLine { lane in
      // The bytes come in order; the first of a sample computes both.
      if lane % 2 == 1 { return high }
      let (level, next, weight) = Self.neighbours(
        wide[delay.wideStart + lane / 2], oldest: past.oldest)
      let offset = line * TileLine.byteCount + lane
      func sample(_ level: UInt32) -> UInt32 {
        let low = past.byte(offset + lowByte, level: level)
        let high = past.byte(offset + 1 - lowByte, level: level)
        return UInt32(high) << 8 | UInt32(low)
      }
      let value = Self.blend(
        sample(level), sample(next), weight: weight, unusedBits: UInt32(unusedBits))
      let bytes = (UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8))
      high = isBigEndian ? bytes.0 : bytes.1
      return isBigEndian ? bytes.1 : bytes.0
    }
  }

  /// The two levels around a wide delay and the weight of the second, in 1/4096.
  @inline(__always)
  private static func neighbours(
    _ delay: UInt32, oldest: UInt32
  ) -> (level: UInt32, next: UInt32, weight: UInt32) {
    let level = min(delay >> wideFraction, oldest)
    return (level, min(level + 1, oldest), delay & ((1 << wideFraction) - 1))
  }

  /// A weighted mean, rounded to the bits that are used.
  @inline(__always)
  private static func blend(
    _ newer: UInt32, _ older: UInt32, weight: UInt32, unusedBits: UInt32
  ) -> UInt32 {
    let full: UInt32 = 1 << wideFraction
    let sum = newer &* (full &- weight) &+ older &* weight
    return ((sum &+ (full << unusedBits) / 2) >> (wideFraction + unusedBits)) << unusedBits
  }
}

// MARK: - Late lanes

extension DelayMap {
  /// Puts `other` where a lane's delay is greater than the oldest level; `number` is the line's in the
  /// map.
  private func replaceLate(
    _ lanes: inout TileLine, of number: Int, oldest: UInt32, kernel: Kernel, with other: TileLine
  ) {
    let kept = lanes
    lanes = TileLine { lane in
      isLate(lane, of: number, oldest: oldest, kernel: kernel) ? other[lane] : kept[lane]
    }
  }

  /// Whether a lane's delay is greater than the oldest level.
  @inline(__always)
  private func isLate(_ lane: Int, of number: Int, oldest: UInt32, kernel: Kernel) -> Bool {
    let delay = lines[number]
    if delay.base > oldest { return true }
    let limit = oldest - delay.base
    return switch (kernel, delay.isWide) {
    case (.nearest, false):
      narrowLevels[4 * number + lane / 16][lane % 16] > limit
    case (.nearest, true):
      wide[delay.wideStart + lane] > oldest
    case (.blendBytes, false):
      narrowDelays[4 * number + lane / 16][lane % 16] > limit << Self.narrowFraction
    case (.blendBytes, true):
      wide[delay.wideStart + lane] > oldest << Self.wideFraction
    case (.blendWords, _):
      wide[delay.wideStart + lane / 2] > oldest << Self.wideFraction
    }
  }
}
