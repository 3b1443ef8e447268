// State changes of a pipeline: playing, pausing, stopping.

import CGStreamer
import StreamingThread

extension Pipeline {
  /// Plays, and returns once everything does.
  ///
  /// - Throws: The error of the element that failed, ``GStreamerError/Code/refused`` if none says why,
  ///   ``GStreamerError/Code/superseded`` if another change of state began meanwhile,
  ///   ``GStreamerError/Code/stalled`` if all it reads are files, and nothing has come of them for some seconds, or
  ///   ``GStreamerError/Code/cancelled``. The pipeline then stays where it is; ``stop()`` is always possible.
  public func play() async throws(GStreamerError) {
    try await change(to: .playing, watchesFiles: true)
  }

  /// Halts, and returns once every sink holds a first buffer.
  ///
  /// Sources that are live give none before they play: then this returns as soon as they are ready
  /// to.
  ///
  /// - Throws: As ``play()``.
  public func pause() async throws(GStreamerError) {
    try await change(to: .paused, watchesFiles: true)
  }

  /// Plays or halts, unless the pipeline was stopped since it had stopped so many times; for callers with a
  /// ``StallWatch`` of their own.
  ///
  /// - Throws: As ``play()``; ``GStreamerError/Code/stopped``.
  package func change(
    to target: State, ifStoppedOnly count: UInt64
  ) async throws(GStreamerError) {
    guard count == stopCount else { throw stopped }
    try await change(to: target)
  }

  /// Opens devices and files, without a stream.
  ///
  /// - Throws: As ``play()``.
  public func prepare() async throws(GStreamerError) { try await change(to: .ready) }

  /// Stops, and gives back what the elements hold.
  ///
  /// Cannot fail, and is not cut short by cancellation.
  public func stop() {
    _ = supersede()
    stopCount &+= 1
    wanted = .null
    isHalted = false
    playback = Playback()
    watch.forgetInterruptions()
    // Elements that never began have no change of state to tell of.
    let idle = endpoints(in: element.object) { Element($0).state == .null }
    _ = unsafe element.withGstElement { unsafe gst_element_set_state($0, GST_STATE_NULL) }
    for endpoint in idle { endpoint.end(.stopped) }
    watch.begin()
  }

  /// Does something, and stops then, also where that fails.
  package nonisolated func stopping<Result>(
    after body: () async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await body()
      await stop()
      return result
    } catch {
      await stop()
      throw error
    }
  }

  /// The state the pipeline is in.
  public nonisolated var state: State { element.state }

  /// The error of what a stop has ended.
  var stopped: GStreamerError {
    GStreamerError(.stopped, "The pipeline was stopped.", source: element.name)
  }

  private func change(
    to target: State, watchesFiles: Bool = false
  ) async throws(GStreamerError) {
    let change = supersede()
    if target <= .ready, wanted > .ready { stopCount &+= 1 }
    wanted = target
    if target <= .ready || state <= .ready { watch.begin() }
    if target <= .ready {
      playback = Playback()
      watch.forgetInterruptions()
    }
    let start = watch.mark
    let first = way(to: target)
    let result = unsafe element.withGstElement { unsafe gst_element_set_state($0, first.gstState) }
    guard result != GST_STATE_CHANGE_FAILURE else {
      throw watch.error(since: start) ?? refusal(of: target)
    }
    guard watchesFiles, state != target, let stall = StallWatch(files: self) else {
      return try await arrive(at: target, since: start, change)
    }
    try await stall.during { () throws(GStreamerError) in
      try await self.arrive(at: target, since: start, change)
    }
  }

  /// Waits until the pipeline is in a state.
  private func arrive(
    at target: State, since start: Progress.Mark, _ change: UInt64
  ) async throws(GStreamerError) {
    while true {
      let look = watch.mark
      try await settle(since: start, change)
      if state == target { return }
      // Another clock is taken on the way from PAUSED to PLAYING.
      guard isHalted || isFollowing else { throw refusal(of: target) }
      try await news(since: look, change)
    }
  }

  /// Waits until no change of state is under way any more.
  func settle(since start: Progress.Mark, _ change: UInt64) async throws(GStreamerError) {
    while true {
      let look = watch.mark
      switch unsafe element.withGstElement({ unsafe gst_element_get_state($0, nil, nil, 0) }) {
      case GST_STATE_CHANGE_ASYNC: break
      case GST_STATE_CHANGE_FAILURE: throw try await failure(since: start, change)
      default: return
      }
      if let error = watch.error(since: start) { throw error }
      try await news(since: look, change)
    }
  }

  /// The reason for a change of state that failed.
  ///
  /// An element's error ends the change before the message is on the bus. There may be no message at all.
  private func failure(
    since start: Progress.Mark, _ change: UInt64
  ) async throws(GStreamerError) -> GStreamerError {
    let isOver = Lock(false)
    let alarm = Task { [watch, limits] in
      try await Deadline(in: .seconds(1), on: limits).wait()
      isOver.withLock { $0 = true }
      watch.announce()
    }
    defer { alarm.cancel() }
    while true {
      let look = watch.mark
      if let error = watch.error(since: start) ?? watch.failure { return error }
      guard !isOver.withLock({ $0 }) else {
        return GStreamerError(.refused, "A change of state failed.", source: element.name)
      }
      try await news(since: look, change)
    }
  }

  /// Waits for news of a change of state.
  private func news(since look: Progress.Mark, _ change: UInt64) async throws(GStreamerError) {
    try await watch.news(since: look, before: "the pipeline was ready")
    guard change == latestChange else {
      throw GStreamerError(
        .superseded, "Another change of state began before this one was done.",
        source: element.name)
    }
  }

  /// Begins a change of state.
  ///
  /// - Returns: Its number. Those before it learn that they are superseded; GStreamer itself may say
  ///   nothing more of them, since a bus is mute once its pipeline is stopped.
  private func supersede() -> UInt64 {
    latestChange &+= 1
    watch.announce()
    return latestChange
  }

  private func refusal(of target: State) -> GStreamerError {
    GStreamerError(
      .refused, "The pipeline does not go to \(target), and no element says why.",
      source: element.name)
  }
}
