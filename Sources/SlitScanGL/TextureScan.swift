// The texture scan is all state of one stream on the GPU: settings and frames in, frames and reports out.

import SlitScan

/// All state of the effect for one stream of frames in textures, as `ScanState` is for frames in memory.
///
/// - Important: To be used on the thread of the context alone, where it is current.
struct TextureScan: ~Copyable {
  private let gl: GL
  private let passes: Passes
  private var input: FrameLayout?
  private var output: FrameLayout?
  /// The layouts of these in textures, known from the first frame on.
  private var inputShape: FrameShape?
  private var outputShape: FrameShape?
  /// The settings of the last frame.
  private var settings = ScanSettings()
  /// The mode of the last frame, nil before the first.
  private var mode: ScanSettings.Mode?
  /// Settings as they were asked for last, and within their ranges.
  private var wanted: (asked: ScanSettings, sanitized: ScanSettings)?
  /// The threads that find motion.
  private var workers = Workers(1)

  private var map: TextureMap
  /// Made for its first frame, or to have a reserve, and kept while another mode is on.
  private var displace: TextureDisplace?
  /// Made when the mode begins, and given up when it ends.
  private var sweep: TextureSweep?
  private var strip: TextureStrip?

  /// Whether the output of the last frame has left.
  private var isDrawn = false
  /// Whether the last frame came again, and nothing follows from that.
  private var hasEnded = false

  init(_ gl: GL) {
    self.gl = gl
    passes = Passes(gl)
    map = TextureMap(gl, passes)
  }

  // MARK: Set-up

  /// Announces the frames to come; other frames than before lose history and all memory.
  ///
  /// - Returns: The layout of what will be drawn.
  mutating func configure(
    input newInput: FrameLayout, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    let newOutput = try wanted.sanitized().outputLayout(for: newInput)
    for layout in [newInput, newOutput]
    where max(layout.width, layout.height) > gl.longestSide {
      throw .tooLong(layout, longest: gl.longestSide)
    }
    if newInput != input {
      release()
      input = newInput
    }
    if newOutput != output {
      strip = nil
      output = newOutput
      outputShape = nil
    }
    return newOutput
  }

  /// Forgets all frames; memory stays.
  mutating func forget() {
    mode = nil
    map.forgetFrames()
    displace?.forget()
    sweep?.forget()
    strip = nil
  }

  /// Forgets all frames and the layout, and gives their memory back.
  mutating func release() {
    input = nil
    output = nil
    inputShape = nil
    outputShape = nil
    mode = nil
    map.release()
    displace = nil
    sweep = nil
    strip = nil
    workers = Workers(1)
  }

  /// Takes an image in system memory as a map.
  mutating func setMapImage(
    _ image: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try map.take(image, layout: layout, as: role)
  }

  /// Takes an image in textures as a map.
  mutating func setMapImage(
    _ image: FrameTextures, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try gl.begin()
    defer { gl.end() }
    try map.take(image, layout: layout, as: role)
  }

  /// Forgets the image of a map.
  mutating func forgetMapImage(_ role: MapImageRole) { map.forget(role) }

  // MARK: Frames

  /// Takes a frame in, and draws what it makes if there is a target.
  mutating func scan(
    _ frame: FrameTextures, into target: FrameTextures?, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    try gl.begin()
    defer { gl.end() }
    try take(frame, time: time, settings: wanted)
    if let target { try render(into: target) }
    return report
  }

  private mutating func take(
    _ frame: FrameTextures, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) {
    let settings = sanitized(wanted)
    let (input, output) = try layouts(for: settings)
    let shape = try shape(of: frame, input)
    if settings.resetCount != self.settings.resetCount { forget() }
    if settings.interpolation == .motion && settings.threads != workers.wanted {
      workers = Workers(settings.threads)
    }
    if settings.mode == .displace && mode == .displace && settings.feedback > 0 {
      if isDrawn { try displace?.prepareFeedback(self.settings) }
    } else {
      displace?.stopFeedback()
    }
    try map.follow(frame, shape, map: settings.map)

    if settings.fillsHistory && displace == nil {
      displace = TextureDisplace(gl, passes, shape)
    }
    let memoryLimit = memoryLimit(settings)
    try displace?.take(
      frame, time: time, settings: settings, memoryLimit: memoryLimit, workers: workers)
    switch settings.mode {
    case .displace: break
    case .sweep:
      if sweep == nil { sweep = TextureSweep(gl, passes, shape) }
      try sweep?.take(frame, time: time, settings: settings, map: &map)
    case .strip:
      if strip == nil { strip = TextureStrip(gl, passes, shape) }
      try strip?.take(
        frame, settings: settings, memoryLimit: memoryLimit, output: output, map: &map)
    }
    finish(settings)
  }

  /// Goes on without a frame, as if the last one came again, and draws the output.
  mutating func repeatLast(
    into target: FrameTextures, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    try gl.begin()
    defer { gl.end() }
    let settings = sanitized(wanted)
    _ = try layouts(for: settings)
    if mode == .displace, settings.mode == .displace, !settings.freeze, displace?.isEmpty == false {
      try map.followAgain(map: settings.map)
      let memoryLimit = memoryLimit(settings)
      try displace?.repeatLast(
        time: time, settings: settings, memoryLimit: memoryLimit, workers: workers)
      finish(settings)
    } else {
      hasEnded = true
    }
    try render(into: target)
    return report
  }

  private mutating func finish(_ settings: ScanSettings) {
    self.settings = settings
    mode = settings.mode
    if settings.mode != .sweep { sweep = nil }
    if settings.mode != .strip { strip = nil }
    // With nothing of the effect in it, the output is the frame itself, and needs no drawing.
    isDrawn = settings.showsFrame
    hasEnded = false
  }

  /// Settings with every number in its range.
  private mutating func sanitized(_ settings: ScanSettings) -> ScanSettings {
    if let wanted, wanted.asked == settings { return wanted.sanitized }
    let sanitized = settings.sanitized()
    wanted = (settings, sanitized)
    return sanitized
  }

  /// The layouts, if the output is still as announced.
  private func layouts(
    for settings: ScanSettings
  ) throws(ScanError) -> (FrameLayout, FrameLayout) {
    guard let input, let output else { throw .notConfigured }
    let size = settings.outputSize(width: input.width, height: input.height)
    guard size == (output.width, output.height) else { throw .notConfigured }
    return (input, output)
  }

  /// The shape of a frame; textures of another than before lose history and all memory.
  private mutating func shape(
    of frame: FrameTextures, _ layout: FrameLayout
  ) throws(ScanError) -> FrameShape {
    if let inputShape, inputShape.fits(frame) { return inputShape }
    let shape = try FrameShape(layout, frame)
    guard shape.fits(frame) else { throw .notConfigured }
    mode = nil
    map.release()
    displace = nil
    sweep = nil
    strip = nil
    inputShape = shape
    return shape
  }

  /// Bytes of texture memory that history or canvas may take.
  private func memoryLimit(_ settings: ScanSettings) -> Int {
    guard settings.maximumMemory == 0, let memory = gl.memory else { return settings.memoryLimit }
    return memory / 4
  }

  // MARK: Output

  private mutating func render(into target: FrameTextures) throws(ScanError) {
    guard mode == .displace else {
      try draw(into: target)
      isDrawn = true
      return
    }
    _ = try checkTarget(target)
    try displace?.render(settings, map: &map, into: target)
    isDrawn = true
  }

  /// Draws the last output again.
  ///
  /// - Parameter layout: The layout of `target`, which must be the output's.
  mutating func redraw(
    into target: FrameTextures, layout: FrameLayout
  ) throws(ScanError) {
    guard mode != nil, layout == output else { throw .notConfigured }
    try gl.begin()
    defer { gl.end() }
    try draw(into: target)
  }

  private mutating func draw(into target: FrameTextures) throws(ScanError) {
    let shape = try checkTarget(target)
    // An output of another size may have been announced since the last frame.
    guard settings.mode == .strip || inputShape?.fits(target) == true else { return }
    switch settings.mode {
    case .displace: try displace?.redraw(settings, map: &map, into: target)
    case .sweep: try sweep?.draw(settings, map: map, into: target)
    case .strip: try strip?.draw(settings, shape, into: target)
    }
  }

  /// The shape of the target.
  private mutating func checkTarget(
    _ target: FrameTextures
  ) throws(ScanError) -> FrameShape {
    guard let output, mode != nil else { throw .notConfigured }
    if let outputShape, outputShape.fits(target) { return outputShape }
    let shape = try FrameShape(output, target)
    guard shape.fits(target), output != input || inputShape?.fits(target) == true else {
      throw .notConfigured
    }
    for index in shape.planes.indices {
      gl.target(
        target.names[index], width: shape.planes[index].width, height: shape.planes[index].height)
      guard gl.isTargetComplete else {
        throw ScanError(
          .unsupportedFormat,
          "The graphics driver does not draw into textures of this format. Put glcolorconvert "
            + "before glslitscan.")
      }
    }
    outputShape = shape
    return shape
  }

  /// The delays of the report once history is full of frames that come at regular times.
  mutating func settledReport(
    interval: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    let settings = sanitized(wanted)
    let (input, _) = try layouts(for: settings)
    return try map.settledReport(settings, interval: interval, tiles: TiledLayout(input))
  }

  /// The state after the last frame.
  private var report: FrameReport {
    // Optional chaining would else consume what cannot be copied.
    mutating get {
      var report = FrameReport()
      report.wantedDepth = settings.depth
      report.hasCaughtUp = true
      displace?.describe(settings, in: &report)
      if hasEnded { report.hasCaughtUp = true }
      report.historyBytes += (sweep?.byteCount ?? 0) + (strip?.byteCount ?? 0)
      report.progress = sweep?.state.progress ?? 0
      report.completes = sweep?.state.completes ?? false
      strip?.describe(in: &report)
      return report
    }
  }
}
