// Random, constant and moving frames for tests.

import Foundation
import Reference
import SeededGenerator

extension Frame {
  /// Random samples, as many bits as the format's values have.
  static func noise(width: Int, height: Int, format: FormatDescription, seed: UInt64) -> Frame {
    var random = SeededGenerator(seed: seed)
    return Frame(
      width: width, height: height,
      samples: format.components.map { component in
        let count = component.columns(ofWidth: width) * component.rows(ofHeight: height)
        let bytes = random.bytes(2 * count)
        return (0..<count).map { index in
          (UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8) & component.mask
        }
      })
  }

  /// Every sample has this value.
  static func flat(_ word: UInt16, caps: VideoCaps, format: FormatDescription) -> Frame {
    Frame(
      width: caps.width, height: caps.height,
      samples: format.components.map { component in
        Array(
          repeating: word,
          count: component.columns(ofWidth: caps.width) * component.rows(ofHeight: caps.height))
      })
  }
}

/// A video that moves: a pan, before it a square that goes another way, and bars that repeat themselves.
struct MovingScene: Sendable, CustomStringConvertible {
  /// Pixels a second, to the left and up.
  var pan = SIMD2(0.0, 0.0)
  /// Pixels a second, to the right and down; nil for no square.
  var square: SIMD2<Double>?
  /// Pixels from bar to bar; nil for no bars, which are in the right half.
  var bars: Double?
  /// Where in its texture it begins.
  var origin = SIMD2(0.0, 0.0)

  var description: String {
    "pan \(pan), square \(square.map { "\($0)" } ?? "none"), bars \(bars ?? 0), origin \(origin)"
  }

  /// A random one.
  static func random(using random: inout SeededGenerator) -> MovingScene {
    func speed() -> SIMD2<Double> { .random(in: -90...90, using: &random) }
    return MovingScene(
      pan: speed(), square: random.chance(50) ? speed() : nil,
      bars: random.chance(50) ? .random(in: 3...20, using: &random) : nil,
      origin: .random(in: 0...1000, using: &random))
  }

  /// The brightness of a place, from 0 to 1.
  func level(_ x: Double, _ y: Double, at seconds: Double, width: Double, height: Double) -> Double
  {
    let panned = SIMD2(x, y) + pan * seconds + origin
    if let bars, x > width / 2 {
      return (panned.x / bars).rounded(.down).truncatingRemainder(dividingBy: 2) == 0 ? 0.2 : 0.8
    }
    if let square {
      let inside = SIMD2(x - width / 3, y - height / 2) - square * seconds
      if abs(inside.x) < width / 6, abs(inside.y) < height / 4 { return Self.texture(inside * 1.7) }
    }
    return Self.texture(panned)
  }

  private static func texture(_ place: SIMD2<Double>) -> Double {
    0.5 + 0.2 * sin(place.x / 5 + 2 * sin(place.y / 9)) + 0.15
      * sin(place.y / 4 + sin(place.x / 11))
      + 0.1 * sin(place.x / 3 + place.y / 4)
  }
}

extension Frame {
  /// A moment of a scene, in nanoseconds; the components are different parts of the texture.
  static func moving(
    _ scene: MovingScene, at time: UInt64, width: Int, height: Int, format: FormatDescription
  ) -> Frame {
    Frame(
      width: width, height: height,
      samples: format.components.enumerated().map { number, component in
        var scene = scene
        scene.origin += 100 * Double(number)
        return (0..<component.rows(ofHeight: height)).flatMap { row in
          (0..<component.columns(ofWidth: width)).map { column in
            let level = scene.level(
              Double(column * component.columnsPerSample), Double(row * component.rowsPerSample),
              at: Double(time) / 1e9, width: Double(width), height: Double(height))
            return UInt16(level * Double((1 << component.depth) - 1)) << component.shift
          }
        }
      })
  }
}
