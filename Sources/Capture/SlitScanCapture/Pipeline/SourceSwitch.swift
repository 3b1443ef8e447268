// The source switch replaces the source of a running stream without losing a frame.

import GStreamer

extension CaptureStream {
  /// A source that has given a first frame and waits for its turn.
  struct Successor: Sendable {
    let input: Input
    /// Takes what comes before the turn: events, so that the source can settle on a format.
    fileprivate let stopgap: Element
    fileprivate let hold: BlockedPad
  }

  /// Opens another source, while the one there is plays on.
  ///
  /// - Parameter bin: What it is put into; nil for the pipeline.
  /// - Throws: Why it cannot be opened; nothing has changed then.
  func open(_ source: any FrameSource, in bin: Element? = nil) async throws(CaptureError)
    -> Successor
  {
    let element = try await source.makeElement()
    element.keepsErrors = true
    element.keepsState = true
    do {
      let stopgap = try Element("fakesink")
      try stopgap.set("async", to: false)
      try stopgap.set("sync", to: false)
      do {
        for added in [element, stopgap] { try (bin ?? pipeline.element).add(added) }
        try element.link(to: stopgap)
        try await pipeline.syncState(of: stopgap)
        let hold = try await firstFrame(of: element)
        return Successor(
          input: Input(source: source, element: element), stopgap: stopgap, hold: hold)
      } catch {
        await pipeline.remove(element)
        await pipeline.remove(stopgap)
        throw error
      }
    } catch {
      throw .of(error, before: "the new source was open", source.explain)
    }
  }

  /// Lets an element play, and holds its first frame.
  func firstFrame(of element: Element) async throws -> BlockedPad {
    let output = try element.pad("src")
    let hold = output.hold(.buffer)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let probe = output.addProbe(.eventDownstream) { item in
      if case .event(let event) = item, event.kind == .eos { end.yield() }
      return .pass
    }
    defer { probe.remove() }
    let (pipeline, messages) = (pipeline, pipeline.bus.messages)
    let stall = StallWatch(element, in: pipeline)
    try await withThrowingTaskGroup { group in
      group.addTask { try await hold.reached() }
      group.addTask { try await stall.wait() }
      group.addTask {
        for await _ in ends {
          // An error that came before says why.
          throw pipeline.takeError(of: element)
            ?? CaptureError(.sourceFailed, "The new source has ended without a frame.")
        }
        throw CaptureError.ended(before: "the new source was open")
      }
      group.addTask {
        for await message in messages {
          guard let source = message.source else { continue }
          if message.kind == .error, let error = message.error, source.isInside(element) {
            throw error
          }
          if message.isStop, source == element { break }
        }
        throw CaptureError.ended(before: "the new source was open")
      }
      defer { group.cancelAll() }
      try await pipeline.syncState(of: element)
      // One that was stopped before gives no frame, and says nothing of it.
      guard pipeline.state > .ready else {
        throw CaptureError.ended(before: "the new source was open")
      }
      try await group.next()
    }
    return hold
  }

  /// Gives up a source that waits for its turn.
  func discard(_ successor: Successor) async {
    await pipeline.remove(successor.input.element)
    await pipeline.remove(successor.stopgap)
    successor.hold.release()
  }

  /// Puts a source in the place of the one there is, between two frames; and sets the effect with it.
  ///
  /// - Parameter begin: Runs before the first frame of the new source goes on.
  /// - Returns: False where the stream has ended; nothing has changed then.
  /// - Throws: Where the effect cannot take its frames; nothing has changed then.
  mutating func change(
    to successor: Successor, _ settled: ValidatedScan?,
    isolation: isolated (any Actor)? = #isolation, begin: () -> Void
  ) async throws(CaptureError) -> Bool {
    let old = input
    let link: Relink
    do {
      link = Relink(
        from: try old.element.pad("src"), to: try successor.input.element.pad("src"),
        sink: try effect.element.pad("sink"), stopgap: try successor.stopgap.pad("sink"))
      let (reached, scan) = (reached, scan)
      let outcome = Shared(Result<Bool, GStreamerError>.success(false))
      try await link.from.whenIdle {
        outcome.value = Result { () throws(GStreamerError) in try link.swap(at: reached) }
        if case .success(true) = outcome.value { settled?.apply(to: scan) }
      }
      guard try outcome.value.get() else { return false }
    } catch {
      await discard(successor)
      throw .of(error, before: "the source was changed", successor.input.source.explain)
    }
    input = successor.input
    begin()
    await release(successor)
    await pipeline.remove(old.element)
    link.hold.value = nil
    return true
  }

  /// Puts a source before an element of its bin, to which nothing is linked.
  func link(_ successor: Successor, to element: Element) throws(GStreamerError) {
    successor.input.element.unlink(from: successor.stopgap)
    try successor.input.element.link(to: element)
  }

  /// Lets the first frame of a source go on that has been linked.
  func release(_ successor: Successor) async {
    successor.hold.release()
    await pipeline.remove(successor.stopgap)
  }

  func set(_ change: PropertyChange) async throws(CaptureError) {
    try await betweenFrames { change.apply(to: $0) }
  }

  func change(to settled: ValidatedScan) async throws(CaptureError) {
    try await betweenFrames { settled.apply(to: $0) }
  }

  /// Changes the effect while no frame is under way.
  private func betweenFrames(
    _ change: @escaping @Sendable (Element) -> Void
  ) async throws(CaptureError) {
    let scan = scan
    do {
      try await input.element.pad("src").whenIdle { change(scan) }
    } catch {
      throw .of(error, before: "the effect was changed") {
        CaptureError(.badScan, $0.message, underlying: $0)
      }
    }
  }

  /// The last frame that reached the effect, in running time.
  struct ReachedFrame {
    private var start: ClockTime?
    private(set) var end: ClockTime?
    /// Whether a live source took over, whose first frames may be from before the last one of the other.
    private var isTakenOver = false
    /// The time until which such frames may come; nil before the first.
    private var late: Deadline?
    private let clock: any SteadyClock

    init(on clock: any SteadyClock) { self.clock = clock }

    /// The next frames are those of another source.
    mutating func takeOver(isLive: Bool) {
      isTakenOver = isLive
      late = nil
    }

    /// Another frame comes.
    ///
    /// - Returns: Whether it is to pass.
    mutating func follow(with buffer: Buffer, at start: ClockTime) -> Bool {
      if isTakenOver, let last = self.start, start <= last {
        var deadline = late ?? Deadline(in: .seconds(1), looks: 4, on: clock)
        defer { late = deadline }
        if !deadline.isOver() { return false }
      }
      isTakenOver = false
      // A frame that does not say how long it is shown is so as long as the one before.
      end = start + (buffer.duration ?? self.start.map { start - $0 } ?? .zero)
      self.start = start
      return true
    }
  }

  /// Pads that change partners.
  private struct Relink: Sendable {
    let from: Pad
    let to: Pad
    let sink: Pad
    let stopgap: Pad
    /// Keeps the old source from pushing into nothing, until it is taken out.
    let hold = Shared<BlockedPad?>(nil)

    /// On the streaming thread, between two frames.
    ///
    /// - Returns: False where the stream has ended: what came after that would not be read.
    func swap(at reached: Shared<ReachedFrame>) throws(GStreamerError) -> Bool {
      if sink.hasEnded { return false }
      let time = reached.value.end
      let isLive = to.isLive == true
      reached.withLock { $0.takeOver(isLive: isLive) }
      // A source that is not live begins at 0, and has to go on from here.
      if !isLive {
        if let time { to.shift(by: time) }
      } else if from.isLive == true {
        to.shift(by: from.offset)
      } else if let time, let now = to.element?.currentRunningTime, now < time {
        // The one before was faster than time goes by.
        to.shift(by: time - now)
      }
      hold.value = from.hold()
      from.unlink(from: sink)
      to.unlink(from: stopgap)
      do throws(GStreamerError) {
        try to.link(to: sink)
        return true
      } catch {
        try? from.link(to: sink)
        hold.value = nil
        throw error
      }
    }
  }
}
