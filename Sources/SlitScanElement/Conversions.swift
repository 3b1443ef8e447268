// Values of C as values of the effect, and back.

import CSlitScanEngine
import SlitScan

extension FrameLayout {
  /// The layout that the element describes.
  init(_ layout: SlitScanLayout) throws(ScanError) {
    let described = [
      layout.components.0, layout.components.1, layout.components.2, layout.components.3,
    ]
    let components = described.prefix(max(0, Int(layout.component_count))).map { component in
      Component(
        role: component.is_alpha ? .alpha : .colour,
        plane: Int(component.plane),
        offset: Int(component.offset),
        step: Int(component.step),
        bytes: Int(component.bytes),
        xShift: Int(component.x_shift),
        yShift: Int(component.y_shift),
        unusedBits: Int(component.unused_bits),
        black: component.black,
        white: component.white
      )
    }
    try self.init(
      width: Int(layout.width), height: Int(layout.height), isBigEndian: layout.is_big_endian,
      isRGB: layout.is_rgb, components: components)
  }
}

extension ScanSettings {
  /// The settings in the element's properties; an unknown choice is the default one.
  init(_ settings: SlitScanSettings) {
    self.init()
    switch settings.mode {
    case SLIT_SCAN_MODE_SWEEP: mode = .sweep
    case SLIT_SCAN_MODE_STRIP: mode = .strip
    default: mode = .displace
    }
    switch settings.map {
    case SLIT_SCAN_MAP_RADIAL: map.shape = .radial
    case SLIT_SCAN_MAP_ANGULAR: map.shape = .angular
    case SLIT_SCAN_MAP_SPIRAL: map.shape = .spiral
    case SLIT_SCAN_MAP_GRID: map.shape = .grid
    case SLIT_SCAN_MAP_RANDOM: map.shape = .random
    case SLIT_SCAN_MAP_IMAGE: map.shape = .image
    case SLIT_SCAN_MAP_LUMA: map.shape = .luma
    case SLIT_SCAN_MAP_MOTION: map.shape = .motion
    case SLIT_SCAN_MAP_LIVE: map.shape = .live
    default: map.shape = .linear
    }
    map.angle = settings.angle
    map.centerX = settings.center_x
    map.centerY = settings.center_y
    map.turns = settings.turns
    map.columns = Int(settings.columns)
    map.rows = Int(settings.rows)
    map.blockSize = Int(settings.block_size)
    map.seed = settings.seed
    map.motionThreshold = settings.motion_threshold
    map.motionDecay = settings.motion_decay
    map.smoothing = settings.map_smoothing
    map.invert = settings.invert
    map.gain = settings.gain
    map.offset = settings.offset
    switch settings.edge {
    case SLIT_SCAN_EDGE_WRAP: map.edge = .wrap
    case SLIT_SCAN_EDGE_MIRROR: map.edge = .mirror
    default: map.edge = .clamp
    }
    depth = Int(settings.depth)
    duration = settings.duration
    interpolation = settings.interpolation == SLIT_SCAN_INTERPOLATION_LINEAR ? .linear : .nearest
    switch settings.warmup {
    case SLIT_SCAN_WARMUP_LIVE: warmup = .live
    case SLIT_SCAN_WARMUP_BLACK: warmup = .black
    case SLIT_SCAN_WARMUP_TRANSPARENT: warmup = .transparent
    default: warmup = .hold
    }
    freeze = settings.freeze
    mix = settings.mix
    feedback = settings.feedback
    componentSpread = settings.component_spread
    sweepDuration = settings.sweep_duration
    switch settings.sweep_loop {
    case SLIT_SCAN_SWEEP_LOOP_LOOP: sweepLoop = .loop
    case SLIT_SCAN_SWEEP_LOOP_PING_PONG: sweepLoop = .pingPong
    default: sweepLoop = .once
    }
    lineWidth = settings.line_width
    let samples = settings.line_samples
    lineColour = SIMD4(samples.0, samples.1, samples.2, samples.3)
    lineOpacity = Double(settings.line_color >> 24) / 255
    position = settings.position
    slitWidth = Int(settings.slit_width)
    canvasLength = Int(settings.canvas_length)
    canvas = settings.canvas == SLIT_SCAN_CANVAS_WRAP ? .wrap : .scroll
    maximumMemory = settings.max_memory
    historyKept = settings.history == SLIT_SCAN_HISTORY_WHOLE ? .whole : .needed
    threads = Int(settings.threads)
    resetCount = settings.reset_count
  }
}

extension SlitScanReport {
  /// The effect's report.
  init(_ report: FrameReport) {
    self.init(
      progress: report.progress,
      history_frames: UInt32(clamping: report.historyFrames),
      history_bytes: UInt64(clamping: report.historyBytes),
      completes: report.completes,
      limited_depth: UInt32(clamping: report.limitedDepth ?? 0),
      is_memory_refused: report.isMemoryRefused,
      wanted_depth: UInt32(clamping: report.wantedDepth),
      has_caught_up: report.hasCaughtUp,
      mean_delay: report.meanDelay,
      center_delay: report.centerDelay
    )
  }
}

extension SlitScanError {
  /// Fills in an error; a sentence that is too long ends early, with a whole character.
  mutating func set(_ error: ScanError) {
    code = error.code.rawValue
    unsafe withUnsafeMutableBytes(of: &message) { bytes in
      var text = error.description
      while text.utf8.count >= bytes.count { text.removeLast() }
      unsafe bytes.copyBytes(from: text.utf8)
      unsafe bytes[text.utf8.count] = 0
    }
  }
}

extension SlitScanPicture {
  /// The strides of the planes.
  var strideVector: SIMD4<Int> { SIMD4(strides.0, strides.1, strides.2, strides.3) }

  /// The bytes of a plane, which the element keeps mapped; none where there is no plane.
  @_lifetime(immortal)
  func span(_ plane: Int) -> RawSpan {
    guard let (start, byteCount) = unsafe memory(plane) else { return RawSpan() }
    let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// The bytes of a plane to be written.
  @_lifetime(immortal)
  func mutableSpan(_ plane: Int) -> MutableRawSpan {
    guard let (start, byteCount) = unsafe memory(plane) else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  private func memory(_ plane: Int) -> (UnsafeMutableRawPointer, Int)? {
    let (start, size) =
      switch plane {
      case 0: unsafe (planes.0, byte_counts.0)
      case 1: unsafe (planes.1, byte_counts.1)
      case 2: unsafe (planes.2, byte_counts.2)
      default: unsafe (planes.3, byte_counts.3)
      }
    guard let start = unsafe start else { return nil }
    return unsafe (start, Int(clamping: size))
  }
}
