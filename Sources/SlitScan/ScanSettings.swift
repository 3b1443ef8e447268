// The scan settings are all parameters of the effect as one value, applied at a frame boundary.

import CLinuxMemory
package import CSlitScanSettings

/// The settings of the effect.
///
/// A settings value goes along with every frame; what changed since the last one takes effect with
/// that frame. Numbers out of range, and numbers that are none, are brought into range by
/// ``sanitized()``.
public struct ScanSettings: Sendable, Equatable {
  /// The use of the map value of a pixel.
  public enum Mode: UInt32, Sendable {
    /// Each pixel is delayed by what the map says.
    case displace
    /// A slit moves over the frame and freezes what it has passed.
    case sweep
    /// The line of pixels at ``ScanSettings/position`` is appended to a canvas.
    case strip
  }

  /// The frame shown for a delay between two frames of history.
  public enum Interpolation: UInt32, Sendable {
    /// The nearest frame.
    case nearest
    /// A blend of the two neighbours.
    case linear
  }

  /// The content where history does not reach back far enough yet.
  public enum Warmup: UInt32, Sendable {
    /// The oldest frame there is.
    case hold
    /// The newest frame.
    case live
    /// Black.
    case black
    /// Nothing, where the format has alpha; else black.
    case transparent
  }

  /// The behaviour at the end of a sweep.
  public enum SweepLoop: UInt32, Sendable {
    /// It stays.
    case once
    /// It starts again with live video.
    case loop
    /// The slit goes back and sets free what it passes.
    case pingPong
  }

  /// The behaviour when the canvas of a strip is full.
  public enum Canvas: UInt32, Sendable {
    /// The newest line is always at the far end; older ones move on.
    case scroll
    /// Lines stay where they are; the next one starts again at the near end.
    case wrap
  }

  /// The frames of history that are kept while the map is static.
  public enum HistoryKept: UInt32, Sendable {
    /// All of it, until the map has stood still for as long as the history is; from then on, of each
    /// new frame, what the map still shows.
    case needed
    /// All of it.
    case whole
  }

  /// The longest history, in frames.
  public static let deepest: Int = {
    var settings = ScanSettings()
    settings.depth = .max
    return settings.sanitized().depth
  }()

  /// The use of the map value of a pixel.
  public var mode: Mode
  /// When the slit visits each pixel.
  public var map: MapSettings

  /// Frames of history, 1…``deepest``: the longest delay and the frame itself.
  public var depth: Int
  /// The longest delay in nanoseconds of running time, frames being chosen by their times; 0 counts
  /// frames, see ``depth``.
  public var duration: UInt64
  /// The frame shown for a delay between two frames of history.
  public var interpolation: Interpolation
  /// The content where history does not reach back far enough yet.
  public var warmup: Warmup
  /// Whether to stop taking frames in; what is held stays, and the map may still move.
  public var freeze: Bool

  /// The share of the scanned frame in the output, 0…1; the rest is the input frame.
  ///
  /// It has no meaning for strips.
  public var mix: Double
  /// The share of the last output in frames that enter history, 0…1.
  public var feedback: Double
  /// The extra delay of the last component, as a part of the longest delay; −1…1.
  public var componentSpread: Double

  /// Nanoseconds a sweep takes, at least 1.
  public var sweepDuration: UInt64
  /// The behaviour at the end of a sweep.
  public var sweepLoop: SweepLoop
  /// Width of the line that shows where the slit of a sweep is, in pixels; 0 for none.
  public var lineWidth: Double
  /// The colour of that line: a sample for each component of the frames, in their order.
  public var lineColour: SIMD4<UInt16>
  /// The opacity of the line, 0…1.
  public var lineOpacity: Double

  /// The map value at which the slit of a strip lies, 0…1.
  public var position: Double
  /// Lines a strip takes from each frame, in pixels, at least 1.
  public var slitWidth: Int
  /// Length of the canvas along its growth in pixels; 0 is as long as the frame.
  public var canvasLength: Int
  /// The behaviour when the canvas of a strip is full.
  public var canvas: Canvas

  /// The frames of history that are kept while the map is static.
  public var historyKept: HistoryKept

  /// Threads that share the work of a frame, the caller's counted; 0 is one for each core.
  public var threads: Int

  /// The most bytes that history and canvas may take; 0 is a quarter of the memory that the
  /// machine, or the container that this runs in, has.
  public var maximumMemory: UInt64
  /// Counts the requests to forget everything; a change is one.
  public var resetCount: UInt32

  /// The default settings.
  public init() { self.init(slit_scan_settings_default()) }

  /// The settings in the element's properties; what is no choice is the first one.
  package init(_ values: SlitScanSettings) {
    mode = Mode(rawValue: values.mode.rawValue) ?? .displace
    map = MapSettings(values)
    depth = Int(values.depth)
    duration = values.duration
    interpolation = Interpolation(rawValue: values.interpolation.rawValue) ?? .nearest
    warmup = Warmup(rawValue: values.warmup.rawValue) ?? .hold
    freeze = values.freeze
    mix = values.mix
    feedback = values.feedback
    componentSpread = values.component_spread
    sweepDuration = values.sweep_duration
    sweepLoop = SweepLoop(rawValue: values.sweep_loop.rawValue) ?? .once
    lineWidth = values.line_width
    let samples = values.line_samples
    lineColour = SIMD4(samples.0, samples.1, samples.2, samples.3)
    lineOpacity = Double(values.line_color >> 24) / 255
    position = values.position
    slitWidth = Int(values.slit_width)
    canvasLength = Int(values.canvas_length)
    canvas = Canvas(rawValue: values.canvas.rawValue) ?? .scroll
    historyKept = HistoryKept(rawValue: values.history.rawValue) ?? .needed
    threads = Int(values.threads)
    maximumMemory = values.max_memory
    resetCount = values.reset_count
  }

  /// These settings with every number in its range, and default values for those that are none.
  public func sanitized() -> ScanSettings {
    var clean = ScanSettings(slit_scan_settings_clamped(values))
    // Finer than the table's, in which it is a part of the colour.
    clean.lineOpacity = min(max(lineOpacity.isNaN ? 1 : lineOpacity, 0), 1)
    return clean
  }

  /// The settings as the table of properties has them.
  private var values: SlitScanSettings {
    SlitScanSettings(
      mode: SlitScanMode(mode.rawValue), map: SlitScanMap(map.shape.rawValue), mix: mix,
      depth: UInt32(clamping: depth), gain: map.gain, offset: map.offset, feedback: feedback,
      component_spread: componentSpread, angle: map.angle, center_x: map.centerX,
      center_y: map.centerY, turns: map.turns, columns: UInt32(clamping: map.columns),
      rows: UInt32(clamping: map.rows), block_size: UInt32(clamping: map.blockSize), seed: map.seed,
      motion_threshold: map.motionThreshold, motion_decay: map.motionDecay,
      map_smoothing: map.smoothing, invert: map.invert, edge: SlitScanEdge(map.edge.rawValue),
      pointer: false, duration: duration,
      interpolation: SlitScanInterpolation(interpolation.rawValue),
      warmup: SlitScanWarmup(warmup.rawValue), freeze: freeze, drain: false,
      history: SlitScanHistory(historyKept.rawValue), sweep_duration: sweepDuration,
      sweep_loop: SlitScanSweepLoop(sweepLoop.rawValue), line_width: lineWidth, line_color: 0,
      position: position, slit_width: UInt32(clamping: slitWidth),
      canvas_length: UInt32(clamping: canvasLength), canvas: SlitScanCanvas(canvas.rawValue),
      max_memory: maximumMemory, threads: UInt32(clamping: threads),
      line_samples: (lineColour[0], lineColour[1], lineColour[2], lineColour[3]),
      reset_count: resetCount)
  }

  /// Whether the output is the frame as it came: nothing of the effect is mixed in, or there is no past
  /// to show.
  public var showsFrame: Bool {
    slit_scan_is_frame_itself(
      SlitScanMode(mode.rawValue), mix, feedback, UInt32(clamping: depth), duration, freeze)
  }

  /// The sides of the output that differ from the frame's; nil for those that do not.
  ///
  /// Only a strip whose canvas has a length differs from the frame, along its growth.
  public var ownOutputSize: (width: Int?, height: Int?) {
    guard mode == .strip, canvasLength > 0 else { return (nil, nil) }
    return switch Slit.axis(of: map) {
    case .rightwards: (canvasLength, nil)
    case .downwards: (nil, canvasLength)
    }
  }

  /// The size of the output for a frame of the given size, in pixels.
  public func outputSize(width: Int, height: Int) -> (width: Int, height: Int) {
    let own = ownOutputSize
    return (own.width ?? width, own.height ?? height)
  }
}

extension ScanSettings {
  /// A quarter of the memory that this machine, or the container, has.
  private static let quarterOfMemory = unsafe Int(clamping: linux_memory_limit("") / 4)

  /// Bytes that history or canvas may take.
  var memoryLimit: Int {
    maximumMemory == 0 ? Self.quarterOfMemory : Int(clamping: maximumMemory)
  }

  /// The layout of the output for frames of a layout.
  ///
  /// - Throws: ``ScanError`` for a canvas that is longer than any picture, or larger than the limit.
  func outputLayout(for input: FrameLayout) throws(ScanError) -> FrameLayout {
    guard mode == .strip else { return input }
    let size = outputSize(width: input.width, height: input.height)
    let longest = FrameLayout.longestSide
    guard canvasLength <= longest else { throw .canvasTooLong(longest) }
    let output = try input.resized(width: size.width, height: size.height)
    let needed = StripCanvas.byteCount(output, axis: Slit.axis(of: map))
    let limit = memoryLimit
    guard needed > limit else { return output }
    let length = max(canvasLength, 1)
    throw .canvasTooLarge(
      output, bytes: needed, limit: limit,
      fitting: Int(Double(length) * (Double(limit) / Double(needed))))
  }
}
