// The effect without its actor: settings and frames in, frames and reports out.

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

  /// What the map is made from, and its values.
  private var map = MapInputs()

  /// Who does the work.
  private var workers = Workers(1)

  /// The past; kept while another mode is on, so that coming back is warm.
  private var history: History?
  private var delays = DelayMap()
  private var standstill = Standstill()
  private var ages: [Double] = []
  private var sweep: SweepCanvas?
  private var strip: StripCanvas?
  private var stripAxis: StripAxis?
  private var slit: (key: SlitKey, slit: Slit)?
  /// What late lanes show, made when `warmup` asks for a colour.
  private var black: (seeThrough: Bool, tiles: ColourTiles)?

  /// The frame that came in, for `mix`.
  private var dry: HeldPicture?
  /// The picture that went out, for `feedback`, and what it is blended into.
  private var echo: HeldPicture?
  private var fed: HeldPicture?
  /// The picture that goes on being shown while all stands still, and what it was drawn with.
  private var standing: HeldPicture?
  private var standingKey: StandingKey?
  /// Whether the output of the last frame has left.
  private var isDrawn = false
  /// How many of the newest levels of history look like the last frame as it came in.
  private var alikeCount = 0

  /// What a picture of frozen frames follows from.
  private struct StandingKey: Equatable {
    var settings: ScanSettings
    var delays: Int
  }

  /// What a slit was made for.
  private struct SlitKey: Equatable {
    var map: MapSettings
    var surfaces: Int
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
    let newOutput = try settings.outputLayout(for: newInput)
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
    standstill = Standstill()
    sweep?.restart()
    strip = nil
    mode = nil
    map.forgetFrames()
    dry?.forget()
    echo?.forget()
    standingKey = nil
    report.historyFrames = 0
    report.progress = 0
  }

  /// Forgets all frames and maps, and gives their memory back.
  mutating func release() {
    input = nil
    output = nil
    map.release()
    history = nil
    delays = DelayMap()
    workers = Workers(1)
    sweep = nil
    strip = nil
    slit = nil
    black = nil
    standstill = Standstill()
    dry = nil
    echo = nil
    fed = nil
    standing = nil
    standingKey = nil
    mode = nil
    report = FrameReport()
  }

  /// Takes the luma of a picture as a map, or forgets the one there is.
  ///
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory; the map is as before
  ///   in the one case, and empty in the other.
  mutating func setMapPicture(
    _ picture: borrowing Picture, layout: FrameLayout, as role: MapPictureRole
  ) throws(ScanError) {
    try map.take(picture, layout: layout, as: role)
  }

  /// Forgets the picture of a map, and gives its memory back.
  mutating func forgetMapPicture(_ role: MapPictureRole) { map.forget(role) }

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
    let (input, output) = try layouts(for: settings)
    try picture.check(against: input.layout)
    if settings.resetCount != self.settings.resetCount { forget() }
    if settings.threads != workers.wanted { workers = Workers(settings.threads) }
    let enters = mode != settings.mode
    try listen(settings, input, enters: enters)
    begin(settings)
    try map.follow(picture, map: settings.map, tiles: input)

    if needsDry(settings) {
      if dry == nil { dry = HeldPicture(input) }
      try dry?.hold(picture)
    }
    if settings.mode == .displace || history != nil {
      try keep(picture, time: time, settings, input)
    }
    switch settings.mode {
    case .displace: break
    case .sweep: try advanceSweep(picture, time: time, settings, input, enters: enters)
    case .strip: try advanceStrip(picture, settings, input, output, enters: enters)
    }
    if settings.mode == .displace && settings.mix == 0 && settings.feedback > 0 {
      // Nothing may ask for this to be drawn, as it is the frame itself.
      if echo == nil { echo = HeldPicture(input) }
      try echo?.hold(picture)
    }
    return finish(settings)
  }

  /// Goes on without a frame, as if the last one came again.
  ///
  /// - Parameters:
  ///   - time: Running time in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError`` when there is no frame, or no memory.
  mutating func repeatLast(
    time: UInt64, settings wanted: ScanSettings
  ) throws(ScanError) -> FrameReport {
    let settings = wanted.sanitized()
    let (input, _) = try layouts(for: settings)
    guard mode == settings.mode, settings.mode == .displace, !settings.freeze,
      let count = history?.count, count > 0
    else {
      report.hasCaughtUp = true
      return report
    }
    begin(settings)
    try map.followAgain(map: settings.map, tiles: input)
    try setDepth(settings, time: time, input)
    if settings.feedback > 0, dry?.isHeld == true {
      try pushAgain(time: time, settings, input)
    } else {
      history?.repeatNewest(time: time)
      alikeCount += alikeCount > 0 ? 1 : 0
    }
    return finish(settings)
  }

  /// Whether the frame as it came is needed besides what history has of it: to be mixed in, and for
  /// feedback, should the last frame come again.
  private func needsDry(_ settings: ScanSettings) -> Bool {
    switch settings.mode {
    case .strip: false
    case .sweep: settings.mix < 1
    case .displace:
      settings.feedback > 0 || settings.mix < 1 && (settings.freeze || !settings.showsFrame)
    }
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

  private mutating func begin(_ settings: ScanSettings) {
    report.completes = false
    report.limitedDepth = nil
    report.isMemoryRefused = false
    report.wantedDepth = settings.depth
  }

  private mutating func finish(_ settings: ScanSettings) -> FrameReport {
    mode = settings.mode
    self.settings = settings
    // With nothing of the effect in it, the output is the frame itself, and needs no drawing.
    isDrawn = settings.showsFrame
    report.progress = settings.mode == .sweep ? sweep?.progress ?? 0 : 0
    if settings.mode != .displace || settings.showsFrame {
      report.meanDelay = 0
      report.centerDelay = 0
    }
    report.historyFrames = history?.count ?? 0
    report.historyBytes = history?.byteCount ?? 0
    report.historyBytes += sweep?.byteCount ?? 0
    report.historyBytes += strip?.byteCount ?? 0
    report.historyBytes += dry?.byteCount ?? 0
    report.historyBytes += echo?.byteCount ?? 0
    report.historyBytes += fed?.byteCount ?? 0
    report.historyBytes += standing?.byteCount ?? 0
    report.hasCaughtUp = alikeCount >= history?.count ?? 0
    return report
  }

  /// Draws what the last frame made.
  ///
  /// - Parameter target: A picture with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  mutating func render(into target: inout MutablePicture) throws(ScanError) {
    guard let input, let mode else { throw .notConfigured }
    if mode == .displace {
      try map.prepare(settings.map, tiles: input, for: .delays)
      try prepareDelays(input)
      standstill.draw(standstillKey(settings, depth: history?.depth ?? 0))
      report.hasCaughtUp = alikeCount > Int(delays.last)
      report.meanDelay = history?.age(of: delays.meanLevel) ?? 0
      report.centerDelay = history?.age(of: delays.centerLevel) ?? 0
    }
    try drawUnlessStanding(&target, input)
    isDrawn = true
    if mode == .displace && settings.feedback > 0 {
      if echo == nil { echo = HeldPicture(input) }
      try echo?.hold(&target)
    }
  }

  /// Draws the last output; copies it where freeze and a standing map make it the same as before.
  private mutating func drawUnlessStanding(
    _ target: inout MutablePicture, _ input: TiledLayout
  ) throws(ScanError) {
    let key = StandingKey(settings: settings, delays: delays.revision)
    guard mode == .displace, settings.freeze, settings.mix == 1, settings.feedback == 0,
      standingKey == key
    else {
      standing = nil
      standingKey = key
      return try draw(into: &target)
    }
    if standing == nil {
      try draw(into: &target)
      standing = HeldPicture(input)
      try standing?.hold(&target)
    } else {
      try target.check(against: input.layout)
      standing?.copy(into: &target)
    }
  }

  /// Draws the last output again.
  ///
  /// - Parameter target: A picture with the layout announced as output.
  /// - Throws: ``ScanError``; nothing is drawn then.
  mutating func draw(into target: inout MutablePicture) throws(ScanError) {
    guard let input, let output, let mode else { throw .notConfigured }
    try target.check(against: output)
    switch mode {
    case .displace where settings.showsFrame && !needsDry(settings):
      switch history {
      case .none: break
      case .some(let history): history.drawNewest(into: &target, workers: workers)
      }
      return
    case .displace:
      let late = lateLanes(input)
      switch history {
      case .none: break
      case .some(let history):
        delays.render(history, tiles: input, late: late, into: &target, workers: workers)
      }
    case .sweep:
      switch map.surfaces {
      case .none: break
      case .some(let surfaces):
        sweep?.render(into: &target, settings: settings, surfaces: surfaces, workers: workers)
      }
    case .strip:
      strip?.render(into: &target, scrolls: settings.canvas == .scroll)
    }
    if mode != .strip && settings.mix < 1 {
      dry?.mix(into: &target, weight: UInt32(((1 - settings.mix) * 65_536).rounded()))
    }
  }

  /// The layout of the last output, nil before the first frame.
  var outputLayout: FrameLayout? { mode == nil ? nil : output }

  /// The state after the last frame.
  var lastReport: FrameReport { report }

  // MARK: Modes

  /// Brings delays up to date with the map's values.
  private mutating func prepareDelays(_ input: TiledLayout) throws(ScanError) {
    guard let depth = history?.depth, let revision = map.valuesRevision else { return }
    let duration = settings.duration
    ages.removeAll(keepingCapacity: true)
    if duration > 0 {
      for level in 0..<(history?.count ?? 0) {
        ages.append(Double(history?.age(ofLevel: level) ?? 0) / Double(duration))
      }
    }
    let key = DelayMap.Key(
      map: settings.map, surfaces: revision, deepest: duration > 0 ? 0 : depth - 1,
      interpolation: settings.interpolation, spread: settings.componentSpread,
      duration: duration)
    // Clocks and rounded frame times are not better than that.
    let slack = duration > 0 ? 1000 / Double(duration) : 0
    try map.withValues(of: settings.map) { surfaces, picture throws(ScanError) in
      try delays.prepare(
        key, from: surfaces, picture: picture, for: input, ages: ages, slack: slack,
        workers: workers)
    }
  }

  /// Brings the history to its depth and takes the frame in.
  private mutating func keep(
    _ picture: borrowing Picture, time: UInt64, _ settings: ScanSettings, _ input: TiledLayout
  ) throws(ScanError) {
    if history == nil { history = History(input) }
    // Frozen from the start would show nothing at all: the first frame is always taken in.
    let takesIn = !settings.freeze || history?.count == 0
    try setDepth(settings, time: takesIn ? time : nil, input)
    guard takesIn else { return }
    standingKey = nil
    thinOut(settings, input)
    let isFed = try push(picture, time: time, settings, input)
    alikeCount = isFed && !isFedAlike ? 0 : 1
  }

  /// Has the history thinned out while the map stands still, and whole again when it moves.
  private mutating func thinOut(_ settings: ScanSettings, _ input: TiledLayout) {
    switch standstill.takeIn(standstillKey(settings, depth: history?.depth ?? 0)) {
    case .moves: history?.stopThinning()
    case .stands: break
    case .hasStood: history?.thinOut(delays.lengths(of: input))
    }
  }

  /// What delays follow from, or nil where history is to be whole.
  private func standstillKey(_ settings: ScanSettings, depth: Int) -> Standstill.Key? {
    guard settings.historyKept == .needed, settings.duration == 0,
      let picture = map.revision(of: settings.map)
    else { return nil }
    return Standstill.Key(
      map: settings.map, picture: picture, depth: depth, interpolation: settings.interpolation,
      spread: settings.componentSpread)
  }

  /// Whether what was fed into last looks like the frame as it came in.
  private var isFedAlike: Bool {
    switch dry {
    case .none: false
    case .some(let dry): fed?.resembles(dry) ?? false
    }
  }

  /// Takes a frame in, with the last output fed back into it.
  ///
  /// - Returns: Whether anything was fed back.
  private mutating func push(
    _ picture: borrowing Picture, time: UInt64, _ settings: ScanSettings, _ input: TiledLayout
  ) throws(ScanError) -> Bool {
    guard settings.mode == .displace, settings.feedback > 0, echo?.isHeld == true else {
      history?.push(picture, time: time, workers: workers)
      return false
    }
    if fed == nil { fed = HeldPicture(input) }
    try fed?.hold(picture)
    // Never more than asked for: what is fed back must die away.
    let weight = UInt32((settings.feedback * 65_536).rounded(.down))
    switch echo {
    case .none: break
    case .some(let echo): fed?.feed(echo, weight: weight)
    }
    switch fed {
    case .none: break
    case .some(let fed): history?.push(fed.picture, time: time, workers: workers)
    }
    return true
  }

  /// Takes the last frame in once more, with the last output fed back into it.
  private mutating func pushAgain(
    time: UInt64, _ settings: ScanSettings, _ input: TiledLayout
  ) throws(ScanError) {
    var last: HeldPicture?
    swap(&last, &dry)
    defer { swap(&last, &dry) }
    switch last {
    case .none: break
    case .some(let last):
      let isFed = try push(last.picture, time: time, settings, input)
      alikeCount = isFed && fed?.resembles(last) != true ? 0 : alikeCount + 1
    }
  }

  /// Makes the history as deep as the settings ask for, and memory allows.
  ///
  /// - Parameter time: The running time of a frame that is about to be taken in, or nil.
  private mutating func setDepth(
    _ settings: ScanSettings, time: UInt64?, _ input: TiledLayout
  ) throws(ScanError) {
    let slotBytes = History.slotBytes(input)
    let fitting = max(1, settings.memoryLimit / slotBytes)
    var wanted = settings.depth
    if settings.duration > 0 {
      wanted = history?.depth(for: settings.duration, newFrame: time) ?? 1
      report.wantedDepth = wanted
    }
    let allowed = min(wanted, fitting)
    guard history?.makeRoom(for: allowed) != false else {
      throw .refused(slotBytes, for: "one frame of history")
    }
    let depth = history?.depth ?? allowed
    if depth < wanted { report.limitedDepth = depth }
    report.isMemoryRefused = depth < allowed
  }

  /// Makes sure that there is something to feed back, where the settings begin to ask for it.
  private mutating func listen(
    _ settings: ScanSettings, _ input: TiledLayout, enters: Bool
  ) throws(ScanError) {
    guard settings.mode == .displace, settings.feedback > 0, !enters else {
      echo?.forget()
      return
    }
    guard isDrawn, echo?.isHeld != true, mode != nil else { return }
    try hearLast(input)
  }

  /// Draws the last output, which went downstream with its buffer, to feed it back.
  private mutating func hearLast(_ input: TiledLayout) throws(ScanError) {
    // Arrays as large as a frame would trap where the system has no memory left.
    var plane0 = try LineMemory(plane: 0, of: input.layout)
    var plane1 = try LineMemory(plane: 1, of: input.layout)
    var plane2 = try LineMemory(plane: 2, of: input.layout)
    var plane3 = try LineMemory(plane: 3, of: input.layout)
    var strides = SIMD4<Int>.zero
    for (index, plane) in input.layout.planes.enumerated() { strides[index] = plane.rowBytes }
    var last = MutablePicture(
      plane0.mutableBytes, plane1.mutableBytes, plane2.mutableBytes, plane3.mutableBytes,
      strides: strides)
    try draw(into: &last)
    if echo == nil { echo = HeldPicture(input) }
    try echo?.hold(&last)
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
    try map.prepare(settings.map, tiles: input, for: .cells)
    switch map.surfaces {
    case .none: break
    case .some(let surfaces):
      report.completes =
        sweep?.push(
          picture, time: time, settings: settings, surfaces: surfaces, workers: workers) ?? false
    }
  }

  /// Strip: appends the slit's lines.
  private mutating func advanceStrip(
    _ picture: borrowing Picture, _ settings: ScanSettings, _ input: TiledLayout,
    _ output: FrameLayout, enters: Bool
  ) throws(ScanError) {
    let isTraced = Slit.isTraced(settings.map)
    if isTraced { try map.prepare(settings.map, tiles: input, for: .pixels) }
    let key = SlitKey(
      map: settings.map, surfaces: isTraced ? map.valuesRevision ?? 0 : 0,
      position: settings.position, lineCount: settings.slitWidth)
    var slit: Slit
    if let known = self.slit, known.key == key {
      slit = known.slit
    } else {
      slit = Slit(
        key.map, position: key.position, lineCount: key.lineCount,
        width: input.layout.width, height: input.layout.height)
      if isTraced {
        switch map.surfaces {
        case .none: break
        case .some(let surfaces): slit.trace(surfaces.pixels)
        }
      }
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

  /// What late lanes show.
  private mutating func lateLanes(_ input: TiledLayout) -> LateLanes {
    switch settings.warmup {
    case .hold: return .oldest
    case .live: return .newest
    case .black, .transparent:
      let seeThrough = settings.warmup == .transparent
      if let black, black.seeThrough == seeThrough { return .tiles(black.tiles) }
      let tiles = ColourTiles(input, seeThrough: seeThrough)
      black = (seeThrough, tiles)
      return .tiles(tiles)
    }
  }
}
