// Tests of state changes in any order, with and without waiting for them.

import CGStreamer
import CGStreamerCheck
import ElementUnderTest
import GStreamer
import TestClock
import Testing

@Suite struct StateTests {
  private static let states = [
    GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING,
  ]

  /// Every sequence of so many states.
  private static func walks(_ count: Int) -> [[GstState]] {
    (0..<count).reduce([[]]) { walks, _ in walks.flatMap { walk in states.map { walk + [$0] } } }
  }

  private static let video = "video/x-raw,format=I420,width=64,height=48,framerate=100/1"
  static let lines = [
    "videotestsrc ! \(video) ! slitscan name=scan depth=20 drain=true ! fakesink sync=true",
    "videotestsrc is-live=true ! \(video) ! slitscan name=scan mode=sweep ! fakesink sync=true",
    "videotestsrc ! \(video) ! slitscan name=scan mode=strip canvas-length=7 ! queue ! "
      + "fakesink sync=true",
    "videotestsrc ! \(video) ! slitscan name=scan map=live ! fakesink sync=true "
      + "videotestsrc ! video/x-raw,format=GRAY8,width=4,height=4,framerate=100/1 ! scan.map",
  ]

  @Test func aloneItTakesStatesInAnyOrder() throws {
    let harness = try Harness("depth=16")
    let scan = unsafe harness.element
    for walk in Self.walks(4) {
      for state in walk {
        #expect(unsafe gst_element_set_state(scan, state) == GST_STATE_CHANGE_SUCCESS)
        #expect(unsafe scan.pointee.current_state == state)
        #expect(unsafe scan.pointee.pending_state == GST_STATE_VOID_PENDING)
      }
    }
    unsafe gst_element_set_state(scan, GST_STATE_NULL)
    unsafe gst_element_set_state(scan, GST_STATE_PLAYING)
    harness.start()
    for index in 0..<16 { #expect(try harness.push(index) == GST_FLOW_OK) }
    for index in 0..<16 { #expect(harness.pullRows()?[0] == UInt8(index)) }
  }

  @Test(arguments: lines) func inAPipelineItTakesStatesInAnyOrder(line: String) async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(line, clock: clock)
    try await clock.run {
      for walk in Self.walks(3) {
        for state in walk {
          try pipeline.go(to: state)
          #expect(try pipeline.state(of: "scan") == state)
        }
      }
      try expectToWork(pipeline)
    }
  }

  @Test(arguments: lines) func stateChangesNeedNoWaiting(line: String) async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(line, clock: clock)
    try await clock.run {
      for walk in Self.walks(4) { for state in walk { try pipeline.begin(to: state) } }
      try pipeline.go(to: GST_STATE_NULL)
      #expect(try pipeline.property("history-bytes") == "0")
      try expectToWork(pipeline)
    }
  }

  @Test func pausedThereIsOneFrame() throws {
    let pipeline = try TestPipeline(Self.lines[0])
    #expect(try pipeline.begin(to: GST_STATE_PAUSED) == GST_STATE_CHANGE_ASYNC)
    try pipeline.go(to: GST_STATE_PAUSED)
    #expect(pipeline.sent.count == 1)
  }

  @Test func aLiveSourceHasNoneWhilePaused() throws {
    let pipeline = try TestPipeline(Self.lines[1])
    #expect(try pipeline.begin(to: GST_STATE_PAUSED) == GST_STATE_CHANGE_NO_PREROLL)
    #expect(pipeline.sent.isEmpty)
  }

  @Test func theLastReferenceFreesTheElement() throws {
    try #require(ElementUnderTest.isRegistered)
    for state in Self.states {
      let scan = try unsafe #require(gst_element_factory_make("slitscan", nil))
      unsafe gst_object_ref_sink(scan)
      let map = try unsafe #require(gst_element_request_pad_simple(scan, "map"))
      unsafe gst_element_set_state(scan, state)
      unsafe gst_element_set_state(scan, GST_STATE_NULL)
      unsafe gst_object_unref(map)
      let object = unsafe UnsafeMutableRawPointer(scan).assumingMemoryBound(to: GObject.self)
      #expect(unsafe object.pointee.ref_count == 1)
      var weak = unsafe GWeakRef()
      unsafe g_weak_ref_init(&weak, scan)
      unsafe gst_object_unref(scan)
      #expect(unsafe g_weak_ref_get(&weak) == nil)
      unsafe g_weak_ref_clear(&weak)
    }
  }

  /// Plays some frames and ends.
  private func expectToWork(_ pipeline: TestPipeline) throws {
    try pipeline.go(to: GST_STATE_NULL)
    // An end that is asked for while a state is still to come would wait for that for ever.
    try pipeline.go(to: GST_STATE_PLAYING)
    pipeline.output.wait(forMore: 10)
    pipeline.endStream()
    let last = try pipeline.messagesToEnd().last
    #expect(last?.kind == .eos, "\(String(describing: last))")
  }
}

extension TestPipeline {
  /// Asks for a state, and does not wait for it.
  @discardableResult
  func begin(to state: GstState) throws -> GstStateChangeReturn {
    let change = unsafe gst_element_set_state(pipeline, state)
    guard change != GST_STATE_CHANGE_FAILURE else {
      throw PipelineError(description: "the state change is refused")
    }
    return change
  }

  func state(of name: String) throws -> GstState {
    try unsafe element(name).withGstElement { unsafe $0.pointee.current_state }
  }
}
