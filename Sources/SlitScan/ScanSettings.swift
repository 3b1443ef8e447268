// Everything a player can turn: one value, compared and applied at a frame boundary.

/// The settings of the effect.
///
/// A settings value goes along with every frame; what changed since the last one takes effect with
/// that frame. Numbers out of range, and numbers that are none, are brought into range by
/// ``sanitized()``.
public struct ScanSettings: Sendable, Equatable {
  /// What the map does to the picture.
  public enum Mode: Sendable, Equatable {
    /// Each pixel is delayed by what the map says.
    case displace
    /// A slit moves over the picture and freezes what it has passed.
    case sweep
    /// The line of pixels at ``ScanSettings/position`` is appended to a canvas.
    case strip
  }

  /// What to show of frames between two held ones.
  public enum Interpolation: Sendable, Equatable {
    /// The nearest frame.
    case nearest
    /// A blend of the two neighbours.
    case linear
  }

  /// What to show where the delay is older than what has arrived yet.
  public enum Warmup: Sendable, Equatable {
    /// The oldest frame there is.
    case hold
    /// The newest frame.
    case live
    /// Black.
    case black
    /// Nothing, where the format has alpha; else black.
    case transparent
  }

  /// What a sweep does when the slit has passed everything.
  public enum SweepLoop: Sendable, Equatable {
    /// It stays.
    case once
    /// It starts again with a live picture.
    case loop
    /// The slit goes back and sets free what it passes.
    case pingPong
  }

  /// What a strip does when its canvas is full.
  public enum Canvas: Sendable, Equatable {
    /// The newest line is always at the far end; older ones move on.
    case scroll
    /// Lines stay where they are; the next one starts again at the near end.
    case wrap
  }

  /// How much of the past to keep.
  public enum HistoryKept: Sendable, Equatable {
    /// All of it, until the map has stood still for as long as the history is; from then on, of each
    /// new frame, what the map still shows.
    case needed
    /// All of it.
    case whole
  }

  /// The longest history, in frames.
  public static let deepest = 100_000

  /// What the map does to the picture.
  public var mode: Mode = .displace
  /// When the slit visits each pixel.
  public var map = MapSettings()

  /// Frames of history, 1…``deepest``: the longest delay and the frame itself.
  public var depth = 120
  /// The longest delay in nanoseconds of running time, frames being chosen by their times; 0 counts
  /// frames, see ``depth``.
  public var duration: UInt64 = 0
  /// What to show of frames between two held ones.
  public var interpolation: Interpolation = .nearest
  /// What to show where the delay is older than what has arrived yet.
  public var warmup: Warmup = .hold
  /// Whether to stop taking frames in; what is held stays, and the map may still move.
  public var freeze = false

  /// How much of the scanned picture is in the output, the rest being the frame itself: 0…1.
  ///
  /// It has no meaning for strips.
  public var mix: Double = 1
  /// How much of the last output is in what enters history: 0…1.
  public var feedback: Double = 0
  /// The extra delay of the last component, as a part of the longest delay; −1…1.
  public var componentSpread: Double = 0

  /// Nanoseconds a sweep takes, at least 1.
  public var sweepDuration: UInt64 = 5_000_000_000
  /// What a sweep does at its end.
  public var sweepLoop: SweepLoop = .once
  /// Width of the line that shows where the slit of a sweep is, in pixels; 0 for none.
  public var lineWidth: Double = 0
  /// The colour of that line: a sample for each component of the pictures, in their order.
  public var lineColour = SIMD4<UInt16>(repeating: 0)
  /// How much the line covers of what is below, 0…1.
  public var lineOpacity: Double = 1

  /// Where the slit of a strip is: 0…1, the map's value there.
  public var position: Double = 0.5
  /// Lines a strip takes from each frame, in pixels, at least 1.
  public var slitWidth = 1
  /// Length of the canvas along its growth in pixels; 0 is as long as the picture.
  public var canvasLength = 0
  /// What a strip does when its canvas is full.
  public var canvas: Canvas = .scroll

  /// How much of the past to keep.
  public var historyKept: HistoryKept = .needed

  /// Threads that share the work of a frame, the caller's counted; 0 is one for each core.
  public var threads = 0

  /// The most bytes that history and canvas may take; 0 is a quarter of the memory that the
  /// machine, or the container that this runs in, has.
  public var maximumMemory: UInt64 = 0
  /// Counts the requests to forget everything; a change is one.
  public var resetCount: UInt32 = 0

  /// The default settings.
  public init() {}

  /// These settings with every number in its range, and default values for those that are none.
  public func sanitized() -> ScanSettings {
    let standard = ScanSettings()
    var clean = self
    clean.map.angle = map.angle.within(-1_000_000...1_000_000, else: standard.map.angle)
    clean.map.centerX = map.centerX.within(-100...100, else: standard.map.centerX)
    clean.map.centerY = map.centerY.within(-100...100, else: standard.map.centerY)
    clean.map.gain = map.gain.within(-1_000_000...1_000_000, else: standard.map.gain)
    clean.map.offset = map.offset.within(-1_000_000...1_000_000, else: standard.map.offset)
    clean.map.turns = map.turns.within(-1_000...1_000, else: standard.map.turns)
    clean.map.columns = min(max(map.columns, 1), MapSettings.mostRectangles)
    clean.map.rows = min(max(map.rows, 1), MapSettings.mostRectangles)
    clean.map.blockSize = min(max(map.blockSize, 1), FrameLayout.longestSide)
    clean.map.motionThreshold = map.motionThreshold.within(
      0...1, else: standard.map.motionThreshold)
    clean.map.motionDecay = map.motionDecay.within(0...1, else: standard.map.motionDecay)
    clean.map.smoothing = map.smoothing.within(0...1_000, else: standard.map.smoothing)
    clean.mix = mix.within(0...1, else: standard.mix)
    clean.feedback = feedback.within(0...1, else: standard.feedback)
    clean.componentSpread = componentSpread.within(-1...1, else: standard.componentSpread)
    clean.lineWidth = lineWidth.within(0...1_000_000, else: standard.lineWidth)
    clean.lineOpacity = lineOpacity.within(0...1, else: standard.lineOpacity)
    clean.depth = min(max(depth, 1), Self.deepest)
    clean.sweepDuration = max(sweepDuration, 1)
    clean.position = position.within(0...1, else: standard.position)
    clean.slitWidth = min(max(slitWidth, 1), FrameLayout.longestSide)
    clean.canvasLength = max(canvasLength, 0)
    clean.threads = min(max(threads, 0), Workers.most)
    return clean
  }

  /// Whether the output is the frame as it came: nothing of the effect is mixed in, or there is no past
  /// to show.
  public var showsFrame: Bool {
    guard feedback == 0 else { return mix == 0 && mode != .strip }
    return mode != .strip && mix == 0
      || mode == .displace && depth == 1 && duration == 0 && !freeze
  }

  /// What the size of the output has of its own; nil where it is the picture's.
  ///
  /// Only a strip whose canvas has a length differs from the picture, along its growth.
  public var ownOutputSize: (width: Int?, height: Int?) {
    guard mode == .strip, canvasLength > 0 else { return (nil, nil) }
    return switch Slit.axis(of: map) {
    case .rightwards: (canvasLength, nil)
    case .downwards: (nil, canvasLength)
    }
  }

  /// The size of the output for a picture of the given size, in pixels.
  public func outputSize(width: Int, height: Int) -> (width: Int, height: Int) {
    let own = ownOutputSize
    return (own.width ?? width, own.height ?? height)
  }
}

extension Double {
  fileprivate func within(_ range: ClosedRange<Double>, else standard: Double) -> Double {
    isNaN ? standard : min(max(self, range.lowerBound), range.upperBound)
  }
}
