// A random scenario is a stream with random frames and settings that change, for both scanners.

import SeededGenerator
import SlitScan

/// The limits of a scenario.
struct RandomScenario: CustomStringConvertible {
  var format: TestFormat
  var width: Int
  var height: Int
  var settings: ScanSettings
  var random: SeededGenerator

  var description: String { "\(format) \(width)x\(height)" }

  init(_ format: TestFormat, using random: inout SeededGenerator) {
    self.format = format
    width = format.wholeTexels(Int.random(in: 1...70, using: &random))
    height = Int.random(in: 1...40, using: &random)
    settings = ScanSettings()
    self.random = SeededGenerator(seed: random.next())
    settings.depth = 8
    // Where history is thinned out, newer frames may show instead.
    settings.history = .whole
    change(12)
  }

  /// Changes some of the settings.
  mutating func change(_ count: Int) { for _ in 0..<count { changeOne() } }

  private mutating func changeOne() {
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    func one<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
    switch Int.random(in: 0..<26, using: &random) {
    case 0: settings.depth = Int.random(in: 1...12, using: &random)
    case 1: settings.interpolation = one([.nearest, .linear]) ?? .nearest
    case 2, 3: settings.map = one(ScanSettings.Map.allCases) ?? .linear
    case 4: settings.angle = number(-180...180)
    case 5: settings.centerX = number(0...1)
    case 6: settings = settings.withSwitches(random.next())
    case 7: settings.gain = number(-2...3)
    case 8: settings.offset = number(-1...1)
    case 9: settings.edge = one([.clamp, .wrap, .mirror]) ?? .clamp
    case 10: settings.mapSmoothing = one([0, 0, number(0...6)]) ?? 0
    case 11: settings.componentSpread = one([0, number(-1...1)]) ?? 0
    case 12: settings.feedback = one([0, number(0...1)]) ?? 0
    case 13: settings.mix = one([1, 1, 0, number(0...1)]) ?? 1
    case 14: settings.freeze = one([true, false, false]) ?? false
    case 15: settings.warmup = one([.hold, .live, .black, .transparent]) ?? .hold
    // The darkest and brightest cells, of which there are many, are not midway between two frames, nor those of
    // the motion map where the slit of a sweep is.
    case 16: settings.duration = one([0, 0, 157_000_000, 409_000_000]) ?? 0
    case 17, 18: settings.mode = one([.displace, .displace, .sweep, .strip]) ?? .displace
    case 19: settings.sweepLoop = one([.once, .loop, .pingPong]) ?? .once
    case 20: settings.lineWidth = one([0, number(0...6)]) ?? 0
    case 21:
      settings.slitWidth = Int.random(in: 1...5, using: &random)
      settings.position = number(0...1)
    case 22:
      settings.canvas = one(ScanSettings.Canvas.allCases) ?? .scroll
      settings.walls = one(ScanSettings.Walls.allCases) ?? .sides
      settings.vanishingX = one([0.5, number(-0.5...1.5)]) ?? 0.5
      settings.vanishingY = one([0.5, number(-0.5...1.5)]) ?? 0.5
      settings.canvasDepth = number(1...40)
      settings.canvasLength = one([0, format.wholeTexels(37)]) ?? 0
    case 23: settings.reserve = one([0, 1, 8, 16]) ?? 0
    case 24: settings.present = one([0, 0, 1, 5, 11]) ?? 0
    default:
      settings.sweepDuration = one([207_000_000, 511_000_000]) ?? 1
      settings.lineSamples = SIMD4(100, 7, 250, 80)
      settings.lineColor = Int(number(0...255)) << 24
    }
  }
}
