// The typed properties of a scan: the table of properties in Swift, written by
// gst/scan-properties.py.

import GStreamer

extension Scan {
  /// How the map value of a pixel is used.
  public enum Mode: String, Sendable, CaseIterable, ScanValue {
    /// Each pixel is delayed in proportion to its map value.
    case displace
    /// A slit moves over the frame and freezes what it has passed.
    case sweep
    /// A line of pixels of every frame is appended to a canvas.
    case strip
  }

  /// Shape of the map, which gives each pixel a map value from 0 (the slit is there first) to 1
  /// (last).
  public enum Map: String, Sendable, CaseIterable, ScanValue {
    /// Grows in one direction, see angle.
    case linear
    /// Grows with the distance from the centre.
    case radial
    /// Grows clockwise around the centre, from 12 o'clock.
    case angular
    /// Grows with angle and distance, see turns.
    case spiral
    /// Rectangles in reading order, see columns and rows.
    case grid
    /// Random blocks, see block-size and seed.
    case random
    /// Luma of an image file, see map-location.
    case image
    /// Luma of the input frame.
    case luma
    /// Pixels that move, spreading and fading, see motion-decay.
    case motion
    /// Luma of the video on the pad map.
    case live
  }

  /// How map values outside 0 to 1 are handled after gain and offset (modes displace and sweep).
  public enum Edge: String, Sendable, CaseIterable, ScanValue {
    /// Values below 0 become 0, values above 1 become 1.
    case clamp
    /// Values wrap around: above 1 they continue at 0.
    case wrap
    /// Values are reflected at 0 and 1.
    case mirror
  }

  /// How a delay between two frames is shown (mode displace).
  public enum Interpolation: String, Sendable, CaseIterable, ScanValue {
    /// The nearest frame.
    case nearest
    /// A blend of the two nearest frames.
    case linear
    /// A frame in between, synthesized along the motion of the video.
    case motion
  }

  /// What is shown where history does not reach back far enough yet, or the canvas is still empty
  /// (modes displace and strip).
  public enum Warmup: String, Sendable, CaseIterable, ScanValue {
    /// The oldest frame in history.
    case hold
    /// The newest frame.
    case live
    /// Black.
    case black
    /// Transparent, in formats with alpha; otherwise black.
    case transparent
  }

  /// What happens at the end of a sweep (mode sweep).
  public enum SweepLoop: String, Sendable, CaseIterable, ScanValue {
    /// The finished frame stays.
    case once
    /// A new sweep starts from the live video.
    case loop
    /// The slit moves back and releases what it passes.
    case pingPong = "ping-pong"
  }

  /// What happens when the canvas is full (mode strip).
  public enum Canvas: String, Sendable, CaseIterable, ScanValue {
    /// The canvas scrolls; the newest line is always at the far end.
    case scroll
    /// New lines overwrite the oldest, from the near end on.
    case wrap
  }

  /// Which frames of history are kept while the map is static (mode displace).
  public enum History: String, Sendable, CaseIterable, ScanValue {
    /// Only the frames that a static map shows; all of them once it moves.
    case needed
    /// All frames, so that a new map shows all of history at once.
    case whole
  }

  /// The effect as a preset and some properties make it; those that are nil are as in the preset, or
  /// have their default values.
  public init(
    preset: String? = nil,
    mode: Mode? = nil,
    map: Map? = nil,
    mix: Double? = nil,
    depth: Int? = nil,
    gain: Double? = nil,
    offset: Double? = nil,
    feedback: Double? = nil,
    componentSpread: Double? = nil,
    angle: Double? = nil,
    centerX: Double? = nil,
    centerY: Double? = nil,
    turns: Double? = nil,
    columns: Int? = nil,
    rows: Int? = nil,
    blockSize: Int? = nil,
    seed: Int? = nil,
    mapLocation: String? = nil,
    motionThreshold: Double? = nil,
    motionDecay: Double? = nil,
    mapSmoothing: Double? = nil,
    invert: Bool? = nil,
    edge: Edge? = nil,
    pointer: Bool? = nil,
    duration: ClockTime? = nil,
    interpolation: Interpolation? = nil,
    warmup: Warmup? = nil,
    freeze: Bool? = nil,
    drain: Bool? = nil,
    history: History? = nil,
    sweepDuration: ClockTime? = nil,
    sweepLoop: SweepLoop? = nil,
    lineWidth: Double? = nil,
    lineColor: UInt32? = nil,
    position: Double? = nil,
    slitWidth: Int? = nil,
    canvasLength: Int? = nil,
    canvas: Canvas? = nil,
    maxMemory: UInt64? = nil,
    threads: Int? = nil
  ) {
    self.init(preset: preset, [:])
    self.mode = mode
    self.map = map
    self.mix = mix
    self.depth = depth
    self.gain = gain
    self.offset = offset
    self.feedback = feedback
    self.componentSpread = componentSpread
    self.angle = angle
    self.centerX = centerX
    self.centerY = centerY
    self.turns = turns
    self.columns = columns
    self.rows = rows
    self.blockSize = blockSize
    self.seed = seed
    self.mapLocation = mapLocation
    self.motionThreshold = motionThreshold
    self.motionDecay = motionDecay
    self.mapSmoothing = mapSmoothing
    self.invert = invert
    self.edge = edge
    self.pointer = pointer
    self.duration = duration
    self.interpolation = interpolation
    self.warmup = warmup
    self.freeze = freeze
    self.drain = drain
    self.history = history
    self.sweepDuration = sweepDuration
    self.sweepLoop = sweepLoop
    self.lineWidth = lineWidth
    self.lineColor = lineColor
    self.position = position
    self.slitWidth = slitWidth
    self.canvasLength = canvasLength
    self.canvas = canvas
    self.maxMemory = maxMemory
    self.threads = threads
  }

  /// How the map value of a pixel is used.
  public var mode: Mode? {
    get { typed("mode") }
    set { setTyped("mode", newValue) }
  }

  /// Shape of the map, which gives each pixel a map value from 0 (the slit is there first) to 1
  /// (last).
  public var map: Map? {
    get { typed("map") }
    set { setTyped("map", newValue) }
  }

  /// Blend of input and effect: 0 is the input frame, 1 the effect (modes displace and sweep).
  public var mix: Double? {
    get { typed("mix") }
    set { setTyped("mix", newValue) }
  }

  /// History length in frames; the longest delay is depth − 1 (mode displace).
  public var depth: Int? {
    get { typed("depth") }
    set { setTyped("depth", newValue) }
  }

  /// Factor applied to map values (modes displace and sweep).
  public var gain: Double? {
    get { typed("gain") }
    set { setTyped("gain", newValue) }
  }

  /// Number added to map values after gain (modes displace and sweep).
  public var offset: Double? {
    get { typed("offset") }
    set { setTyped("offset", newValue) }
  }

  /// Share of the last output frame that is blended into the next frame of history (mode displace).
  public var feedback: Double? {
    get { typed("feedback") }
    set { setTyped("feedback", newValue) }
  }

  /// Extra delay of the last component, such as B of RGB, against the first one, as a fraction of
  /// the longest delay (mode displace).
  public var componentSpread: Double? {
    get { typed("component-spread") }
    set { setTyped("component-spread", newValue) }
  }

  /// Direction in which the map value of map linear grows, in degrees: 0 is down, 90 right.
  public var angle: Double? {
    get { typed("angle") }
    set { setTyped("angle", newValue) }
  }

  /// Horizontal position of the centre, as a fraction of the frame width (maps radial, angular and
  /// spiral).
  public var centerX: Double? {
    get { typed("center-x") }
    set { setTyped("center-x", newValue) }
  }

  /// Vertical position of the centre, as a fraction of the frame height (maps radial, angular and
  /// spiral).
  public var centerY: Double? {
    get { typed("center-y") }
    set { setTyped("center-y", newValue) }
  }

  /// Number of turns from the centre to the farthest corner; negative numbers turn the other way
  /// (map spiral).
  public var turns: Double? {
    get { typed("turns") }
    set { setTyped("turns", newValue) }
  }

  /// Number of columns (map grid).
  public var columns: Int? {
    get { typed("columns") }
    set { setTyped("columns", newValue) }
  }

  /// Number of rows (map grid).
  public var rows: Int? {
    get { typed("rows") }
    set { setTyped("rows", newValue) }
  }

  /// Side length of a random block, in pixels (map random).
  public var blockSize: Int? {
    get { typed("block-size") }
    set { setTyped("block-size", newValue) }
  }

  /// Seed of the random map.
  public var seed: Int? {
    get { typed("seed") }
    set { setTyped("seed", newValue) }
  }

  /// Path or file URI of the image file: PNG, JPEG or PGM (map image).
  public var mapLocation: String? {
    get { typed("map-location") }
    set { setTyped("map-location", newValue) }
  }

  /// Minimum luma change that counts as motion, as a fraction of full scale (map motion).
  public var motionThreshold: Double? {
    get { typed("motion-threshold") }
    set { setTyped("motion-threshold", newValue) }
  }

  /// Amount by which the map value of motion fades per frame (map motion).
  public var motionDecay: Double? {
    get { typed("motion-decay") }
    set { setTyped("motion-decay", newValue) }
  }

  /// Standard deviation of the Gaussian blur applied to the map, in pixels (0 = no blur).
  public var mapSmoothing: Double? {
    get { typed("map-smoothing") }
    set { setTyped("map-smoothing", newValue) }
  }

  /// Invert the map: 0 becomes 1, and 1 becomes 0.
  public var invert: Bool? {
    get { typed("invert") }
    set { setTyped("invert", newValue) }
  }

  /// How map values outside 0 to 1 are handled after gain and offset (modes displace and sweep).
  public var edge: Edge? {
    get { typed("edge") }
    set { setTyped("edge", newValue) }
  }

  /// Let the mouse pointer over the output move the centre of the map, or the position of the slit
  /// in mode strip.
  public var pointer: Bool? {
    get { typed("pointer") }
    set { setTyped("pointer", newValue) }
  }

  /// Longest delay, in nanoseconds of running time (0 = use depth; mode displace).
  public var duration: ClockTime? {
    get { typed("duration") }
    set { setTyped("duration", newValue) }
  }

  /// How a delay between two frames is shown (mode displace).
  public var interpolation: Interpolation? {
    get { typed("interpolation") }
    set { setTyped("interpolation", newValue) }
  }

  /// What is shown where history does not reach back far enough yet, or the canvas is still empty
  /// (modes displace and strip).
  public var warmup: Warmup? {
    get { typed("warmup") }
    set { setTyped("warmup", newValue) }
  }

  /// Stop taking in new frames; the map may still move over the frames held.
  public var freeze: Bool? {
    get { typed("freeze") }
    set { setTyped("freeze", newValue) }
  }

  /// Continue after the end of the stream until every pixel shows the last frame; feedback adds at
  /// most a minute (mode displace).
  public var drain: Bool? {
    get { typed("drain") }
    set { setTyped("drain", newValue) }
  }

  /// Which frames of history are kept while the map is static (mode displace).
  public var history: History? {
    get { typed("history") }
    set { setTyped("history", newValue) }
  }

  /// Time that the slit takes to cross the frame, in nanoseconds (mode sweep).
  public var sweepDuration: ClockTime? {
    get { typed("sweep-duration") }
    set { setTyped("sweep-duration", newValue) }
  }

  /// What happens at the end of a sweep (mode sweep).
  public var sweepLoop: SweepLoop? {
    get { typed("sweep-loop") }
    set { setTyped("sweep-loop", newValue) }
  }

  /// Width of the line that marks the slit, in pixels (0 = no line; mode sweep).
  public var lineWidth: Double? {
    get { typed("line-width") }
    set { setTyped("line-width", newValue) }
  }

  /// Colour of the line that marks the slit, as 0xAARRGGBB (mode sweep).
  public var lineColor: UInt32? {
    get { typed("line-color") }
    set { setTyped("line-color", newValue) }
  }

  /// Map value at which the slit lies (mode strip).
  public var position: Double? {
    get { typed("position") }
    set { setTyped("position", newValue) }
  }

  /// Width of the slit, in pixels (mode strip).
  public var slitWidth: Int? {
    get { typed("slit-width") }
    set { setTyped("slit-width", newValue) }
  }

  /// Length of the canvas, in pixels (0 = that of the input frame; a change clears the canvas; mode
  /// strip).
  public var canvasLength: Int? {
    get { typed("canvas-length") }
    set { setTyped("canvas-length", newValue) }
  }

  /// What happens when the canvas is full (mode strip).
  public var canvas: Canvas? {
    get { typed("canvas") }
    set { setTyped("canvas", newValue) }
  }

  /// Memory limit of history and canvas, in bytes (0 = a quarter of the memory of the machine or
  /// container).
  public var maxMemory: UInt64? {
    get { typed("max-memory") }
    set { setTyped("max-memory", newValue) }
  }

  /// Number of threads that share the work of a frame (0 = one per core, at most 16).
  public var threads: Int? {
    get { typed("threads") }
    set { setTyped("threads", newValue) }
  }
}
