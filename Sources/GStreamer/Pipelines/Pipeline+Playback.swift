// Seeks, rates, loops and steps: playing a stream in another way than from its beginning to its end.

import CGStreamer

extension Pipeline {
  /// Goes to another time of the stream, and returns once every sink holds a buffer from there.
  ///
  /// The rate stays as it is, and so does a loop that the time is in.
  ///
  /// - Parameters:
  ///   - time: In the stream.
  ///   - isAccurate: Whether it must be this time, and not the nearest key frame, which takes less time to decode.
  /// - Throws: ``GStreamerError/Code/refused`` where the stream cannot; else as ``play()``.
  public func seek(to time: ClockTime, isAccurate: Bool = true) async throws(GStreamerError) {
    try await seek(to: time, isAccurate: isAccurate, playback)
  }

  // MARK: Rate

  /// The rate of playback: 1 is that of the stream, 0.25 slow motion, and negative ones are backwards.
  ///
  /// It is 1 again once the pipeline is stopped.
  public var rate: Double { playback.rate }

  /// Plays faster, slower, or backwards from here on.
  ///
  /// The stream begins anew from the position that it has. Sound changes its pitch, unless an element `scaletempo` is before
  /// its sink.
  ///
  /// - Parameter rate: As ``rate`` has it; not 0, which is ``pause()``.
  /// - Throws: ``GStreamerError/Code/outOfRange``; ``GStreamerError/Code/refused`` where the stream cannot, as that of a camera,
  ///   or where the pipeline has no stream yet; else as ``play()``.
  public func setRate(_ rate: Double) async throws(GStreamerError) {
    guard rate.isFinite, rate != 0 else {
      throw GStreamerError(
        .outOfRange, "\(rate) is not a rate. To hold the stream, pause the pipeline.",
        source: element.name)
    }
    guard rate != playback.rate else { return }
    // A seek with GST_SEEK_FLAG_INSTANT_RATE_CHANGE would flush nothing. But in GStreamer 1.22 its event comes
    // again with each later seek, before the segment: sinks warn, and play at a wrong rate.
    var changed = playback
    changed.rate = rate
    try await seek(to: here(), isAccurate: true, changed)
  }

  // MARK: Loops

  /// Plays a part of the stream again and again, from now on and without a gap.
  ///
  /// Of some files, GStreamer 1.22 begins the next turn with the last frame of the one before, which is then not seen.
  ///
  /// Goes to the beginning of the part, or its end where the rate is negative. Each time that the source has given it, the
  /// bus has a message of the kind ``Message/Kind/segmentDone``; queues may hold it then. The stream has no end until
  /// ``endLoop()``, or a seek to a time outside of the part.
  ///
  /// - Parameter part: In the time of the stream; nil for all of it.
  /// - Throws: ``GStreamerError/Code/outOfRange`` where the part is empty; else as ``seek(to:isAccurate:)``.
  public func loop(_ part: Range<ClockTime>? = nil) async throws(GStreamerError) {
    guard let part = part ?? duration.map({ .zero..<$0 }) else {
      throw GStreamerError(
        .refused, "The length of the stream is not known. Say which part of it is to be repeated.",
        source: element.name)
    }
    guard !part.isEmpty else {
      throw GStreamerError(
        .outOfRange, "A loop from \(part.lowerBound) to the same time plays nothing.",
        source: element.name)
    }
    var changed = playback
    changed.loop = part
    let start = rate > 0 ? part.lowerBound : part.upperBound
    try await seek(to: start, isAccurate: true, changed)
  }

  /// Plays on from here to the end of the stream.
  ///
  /// - Throws: As ``setRate(_:)``.
  public func endLoop() async throws(GStreamerError) {
    guard playback.loop != nil else { return }
    var changed = playback
    changed.loop = nil
    try await seek(to: here(), isAccurate: true, changed)
  }

  /// A part has been played.
  ///
  /// - Parameter turn: The sequence number of the seek that began it.
  func finishTurn(_ turn: UInt32) {
    guard turn == playback.turn, let next = playback.next, let event = try? Self.event(next)
    else { return }
    let number = unsafe event.withGstEvent { unsafe gst_event_get_seqnum($0) }
    if takes(event) {
      playback.goOn(as: number)
    } else {
      element.fail("The stream cannot be repeated.")
    }
  }

  // MARK: Steps

  /// Shows a frame further on, while the pipeline is paused, and returns once every sink of video holds it.
  ///
  /// Goes in the direction of ``rate``, and backwards by the frame rate that the caps say. Sound goes on by the same time.
  ///
  /// - Parameter frames: How many frames further on, at least 1.
  /// - Throws: ``GStreamerError/Code/outOfRange``; ``GStreamerError/Code/refused`` where the pipeline is not paused or has
  ///   no sink of video; ``GStreamerError/Code/ended`` where the stream has no such frame;
  ///   ``GStreamerError/Code/superseded`` where a seek came before it was done; else as ``play()``.
  public func step(frames: Int = 1) async throws(GStreamerError) {
    guard frames >= 1 else {
      throw GStreamerError(
        .outOfRange,
        "\(frames) is not a number of frames to step. For steps backwards, set a negative rate.",
        source: element.name)
    }
    // One after the other: a sink forgets a step that is not done when the next one comes.
    while isStepping {
      let look = watch.mark
      try await watch.news(since: look, before: "the step before was done")
    }
    let sinks = element.all.compactMap { $0.isSink ? $0.pads.first : nil }
    let video = sinks.filter { $0.caps?.structures.first?.name.hasPrefix("video/") == true }
    guard state == .paused, position != nil, !video.isEmpty else {
      throw GStreamerError(
        .refused, "Only a pipeline that is paused and shows video can step.", source: element.name)
    }
    guard !watch.hasEnded else { throw ended }
    isStepping = true
    defer {
      isStepping = false
      watch.announce()
    }
    if rate < 0, let interval = video.compactMap(\.frameInterval).first {
      // Sound that comes backwards may be behind video that waits for it: a step would wait for both.
      let (distance, place) = (ClockTime.seconds(Double(frames) * interval), try here())
      guard distance < place else { throw ended }
      return try await seek(to: place - distance)
    }
    // Frame by frame: sound that stays behind for long fills its queue, and video would wait for that.
    for _ in 0..<frames {
      let duration = try await step(GST_FORMAT_BUFFERS, 1, video)
      let others = sinks.filter {
        !video.contains($0) && $0.caps != nil && !$0.hasEnded && $0.element?.isInPlaySink == false
      }
      do throws(GStreamerError) {
        if !others.isEmpty { _ = try await step(GST_FORMAT_TIME, duration, others) }
      } catch {
        // Sound may be shorter.
        guard error.code == .ended else { throw error }
      }
    }
  }

  private var ended: GStreamerError {
    GStreamerError(.ended, "The stream has ended.", source: element.name)
  }

  /// - Parameter pads: Those of the sinks that step.
  /// - Returns: How much of the stream was stepped over, in nanoseconds.
  private func step(
    _ format: GstFormat, _ amount: UInt64, _ pads: [Pad]
  ) async throws(GStreamerError) -> UInt64 {
    // A sink that has shown the last of its stream would never be done.
    guard pads.allSatisfy({ $0.segment != nil && !$0.hasEnded }) else { throw ended }
    let (start, change, seeks) = (watch.mark, latestChange, seeks)
    let event = unsafe try Event.make {
      unsafe gst_event_new_step(format, guint64(amount), 1, 1, 0)
    }
    watch.beginStep(unsafe event.withGstEvent { unsafe gst_event_get_seqnum($0) })
    for sink in pads.compactMap(\.element) { try send(event, to: sink) }
    while true {
      let look = watch.mark
      guard change == latestChange, seeks == self.seeks else {
        throw GStreamerError(
          .superseded, "A seek or a change of state began before the step was done.",
          source: element.name)
      }
      if let error = watch.error(since: start) { throw error }
      if watch.step.count >= pads.count { break }
      try await watch.news(since: look, before: "the frame was there")
    }
    try await settle(since: start, change)
    guard !watch.step.ended else { throw ended }
    return watch.step.duration
  }

  // MARK: Seeks

  /// The position, from which a stream begins anew.
  private func here() throws(GStreamerError) -> ClockTime {
    guard let position else {
      throw GStreamerError(
        .refused, "The pipeline has no position yet. Play or pause it first.", source: element.name)
    }
    return position
  }

  /// - Parameter changed: The playback from there on.
  private func seek(
    to time: ClockTime, isAccurate: Bool, _ changed: Playback
  ) async throws(GStreamerError) {
    var changed = changed
    let event = try Self.event(changed.seek(to: time, isAccurate: isAccurate))
    let start = watch.mark
    let before = watch.begin()
    seeks &+= 1
    watch.announce()
    guard takes(event) else {
      watch.goOn(from: before)
      throw GStreamerError(.refused, "The stream cannot go to \(time).", source: element.name)
    }
    changed.begin(at: time, as: unsafe event.withGstEvent { unsafe gst_event_get_seqnum($0) })
    playback = changed
    try await settle(since: start, latestChange)
  }

  private static func event(_ seek: Playback.Seek) throws(GStreamerError) -> Event {
    unsafe try Event.make {
      unsafe gst_event_new_seek(
        seek.rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: seek.flags), GST_SEEK_TYPE_SET,
        gint64(clamping: seek.start.nanoseconds), GST_SEEK_TYPE_SET,
        seek.stop.map { gint64(clamping: $0.nanoseconds) } ?? -1)
    }
  }

  private func takes(_ event: Event) -> Bool { (try? send(event)) != nil }
}

extension Element {
  /// Whether it is where data ends.
  fileprivate var isSink: Bool {
    children.isEmpty && !pads.isEmpty && pads.allSatisfy { $0.direction == .sink }
  }

  /// Whether it is one of the sinks of `playbin`, which has sound step as far as the video.
  fileprivate var isInPlaySink: Bool {
    sequence(first: self, next: \.parent).contains { $0.factoryName == "playsink" }
  }
}

extension Pad {
  /// The time from one frame to the next in seconds, nil where the caps do not say.
  fileprivate var frameInterval: Double? {
    let rate = caps?.structures.first?.get("framerate", as: Fraction.self)?.quotient
    return rate.flatMap { $0 > 0 ? 1 / $0 : nil }
  }
}
