// A playlist plays clips one after the other, without a gap and without an end.

import GStreamer

/// Clips one after the other, from the first again after the last, in real time.
///
/// While a clip plays, the next one is open already, up to its first frame. All have the format, size and
/// frame rate of the first that is played, with black at the sides where their shape is another. A clip that
/// cannot be played is told of and left out, and tried again in the next round.
package actor PlaylistSource: FrameSource {
  /// Something that happens to a playlist.
  package enum Event: Sendable, Hashable {
    /// A clip begins: its path.
    case begins(String)
    /// A clip cannot be played, or has broken off: its path, and why. Told once, until it can be played.
    case skips(String, CaptureError)
  }

  private let paths: @Sendable () throws(CaptureError) -> [String]
  private let request: VideoRequest
  private let start: PlaybackStart
  private let patience: @Sendable (String) -> Duration
  private let tell: @Sendable (Event) -> Void
  private let clock: any SteadyClock
  /// One clip at a time is looked for.
  private let mutex = AsyncMutex()
  private var current: Clip?
  /// Takes the place of the current one with the next frame.
  private var requested: Clip?
  /// The clip after the one that was opened last, if it can be played.
  private var upcoming: Task<Clip?, Never>?
  private var skipped: Set<String> = []
  private var failure: CaptureError?
  /// The end of the last frame.
  private var end = ClockTime.zero
  /// When the current clip began, and the time of its first frame; nil before that.
  private var beginning: (time: ClockTime, first: ClockTime)?
  private var feed: InMemorySource?

  /// A playlist, of which nothing is opened yet.
  ///
  /// - Parameters:
  ///   - paths: The clips: files or URLs. Read again for each clip, so that it can change.
  ///   - request: The size and rate of frames; nil for those of the first clip.
  ///   - patience: The time that a clip may take from its opening to its first frame, by its path.
  package init(
    _ paths: @escaping @Sendable () throws(CaptureError) -> [String],
    _ request: VideoRequest = VideoRequest(), from start: PlaybackStart = PlaybackStart(),
    tell: @escaping @Sendable (Event) -> Void = { _ in },
    patience: @escaping @Sendable (String) -> Duration = { _ in .seconds(10) },
    clock: any SteadyClock = ContinuousClock()
  ) {
    self.paths = paths
    self.request = request
    self.start = start
    self.patience = patience
    self.tell = tell
    self.clock = clock
  }

  deinit { upcoming?.cancel() }

  /// The clips as one stream, from the first that can be played on.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed`` where none can be, with the reason for the first; whatever
  ///   the list of the clips throws.
  package func makeElement() async throws(CaptureError) -> Element {
    let first = try await mutex.run { () async throws(CaptureError) in
      try await open(nil, after: nil, by: 1)
    }
    await current?.close()
    current = nil
    requested = first
    prepare(after: first)
    let feed = InMemorySource { [weak self] _ in await self?.next() }
    self.feed = feed
    let caps = await first.first?.caps
    let fitting = FittedSource(feed, like: try? caps.map(shape))
    let element = try await fitting.makeElement()
    let rate = caps?.structures.first?.get("framerate", as: Fraction.self) ?? 0
    do throws(GStreamerError) {
      let wanted = request.frameRate ?? (rate.numerator > 0 ? rate : 30)
      let filter = try Element(filter: Caps("video/x-raw,framerate=\(wanted)"))
      let pace = try Element(pacing: filter, from: start)
      return try Element(chaining: [element, Element("videorate"), filter, pace])
    } catch {
      throw explain(error)
    }
  }

  /// The caps of the first clip, in the size that is requested.
  private func shape(_ caps: Caps) throws(GStreamerError) -> Caps {
    guard request.width != nil || request.height != nil else { return caps }
    let info = try VideoInfo(caps)
    let format = caps.structures.first?.get("format", as: String.self) ?? "I420"
    return try Caps(
      "video/x-raw,format=\(format),width=\(request.width ?? info.width),"
        + "height=\(request.height ?? info.height),pixel-aspect-ratio=1/1")
  }

  // MARK: Frames

  /// The next frame, at its time in all clips together; nil where no clip can be played any more.
  private func next() async -> Sample? {
    while !Task.isCancelled {
      if let requested {
        let before = current
        (current, self.requested) = (requested, nil)
        beginning = nil
        tell(.begins(requested.path))
        await before?.close()
      }
      guard let clip = current else {
        guard await turn() else { return nil }
        continue
      }
      do throws(CaptureError) {
        if let sample = try await clip.next() {
          if requested == nil, let frame = place(sample) { return frame }
          continue
        }
      } catch {
        skip(clip.path, error)
      }
      // Another one may have been requested meanwhile.
      if requested == nil, await !turn() { return nil }
    }
    return nil
  }

  /// A frame at its time in the clip, which begins where the one before ended.
  private func place(_ sample: Sample) -> Sample? {
    guard let buffer = sample.buffer, let caps = sample.caps, let clipTime = sample.streamTime
    else { return nil }
    let begun = beginning ?? (end, clipTime)
    beginning = begun
    let time = begun.time + (clipTime - begun.first)
    // A frame that does not say how long it is shown is so until the next one, which is not known yet.
    let rate = caps.structures.first?.get("framerate", as: Fraction.self)?.quotient ?? 0
    let duration = buffer.duration ?? .seconds(1 / (rate > 0 ? rate : 30))
    end = time + duration
    return (try? buffer.moved(to: time, duration: duration)).map { Sample($0, caps: caps) }
  }

  private func skip(_ path: String, _ error: CaptureError) {
    let name = path.contains("://") ? path : path.split(separator: "/").last.map(String.init) ?? ""
    failure = failure ?? CaptureError(.sourceFailed, "\(name): \(error.message)")
    if skipped.insert(path).inserted { tell(.skips(path, error)) }
  }

  // MARK: Clips

  /// Goes on to the next clip at the end of one, if there is one.
  private func turn() async -> Bool {
    (try? await change(by: 1, isEnd: true)) != nil
  }

  /// Goes to another clip, which is opened before the one that plays ends.
  ///
  /// - Parameter count: How many clips further on, round at the ends; negative for back.
  /// - Throws: ``CaptureError/Code/sourceFailed`` where none can be played.
  package func change(by count: Int) async throws(CaptureError) {
    try await change(by: count, isEnd: false)
  }

  private func change(by count: Int, isEnd: Bool) async throws(CaptureError) {
    let clip = try await mutex.run { () async throws(CaptureError) -> Clip? in
      // Where one was requested meanwhile, that follows.
      if isEnd, requested != nil { return nil }
      let from = requested ?? current
      let ready = await upcoming?.value
      upcoming = nil
      if count == 1, let ready { return ready }
      await ready?.close()
      return try await open(from?.path, after: from?.index, by: count)
    }
    guard let clip else { return }
    let before = requested
    requested = clip
    prepare(after: clip)
    await before?.close()
  }

  private func prepare(after clip: Clip) {
    upcoming = Task { [weak self] in
      try? await self?.open(clip.path, after: clip.index, by: 1)
    }
  }

  /// Opens a clip some places behind another, or the first after that which can be played.
  private func open(
    _ path: String?, after index: Int?, by count: Int
  ) async throws(CaptureError) -> Clip {
    let paths = try paths()
    guard !paths.isEmpty else {
      throw CaptureError(.noSuchFile, "There is no clip to play.")
    }
    failure = nil
    var place = -1
    if let path, let index {
      // The list may have changed.
      let isThere = paths.indices.contains(index) && paths[index] == path
      place = isThere ? index : paths.firstIndex(of: path) ?? min(index, paths.count) - 1
    }
    var step = count % paths.count
    for _ in paths {
      place = ((place + step) % paths.count + paths.count) % paths.count
      do throws(CaptureError) {
        let path = paths[place]
        let clip = try await Clip.open(path, index: place, within: patience(path), on: clock)
        skipped.remove(clip.path)
        return clip
      } catch {
        if error.code == .cancelled { throw error }
        skip(paths[place], error)
      }
      step = count < 0 ? -1 : 1
    }
    let reason = failure.map { " \($0.message)" } ?? ""
    throw CaptureError(
      .sourceFailed,
      (paths.count == 1
        ? "The clip cannot be played." : "None of the \(paths.count) clips can be played.")
        + reason)
  }
}

/// A clip that is open, with its first frame.
private actor Clip {
  nonisolated let path: String
  nonisolated let index: Int
  private(set) var first: Sample?
  private let frames: Frames
  private var iterator: Frames.Iterator
  private var isFirst = true

  /// Opens a clip up to its first frame, or gives up, whatever that waits for.
  static func open(
    _ path: String, index: Int, within patience: Duration, on clock: any SteadyClock
  ) async throws(CaptureError) -> Clip {
    let (results, first) = AsyncStream.makeStream(of: Result<Clip, CaptureError>.self)
    let opening = Task {
      do throws(CaptureError) {
        let clip = try await Clip(path, index: index)
        try await clip.begin()
        first.yield(.success(clip))
      } catch {
        first.yield(.failure(error))
      }
    }
    let timeout = Task {
      try await Deadline(in: patience, on: clock).wait()
      first.yield(
        .failure(CaptureError(.sourceFailed, "It takes too long to give its first frame.")))
    }
    defer {
      opening.cancel()
      timeout.cancel()
    }
    for await result in results { return try result.get() }
    throw .ended(before: "the clip was open")
  }

  private init(_ path: String, index: Int) async throws(CaptureError) {
    self.path = path
    self.index = index
    frames = try await FileSource(path).frames()
    iterator = frames.makeAsyncIterator()
  }

  private func begin() async throws(CaptureError) {
    first = try await read()
    guard first != nil else { throw CaptureError(.sourceFailed, "The file has no frame.") }
  }

  func next() async throws(CaptureError) -> Sample? {
    guard isFirst else { return try await read() }
    isFirst = false
    return first
  }

  private func read() async throws(CaptureError) -> Sample? {
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: self)
  }

  func close() async { await frames.stop() }
}
