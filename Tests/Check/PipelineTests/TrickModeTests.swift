// Tests of rates other than 1, loops and steps: frames keep their order of arrival, and segments are correct.

import CGStreamer
import CGStreamerCheck
import StreamingThread
import TestClock
import Testing

@testable import GStreamer

@Suite struct TrickModeTests {
  private static let video = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"
  private static let second = 1_000_000_000

  /// What comes at rates other than 1 has running times of its own.
  private static func pipeline(
    _ properties: String = "", sink: String = "fakesink"
  ) throws -> TestPipeline {
    try TestPipeline(
      "videotestsrc ! \(video) ! slitscan name=scan depth=16 \(properties) ! \(sink)")
  }

  // MARK: Rates

  @Test func twiceAsFastADurationIsTwiceAsManyFrames() throws {
    for (rate, frames) in [(0.5, 2), (1, 4), (2, 8), (4, 16)] {
      // With this gain, the lower half has all of the delay.
      let harness = try Harness("duration=160000000 gain=2 depth=64")
      harness.start()
      harness.pushSegment(rate: rate)
      for index in 0..<40 {
        try harness.push(index)
        #expect(harness.pullRows()?[15] == UInt8(max(0, index - frames)), "rate \(rate)")
      }
    }
  }

  @Test func aFrameFromBeforeItsSegmentIsHistory() throws {
    for properties in ["depth=5", "duration=160000000 depth=64"] {
      let harness = try Harness("gain=2 \(properties)")
      harness.start()
      harness.pushSegment(from: 10 * Harness.frame)
      for index in 0..<10 {
        try harness.push(index)
        #expect(harness.pullRows() == nil)
      }
      harness.pushSegment()
      for index in 10..<20 {
        try harness.push(index, at: UInt(index - 10) * Harness.frame)
        #expect(harness.pullRows()?[15] == UInt8(index - 4), "\(properties)")
      }
    }
  }

  @Test func inReverseHistoryKeepsTheOrderOfArrival() throws {
    for properties in ["depth=5", "duration=160000000 depth=64"] {
      let harness = try Harness("gain=2 \(properties)")
      harness.start()
      harness.pushSegment(from: 0, to: 40 * Harness.frame, rate: -1)
      for index in 0..<40 {
        try harness.push(index, at: UInt(39 - index) * Harness.frame)
        #expect(harness.pullRows()?[15] == UInt8(max(0, index - 4)), "\(properties)")
      }
    }
  }

  @Test(arguments: [2.0, 0.5, -1.0, -2.0, 32.0]) func aVideoPlaysAtAnyRate(rate: Double) throws {
    let pipeline = try Self.pipeline()
    let segments = try pipeline.recordSegments()
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.seek(from: Self.second, to: 2 * Self.second, rate: rate)
    try pipeline.go(to: GST_STATE_PLAYING)
    #expect(try pipeline.messagesToEnd().last?.kind == .eos)
    #expect(pipeline.sent == pipeline.received)
    // The first of all was there before the seek.
    let times = pipeline.sent.dropFirst().map(\.pts)
    #expect(times.count >= 25)
    #expect(times == (rate > 0 ? times.sorted() : times.sorted().reversed()))
    #expect(Set(times).count == times.count)
    let last = try #require(segments.passed.last)
    #expect(last.rate * last.applied_rate == rate)
    #expect(last.start == guint64(Self.second))
    #expect(last.stop == guint64(2 * Self.second))
  }

  // MARK: Flags

  @Test func theFlagsOfASearchGoOn() throws {
    let flags = GstSegmentFlags(
      rawValue: GST_SEGMENT_FLAG_TRICKMODE.rawValue | GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS.rawValue
        | GST_SEGMENT_FLAG_TRICKMODE_NO_AUDIO.rawValue)
    let pipeline = try Self.pipeline()
    let segments = try pipeline.recordSegments()
    try pipeline.go(to: GST_STATE_PAUSED)
    for rate in [4.0, -4.0] {
      try pipeline.seek(
        from: Self.second, to: 2 * Self.second, rate: rate,
        flags: [
          GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_TRICKMODE,
          GST_SEEK_FLAG_TRICKMODE_KEY_UNITS, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO,
        ])
      try pipeline.go(to: GST_STATE_PLAYING)
      #expect(try pipeline.messagesToEnd().last?.kind == .eos)
      let last = try #require(segments.passed.last)
      #expect(last.flags.rawValue & flags.rawValue == flags.rawValue)
      #expect(last.rate == rate)
      try pipeline.go(to: GST_STATE_PAUSED)
    }
  }

  @Test func aSegmentGoesOnAsItCame() throws {
    for rate in [1, 2, -1, 0.25] {
      let harness = try Harness()
      harness.start()
      _ = harness.pullEvents()
      harness.pushSegment(
        from: 1000, to: 5000, base: 77, rate: rate,
        flags: GstSegmentFlags(rawValue: GST_SEGMENT_FLAG_SKIP.rawValue))
      let event = try unsafe #require(gst_harness_pull_event(harness.harness))
      defer { unsafe gst_event_unref(event) }
      #expect(unsafe event.pointee.type == GST_EVENT_SEGMENT)
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      #expect(segment.rate == rate)
      #expect(segment.flags == GST_SEGMENT_FLAG_SKIP)
      #expect([segment.start, segment.stop, segment.base, segment.time] == [1000, 5000, 77, 1000])
    }
  }

  // MARK: A rate that changes at once

  @Test func theRateMayChangeAtOnce() async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(
      "videotestsrc name=source ! \(Self.video) ! "
        + "slitscan name=scan depth=16 ! fakesink sync=true", clock: clock)
    let events = try pipeline.recordEvents()
    let messages = try await clock.run {
      try pipeline.go(to: GST_STATE_PLAYING)
      pipeline.output.wait { $0.count > 5 }
      try pipeline.announceRate(8, from: "source")
      pipeline.output.wait { $0.count >= 100 }
      pipeline.endStream()
      return try pipeline.messagesToEnd()
    }
    #expect(messages.last?.kind == .eos)
    // The sink has asked for it, and its answer to that comes from the pipeline.
    #expect(messages.contains { $0.kind == .instantRateRequest })
    #expect(events.passed.contains(GST_EVENT_INSTANT_RATE_CHANGE))
    // Nothing was flushed, lost or forgotten.
    #expect(!events.passed.contains(GST_EVENT_FLUSH_START))
    #expect(pipeline.sent.map(\.pts) == pipeline.sent.indices.map { UInt($0) * Harness.frame })
    #expect(pipeline.sent.dropFirst().allSatisfy { !$0.isDiscont })
    #expect(try pipeline.property("history-frames") == "16")
  }

  @Test func theTimeOfSuchAChangeGoesUpstream() throws {
    let harness = try Harness()
    harness.start()
    let event = unsafe gst_event_new_instant_rate_sync_time(2, 1_000_000_000, 500_000_000)
    #expect(unsafe gst_harness_push_upstream_event(harness.harness, event) != 0)
    var types: [GstEventType] = []
    while let event = unsafe gst_harness_try_pull_upstream_event(harness.harness) {
      unsafe types.append(event.pointee.type)
      unsafe gst_event_unref(event)
    }
    #expect(types.contains(GST_EVENT_INSTANT_RATE_SYNC_TIME))
  }

  // MARK: Segments

  @Test func aLoopIsPlayedUntilItsLastRound() throws {
    // No round goes on behind its stop, and neither does the last.
    let pipeline = try Self.pipeline("gain=2 drain=true")
    let segments = try pipeline.recordSegments()
    let events = try pipeline.recordEvents()
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.seek(
      from: Self.second, to: 2 * Self.second,
      flags: [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_ACCURATE, GST_SEEK_FLAG_SEGMENT])
    try pipeline.go(to: GST_STATE_PLAYING)
    let rounds = 5
    for round in 1...rounds {
      try pipeline.nextMessage(.segmentDone)
      #expect(pipeline.sent.count == 1 + 25 * round)
      let flags =
        round < rounds ? [GST_SEEK_FLAG_ACCURATE, GST_SEEK_FLAG_SEGMENT] : [GST_SEEK_FLAG_ACCURATE]
      try pipeline.seek(from: Self.second, to: 2 * Self.second, flags: flags)
    }
    #expect(try pipeline.messagesToEnd().last?.kind == .eos)
    #expect(pipeline.received.count == 1 + 25 * (rounds + 1))
    #expect(pipeline.sent.count == pipeline.received.count)
    #expect(events.passed.filter { $0 == GST_EVENT_SEGMENT_DONE }.count == rounds)
    // Each round goes on in running time where the one before ended.
    #expect(
      segments.passed.dropFirst().prefix(rounds + 1).map(\.base)
        == (0...rounds).map { guint64($0 * Self.second) })
  }

  // MARK: Steps

  @Test func aPausedVideoIsSteppedFrameByFrame() throws {
    let pipeline = try Self.pipeline(sink: "fakesink sync=true")
    try pipeline.go(to: GST_STATE_PAUSED)
    for step in 1...20 {
      try pipeline.step(GST_FORMAT_BUFFERS, by: 1)
      // One was there, and one is there for each step.
      #expect(pipeline.sent.count == step + 1)
      #expect(pipeline.sent.last?.pts == UInt(step) * Harness.frame)
      #expect(try pipeline.property("history-frames") == String(min(step + 1, 16)))
    }
  }

  @Test func aPausedVideoIsSteppedByTime() throws {
    let pipeline = try Self.pipeline(sink: "fakesink sync=true")
    try pipeline.go(to: GST_STATE_PAUSED)
    for step in 1...5 {
      try pipeline.step(GST_FORMAT_TIME, by: 200_000_000)
      #expect(pipeline.sent.last?.pts == UInt(step) * 200_000_000)
      // Frames that are stepped over enter history all the same.
      #expect(pipeline.sent.count == 1 + 5 * step)
    }
  }
}

extension TestPipeline {
  /// Records the segments that slitscan sends from now on.
  fileprivate func recordSegments() throws -> PadRecord<GstSegment> {
    let record = PadRecord<GstSegment>()
    try scan.pad("src").addProbe(.eventDownstream) { item in
      if case .event(let event) = item, let segment = event.segment { record.append(segment) }
      return .pass
    }
    return record
  }

  /// Has a source say that what it sends is played at another rate from now on.
  func announceRate(_ rate: Double, from source: String) throws {
    let event = unsafe gst_event_new_instant_rate_change(rate, GST_SEGMENT_FLAG_NONE)
    let isTaken = try unsafe element(source).pad("src").withGstPad {
      unsafe gst_pad_push_event($0, event) != 0
    }
    guard isTaken else { throw PipelineError(description: "the change is refused") }
  }

  /// Steps while paused, and waits until that is done.
  func step(_ format: GstFormat, by amount: UInt) throws {
    guard unsafe gst_element_send_event(pipeline, gst_event_new_step(format, amount, 1, 1, 0)) != 0
    else { throw PipelineError(description: "the step is refused") }
    try nextMessage(.stepDone)
    settle()
  }
}
