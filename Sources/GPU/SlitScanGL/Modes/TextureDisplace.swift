// The displace mode on the GPU takes each pixel from the earlier frame that the map selects.

import CSlitScanKernels
import SlitScan

/// History in textures, and the delays that it is read with.
struct TextureDisplace: ~Copyable, HistoryMode {
  private let gl: GL
  private let passes: Passes
  private let shape: FrameShape
  private(set) var history: TextureHistory
  private var flow: TextureFlow
  private var limit = DepthLimit()
  private var delays: TextureDelays
  /// Whether the delays are those of the last frame.
  private var areDelaysCurrent = false
  /// The frame that came in last, where it is needed besides what history has of it.
  private var lastInput: HeldFrame
  /// The last output, and the frame that it is blended into.
  private var lastOutput: HeldFrame
  private var blend: HeldFrame
  private var feedback: TextureFeedback
  /// The frame that is the present, to be mixed in.
  private var present: HeldFrame
  /// The target of frames before they are mixed.
  private var unmixed: HeldFrame
  /// Made when they are asked for.
  private var ages: TextureDelayAges?
  /// The number of the newest levels of history that look like the last frame as it came in.
  private var repeatedCount = 0
  /// The number of the newest levels of history, or more, with nothing fed back into them.
  private var inputCount = 0
  /// Asks whether what was fed back can still be seen in the newest frame; 0 if nothing does.
  private var query: UInt32 = 0
  /// Whether that is still to be asked for `repeatedCount`, which counts on if it cannot.
  private var isAsked = false

  init(_ memory: borrowing TextureMemory, _ shape: FrameShape) {
    gl = memory.gl
    passes = memory.passes
    self.shape = shape
    history = TextureHistory(gl, shape)
    flow = TextureFlow(gl, passes, shape)
    delays = TextureDelays(gl, passes, shape)
    feedback = TextureFeedback(gl, passes, shape)
    let none = HeldFrame(gl, shape)
    (lastInput, lastOutput, blend, present, unmixed) = (none, none, none, none, none)
  }

  deinit { if query != 0 { gl.delete(query: query) } }

  var isEmpty: Bool { history.count == 0 }

  mutating func forget() {
    history.forget()
    flow.forget()
    lastInput.isHeld = false
    lastOutput.isHeld = false
  }

  mutating func stopFeedback() { lastOutput.isHeld = false }

  // MARK: Frames

  mutating func take(
    _ frame: borrowing FrameTextures, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout TextureMemory
  ) throws(ScanError) {
    let isShown = settings.mode == .displace
    areDelaysCurrent = false
    lastInput.isHeld = false
    if !settings.keepsAges { ages = nil }
    if isShown && settings.needsInput { try lastInput.hold(frame) }
    // Frozen from the start would show nothing at all: the first frame is always taken in.
    let takesIn = !settings.freeze || isEmpty
    try setDepth(settings, time: takesIn ? time : nil, memoryLimit: memory.limit(settings))
    if takesIn {
      repeatedCount = 0
      isAsked = false
      try flow.prepare(settings, depth: history.depth)
      try push(frame, time: time, settings, memory.workers)
    }
    // Nothing may ask for this to be drawn, as it is the frame itself.
    if isShown && settings.showsFrame && settings.feedback > 0 { try lastOutput.hold(frame) }
  }

  mutating func repeatLast(
    time: UInt64, settings: ScanSettings, memory: inout TextureMemory
  ) throws(ScanError) {
    resolveQuery()
    areDelaysCurrent = false
    try setDepth(
      settings, time: time, repeatsNewest: true, memoryLimit: memory.limit(settings))
    try flow.prepare(settings, depth: history.depth)
    guard settings.feedback > 0, lastInput.isHeld else {
      history.repeatNewest(time: time)
      flow.repeatNewest()
      inputCount += inputCount > 0 ? 1 : 0
      repeatedCount += repeatedCount > 0 ? 1 : 0
      return
    }
    let input = try lastInput.frame()
    try push(input, time: time, settings, memory.workers)
  }

  /// Puts a frame into history, with the last output fed back into it.
  private mutating func push(
    _ frame: FrameTextures, time: UInt64, _ settings: ScanSettings, _ workers: borrowing Workers
  ) throws(ScanError) {
    guard settings.mode == .displace, settings.feedback > 0, lastOutput.isHeld else {
      history.push(frame, time: time)
      inputCount += 1
      try flow.push(frame, workers: workers)
      isAsked = false
      repeatedCount += 1
      return
    }
    let (blend, lastOutput) = (try blend.frame(), try lastOutput.frame())
    // Never more than asked for: what is fed back must die away.
    let weight = UInt32((settings.feedback * 65_536).rounded(.down))
    if settings.movesFeedback {
      try feedback.feed(frame, with: lastOutput, settings, weight: weight, into: blend)
    } else {
      try passes.blend(
        shape, from: frame, towards: lastOutput, weight: weight, isRounded: false, into: blend)
    }
    history.push(blend, time: time)
    inputCount = 0
    try flow.push(blend, workers: workers)
    try askWhetherDiffers(blend, frame)
  }

  /// Makes the history as deep as the settings ask for, and memory allows.
  ///
  /// - Parameters:
  ///   - time: The running time of a frame that is about to be taken in, or nil.
  ///   - repeatsNewest: Whether it is the newest frame once more, which must be held until then.
  private mutating func setDepth(
    _ settings: ScanSettings, time: UInt64?, repeatsNewest: Bool = false, memoryLimit: Int
  ) throws(ScanError) {
    let need = history.times.need(settings, newFrame: time)
    history.keep(repeatsNewest ? max(need.kept, 1) : need.kept)
    let slotBytes = history.slotBytes + (settings.interpolation == .motion ? flow.slotBytes : 0)
    let fitting = max(1, memoryLimit / slotBytes)
    history.ceiling = fitting
    let depth = limit.makeRoom(
      for: need.depth, exposed: need.exposed, reserve: settings.wholeFrames, fitting: fitting,
      depth: history.depth,
      isThere: { history.isThere($0) }, setDepth: { history.setDepth($0) })
    guard depth > 0 else { throw .refusedTexture(for: "one frame of history") }
  }

  // MARK: What was fed back

  /// Has the driver find out whether a frame with feedback differs from the frame as it came.
  private mutating func askWhetherDiffers(
    _ frame: FrameTextures, _ input: FrameTextures
  ) throws(ScanError) {
    if query == 0 { query = gl.makeQuery() }
    let target = try unmixed.frame()
    // Luma, or red.
    let white = shape.layout.components.first { $0.role == .colour }?.white ?? 0
    gl.begin(query: query)
    defer { gl.endQuery() }
    for index in shape.planes.indices {
      let plane = shape.planes[index]
      let program = try passes.use(.differs(words: plane.words))
      program.set(.whiteLevel, UInt32(white))
      program.set(.counts, shape.counted[index])
      gl.bind(frame.names[index], to: .source)
      gl.bind(input.names[index], to: .other)
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
    isAsked = true
  }

  /// Whether any cell shows something of frames older than a level; waits for the GPU.
  private mutating func showsOlder(
    than level: Int, _ settings: ScanSettings
  ) throws(ScanError) -> Bool {
    if query == 0 { query = gl.makeQuery() }
    let target = try unmixed.frame()
    gl.begin(query: query)
    do throws(ScanError) {
      for index in shape.planes.indices {
        guard let delay = delays.texture(ofPlane: index) else { continue }
        let program = try passes.use(.older(isMixed: delays.isMixed(index)))
        program.set(.oldest, UInt32(level))
        gl.bind(delay, to: .delays)
        gl.target(target.names[index], width: delay.width, height: delay.height)
        gl.draw()
      }
    } catch {
      gl.endQuery()
      throw error
    }
    gl.endQuery()
    return gl.result(ofQuery: query)
  }

  /// Takes the answer in.
  private mutating func resolveQuery() {
    guard isAsked else { return }
    isAsked = false
    repeatedCount = gl.result(ofQuery: query) ? 0 : repeatedCount + 1
  }

  // MARK: Output

  mutating func render(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout FrameTextures
  ) throws(ScanError) {
    areDelaysCurrent = false
    try draw(settings, memory: &memory, into: &target)
    if settings.feedback > 0 { try lastOutput.hold(target) }
  }

  mutating func draw(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout FrameTextures
  ) throws(ScanError) {
    if !areDelaysCurrent {
      try memory.map.prepare(settings, shape)
      try delays.prepare(settings, memory.map, times: history.times, depth: limit.shown)
      areDelaysCurrent = true
    }
    try draw(settings, memory.map, into: target)
  }

  mutating func drawAges(
    _ settings: ScanSettings, memory: inout TextureMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    try memory.map.prepare(settings, shape)
    if ages == nil { ages = try TextureDelayAges(gl, passes, shape.layout) }
    let (times, shutter, depth) = (history.times, shutter(settings), limit.shown)
    try ages?.draw(settings, memory.map, times, shutter, depth: depth, into: &target)
  }

  mutating func prepareFeedback(
    _ settings: ScanSettings, memory: borrowing TextureMemory
  ) throws(ScanError) {
    guard !lastOutput.isHeld else { return }
    let frame = try lastOutput.frame()
    try draw(settings, memory.map, into: frame)
    lastOutput.isHeld = true
  }

  mutating func drawInput(
    from time: UInt64, memory: borrowing TextureMemory, into target: inout FrameTextures
  ) throws(ScanError) -> UInt64? {
    guard let oldest = history.times.oldest(of: inputCount, from: time) else { return nil }
    history.copy(oldest.level, to: target)
    return oldest.time
  }

  /// Draws with the delays as they are.
  private mutating func draw(
    _ settings: ScanSettings, _ map: borrowing TextureMap, into target: FrameTextures
  ) throws(ScanError) {
    guard !settings.showsFrame || settings.needsInput else { return history.copy(0, to: target) }
    let share = UInt32(((1 - settings.mix) * 65_536).rounded())
    guard share > 0, let input = try input(settings) else {
      return try drawUnmixed(settings, map, into: target)
    }
    let unmixed = try unmixed.frame()
    try drawUnmixed(settings, map, into: unmixed)
    try passes.blend(
      shape, from: unmixed, towards: input, weight: share, isRounded: true, into: target)
  }

  /// The frame that is mixed in: the last one, or the present.
  private mutating func input(_ settings: ScanSettings) throws(ScanError) -> FrameTextures? {
    guard settings.present > 0 else { return lastInput.isHeld ? try lastInput.frame() : nil }
    let frame = try present.frame()
    history.copy(min(settings.present, history.count - 1), to: frame)
    return frame
  }

  private mutating func drawUnmixed(
    _ settings: ScanSettings, _ map: borrowing TextureMap, into target: FrameTextures
  ) throws(ScanError) {
    guard history.count > 0, history.capacity > 0 else { return }
    let oldest = history.count - 1
    let warmsUp = settings.warmup != .hold && delays.deepest > oldest
    let empty =
      warmsUp ? ColourTiles(shape.tiles, seeThrough: settings.warmup == .transparent) : nil
    let isAtlas = history.slotsInLayer != (1, 1)
    // The delays may be older than the settings, where the last frame was not drawn.
    let interpolation = delays.interpolation ?? settings.interpolation
    let isAlongMotion = interpolation == .motion && !flow.isEmpty
    let shutter = shutter(settings)
    let byMap = settings.shutterFollowsMap && shutter != .single
    for index in shape.planes.indices {
      let plane = shape.planes[index]
      guard let delay = delays.texture(ofPlane: index) else { continue }
      let isMixed = delays.isMixed(index)
      let isApart = isMixed || isAlongMotion && plane.hasOwnPlaces
      let way = Purpose.Displacing(
        words: plane.words,
        interpolation: interpolation == .motion && !isAlongMotion ? .linear : interpolation,
        warmsUp: warmsUp, exposes: shutter != .single, byMap: byMap, isMixed: isMixed,
        isApart: isApart, hasBlocks: history.blocks.count > 1, isAtlas: isAtlas)
      let program = try passes.use(.displace(way))
      program.set(.oldest, UInt32(oldest))
      if byMap, let values = map.values(of: plane.plane) {
        program.set(SlitScanCurve(settings))
        program.set(.growth, Float(shutter.length - 1))
        gl.bind(values, to: .values)
      } else if shutter != .single {
        program.set(.exposure, Float(shutter.length))
      }
      program.set(.newest, history.newest)
      program.set(.capacity, history.capacity)
      program.set(.cellShift, plane.cellShift)
      if isApart { program.set(.channels, plane.format.channels) }
      program.set(.unusedBits, UInt32(plane.plane.unusedBits))
      if isAtlas {
        program.set(.slotsInLayer, history.slotsInLayer.across, history.slotsInLayer.down)
        program.set(.slotSize, plane.width, plane.height)
      }
      if history.blocks.count > 1 {
        program.set(.runs, history.runs)
        program.set(.runCount, history.runs.count)
      }
      if let empty {
        let colour = plane.channels(of: empty.cell(ofPlane: index))
        program.set(.isLive, settings.warmup == .live)
        program.set(.colour, colour.even)
        program.set(.oddColour, colour.odd)
      }
      if isAlongMotion { try flow.bind(to: program, plane) }
      gl.bind(delay, to: .delays)
      for (block, textures) in history.blocks.enumerated() {
        gl.bind(textures[index], to: .history, block: block)
      }
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
  }

  /// The exposure, as far as history reaches.
  private func shutter(_ settings: ScanSettings) -> Shutter {
    settings.shutter(history.times).limited(to: limit.beyond)
  }

  // MARK: Report

  /// The bytes of texture memory that history and held frames take.
  private var byteCount: Int {
    history.byteCount + flow.byteCount + lastInput.byteCount + lastOutput.byteCount
      + blend.byteCount + unmixed.byteCount + present.byteCount + feedback.byteCount
  }

  mutating func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyFrames = history.count
    report.historyBytes = byteCount
    limit.describe(in: &report)
    // A frame that was not drawn may show anything.
    let shutter = shutter(settings)
    let shown = areDelaysCurrent ? min(delays.deepest, limit.held) : history.count - 1
    let deepest = max(shown + shutter.lastLevel, settings.mixedLevel)
    // An answer is waited for only where it decides.
    let isOpen = settings.drain && areDelaysCurrent && delays.isDeepestOpen
    if settings.drain, isOpen || repeatedCount + 1 > deepest { resolveQuery() }
    report.hasCaughtUp = !isAsked && repeatedCount > deepest
    if isOpen, repeatedCount > settings.mixedLevel, !report.hasCaughtUp {
      // If even this cannot be asked, the stream goes on for as long as the map could need.
      report.hasCaughtUp =
        repeatedCount > shutter.lastLevel
        && (try? showsOlder(than: repeatedCount - 1 - shutter.lastLevel, settings)) == false
    }
    guard settings.mode == .displace, !settings.showsFrame else { return }
    let (all, center) = settings.shutterFollowsMap ? delays.mean : (1, 1)
    report.meanDelay = history.times.age(of: delays.meanLevel + shutter.meanLevel * all)
    report.centerDelay = history.times.age(of: delays.centerLevel + shutter.meanLevel * center)
  }
}
