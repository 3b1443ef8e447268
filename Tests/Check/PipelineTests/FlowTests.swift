// Tests that flow returns from downstream reach upstream unchanged.

import CGStreamer
import CGStreamerCheck
import GStreamer
import StreamingThread
import Testing

@Suite struct FlowTests {
  /// A flow return instead of taking buffers; `GST_FLOW_OK` takes them.
  private final class Refusal: Sendable {
    let flow = Lock(GST_FLOW_OK)
    let refused = Lock(0)
  }

  /// Has the downstream pad refuse the element's buffers.
  private func refuse(_ harness: Harness) throws -> Refusal {
    let refusal = Refusal()
    let pad = try unsafe #require(harness.harness.pointee.sinkpad)
    unsafe addProbe(
      { _, info, data in
        guard let data = unsafe data, let info = unsafe info,
          let buffer = unsafe gst_pad_probe_info_get_buffer(info)
        else { return GST_PAD_PROBE_OK }
        let refusal = unsafe Unmanaged<Refusal>.fromOpaque(data).takeUnretainedValue()
        let flow = refusal.flow.withLock { $0 }
        guard flow != GST_FLOW_OK else { return GST_PAD_PROBE_OK }
        refusal.refused.withLock { $0 += 1 }
        unsafe gst_buffer_unref(buffer)
        unsafe info.pointee.data = nil
        unsafe info.pointee.ABI.abi.flow_ret = flow
        return GST_PAD_PROBE_HANDLED
      }, to: pad, with: refusal)
    return refusal
  }

  @Test(
    arguments: [
      GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS, GST_FLOW_NOT_NEGOTIATED,
      GST_FLOW_ERROR, GST_FLOW_NOT_SUPPORTED, GST_FLOW_CUSTOM_ERROR, GST_FLOW_CUSTOM_ERROR_2,
    ],
    ["", "mode=sweep", "mode=strip canvas-length=5", "mix=0", "feedback=0.5"])
  func flowReturnsOfDownstreamComeBack(flow: GstFlowReturn, properties: String) throws {
    let harness = try Harness("depth=16 \(properties)")
    let refusal = try refuse(harness)
    harness.start()
    for index in 0..<3 { #expect(try harness.push(index) == GST_FLOW_OK) }
    refusal.flow.withLock { $0 = flow }
    for index in 3..<6 { #expect(try harness.push(index) == flow) }
    // It is downstream's word, and downstream's to explain.
    #expect(!harness.hasPostedError())
    // Nor does it affect the pad that is linked next.
    refusal.flow.withLock { $0 = GST_FLOW_OK }
    for index in 6..<9 { #expect(try harness.push(index) == GST_FLOW_OK) }
    #expect(unsafe gst_harness_buffers_in_queue(harness.harness) == 6)
    #expect(refusal.refused.withLock { $0 } == 3)
  }

  @Test func refusedFramesEnterHistory() throws {
    let harness = try Harness("depth=16")
    let refusal = try refuse(harness)
    harness.start()
    refusal.flow.withLock { $0 = GST_FLOW_NOT_LINKED }
    for index in 0..<15 { try harness.push(index) }
    refusal.flow.withLock { $0 = GST_FLOW_OK }
    try harness.push(15)
    let expected = (0...15 as ClosedRange<UInt8>).reversed() as [UInt8]
    #expect(harness.pullRows() == expected)
  }

  @Test(arguments: [GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS, GST_FLOW_ERROR])
  func aRefusalEndsTheDrain(flow: GstFlowReturn) throws {
    let harness = try Harness("depth=100 gain=2 drain=true")
    let refusal = try refuse(harness)
    harness.start()
    for index in 0..<5 { try harness.push(index) }
    refusal.flow.withLock { $0 = flow }
    unsafe harness.push(event: gst_event_new_eos())
    #expect(refusal.refused.withLock { $0 } == 1)
    #expect(harness.pullEvents().last == GST_EVENT_EOS)
    #expect(!harness.hasPostedError())
  }

  @Test func afterTheEndNothingIsTaken() throws {
    let harness = try Harness()
    harness.start()
    try harness.push(0)
    unsafe harness.push(event: gst_event_new_eos())
    #expect(try harness.push(1) == GST_FLOW_EOS)
    #expect(unsafe gst_harness_buffers_in_queue(harness.harness) == 1)
  }

  @Test func whileFlushingNothingIsTaken() throws {
    let harness = try Harness()
    harness.start()
    try harness.push(0)
    unsafe harness.push(event: gst_event_new_flush_start())
    #expect(try harness.push(1) == GST_FLOW_FLUSHING)
    unsafe harness.push(event: gst_event_new_flush_stop(1))
    harness.pushSegment()
    #expect(try harness.push(2) == GST_FLOW_OK)
  }

  @Test func withoutCapsNothingIsTaken() throws {
    let harness = try Harness()
    unsafe harness.push(event: gst_event_new_stream_start("test"))
    harness.pushSegment()
    #expect(try harness.push(0) == GST_FLOW_NOT_NEGOTIATED)
    #expect(harness.hasPostedError())
  }

  // MARK: Pipelines

  @Test func withNothingBehindItTheSourceSaysSo() throws {
    let pipeline = try TestPipeline(
      "videotestsrc name=source num-buffers=3 ! \(Harness.caps) ! slitscan name=scan")
    try pipeline.start()
    let messages = try pipeline.messagesToEnd()
    let error = try #require(messages.last)
    #expect(error.kind == .error)
    #expect(error.source?.name == "source")
    #expect(error.error?.debug?.contains("not-linked") == true)
  }

  @Test func withNothingBeforeItNothingComes() throws {
    let pipeline = try TestPipeline("slitscan name=scan ! fakesink async=false")
    try pipeline.go(to: GST_STATE_PLAYING)
    #expect(pipeline.sent.isEmpty)
    try pipeline.go(to: GST_STATE_NULL)
  }

  @Test func behindATeeTheOtherBranchGoesOn() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Harness.caps) ! tee name=t allow-not-linked=true "
        + "t. ! slitscan name=scan ! valve name=valve t. ! fakesink")
    let last = try pipeline.playToEnd().last
    #expect(last?.kind == .eos, "\(String(describing: last))")
    #expect(pipeline.received.count == 30)
  }
}
