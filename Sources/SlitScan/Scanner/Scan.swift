// The effect without its actor: settings and frames in, frames and reports out.

import Glibc

/// All state of the effect for one stream of pictures.
///
/// `Scan` is a plain value; ``SlitScanner`` gives it a thread.
struct Scan: ~Copyable {
  private var input: TiledLayout?
  private var output: FrameLayout?
  private var settings = ScanSettings()
  private var report = FrameReport()
  /// The mode of the last frame, nil before the first: what is entered starts anew.
  private var mode: ScanSettings.Mode?

  /// The past; kept while another mode is on, so that coming back is warm.
  private var history: History?
  private var delays = DelayMap()
  private var sweep: SweepCanvas?
  private var strip: StripCanvas?
  private var stripAxis: StripAxis?
  private var slit: (key: SlitKey, slit: Slit)?
  /// What late lanes show, made when `warmup` asks for a colour.
  private var black: (seeThrough: Bool, tiles: BlackTiles)?

  /// What a slit was made for.
  private struct SlitKey: Equatable {
    var map: MapSettings
    var position: Double
    var lineCount: Int
  }

  init() {}

  // MARK: Set-up

  /// Announces the pictures to come.
  ///
  /// Other pictures than before lose history and all memory.
  ///
  /// - Returns: The layout of what will be drawn.
  /// - Throws: ``ScanError`` when such pictures cannot be scanned with these settings.
  mutating func configure(
    input newInput: FrameLayout, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    let settings = wanted.sanitized()
    let newOutput = try Self.output(for: newInput, settings)
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
    history?.forget()
    sweep?.restart()
    strip = nil
    mode = nil
    report.historyFrames = 0
    report.progress = 0
  }

  /// Forgets all frames and gives their memory back.
  mutating func release() {
    input = nil
    output = nil
    history = nil
    delays = DelayMap()
    sweep = nil
    strip = nil
    slit = nil
    black = nil
    mode = nil
    report = FrameReport()
  }

  // MARK: Frames

  /// Takes a frame in; ``render(into:)`` draws what it makes.
  ///
  /// - Parameters:
  ///   - picture: A frame with the layout announced as input.
  ///   - time: Running time of the frame in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError``; the frame is not taken in then.
  mutating func process(
    _ picture: borrowing Picture, time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    let settings = wanted.sanitized()
    guard let input, let output else { throw .notConfigured }
    let size = settings.outputSize(width: input.layout.width, height: input.layout.height)
    guard size == (output.width, output.height) else { throw .notConfigured }
    try picture.check(against: input.layout)
    if settings.resetCount != self.settings.resetCount { forget() }
    report.completes = false
    report.limitedDepth = nil

    let enters = mode != settings.mode
    if settings.mode == .displace || history != nil { try keep(picture, settings, input) }
    switch settings.mode {
    case .displace: break
    case .sweep: try advanceSweep(picture, time: time, settings, input, enters: enters)
    case .strip: try advanceStrip(picture, settings, input, output, enters: enters)
    }
    mode = settings.mode
    self.settings = settings
    report.progress = settings.mode == .sweep ? sweep?.progress ?? 0 : 0
    report.historyFrames = history?.count ?? 0
    report.historyBytes =
      (history?.byteCount ?? 0) + (sweep?.byteCount ?? 0) + (strip?.byteCount ?? 0)
    return report
  }

  /// Draws what the last frame made.
  ///
  /// - Parameter target: A picture with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  mutating func render(into target: inout MutablePicture) throws(ScanError) {
    guard let input, let output, let mode else { throw .notConfigured }
    try target.check(against: output)
    switch mode {
    case .displace:
      let late = lateLanes(input)
      if let depth = history?.depth {
        delays.prepare(
          DelayMap.Key(
            map: settings.map, depth: depth, interpolation: settings.interpolation),
          for: input)
      }
      switch history {
      case .none: break
      case .some(let history): delays.render(history, tiles: input, late: late, into: &target)
      }
    case .sweep:
      sweep?.render(into: &target)
    case .strip:
      strip?.render(into: &target, scrolls: settings.canvas == .scroll)
    }
  }

  /// The layout of the last output, nil before the first frame.
  var outputLayout: FrameLayout? { mode == nil ? nil : output }

  /// The state after the last frame.
  var lastReport: FrameReport { report }

  // MARK: Modes

  /// Displace: brings the history to its depth and takes the frame in.
  private mutating func keep(
    _ picture: borrowing Picture, _ settings: ScanSettings, _ input: TiledLayout
  ) throws(ScanError) {
    let slotBytes = History.slotBytes(input)
    let fitting = max(1, Self.limit(settings) / slotBytes)
    var depth = min(settings.depth, fitting)
    if history == nil { history = History(input) }
    while let isSet = history?.setDepth(depth), !isSet {
      guard depth > 1 else { throw .refused(slotBytes, for: "one frame of history") }
      depth /= 2
    }
    if depth < settings.depth { report.limitedDepth = depth }
    // Frozen from the start would show nothing at all: the first frame is always taken in.
    if !settings.freeze || history?.count == 0 { history?.push(picture) }
  }

  /// Sweep: moves the slit and freezes what it passes.
  private mutating func advanceSweep(
    _ picture: borrowing Picture, time: UInt64, _ settings: ScanSettings, _ input: TiledLayout,
    enters: Bool
  ) throws(ScanError) {
    if sweep == nil { sweep = SweepCanvas(input) }
    if enters { sweep?.restart() }
    guard sweep?.reserve() == true else {
      throw .refused(input.byteCount, for: "the picture of a sweep")
    }
    report.completes = sweep?.push(picture, time: time, settings: settings) ?? false
  }

  /// Strip: appends the slit's lines.
  private mutating func advanceStrip(
    _ picture: borrowing Picture, _ settings: ScanSettings, _ input: TiledLayout,
    _ output: FrameLayout, enters: Bool
  ) throws(ScanError) {
    let key = SlitKey(
      map: settings.map, position: settings.position, lineCount: settings.slitWidth)
    let slit: Slit
    if let known = self.slit, known.key == key {
      slit = known.slit
    } else {
      slit = Slit(
        key.map, position: key.position, lineCount: key.lineCount,
        width: input.layout.width, height: input.layout.height)
      self.slit = (key, slit)
    }
    let seeThrough = settings.warmup == .transparent
    if strip == nil || enters || slit.axis != stripAxis {
      strip = nil
      strip = StripCanvas(output, axis: slit.axis, seeThrough: seeThrough)
      stripAxis = slit.axis
      guard strip != nil else {
        throw .refused(StripCanvas.byteCount(output, axis: slit.axis), for: "the canvas")
      }
    }
    guard !settings.freeze else { return }
    report.completes = strip?.push(picture, slit: slit, seeThrough: seeThrough) ?? false
  }

  // MARK: Limits

  /// Bytes that history or canvas may take.
  private static func limit(_ settings: ScanSettings) -> Int {
    guard settings.maximumMemory == 0 else { return Int(clamping: settings.maximumMemory) }
    return sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 4
  }

  /// The layout of the output; refuses a canvas that is larger than the limit.
  private static func output(
    for input: FrameLayout, _ settings: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    guard settings.mode == .strip else { return input }
    let size = settings.outputSize(width: input.width, height: input.height)
    let longest = FrameLayout.longestSide
    guard settings.canvasLength <= longest else { throw .canvasTooLong(longest) }
    let output = try input.resized(width: size.width, height: size.height)
    let needed = StripCanvas.byteCount(output, axis: Slit.axis(of: settings.map))
    let limit = Self.limit(settings)
    guard needed > limit else { return output }
    let length = max(settings.canvasLength, 1)
    throw .canvasTooLarge(
      output, megabytes: needed / 1_000_000, limit: limit / 1_000_000,
      fitting: Int(Double(length) * (Double(limit) / Double(needed))))
  }

  /// What late lanes show.
  private mutating func lateLanes(_ input: TiledLayout) -> LateLanes {
    switch settings.warmup {
    case .hold: return .oldest
    case .live: return .newest
    case .black, .transparent:
      let seeThrough = settings.warmup == .transparent
      if let black, black.seeThrough == seeThrough { return .tiles(black.tiles) }
      let tiles = BlackTiles(input, seeThrough: seeThrough)
      black = (seeThrough, tiles)
      return .tiles(tiles)
    }
  }
}
