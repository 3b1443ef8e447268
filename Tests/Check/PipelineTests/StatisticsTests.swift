// Tests of the property `stats`.

import CGStreamer
import GStreamer
import Testing

@Suite struct StatisticsTests {
  private static let video = "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1"

  @Test func everyFrameIsDrawnOrPassesOrIsLate() throws {
    for (properties, drawn, passed) in [("", 30, 0), ("mix=0", 0, 30), ("mode=strip mix=0", 30, 0)]
    {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=30 ! \(Self.video) ! "
          + "slitscan name=scan depth=20 \(properties) ! fakesink")
      #expect(try pipeline.playToEnd().last?.kind == .eos)
      #expect(try pipeline.statistic("frames") == 30)
      #expect(try pipeline.statistic("drawn") == drawn)
      #expect(try pipeline.statistic("passed") == passed)
      #expect(try pipeline.statistic("late") == 0)
      #expect(try pipeline.statistic("drained") == 0)
      #expect(try pipeline.statistic("average-time") > 0)
    }
  }

  @Test func historyIsAsInItsProperties() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.video) ! slitscan name=scan depth=20 ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(try pipeline.statistic("depth") == 20)
    #expect(try pipeline.statistic("wanted-depth") == 20)
    #expect(try pipeline.statistic("history-frames") == 20)
    #expect(
      String(try pipeline.statistic("history-bytes")) == (try pipeline.property("history-bytes")))
  }

  @Test func aLimitIsInTheStatistics() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.video) ! "
        + "slitscan name=scan depth=20 max-memory=40000 ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(try pipeline.statistic("wanted-depth") == 20)
    let depth = try pipeline.statistic("depth")
    #expect(depth < 20)
    #expect(try pipeline.statistic("history-frames") == depth)
  }

  @Test func aStreamStartsFromNothing() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.video) ! slitscan name=scan ! fakesink")
    for _ in 0..<2 {
      #expect(try pipeline.playToEnd().last?.kind == .eos)
      #expect(try pipeline.statistic("frames") == 30)
      try pipeline.go(to: GST_STATE_READY)
      #expect(try pipeline.statistic("frames") == 0)
      #expect(try pipeline.statistic("average-time") == 0)
    }
  }

  /// Frames come every 40 ms.
  @Test(arguments: [
    ("depth=21", 400, 400), ("depth=21 map=radial", 428, 100),
    ("depth=21 gain=0 offset=0.25", 200, 200),
    ("depth=21 interpolation=linear", 400, 400), ("depth=21 gain=0", 0, 0),
    ("duration=800000000", 400, 400), ("depth=101 gain=0 offset=1", 1160, 1160),
    ("depth=21 mix=0", 0, 0), ("depth=1", 0, 0), ("mode=strip", 0, 0), ("mode=sweep", 0, 0),
  ])
  func statisticsGiveTheAgeOfTheFrame(properties: String, mean: Int, center: Int) throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.video) ! slitscan name=scan \(properties) ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    let told = (
      mean: try pipeline.statistic("mean-delay"), center: try pipeline.statistic("center-delay")
    )
    // To half a frame; the centre is some pixels wide.
    #expect(abs(Int(told.mean) - mean * 1_000_000) <= 30_000_000, "\(told)")
    #expect(abs(Int(told.center) - center * 1_000_000) <= 30_000_000, "\(told)")
  }
}
