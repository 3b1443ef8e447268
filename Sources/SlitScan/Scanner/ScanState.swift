// The scan is all state of one stream, without a thread: settings and frames in, frames and reports out.

/// All state of the effect for one stream of frames.
///
/// `ScanState` is a plain value; ``SlitScanner`` gives it a thread.
struct ScanState: ~Copyable {
  private var input: TiledLayout?
  private var output: FrameLayout?
  /// The settings of the last frame.
  private var settings = ScanSettings()
  /// The mode of the last frame, nil before the first.
  private var mode: ScanSettings.Mode?
  /// Settings as they were asked for last, and within their ranges.
  private var wanted: (asked: ScanSettings, sanitized: ScanSettings)?

  /// The inputs of the map, and its values.
  private var map = MapInputs()
  /// The threads that share the work.
  private var workers = Workers(1)

  /// Made for its first frame, or to have a reserve, and kept while another mode is on.
  private var displace: DisplaceMode?
  /// Made when the mode begins, and given up when it ends.
  private var sweep: SweepMode?
  private var strip: StripMode?

  /// Whether the output of the last frame has left.
  private var isDrawn = false
  /// Whether the last frame came again, and nothing follows from that.
  private var hasEnded = false

  init() {}

  // MARK: Set-up

  /// Announces the frames to come.
  ///
  /// Other frames than before lose history and all memory.
  ///
  /// - Returns: The layout of what will be drawn.
  /// - Throws: ``ScanError`` when such frames cannot be scanned with these settings.
  mutating func configure(
    input newInput: FrameLayout, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    let newOutput = try wanted.sanitized().outputLayout(for: newInput)
    if newInput != input?.layout {
      release()
      input = TiledLayout(newInput)
    }
    if newOutput != output {
      strip = nil
      output = newOutput
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

  /// Forgets all frames and maps, and gives their memory back.
  mutating func release() {
    input = nil
    output = nil
    mode = nil
    map.release()
    workers = Workers(1)
    displace = nil
    sweep = nil
    strip = nil
  }

  /// Takes the luma of an image as a map, or forgets the one there is.
  ///
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory; the map is as before
  ///   in the one case, and empty in the other.
  mutating func setMapImage(
    _ image: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try map.take(image, layout: layout, as: role)
  }

  /// Forgets the image of a map, and gives its memory back.
  mutating func forgetMapImage(_ role: MapImageRole) { map.forget(role) }

  // MARK: Frames

  /// Takes a frame in and draws what it makes.
  ///
  /// - Returns: The state after it.
  /// - Throws: ``ScanError``, as ``take(_:time:settings:)`` and ``render(into:)`` do.
  mutating func process(
    _ frame: borrowing FrameSpan, into target: inout MutableFrameSpan, time: UInt64,
    settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    try take(frame, time: time, settings: settings)
    try render(into: &target)
    return report
  }

  /// Takes a frame in; ``render(into:)`` draws what it makes.
  ///
  /// - Parameters:
  ///   - frame: A frame with the layout announced as input.
  ///   - time: Running time of the frame in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError``; the frame is not taken in then.
  mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) {
    let settings = sanitized(wanted)
    let (input, output) = try layouts(for: settings)
    try frame.check(against: input.layout)
    if settings.resetCount != self.settings.resetCount { forget() }
    if settings.threads != workers.wanted { workers = Workers(settings.threads) }
    if settings.mode == .displace && mode == .displace && settings.feedback > 0 {
      if isDrawn { try displace?.prepareFeedback(self.settings, workers: workers) }
    } else {
      displace?.stopFeedback()
    }
    try map.follow(frame, map: settings.map, tiles: input)

    if settings.fillsHistory && displace == nil { displace = DisplaceMode(input) }
    try displace?.take(frame, time: time, settings: settings, map: map, workers: workers)
    switch settings.mode {
    case .displace: break
    case .sweep:
      if sweep == nil { sweep = SweepMode(input) }
      try sweep?.take(frame, time: time, settings: settings, map: &map, workers: workers)
    case .strip:
      if strip == nil { strip = StripMode() }
      try strip?.take(frame, settings: settings, input: input, output: output, map: &map)
    }
    finish(settings)
  }

  /// Goes on without a frame, as if the last one came again.
  ///
  /// - Parameters:
  ///   - time: Running time in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError`` when there is no frame, or no memory.
  mutating func repeatLast(time: UInt64, settings wanted: ScanSettings) throws(ScanError) {
    let settings = sanitized(wanted)
    let (input, _) = try layouts(for: settings)
    guard mode == .displace, settings.mode == .displace, !settings.freeze,
      displace?.isEmpty == false
    else {
      hasEnded = true
      return
    }
    try map.followAgain(map: settings.map, tiles: input)
    try displace?.repeatLast(time: time, settings: settings, map: map, workers: workers)
    finish(settings)
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
  ) throws(ScanError) -> (TiledLayout, FrameLayout) {
    guard let input, let output else { throw .notConfigured }
    let size = settings.outputSize(width: input.layout.width, height: input.layout.height)
    guard size == (output.width, output.height) else { throw .notConfigured }
    return (input, output)
  }

  // MARK: Output

  /// Draws what the last frame made.
  ///
  /// - Parameter target: A frame with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  mutating func render(into target: inout MutableFrameSpan) throws(ScanError) {
    guard mode == .displace else {
      try draw(into: &target)
      isDrawn = true
      return
    }
    try checkTarget(&target)
    try displace?.render(settings, map: &map, into: &target, workers: workers)
    isDrawn = true
  }

  /// Draws the last output again.
  ///
  /// - Parameter target: A frame with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  mutating func draw(into target: inout MutableFrameSpan) throws(ScanError) {
    try checkTarget(&target)
    switch settings.mode {
    case .displace:
      try displace?.redraw(settings, map: &map, into: &target, workers: workers)
    case .sweep: sweep?.draw(settings, map: map, into: &target, workers: workers)
    case .strip: strip?.draw(settings, into: &target)
    }
  }

  private func checkTarget(_ target: inout MutableFrameSpan) throws(ScanError) {
    guard let output, mode != nil else { throw .notConfigured }
    try target.check(against: output)
  }

  /// The layout of the last output, nil before the first frame.
  var outputLayout: FrameLayout? { mode == nil ? nil : output }

  /// The delays of the report once history is full of frames that come at regular times.
  ///
  /// - Throws: ``ScanError``.
  mutating func settledReport(
    interval: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    let (running, settings) = (self.settings, sanitized(wanted))
    let (input, _) = try layouts(for: settings)
    var report = FrameReport()
    // What is drawn again draws the line of a sweep along the map.
    defer { if mode == .sweep { try? sweep?.prepare(running, map: &map) } }
    try DisplaceMode.describeSettled(
      settings, interval: interval, map: &map, tiles: input, workers: workers, in: &report)
    return report
  }

  /// The state after the last frame.
  var report: FrameReport {
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
