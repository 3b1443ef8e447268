// Random settings and scenarios that vary every property.

import Reference
import SeededGenerator

extension Settings {
  /// The defaults, but for a random map, and random steps of ages.
  init(drawing random: inout SeededGenerator) {
    self.init()
    drawMap(&random)
    self.ageUnit = .random(in: 80_000...1_000_000, using: &random)
  }

  /// Random settings of a mode and all that it has, with a history of a few frames.
  init(drawing random: inout SeededGenerator, mode: Mode, longest: Int) {
    self.init(drawing: &random)
    self.mode = mode
    drawSweep(&random, frames: 12)
    drawStrip(&random, longest: longest)
    interpolation = random.any(Interpolation.self)
    self.depth = .random(in: 1...8, using: &random)
    drawTime(&random)
    if random.chance(50) { drawShutter(&random) }
    drawMixture(&random)
  }

  /// Random settings of the map, plain ones as often as wild ones.
  mutating func drawMap(_ random: inout SeededGenerator) {
    map = random.any(Map.self)
    drawAngle(&random)
    self.centerX = random.chance(50) ? 0.5 : .random(in: -0.5...1.5, using: &random)
    self.centerY = random.chance(50) ? 0.5 : .random(in: -0.5...1.5, using: &random)
    self.turns = .random(in: -4...4, using: &random)
    self.columns = .random(in: 1...9, using: &random)
    self.rows = .random(in: 1...9, using: &random)
    self.blockSize = .random(in: 1...9, using: &random)
    self.seed = random.chance(50) ? 0 : .random(in: 0...0xffff_ffff, using: &random)
    self.motionThreshold = random.chance(20) ? 0.1 : .random(in: 0...1, using: &random)
    self.motionDecay = random.chance(30) ? 0.02 : .random(in: 0...0.3, using: &random)
    let widest = random.chance(80) ? 3.0 : 30
    self.mapSmoothing = random.chance(70) ? 0 : .random(in: 0...widest, using: &random)
    self = withSwitches(random.next())
    edge = random.any(Edge.self)
    self.gain = random.chance(50) ? 1 : .random(in: -3...3, using: &random)
    self.offset = random.chance(50) ? 0 : .random(in: -2...2, using: &random)
  }

  /// A quarter turn as often as any other angle.
  ///
  /// Odd eighths have a test of their own.
  mutating func drawAngle(_ random: inout SeededGenerator) {
    self.angle =
      random.chance(50)
      ? Double.random(in: -360...360, using: &random)
      : 90 * Double(Int.random(in: -4...4, using: &random))
  }

  /// Frames counted as often as time, components together as often as apart, the present last or anywhere.
  mutating func drawTime(_ random: inout SeededGenerator) {
    self.duration = random.chance(50) ? 0 : .random(in: 1_000_000...400_000_000, using: &random)
    self.componentSpread = random.chance(50) ? 0 : .random(in: -1...1, using: &random)
    self.now = random.chance(60) ? 0 : random.chance(20) ? 1 : .random(in: 0...1, using: &random)
  }

  /// A single frame as often as an exposure, of whole frames, parts of them, or time.
  mutating func drawShutter(_ random: inout SeededGenerator) {
    shutter = random.chance(50) ? 1 : .random(in: 1...7, using: &random)
    if random.chance(50) { shutter = shutter.rounded() }
    shutterFollowsMap = random.chance(30)
    shutterDuration = random.chance(80) ? 0 : .random(in: 1_000_000...300_000_000, using: &random)
  }

  /// The values of `mix` and `feedback`: none, all, or some.
  mutating func drawMixture(_ random: inout SeededGenerator) {
    self.mix = random.chance(60) ? 1 : random.chance(20) ? 0 : .random(in: 0...1, using: &random)
    if random.chance(60) { self.feedback = 0 } else { drawFeedback(&random) }
  }

  /// All of the output is fed back in some cases, in which nothing is rounded; in half, it moves, in one or several ways.
  mutating func drawFeedback(_ random: inout SeededGenerator) {
    self.feedback = random.chance(30) ? 1 : .random(in: 0...1, using: &random)
    let moves = random.chance(50)
    self.feedbackZoom = moves && random.chance(50) ? .random(in: 0.25...4, using: &random) : 1
    self.feedbackRotation = moves && random.chance(50) ? .random(in: -180...180, using: &random) : 0
    self.feedbackX = moves && random.chance(50) ? .random(in: -1...1, using: &random) : 0
    self.feedbackY = moves && random.chance(50) ? .random(in: -0.2...0.2, using: &random) : 0
  }

  /// Random settings of a sweep, about so many frames long.
  mutating func drawSweep(_ random: inout SeededGenerator, frames: Int) {
    sweepLoop = random.any(SweepLoop.self)
    self.lineWidth = random.chance(50) ? 0 : .random(in: 0...6, using: &random)
    self.lineColor = .random(in: 0...0xffff_ffff, using: &random)
    if random.chance(50) { self.lineColor |= 0xff00_0000 }
    self.sweepDuration = UInt64.random(in: 20_000_000...UInt64(frames) * 40_000_000, using: &random)
  }

  /// Random settings of a strip of a frame this large.
  mutating func drawStrip(_ random: inout SeededGenerator, longest: Int) {
    self.position = random.chance(30) ? 0.5 : .random(in: 0...1, using: &random)
    self.slitWidth = random.chance(50) ? 1 : .random(in: 1...min(longest + 2, 20), using: &random)
    self.canvasLength = random.chance(50) ? 0 : .random(in: 1...2 * longest, using: &random)
    canvas = random.any(Canvas.self)
    walls = random.any(Walls.self)
    self.vanishingX = random.chance(50) ? 0.5 : .random(in: -0.5...1.5, using: &random)
    self.vanishingY = random.chance(50) ? 0.5 : .random(in: -0.5...1.5, using: &random)
    self.canvasDepth = .random(in: 1...Double(2 * longest), using: &random)
    warmup = random.any(Warmup.self)
  }

  /// Memory for a part of the canvas of a strip; in other modes, it would be a limit of history.
  mutating func drawMemory(_ random: inout SeededGenerator, longest: Int) {
    self.maxMemory =
      random.chance(50) ? 0 : .random(in: 1...UInt64(6 * longest * longest), using: &random)
  }
}

extension SeededGenerator {
  /// Frames of these settings at uneven times, in memory in every arrangement.
  mutating func scenario(_ caps: VideoCaps, settings: Settings, frames: Int) -> Scenario {
    var scenario = Scenario(caps, settings: settings, frames: frames, seed: next())
    scenario.paddedOutput = chance(30)
    scenario.hasAges = chance(25)
    var time = UInt64.random(in: 0...1_000_000_000, using: &self)
    for step in scenario.steps.indices {
      scenario.steps[step].arrangement = any(Arrangement.self)
      scenario.steps[step].time = time
      time += UInt64.random(in: 1...70_000_000, using: &self)
    }
    return scenario
  }

  /// Frames of these settings, one after the other, of which a few are forgotten or late, and what their maps need.
  mutating func scenario(_ caps: VideoCaps, steps: [Settings]) -> Scenario {
    var scenario = scenario(caps, settings: Settings(), frames: steps.count)
    for (index, step) in steps.enumerated() {
      scenario.steps[index].settings = step
      scenario.steps[index].resets = chance(1)
      scenario.steps[index].isLate = chance(2)
    }
    scenario.bringMaps(&self)
    return scenario
  }
}
