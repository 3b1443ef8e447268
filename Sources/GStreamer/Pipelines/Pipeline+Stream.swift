// Position, duration, other queries, events and the end of a pipeline's stream.

import CGStreamer

extension Pipeline {
  /// The position in the stream, nil if unknown.
  public var position: ClockTime? { unsafe query(gst_element_query_position) }

  /// The duration of the stream, nil if unknown.
  public var duration: ClockTime? { unsafe query(gst_element_query_duration) }

  private func query(
    _ ask: (UnsafeMutablePointer<GstElement>?, GstFormat, UnsafeMutablePointer<gint64>?) -> gboolean
  ) -> ClockTime? {
    unsafe element.withGstElement { element -> ClockTime? in
      var time: gint64 = -1
      guard unsafe ask(element, GST_FORMAT_TIME, &time) != 0 else { return nil }
      return ClockTime(from: time.value)
    }
  }

  /// The least time from a source to its sink, and whether a source is live; nil if
  /// that is not known.
  public var latency: (isLive: Bool, minimum: ClockTime)? {
    // A pipeline calls itself live where a sink goes by the clock.
    latency(of: element).map { (isLive, $0.minimum) }
  }

  /// Whether a source is live: one that gives what there is, when there is something.
  var isLive: Bool {
    unsafe element.object.with(GstBin.self) { unsafe collect(gst_bin_iterate_recurse($0)) }
      .contains { object in
        let isSource = unsafe object.with(GstObject.self) {
          unsafe $0.pointee.flags & GST_ELEMENT_FLAG_SOURCE.rawValue != 0
        }
        // A bin answers for its sinks, as a pipeline does.
        guard isSource, !object.isA(gst_bin_get_type()) else { return false }
        return latency(of: Element(object))?.isLive == true
      }
  }

  /// The times of the stream that ``seek(to:isAccurate:)`` can go to; nil where it can go nowhere, as in that of a camera.
  public var seekableRange: ClosedRange<ClockTime>? {
    unsafe query(gst_query_new_seeking(GST_FORMAT_TIME)) { query in
      var (isSeekable, start, end): (gboolean, gint64, gint64) = (0, 0, -1)
      unsafe gst_query_parse_seeking(query, nil, &isSeekable, &start, &end)
      guard isSeekable != 0 else { return nil }
      let first = ClockTime(from: start.value) ?? .zero
      return first...max(first, ClockTime(from: end.value) ?? duration ?? first)
    }
  }

  /// The fill level of the queues in per cent, and the parts of the stream that are there, as fractions of its length; nil
  /// where nothing is buffered.
  ///
  /// Parts are known where a stream is downloaded: with the flag `download` of `playbin`.
  public var buffering: (percent: Int, ranges: [ClosedRange<Double>])? {
    unsafe query(gst_query_new_buffering(GST_FORMAT_PERCENT)) { query in
      var percent: gint = 0
      unsafe gst_query_parse_buffering_percent(query, nil, &percent)
      let count = unsafe gst_query_get_n_buffering_ranges(query)
      let ranges = (0..<count).compactMap { index -> ClosedRange<Double>? in
        var (start, end): (gint64, gint64) = (0, 0)
        guard unsafe gst_query_parse_nth_buffering_range(query, index, &start, &end) != 0,
          0 <= start, start <= end
        else { return nil }
        let whole = Double(CGST_FORMAT_PERCENT_MAX)
        return Double(start) / whole...Double(end) / whole
      }
      return (Int(percent), ranges)
    }
  }

  /// Asks a question, which this frees.
  private func query<Answer>(
    _ query: UnsafeMutablePointer<GstQuery>?, _ answer: (UnsafeMutablePointer<GstQuery>) -> Answer?
  ) -> Answer? {
    guard let query = unsafe query else { return nil }
    defer { unsafe unref(query) }
    guard unsafe element.withGstElement({ unsafe gst_element_query($0, query) }) != 0 else {
      return nil
    }
    return unsafe answer(query)
  }

  private func latency(of element: Element) -> (isLive: Bool, minimum: ClockTime)? {
    unsafe element.withGstElement { element in
      unsafe queryLatency { query in unsafe gst_element_query(element, query) }
    }
  }

  /// Returns once every sink has shown the last of its stream, and the readers of lossless ``AppSink``s have
  /// taken it.
  ///
  /// - Throws: The first error since the stream began, also one from before the call;
  ///   ``GStreamerError/Code/stopped`` where the pipeline is stopped before the end; ``GStreamerError/Code/cancelled``.
  ///   A stream begins when the pipeline leaves the state ``State/ready``, and with a seek.
  public func waitForEnd() async throws(GStreamerError) {
    let stops = stopCount
    while true {
      let look = watch.mark
      guard stops == stopCount else { throw stopped }
      // A source that fails ends the stream, too.
      if let error = watch.failure { throw error }
      if watch.hasEnded { break }
      try await watch.news(since: look, before: "the stream ended")
    }
    for endpoint in endpoints(in: element.object) { await endpoint.untilRead() }
    guard !Task.isCancelled else { throw .cancelled(before: "the stream was read") }
  }

  /// Sends the end of the stream, as if the sources had ended: what they gave is finished, as a file.
  ///
  /// Returns once every sink has seen the end.
  ///
  /// - Throws: As ``waitForEnd()``; ``GStreamerError/Code/refused`` if no source takes it.
  public func endStream() async throws(GStreamerError) {
    try send(.eos())
    try await waitForEnd()
  }

  /// Sends an event to the sources, or where it goes against the stream, to the sinks.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` if no element takes it.
  public func send(_ event: Event) throws(GStreamerError) { try send(event, to: element) }

  /// Sends an event to an element.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` if it does not take it.
  public func send(_ event: Event, to element: Element) throws(GStreamerError) {
    let isTaken = unsafe element.withGstElement { element in
      unsafe event.withGstEvent { event in
        // The element takes over a reference.
        unsafe gst_element_send_event(element, gst_event_ref(event)) != 0
      }
    }
    guard isTaken else {
      throw GStreamerError(.refused, "The event is not taken.", source: element.name)
    }
  }

  /// Sends an event into a pad: downstream events into sink pads, upstream ones into source pads.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` if it does not take it.
  public func send(_ event: Event, to pad: Pad) throws(GStreamerError) {
    let isTaken = unsafe pad.withGstPad { pad in
      unsafe event.withGstEvent { event in unsafe gst_pad_send_event(pad, gst_event_ref(event)) != 0
      }
    }
    guard isTaken else {
      throw GStreamerError(.refused, "The event is not taken.", source: pad.description)
    }
  }
}
