// The displace mode takes each pixel from the earlier frame that the map selects.

/// History, and the delays that it is read with.
package struct DisplaceMode: ~Copyable, HistoryMode {
  private let tiles: TiledLayout
  private(set) var history: History
  private var flow: FlowFields
  private var delays = DelayMap()
  private var levelDrawing = LevelDrawing()
  /// Whether the delays are those of the last frame.
  private var areDelaysCurrent = false
  private var stability = MapStability()
  private var numbers = MapStability.Numbers()
  /// The numbers of the maps that the order on disk follows from.
  private var orders = MapStability.Numbers()
  /// The number of the map of the last frame, nil where it moves.
  private var lastOrder: Int?
  /// The number of the key that the delays of the last frame follow from, nil where any may come next.
  private var stillness: Int?
  private var ages: [Double] = []
  /// The frame that came in last, where it is needed besides what history has of it.
  private var lastInput: FrameCopy
  /// The frame that is the present, to be mixed in.
  private var present: FrameCopy
  private var feedback: Feedback
  private var frozen: FrozenOutput
  private var exposure: Exposure
  /// Made when they are asked for.
  private var pixelAges: DelayAges?
  /// The number of the newest levels of history that look like the last frame as it came in.
  private var repeatedCount = 0
  /// The number of the newest levels of history, or more, with nothing fed back into them.
  private var inputCount = 0

  private var limit = DepthLimit()

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) {
    self.tiles = tiles
    history = History(tiles, location: memory.historyLocation)
    flow = FlowFields(tiles)
    lastInput = FrameCopy(tiles)
    present = FrameCopy(tiles)
    feedback = Feedback(tiles)
    frozen = FrozenOutput(tiles)
    exposure = Exposure(tiles)
  }

  package var isEmpty: Bool { history.count == 0 }

  package mutating func forget() {
    history.forget()
    flow.forget()
    stability = MapStability()
    lastInput.forget()
    feedback.lastOutput.forget()
    frozen.forget()
    exposure.release()
  }

  // MARK: Frames

  package mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout SystemMemory
  ) throws(ScanError) {
    let isShown = settings.mode == .displace
    areDelaysCurrent = false
    if isShown && settings.needsInput {
      try lastInput.hold(frame)
    } else {
      lastInput.forget()
    }
    // Frozen from the start would show nothing at all: the first frame is always taken in.
    let takesIn = !settings.freeze || isEmpty
    try setDepth(settings, time: takesIn ? time : nil)
    stillness = stillnessKey(settings, memory.map)
    if !settings.keepsAges { pixelAges = nil }
    if takesIn {
      frozen.forget()
      thinOut(settings)
      sortOnDisk(settings, &memory)
      // In a reserve, another map may show any frame.
      try flow.prepare(
        settings, stillness: settings.reserve > 0 ? nil : stillness, depth: history.depth)
      let isFed = try Self.push(
        frame, time: time, into: &history, &flow, &feedback, settings, memory.workers)
      // Comparing takes its time, and only a drain asks for it.
      let hasConverged = isFed && settings.drain && feedback.hasConverged(to: lastInput)
      repeatedCount = isFed && !hasConverged ? 0 : 1
      inputCount = isFed ? 0 : inputCount &+ 1
    }
    // Nothing may ask for this to be drawn, as it is the frame itself.
    if isShown && settings.showsFrame && settings.feedback > 0 {
      try feedback.lastOutput.hold(frame)
    }
  }

  package mutating func repeatLast(
    time: UInt64, settings: ScanSettings, memory: inout SystemMemory
  ) throws(ScanError) {
    areDelaysCurrent = false
    try setDepth(settings, time: time, repeatsNewest: true)
    stillness = stillnessKey(settings, memory.map)
    try flow.prepare(settings, stillness: nil, depth: history.depth)
    guard settings.feedback > 0, lastInput.isHeld else {
      history.repeatNewest(time: time)
      flow.repeatNewest()
      repeatedCount += repeatedCount > 0 ? 1 : 0
      inputCount &+= inputCount > 0 ? 1 : 0
      return
    }
    var input = FrameCopy(tiles)
    swap(&input, &lastInput)
    defer { swap(&input, &lastInput) }
    let isFed = try Self.push(
      input.frame, time: time, into: &history, &flow, &feedback, settings, memory.workers)
    repeatedCount = isFed && !feedback.hasConverged(to: input) ? 0 : repeatedCount + 1
    inputCount = isFed ? 0 : inputCount &+ 1
  }

  /// Puts a frame into history, with the last output fed back into it.
  ///
  /// - Returns: Whether anything was fed back.
  private static func push(
    _ frame: borrowing FrameSpan, time: UInt64, into history: inout History,
    _ flow: inout FlowFields, _ feedback: inout Feedback, _ settings: ScanSettings,
    _ workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    guard settings.mode == .displace, settings.feedback > 0, feedback.lastOutput.isHeld else {
      history.push(frame, time: time, workers: workers)
      flow.push(frame, workers: workers)
      return false
    }
    try feedback.add(to: frame, settings, workers: workers)
    history.push(feedback.frame, time: time, workers: workers)
    flow.push(feedback.frame, workers: workers)
    return true
  }

  /// Makes the history as deep as the settings ask for, and memory allows.
  ///
  /// - Parameters:
  ///   - time: The running time of a frame that is about to be taken in, or nil.
  ///   - repeatsNewest: Whether it is the newest frame once more, which must be held until then.
  private mutating func setDepth(
    _ settings: ScanSettings, time: UInt64?, repeatsNewest: Bool = false
  ) throws(ScanError) {
    let slotBytes = Self.slotBytes(settings, tiles)
    history.beginFrame(memoryLimit: max(settings.memoryLimit - flow.byteCount, 0))
    let need = history.times.need(settings, newFrame: time)
    history.keep(repeatsNewest ? max(need.kept, 1) : need.kept)
    let (fitting, reason) = fittingFrames(settings)
    let depth = limit.makeRoom(
      for: need.depth, exposed: need.exposed, reserve: settings.wholeFrames, fitting: fitting,
      within: reason, depth: history.depth,
      isThere: { LineMemory.isThere($0 * slotBytes) }, setDepth: { history.setDepth($0) })
    guard depth > 0 else { throw .refused(slotBytes, for: "one frame of history") }
  }

  /// The frames that memory or disk have room for, and what that follows from.
  private mutating func fittingFrames(
    _ settings: ScanSettings
  ) -> (Int, FrameReport.HistoryLimit) {
    let inMemory = settings.memoryLimit / Self.slotBytes(settings, tiles)
    guard let disk = history.framesOnDisk(limit: settings.maxDisk) else {
      return (inMemory, .maxMemory)
    }
    // Blocks that are not full yet take memory, too; and all of the motion is in memory.
    let onDisk = max(disk.count, inMemory / 2)
    let moving =
      settings.interpolation == .motion
      ? settings.memoryLimit / 2 / max(FlowFields.slotBytes(tiles), 1) : Int.max
    return moving < onDisk ? (moving, .maxMemory) : (onDisk, disk.isFull ? .disk : .maxDisk)
  }

  /// Bytes that each frame takes, with what is kept of its motion.
  private static func slotBytes(_ settings: ScanSettings, _ tiles: TiledLayout) -> Int {
    MemoryFrames.slotBytes(tiles)
      + (settings.interpolation == .motion ? FlowFields.slotBytes(tiles) : 0)
  }

  // MARK: Static maps

  /// Has the history thinned out while the map is static, and whole again when it moves.
  private mutating func thinOut(_ settings: ScanSettings) {
    let key = settings.mayThinHistory ? stillness : nil
    switch stability.takeIn(key, depth: limit.held) {
    case .moving: history.stopThinning()
    case .isStatic: break
    case .becomesStatic:
      delays.findRows()
      if let lengths = delays.lengths(
        of: tiles, exposed: limit.beyond, atLeast: settings.wholeFrames)
      {
        history.thinOut(lengths)
      }
    }
  }

  /// Has history on disk lie in the order of the delays of a map that stands still.
  private mutating func sortOnDisk(_ settings: ScanSettings, _ memory: inout SystemMemory) {
    guard history.isOnDisk else { return }
    var plain = settings
    plain.duration = 0
    let number = memory.map.revision(of: settings).map { revision in
      orders.number(
        of: MapStability.Key(
          map: settings.ofMap, mapRevision: revision, depth: 0, exposed: 0, reserve: 0,
          interpolation: settings.interpolation, spread: settings.componentSpread))
    }
    let isStill = number == lastOrder
    lastOrder = number
    history.sort(by: isStill ? number : nil) {
      var delays = DelayMap()
      do throws(ScanError) {
        try memory.map.prepare(plain, tiles: tiles, for: .delays)
        _ = try delays.prepare(
          plain, memory.map, tiles, depth: Self.sortedLevels, ages: [], workers: memory.workers)
      } catch {
        return nil
      }
      delays.findRows()
      return delays.lengths(of: tiles, exposed: 0, atLeast: 0)
    }
  }

  /// The levels that delays are told apart by, to sort what is on disk.
  private static let sortedLevels = 1 << 16

  /// The number of the key that delays follow from, or nil where they may change with every frame.
  private mutating func stillnessKey(
    _ settings: ScanSettings, _ map: borrowing MapInputs
  ) -> Int? {
    guard settings.duration == 0, let revision = map.revision(of: settings) else { return nil }
    return numbers.number(
      of: MapStability.Key(
        map: settings.ofMap, mapRevision: revision, depth: limit.shown, exposed: limit.beyond,
        reserve: settings.wholeFrames, interpolation: settings.interpolation,
        spread: settings.componentSpread))
  }

  // MARK: Feedback

  package mutating func prepareFeedback(
    _ settings: ScanSettings, memory: borrowing SystemMemory
  ) throws(ScanError) {
    guard !feedback.lastOutput.isHeld else { return }
    var output = FrameCopy(tiles)
    try output.draw { target throws(ScanError) in
      try draw(settings, into: &target, workers: memory.workers)
    }
    feedback.lastOutput = output
  }

  package mutating func stopFeedback() { feedback.lastOutput.forget() }

  // MARK: Output

  package mutating func render(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    try prepareDelays(settings, &memory)
    stability.draw(settings.mayThinHistory ? stillness : nil)
    if settings.interpolation == .motion { flow.draw(stillness, delays: delays) }
    if settings.freeze && settings.mix == 1 && settings.feedback == 0 {
      let key = FrozenOutput.Key(settings: settings, delays: delays.revision)
      if !frozen.copy(key, into: &target) {
        try draw(settings, into: &target, workers: memory.workers)
        // Without memory for it, the next frame is drawn again.
        try? frozen.keep(key, target)
      }
    } else {
      frozen.release()
      try draw(settings, into: &target, workers: memory.workers)
    }
    if settings.feedback > 0 { try feedback.lastOutput.hold(target.frame) }
  }

  package mutating func draw(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    if !areDelaysCurrent { try prepareDelays(settings, &memory) }
    try draw(settings, into: &target, workers: memory.workers)
  }

  /// Draws with the delays as they are.
  private mutating func draw(
    _ settings: ScanSettings, into target: inout MutableFrameSpan, workers: borrowing Workers
  ) throws(ScanError) {
    guard !settings.showsFrame || settings.needsInput else {
      return history.drawNewest(into: &target, workers: workers)
    }
    guard settings.present == 0 || settings.mix > 0 else {
      return try readPresent(settings, into: &target, workers)
    }
    if try !drawUnmixed(settings, into: &target, workers: workers) {
      // The newest frame is left.
      history.leaveDisk()
      _ = try drawUnmixed(settings, into: &target, workers: workers)
    }
    guard settings.present > 0 else {
      return lastInput.mix(into: &target, share: 1 - settings.mix)
    }
    guard settings.mix < 1 else { return }
    var frame = FrameCopy(tiles)
    swap(&frame, &present)
    defer { swap(&frame, &present) }
    try frame.draw { target throws(ScanError) in
      try readPresent(settings, into: &target, workers)
    }
    frame.mix(into: &target, share: 1 - settings.mix)
  }

  /// Draws the frame that is the present as it entered history.
  private mutating func readPresent(
    _ settings: ScanSettings, into target: inout MutableFrameSpan, _ workers: borrowing Workers
  ) throws(ScanError) {
    let isDrawn = try levelDrawing.draw(
      settings.present, of: &history, flow: flow, tiles: tiles, into: &target, workers)
    guard !isDrawn else { return }
    history.drawNewest(into: &target, workers: workers)
  }

  package mutating func drawInput(
    from time: UInt64, memory: borrowing SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) -> UInt64? {
    let levels = min(history.wholeCount, inputCount)
    guard let oldest = history.times.oldest(of: levels, from: time),
      try levelDrawing.draw(
        oldest.level, of: &history, flow: flow, tiles: tiles, into: &target, memory.workers)
    else { return nil }
    return oldest.time
  }

  /// - Returns: false if history is on a disk that fails.
  private mutating func drawUnmixed(
    _ settings: ScanSettings, into target: inout MutableFrameSpan, workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    let late = lateLanes(settings.warmup)
    let shutter = shutter(settings)
    guard shutter != .single else {
      exposure.release()
      return delays.render(
        history, tiles: tiles, flow: flow, late: late, into: &target, workers: workers)
    }
    return try exposure.draw(
      shutter, delays, history, flow: flow, late: late, warmup: settings.warmup, into: &target,
      workers: workers)
  }

  /// The exposure, as far as history reaches.
  private func shutter(_ settings: ScanSettings) -> Shutter {
    settings.shutter(history.times).limited(to: limit.beyond)
  }

  private mutating func prepareDelays(
    _ settings: ScanSettings, _ memory: inout SystemMemory
  ) throws(ScanError) {
    try memory.map.prepare(settings, tiles: tiles, for: .delays)
    history.times.listAges(asPartsOf: settings.duration, in: &ages)
    areDelaysCurrent = try delays.prepare(
      settings, memory.map, tiles, depth: limit.shown, ages: ages, workers: memory.workers)
    if history.hasRows { delays.findRows() }
    if shutter(settings) != .single {
      try exposure.follow(settings, memory.map, flow: flow, workers: memory.workers)
    }
  }

  package mutating func drawAges(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    if !areDelaysCurrent { try prepareDelays(settings, &memory) }
    if pixelAges == nil { pixelAges = try DelayAges(tiles.layout) }
    let (times, shutter) = (history.times, shutter(settings))
    try pixelAges?.draw(
      settings, memory.map, times, shutter, depth: limit.shown, ages: ages, flow: flow,
      into: &target, workers: memory.workers)
  }

  private func lateLanes(_ warmup: ScanSettings.Warmup) -> WarmupFill {
    switch warmup {
    case .hold: .oldest
    case .live: .newest
    case .black, .transparent: .tiles(ColourTiles(tiles, seeThrough: warmup == .transparent))
    }
  }

  // MARK: Report

  /// Says how old the output is once history is full of frames that come at regular times.
  ///
  /// - Parameter interval: From one frame to the next, in nanoseconds; at most ten seconds count.
  /// - Throws: ``ScanError`` when there is no memory.
  static func describeSettled(
    _ settings: ScanSettings, interval: UInt64, memory: inout SystemMemory, tiles: TiledLayout,
    in report: inout FrameReport
  ) throws(ScanError) {
    guard settings.mode == .displace, !settings.showsFrame else { return }
    let interval = min(max(interval, 1), 10_000_000_000)
    let duration = settings.duration
    // Frames that are younger than the duration, and the youngest of the others.
    let wanted =
      duration > 0
      ? min((duration - 1) / interval + 2, UInt64(ScanSettings.deepest)) : UInt64(settings.depth)
    let shutter = settings.settledShutter(interval: interval)
    let fitting = settings.memoryLimit / slotBytes(settings, tiles) - shutter.levels
    let depth = min(Int(wanted), max(1, fitting))
    let ages =
      duration > 0
      ? (0..<depth).map { Double($0) * Double(interval) / Double(duration) } : []
    try memory.map.prepare(settings, tiles: tiles, for: .delays)
    var delays = DelayMap()
    _ = try delays.prepare(
      settings, memory.map, tiles, depth: depth, ages: ages, workers: memory.workers)
    var exposed = (all: 1.0, center: 1.0)
    if settings.shutterFollowsMap {
      var samples = try MapSamples(tiles.layout)
      try samples.findMean(settings, memory.map, workers: memory.workers)
      exposed = samples.mean
    }
    let mean = delays.meanLevel + shutter.meanLevel * exposed.all
    let center = delays.centerLevel + shutter.meanLevel * exposed.center
    report.meanDelay = UInt64(mean * Double(interval))
    report.centerDelay = UInt64(center * Double(interval))
  }

  /// The bytes of memory that history and held frames take.
  private var byteCount: Int {
    history.byteCount + flow.byteCount + lastInput.byteCount + present.byteCount
      + feedback.byteCount + frozen.byteCount + exposure.byteCount
  }

  package func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyFrames = history.count
    report.historyBytes = byteCount
    history.describe(in: &report)
    limit.describe(in: &report)
    // A frame that was not drawn may show anything.
    let deepest = areDelaysCurrent ? Int(delays.last) : history.count - 1
    let shutter = shutter(settings)
    report.hasCaughtUp = repeatedCount > max(deepest + shutter.lastLevel, settings.mixedLevel)
    guard settings.mode == .displace, !settings.showsFrame else { return }
    let (all, center) = exposure.mean
    report.meanDelay = history.times.age(of: delays.meanLevel + shutter.meanLevel * all)
    report.centerDelay = history.times.age(of: delays.centerLevel + shutter.meanLevel * center)
  }
}

// MARK: Settings

extension ScanSettings {
  /// Whether history may be thinned out; motion leads to cells that the map itself does not show.
  fileprivate var mayThinHistory: Bool {
    history == .needed && interpolation != .motion && shutterDuration == 0
  }

  /// Whether the frame as it came is needed besides what history has of it: to be mixed in, and for
  /// feedback, should the last frame come again.
  package var needsInput: Bool {
    feedback > 0 || present == 0 && mix < 1 && (freeze || !showsFrame)
  }
}
