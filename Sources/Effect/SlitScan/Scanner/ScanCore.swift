// The core of a scan is all state of one stream, without a thread: settings and frames in, frames and reports out.

/// All state of the effect for one stream of frames.
///
/// It decides which mode is on, what is forgotten, what is drawn and what is reported; ``ScanMemory`` stores and draws.
/// A plain value: a scanner gives it a thread.
package struct ScanCore<Memory: ScanMemory & ~Copyable>: ~Copyable {
  /// The memory that stores frames and draws.
  package var memory: Memory
  private var input: FrameLayout?
  private var output: FrameLayout?
  /// The settings of the last frame.
  private var settings = ScanSettings()
  /// The mode of the last frame, nil before the first.
  private var mode: ScanSettings.Mode?
  /// Settings as they were asked for last, and within their ranges.
  private var wanted: (asked: ScanSettings, sanitized: ScanSettings)?

  /// Made for its first frame, or to have a reserve, and kept while another mode is on.
  private var displace: Memory.Displace?
  /// Made when the mode begins, and given up when it ends.
  private var sweep: Memory.Sweep?
  private var strip: Memory.Strip?

  /// The layout of ages, made for the first of them.
  private var ageLayout: FrameLayout?

  /// Whether the output of the last frame has left.
  private var isDrawn = false
  /// Whether the last frame came again, and nothing follows from that.
  private var hasEnded = false

  /// No frames yet.
  package init(_ memory: consuming Memory) { self.memory = memory }

  // MARK: Set-up

  /// Announces the frames to come.
  ///
  /// Other frames than before lose history and all memory.
  ///
  /// - Returns: The layout of what will be drawn.
  /// - Throws: ``ScanError`` when such frames cannot be scanned with these settings.
  package mutating func configure(
    input newInput: FrameLayout, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    let newOutput = try wanted.sanitized().outputLayout(for: newInput)
    try memory.check(newInput)
    try memory.check(newOutput)
    if newInput != input {
      release()
      input = newInput
    }
    if newOutput != output {
      strip = nil
      output = newOutput
    }
    return newOutput
  }

  /// Forgets all frames; memory stays.
  package mutating func forget() {
    mode = nil
    memory.forgetFrames()
    displace?.forget()
    sweep?.forget()
    strip?.forget()
  }

  /// Forgets all frames and the layout, and gives their memory back.
  package mutating func release() {
    input = nil
    output = nil
    memory.release()
    endModes()
  }

  private mutating func endModes() {
    mode = nil
    displace = nil
    sweep = nil
    strip = nil
  }

  // MARK: Frames

  /// Takes a frame in; ``render(into:)`` draws what it makes.
  ///
  /// - Parameters:
  ///   - frame: A frame with the layout announced as input.
  ///   - time: Running time of the frame in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError``; the frame is not taken in then.
  package mutating func take(
    _ frame: borrowing Memory.Frame, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) {
    let settings = sanitized(wanted)
    let (input, output) = try layouts(for: settings)
    var isNew = false
    let shape = try memory.shape(of: frame, input, isNew: &isNew)
    if isNew { endModes() }
    if settings.resetCount != self.settings.resetCount { forget() }
    if settings.mode == .displace && mode == .displace && settings.feedback > 0 {
      if isDrawn { try displace?.prepareFeedback(self.settings, memory: memory) }
    } else {
      displace?.stopFeedback()
    }
    try memory.follow(frame, shape, settings: settings)

    if settings.fillsHistory && displace == nil { displace = Memory.Displace(memory, shape) }
    try displace?.take(
      frame, time: time, settings: settings, output: output, memory: &memory)
    switch settings.mode {
    case .displace: break
    case .sweep:
      if sweep == nil { sweep = Memory.Sweep(memory, shape) }
      try sweep?.take(frame, time: time, settings: settings, output: output, memory: &memory)
    case .strip:
      if strip == nil { strip = Memory.Strip(memory, shape) }
      try strip?.take(
        frame, time: time, settings: settings, output: output, past: displace, memory: &memory)
    }
    finish(settings)
  }

  /// Goes on without a frame, as if the last one came again.
  ///
  /// - Parameters:
  ///   - time: Running time in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError`` when there is no frame, or no memory.
  package mutating func repeatLast(
    time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) {
    let settings = sanitized(wanted)
    let (input, _) = try layouts(for: settings)
    guard mode == .displace, settings.mode == .displace, !settings.freeze,
      displace?.isEmpty == false
    else {
      hasEnded = true
      return
    }
    try memory.followAgain(input, settings: settings)
    try displace?.repeatLast(time: time, settings: settings, memory: &memory)
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
  ) throws(ScanError) -> (FrameLayout, FrameLayout) {
    guard let input, let output else { throw .notConfigured }
    let size = settings.outputSize(width: input.width, height: input.height)
    guard size == (output.width, output.height) else { throw .notConfigured }
    return (input, output)
  }

  // MARK: Output

  /// Draws what the last frame made.
  ///
  /// - Parameter target: A frame with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  package mutating func render(into target: inout Memory.Target) throws(ScanError) {
    if mode == .displace {
      try check(&target)
      try displace?.render(settings, memory: &memory, into: &target)
    } else {
      try draw(into: &target)
    }
    isDrawn = true
  }

  /// Draws the last output again.
  ///
  /// - Parameter target: A frame with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  package mutating func draw(into target: inout Memory.Target) throws(ScanError) {
    try check(&target)
    switch settings.mode {
    // An output of another size may have been announced since the last frame.
    case .displace where input == output:
      try displace?.draw(settings, memory: &memory, into: &target)
    case .sweep where input == output:
      try sweep?.draw(settings, memory: &memory, into: &target)
    case .strip: try strip?.draw(settings, memory: &memory, into: &target)
    default: break
    }
  }

  /// Draws how old each pixel of the last output is, in steps of ``ScanSettings/ageUnit``.
  ///
  /// - Parameter target: A frame of ``FrameLayout/gray16(width:height:)`` in memory of the system, of the output's size.
  /// - Throws: ``ScanError``; nothing is drawn then.
  package mutating func drawAges(into target: inout MutableFrameSpan) throws(ScanError) {
    guard let output, mode != nil else { throw .notConfigured }
    let layout: FrameLayout
    if let known = ageLayout, known.width == output.width, known.height == output.height {
      layout = known
    } else {
      layout = try .gray16(width: output.width, height: output.height)
      ageLayout = layout
    }
    try target.check(against: layout)
    guard settings.keepsAges else { return target.clear() }
    switch settings.mode {
    case .displace where input == output:
      try displace?.drawAges(settings, memory: &memory, into: &target)
    case .sweep where input == output:
      try sweep?.drawAges(settings, memory: &memory, into: &target)
    case .strip: try strip?.drawAges(settings, memory: &memory, into: &target)
    default: target.clear()
    }
  }

  /// Draws the oldest frame of the input that history holds whole and that came at a time or later.
  ///
  /// - Parameters:
  ///   - time: A running time in nanoseconds.
  ///   - layout: That of `target`.
  /// - Returns: When it came; nil, and nothing drawn, if there is none or it has another layout.
  package mutating func drawInput(
    from time: UInt64, into target: inout Memory.Target, layout: FrameLayout
  ) throws(ScanError) -> UInt64? {
    guard input == layout, displace?.isEmpty == false else { return nil }
    try memory.check(&target, layout, hasInputLayout: true)
    return try displace?.drawInput(from: time, memory: memory, into: &target) ?? nil
  }

  private mutating func check(_ target: inout Memory.Target) throws(ScanError) {
    guard let output, mode != nil else { throw .notConfigured }
    try memory.check(&target, output, hasInputLayout: output == input)
  }

  /// The layout of the last output, nil before the first frame.
  package var outputLayout: FrameLayout? { mode == nil ? nil : output }

  /// The state after the last frame.
  package var report: FrameReport {
    mutating get {
      var report = FrameReport()
      report.wantedDepth = settings.depth
      report.hasCaughtUp = true
      displace?.describe(settings, in: &report)
      if hasEnded { report.hasCaughtUp = true }
      sweep?.describe(settings, in: &report)
      strip?.describe(settings, in: &report)
      return report
    }
  }
}

extension ScanCore where Memory == SystemMemory {
  /// Keeps history that does not fit into memory in a folder; a change empties the history.
  mutating func setHistoryLocation(_ folder: String?) {
    guard folder != memory.historyLocation else { return }
    memory.historyLocation = folder
    displace = nil
    if mode == .displace { mode = nil }
  }

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
    defer { if mode == .sweep { try? sweep?.prepare(running, memory: &memory) } }
    try DisplaceMode.describeSettled(
      settings, interval: interval, memory: &memory, tiles: memory.tiles(of: input), in: &report)
    return report
  }
}
