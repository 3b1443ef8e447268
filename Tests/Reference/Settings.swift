// The element's properties, as the reference reads them and as the element is told them.

/// The settings of a scan, with the element's names and defaults.
public struct Settings: Sendable, Equatable {
  /// What the map does to the picture.
  public enum Mode: String, Sendable, CaseIterable {
    case displace, sweep, strip
  }
  /// When the slit visits each pixel.
  public enum Map: String, Sendable, CaseIterable {
    case linear, radial, angular, spiral, grid, random, image, live, luma, motion

    /// Whether it is another with every frame.
    var isMoving: Bool { [.live, .luma, .motion].contains(self) }
  }
  /// What brings the map's values back to 0…1.
  public enum Edge: String, Sendable, CaseIterable {
    case clamp, wrap, mirror
  }
  /// What a delay between two frames shows.
  public enum Interpolation: String, Sendable, CaseIterable {
    case nearest, linear
  }
  /// What a delay shows that is older than what has arrived.
  public enum Warmup: String, Sendable, CaseIterable {
    case hold, live, black, transparent
  }
  /// What a sweep does when it is through.
  public enum SweepLoop: String, Sendable, CaseIterable {
    case once, loop
    case pingPong = "ping-pong"
  }
  /// What a strip does when its canvas is full.
  public enum Canvas: String, Sendable, CaseIterable {
    case scroll, wrap
  }

  /// What of the past is kept.
  public enum History: String, Sendable, CaseIterable {
    case needed, whole
  }

  // The defaults are those of the property table.

  /// Property `mode`.
  public var mode = Mode.displace
  /// Property `map`.
  public var map = Map.linear
  /// Property `angle`, degrees.
  public var angle = 0.0
  /// Property `center-x`, as a fraction of the width.
  public var centerX = 0.5
  /// Property `center-y`, as a fraction of the height.
  public var centerY = 0.5
  /// Property `turns`.
  public var turns = 3.0
  /// Property `columns`.
  public var columns = 8
  /// Property `rows`.
  public var rows = 6
  /// Property `block-size`, pixels.
  public var blockSize = 16
  /// Property `seed`.
  public var seed: UInt32 = 0
  /// Property `motion-threshold`.
  public var motionThreshold = 0.1
  /// Property `motion-decay`.
  public var motionDecay = 0.02
  /// Property `invert`.
  public var invert = false
  /// Property `map-smoothing`, pixels.
  public var mapSmoothing = 0.0
  /// Property `gain`.
  public var gain = 1.0
  /// Property `offset`.
  public var offset = 0.0
  /// Property `edge`.
  public var edge = Edge.clamp
  /// Property `depth`, frames.
  public var depth = 120
  /// Property `duration`, nanoseconds, 0 where `depth` counts.
  public var duration: UInt64 = 0
  /// Property `component-spread`.
  public var componentSpread = 0.0
  /// Property `interpolation`.
  public var interpolation = Interpolation.nearest
  /// Property `warmup`.
  public var warmup = Warmup.hold
  /// Property `freeze`.
  public var freeze = false
  /// Property `feedback`.
  public var feedback = 0.0
  /// Property `mix`.
  public var mix = 1.0
  /// Property `drain`.
  public var drain = false
  /// Property `sweep-duration`, nanoseconds.
  public var sweepDuration: UInt64 = 5_000_000_000
  /// Property `sweep-loop`.
  public var sweepLoop = SweepLoop.once
  /// Property `line-width`, pixels.
  public var lineWidth = 0.0
  /// Property `line-color`, 0xAARRGGBB.
  public var lineColor: UInt32 = 0xffff_ffff
  /// Property `position`.
  public var position = 0.5
  /// Property `slit-width`, pixels.
  public var slitWidth = 1
  /// Property `canvas-length`, pixels, 0 for the picture's own.
  public var canvasLength = 0
  /// Property `canvas`.
  public var canvas = Canvas.scroll
  /// Property `history`.
  public var history = History.needed

  /// The defaults.
  public init() {}

  /// All properties with their values, as `gst-launch-1.0` would be told them.
  public var properties: [(name: String, value: String)] {
    [
      ("mode", mode.rawValue), ("map", map.rawValue), ("angle", "\(angle)"),
      ("center-x", "\(centerX)"), ("center-y", "\(centerY)"), ("turns", "\(turns)"),
      ("columns", "\(columns)"), ("rows", "\(rows)"), ("block-size", "\(blockSize)"),
      ("seed", "\(seed)"), ("motion-threshold", "\(motionThreshold)"),
      ("motion-decay", "\(motionDecay)"), ("invert", "\(invert)"),
      ("map-smoothing", "\(mapSmoothing)"),
      ("gain", "\(gain)"), ("offset", "\(offset)"), ("edge", edge.rawValue),
      ("depth", "\(depth)"), ("duration", "\(duration)"),
      ("component-spread", "\(componentSpread)"), ("interpolation", interpolation.rawValue),
      ("warmup", warmup.rawValue), ("freeze", "\(freeze)"), ("feedback", "\(feedback)"),
      ("mix", "\(mix)"), ("drain", "\(drain)"),
      ("sweep-duration", "\(sweepDuration)"), ("sweep-loop", sweepLoop.rawValue),
      ("line-width", "\(lineWidth)"), ("line-color", "\(lineColor)"),
      ("position", "\(position)"), ("slit-width", "\(slitWidth)"),
      ("canvas-length", "\(canvasLength)"), ("canvas", canvas.rawValue),
      ("history", history.rawValue),
    ]
  }

  /// These, with the default for everything that delays in frames do not depend on.
  var delaysOnly: Settings {
    var others = self
    let standard = Settings()
    others.mode = standard.mode
    others.warmup = standard.warmup
    others.freeze = standard.freeze
    others.feedback = standard.feedback
    others.mix = standard.mix
    others.drain = standard.drain
    others.sweepDuration = standard.sweepDuration
    others.sweepLoop = standard.sweepLoop
    others.lineWidth = standard.lineWidth
    others.lineColor = standard.lineColor
    others.position = standard.position
    others.slitWidth = standard.slitWidth
    others.canvasLength = standard.canvasLength
    others.canvas = standard.canvas
    return others
  }
}
