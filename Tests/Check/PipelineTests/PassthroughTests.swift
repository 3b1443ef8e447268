// Tests that with `mix` at 0 the output buffer is the input buffer.

import CGStreamer
import CGStreamerCheck
import GStreamer
import StreamingThread
import Testing

@Suite struct PassthroughTests {
  @Test(arguments: ["displace", "sweep"]) func theBufferItselfGoesThrough(mode: String) throws {
    let harness = try Harness("mode=\(mode) mix=0")
    harness.start()
    for index in 0..<20 {
      let output = try harness.pass(index)
      #expect(output.isSame, "frame \(index)")
      #expect(output.rows == [UInt8](repeating: UInt8(index), count: 16))
    }
  }

  @Test func otherOutputThanTheInputIsDrawn() throws {
    for properties in ["mix=0.5", "mix=1", "mode=strip mix=0", "mix=0 feedback=0.5"] {
      let harness = try Harness(properties)
      harness.start()
      for index in 0..<3 { #expect(try !harness.pass(index).isSame, "\(properties)") }
    }
  }

  @Test func historyFillsMeanwhile() throws {
    let harness = try Harness("depth=16 mix=0")
    harness.start()
    for index in 0..<20 { #expect(try harness.pass(index).isSame) }
    harness.set("mix", to: "1")
    let warm = try harness.pass(20)
    #expect(!warm.isSame)
    let expected = (5...20 as ClosedRange<UInt8>).reversed() as [UInt8]
    #expect(warm.rows == expected)
  }

  @Test func aFaderMayTouchZeroAtAnyFrame() throws {
    let harness = try Harness("depth=16")
    harness.start()
    for index in 0..<100 {
      let passes = index % 3 == 0 || index % 7 == 0
      harness.set("mix", to: passes ? "0" : "1")
      let output = try harness.pass(index)
      #expect(output.isSame == passes)
      #expect(
        output.rows
          == (passes
            ? [UInt8](repeating: UInt8(index), count: 16)
            : (0..<16).map { UInt8(max(0, index - $0)) }))
    }
  }

  @Test func rowsWithGapsGoOnlyToWhoKnowsOfThem() throws {
    for takesMeta in [false, true] {
      let harness = try Harness("mix=0")
      if takesMeta {
        unsafe gst_harness_add_propose_allocation_meta(
          harness.harness, gst_video_meta_api_get_type(), nil)
      }
      harness.start()
      for index in 0..<5 {
        let output = try harness.pass(index, stride: 20)
        #expect(output.isSame == takesMeta)
        #expect(output.rows == [UInt8](repeating: UInt8(index), count: 16))
      }
    }
  }

  @Test func aConvertedFrameIsDrawn() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=20 ! video/x-raw,format=YUY2,width=64,height=48 ! "
        + "slitscan name=scan mix=0 ! video/x-raw,format=BGRx ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(pipeline.sent.count == 20)
    #expect(pipeline.sent.allSatisfy { $0.size == 64 * 48 * 4 })
    #expect(try pipeline.statistic("passed") == 0)
  }
}

extension Harness {
  /// Pushes frame `index`, its rows `stride` bytes apart.
  ///
  /// - Returns: Whether the very same buffer came out, and the first byte of every row of what did.
  fileprivate func pass(_ index: Int, stride: Int = 16) throws -> (isSame: Bool, rows: [UInt8]) {
    let buffer = unsafe try frame(index, stride: stride)
    #expect(unsafe gst_harness_push(harness, buffer) == GST_FLOW_OK)
    let output = try unsafe #require(pull())
    defer { unsafe gst_buffer_unref(output) }
    return unsafe (buffer == output, rows(of: output))
  }
}
