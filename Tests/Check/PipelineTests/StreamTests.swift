// Tests of the element in real pipelines: timestamps, segments and events.

import CGStreamer
import Foundation
import GStreamer
import TestClock
import Testing

@Suite struct StreamTests {
  private static let video = "video/x-raw,format=I420,width=96,height=64,framerate=25/1"

  @Test(arguments: ["displace", "sweep", "strip"]) func timesAndOrderAreKept(mode: String) throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=60 ! \(Self.video) ! slitscan name=scan mode=\(mode) ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(pipeline.sent.count == 60)
    #expect(pipeline.sent == pipeline.received)
    let expected = (0..<60 as Range<UInt>).map { $0 * 40_000_000 }
    #expect(pipeline.sent.map(\.pts) == expected)
  }

  @Test func noLatencyIsAdded() async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(
      "videotestsrc is-live=true num-buffers=10 ! \(Self.video) ! slitscan name=scan ! fakesink "
        + "sync=true", clock: clock)
    #expect(try await clock.run { try pipeline.playToEnd() }.last?.kind == .eos)
    let query = unsafe gst_query_new_latency()
    defer { unsafe gst_query_unref(query) }
    #expect(unsafe pipeline.scan.withGstElement { unsafe gst_element_query($0, query) } != 0)
    var own: GstClockTime = 0
    unsafe gst_query_parse_latency(query, nil, &own, nil)
    // videotestsrc itself reports one frame.
    #expect(own <= 40_000_000)
  }

  @Test func aSeekForgetsWhatWasBefore() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=1000 ! \(Self.video) ! slitscan name=scan depth=50 ! "
        + "fakesink name=sink")
    try pipeline.go(to: GST_STATE_PAUSED)
    #expect(try pipeline.property("history-frames") == "1")
    try pipeline.seek(to: 8_000_000_000)
    #expect(try pipeline.property("history-frames") == "1")
    #expect(pipeline.sent.last?.pts == 8_000_000_000)
    try pipeline.go(to: GST_STATE_PLAYING)
    try pipeline.expectEnd()
    #expect(try pipeline.property("history-frames") == "50")
    #expect(pipeline.sent.count > 100)
  }

  @Test func capsMayChangeInMidstream() throws {
    let pipeline = try TestPipeline(
      """
      videotestsrc ! capsfilter name=filter caps-change-mode=delayed caps="\(Self.video)" ! \
      slitscan name=scan depth=20 ! fakesink
      """)
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.go(to: GST_STATE_PLAYING)
    for (format, size) in [
      ("BGRx", "width=32,height=200"), ("YUY2", "width=33,height=7"),
      ("GRAY16_LE", "width=1,height=1"), ("I420", "width=97,height=61"),
    ] {
      let before = pipeline.sent.count
      try pipeline.set("caps", "video/x-raw,format=\(format),\(size),framerate=25/1", of: "filter")
      try pipeline.output.wait {
        try $0.count > before + 30
          && pipeline.caps(onPad: "src").contains("format=(string)\(format)")
      }
    }
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  @Test func readyGivesTheMemoryBack() async {
    // In a process of its own, as the tests beside this one take memory, too.
    await #expect(processExitsWith: .success) {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=60 ! video/x-raw,format=I420,width=1280,height=720 ! "
          + "slitscan name=scan depth=60 ! fakesink")
      try pipeline.expectToPlay()
      let frame = 1280 * 720 * 3 / 2
      let bytes = try #require(Int(try pipeline.property("history-bytes")))
      #expect(bytes >= 60 * frame && bytes <= 66 * frame)
      let resident = try StreamTests.residentBytes()
      try pipeline.go(to: GST_STATE_READY)
      #expect(try pipeline.property("history-bytes") == "0")
      #expect(try pipeline.property("history-frames") == "0")
      #expect(try StreamTests.residentBytes() < resident - 40 * frame)
    }
  }

  @Test func playingAgainStartsAnew() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=40 ! \(Self.video) ! slitscan name=scan depth=30 ! fakesink")
    for round in 1...3 {
      try pipeline.expectToPlay()
      #expect(try pipeline.property("history-frames") == "30")
      #expect(pipeline.sent.count == 40 * round)
      try pipeline.go(to: GST_STATE_READY)
      #expect(try pipeline.property("history-frames") == "0")
    }
  }

  @Test func aSeekAndEndOfStreamInEveryMode() throws {
    for mode in ["displace", "sweep", "strip canvas-length=37"] {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=50 ! \(Self.video) ! slitscan name=scan mode=\(mode) ! fakesink")
      try pipeline.go(to: GST_STATE_PAUSED)
      try pipeline.seek(to: 400_000_000)
      #expect(try pipeline.playToEnd().last?.kind == .eos)
    }
  }

  @Test(arguments: [
    (
      properties: "mode=sweep sweep-duration=1000000000", count: 1, first: 1_000_000_000,
      progress: "1"
    ),
    ("mode=strip canvas-length=30 slit-width=2", 3, 560_000_000, ""),
  ])
  func aSweepOrACanvasSaysWhenItIsComplete(
    properties: String, count: Int, first: Int, progress: String
  ) throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=50 ! \(Self.video) ! slitscan name=scan \(properties) ! fakesink")
    let messages = try pipeline.playToEnd().filter { $0.text == "slitscan-complete" }
    #expect(messages.count == count)
    #expect(messages.first?.structure?.get("running-time") == first)
    #expect(try pipeline.property("progress").hasPrefix(progress))
  }

  @Test func runningTimeBeginsAnewWithAFlush() throws {
    // Complete with every frame.
    let harness = try Harness("mode=strip canvas-length=1")
    harness.start()
    for index in 0..<10 { try harness.push(index) }
    #expect(harness.popCompletions() == (0..<10).map { $0 * 40_000_000 })
    harness.flush()
    harness.pushSegment(from: 1_000_000_000)
    // It begins before the segment, so it has no running time of its own.
    try harness.push(10, at: 990_000_000)
    try harness.push(11, at: 1_030_000_000)
    #expect(harness.popCompletions() == [40_000_000, 30_000_000])
  }

  @Test func modesAndCanvasesMayChangeWhilePlaying() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=600 ! \(Self.video) ! slitscan name=scan ! fakesink")
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.go(to: GST_STATE_PLAYING)
    for round in 0..<40 {
      try pipeline.set("mode", ["strip", "sweep", "displace"][round % 3])
      try pipeline.set("canvas-length", ["0", "13", "500"][round % 3])
      try pipeline.set("angle", ["0", "90", "45", "-135"][round % 4])
      try pipeline.set("map", ["linear", "radial", "angular"][(round / 2) % 3])
    }
    try pipeline.expectEnd()
    #expect(pipeline.sent.count == 600)
  }

  /// The process's resident memory.
  static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(text.split(separator: " ")[1])) * 4096
  }
}
