// Tests of the pad `map`: a second video as the map, synchronized by running time.

import CGStreamer
import GStreamer
import Testing

@Suite struct MapPadTests {
  @Test(arguments: [(25, 8), (10, 60), (25, 25), (30, 24)])
  func aFrameHasTheNewestMapThatIsNotLater(rates: (video: Int, map: Int)) throws {
    let pipeline = try TestPipeline(
      """
      videotestsrc name=video num-buffers=60 ! \
      video/x-raw,format=GRAY8,width=16,height=16,framerate=\(rates.video)/1 ! \(Numbered.scan) \
      videotestsrc name=map ! \
      video/x-raw,format=GRAY8,width=5,height=3,framerate=\(rates.map)/1,colorimetry=1:4:5:1 ! \
      scan.map
      """)
    // The times that videotestsrc gives its frames, to the nanosecond.
    let times = (0..<1000).map { UInt($0) * 1_000_000_000 / UInt(rates.map) }
    let delays = times.indices.map { $0 * 3 % 11 }
    try pipeline.paint("video") { UInt8(($0 * UInt(rates.video) + 500_000_000) / 1_000_000_000) }
    try pipeline.paint("map") { pts in
      times.firstIndex(of: pts).map { Numbered.luma(ofDelay: delays[$0]) } ?? 0
    }
    let record = try pipeline.recordFrames()
    try pipeline.expectToPlay()

    #expect(record.frames.count == 60)
    for (index, frame) in record.frames.enumerated() {
      let newest = try #require(times.lastIndex { $0 <= frame.pts })
      #expect(frame.value == UInt8(max(0, index - delays[newest])), "frame \(index)")
    }
  }

  @Test func mapsThatNoFrameHasAreLate() throws {
    let pipeline = try TestPipeline(
      """
      videotestsrc num-buffers=30 ! video/x-raw,format=GRAY8,width=16,height=16,framerate=10/1 ! \
      \(Numbered.scan) \
      videotestsrc ! video/x-raw,format=GRAY8,width=4,height=4,framerate=60/1 ! scan.map
      """)
    try pipeline.expectToPlay()
    // The last frame, at 2.9 s, has map 174. Each frame has one, and the others are late.
    #expect(try pipeline.statistic("map-late") == 145)
  }

  @Test(arguments: ["GRAY16_LE,colorimetry=bt601", "I420", "BGRx", "YUY2", "P010_10LE"])
  func theMapsFormatIsItsOwn(format: String) throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc pattern=white ! video/x-raw,format=\(format),width=34,height=20 ! scan.map",
      frames: 30)
    try pipeline.expectToPlay()
    record.expectDelays(count: 30) { _ in 10 }
  }

  @Test func theMapsCapsMayChangeInMidstream() throws {
    let (pipeline, record) = try Numbered.pipeline(
      """
      concat name=both ! scan.map \
      videotestsrc name=first num-buffers=12 ! \(Numbered.mapCaps) ! both. \
      videotestsrc name=second num-buffers=20 ! \
      video/x-raw,format=I420,width=6,height=2,framerate=25/1,colorimetry=bt601 ! both.
      """, frames: 40)
    try pipeline.paint("first") { _ in Numbered.luma(ofDelay: 7) }
    // 16 is black here and 235 white: (82 − 16)/219·10 is 3.01.
    try pipeline.paint("second") { _ in 82 }
    try pipeline.expectToPlay()
    record.expectDelays(count: 40) { $0 < 12 ? 7 : 3 }
  }

  @Test func aBranchThatEndsLeavesItsLastMap() throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map num-buffers=5 ! \(Numbered.mapCaps) ! scan.map", frames: 40)
    try pipeline.paint("map") { Numbered.luma(ofDelay: Int($0 / Numbered.frame) + 2) }
    try pipeline.expectToPlay()
    record.expectDelays(count: 40) { min($0, 4) + 2 }
  }

  @Test func aBranchThatStartsLateCountsFromThen() throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map timestamp-offset=500000000 ! \(Numbered.mapCaps) ! scan.map",
      frames: 40)
    try pipeline.paint("map") { _ in Numbered.luma(ofDelay: 6) }
    try pipeline.expectToPlay()
    // Where there is no map yet, f is 0. Frame 13 is at 520 ms.
    record.expectDelays(count: 40) { $0 < 13 ? 0 : 6 }
  }

  @Test func gapsAndSegmentsMoveTheMapsTime() throws {
    let frame = Numbered.frame
    let second: UInt = 1_000_000_000
    let (pipeline, record) = try Numbered.pipeline(frames: 50)
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    try branch.push(Numbered.luma(ofDelay: 10), at: 0, lasting: frame)
    branch.pushGap(at: frame, lasting: 9 * frame)
    try branch.push(Numbered.luma(ofDelay: 3), at: 10 * frame, lasting: frame)
    // Twice as fast. What lies outside the segment counts for nothing, and what reaches into it from
    // its beginning.
    branch.beginSegment(from: 5 * second, to: 6 * second, base: 20 * frame, rate: 2)
    try branch.push(Numbered.luma(ofDelay: 1), at: 4 * second, lasting: frame)
    try branch.push(Numbered.luma(ofDelay: 7), at: 5 * second - frame / 2, lasting: 2 * frame)
    try branch.push(Numbered.luma(ofDelay: 5), at: 5 * second + 6 * frame, lasting: frame)
    try branch.push(Numbered.luma(ofDelay: 1), at: 6 * second, lasting: frame)
    // Backwards, a map begins when the frame of its time does. The last one lasts to the end.
    branch.beginSegment(to: second, base: 30 * frame, rate: -1)
    try branch.push(Numbered.luma(ofDelay: 9), at: second - frame, lasting: frame)
    try branch.push(Numbered.luma(ofDelay: 4), at: second - 12 * frame, lasting: 12 * frame)
    try pipeline.expectEnd()
    record.expectDelays(count: 50) {
      switch $0 {
      case ..<10: 10
      case ..<20: 3
      case ..<23: 7
      case ..<31: 5
      case ..<42: 9
      default: 4
      }
    }
  }

  @Test func afterItsEndOrAFlushAStreamMayStartAgain() throws {
    let (pipeline, record) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    for (round, delay) in [3, 8, 1, 10, 2, 6].enumerated() {
      branch.start(Numbered.mapCaps)
      // From long ago until tomorrow.
      try branch.push(Numbered.luma(ofDelay: delay), at: 0, lasting: 86_400_000_000_000)
      record.wait(forDelay: delay)
      if round % 2 == 0 { branch.end() } else { branch.flush() }
    }
    branch.end()
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  @Test func afterTheVideosEndTheBranchIsToldUntilASeek() throws {
    let (pipeline, record) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    let day: UInt = 86_400_000_000_000
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    #expect(try branch.push(Numbered.luma(ofDelay: 3), at: 0, lasting: day) == GST_FLOW_OK)
    record.wait(forDelay: 3)
    pipeline.endStream()
    try pipeline.expectEnd()
    #expect(try branch.push(Numbered.luma(ofDelay: 5), at: day) == GST_FLOW_EOS)

    branch.end()
    try pipeline.seek(to: 0)
    branch.flush()
    branch.start(Numbered.mapCaps)
    #expect(try branch.push(Numbered.luma(ofDelay: 7), at: 0, lasting: day) == GST_FLOW_OK)
    record.wait(forDelay: 7)
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  @Test func anElementThatStopsDoesNotEndTheBranch() throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map ! \(Numbered.mapCaps) ! scan.map")
    let ends = PadRecord<Event>()
    try pipeline.element("map").pad("src").addProbe(.eventDownstream) { item in
      if case .event(let event) = item, event.kind == .eos { ends.append(event) }
      return .pass
    }
    try pipeline.start()
    record.wait(forMore: 10)
    _ = unsafe pipeline.scan.withGstElement { unsafe gst_element_set_state($0, GST_STATE_READY) }
    try pipeline.go(to: GST_STATE_NULL)
    #expect(ends.passed.isEmpty)
  }

  @Test func untimedMapsAreOneForEachFrame() throws {
    let (pipeline, record) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    for index in 0..<50 { try branch.push(Numbered.luma(ofDelay: index % 11)) }
    record.wait(forDelay: 49 % 11)
    #expect(try pipeline.statistic("map-buffers") == 50)
    #expect(try pipeline.statistic("map-late") == 0)
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  // MARK: Seeks

  @Test(arguments: [false, true]) func aSeekMovesVideoAndMap(haveOneSource: Bool) throws {
    let (pipeline, record) =
      haveOneSource
      ? try Numbered.teedPipeline("t. ! queue ! scan.map t. ! queue ! \(Numbered.scan)")
      : try Numbered.pipeline("videotestsrc name=map ! \(Numbered.mapCaps) ! scan.map")
    if !haveOneSource {
      try pipeline.paint("map") { Numbered.luma(ofDelay: Int($0 / Numbered.frame) % 11) }
    }
    try pipeline.go(to: GST_STATE_PAUSED)
    // Backwards, so that what was before a seek does not go on with what is after it.
    for second in [8, 6, 3, 1] {
      try pipeline.seek(to: second * 1_000_000_000)
      try pipeline.go(to: GST_STATE_PLAYING)
      record.wait(forMore: 40)
      try pipeline.go(to: GST_STATE_PAUSED)
      var sinceSeek: [PassedFrame] = []
      for frame in record.frames.reversed() {
        if let next = sinceSeek.last, next.pts != frame.pts + Numbered.frame { break }
        sinceSeek.append(frame)
      }
      sinceSeek.reverse()
      #expect(sinceSeek.first?.pts == UInt(second) * 1_000_000_000)
      for (index, frame) in sinceSeek.enumerated() {
        let asked =
          haveOneSource
          ? Numbered.delay(ofLuma: Numbered.byte(at: frame.pts))
          : Int(frame.pts / Numbered.frame) % 11
        #expect(frame.delay == min(asked, index), "frame \(index) after \(second) s")
      }
    }
  }

  @Test func seeksMayFollowEachOtherQuickly() throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map ! \(Numbered.mapCaps) ! scan.map")
    try pipeline.paint("map") { Numbered.luma(ofDelay: Int($0 / Numbered.frame) % 11) }
    try pipeline.go(to: GST_STATE_PLAYING)
    for round in 0..<30 {
      try pipeline.seek(to: (round * 7 % 10) * 1_000_000_000)
      if round % 3 == 0 { record.wait(forMore: 20) }
    }
    for frame in record.frames { #expect((0...10).contains(try #require(frame.delay))) }
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  // MARK: Caps, queries and events

  @Test func thePadTakesWhatIsScannedAndNothingElse() throws {
    let (pipeline, _) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    let size = "width=4,height=4,framerate=25/1"
    for caps in [
      "video/x-raw,format=GRAY8,width=1,height=1,framerate=0/1",
      "video/x-raw,format=P016_LE,\(size)", "video/x-raw,format=BGR,\(size)",
    ] { #expect(branch.accepts(caps), "\(caps)") }
    for caps in [
      "audio/x-raw", "video/x-h264", "image/jpeg",
      "video/x-raw(memory:GLMemory),format=RGBA,\(size)",
      "video/x-raw,format=NV12_64Z32,\(size)",
      "video/x-raw(format:Interlaced),format=I420,interlace-mode=alternate,\(size)",
    ] { #expect(!branch.accepts(caps), "\(caps)") }
  }

  @Test func thePadOffersVideoMetaAndNoPool() throws {
    let (pipeline, _) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    let offered = branch.allocation(for: Numbered.mapCaps)
    #expect(offered.takesVideoMeta)
    #expect(offered.pools == 0)
  }

  @Test func nothingOfTheMapsStreamGoesDownstream() throws {
    let (pipeline, _) = try Numbered.pipeline(frames: 20)
    let events = try pipeline.recordEvents()
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    for round: UInt in 0..<2 {
      branch.start(Numbered.mapCaps)
      try branch.push(0, at: round * Numbered.frame, lasting: Numbered.frame)
      branch.pushGap(at: (round + 1) * Numbered.frame, lasting: Numbered.frame)
      if round == 0 { branch.flush() }
    }
    branch.setCaps(Numbered.caps)
    branch.end()
    try pipeline.expectEnd()
    #expect(
      events.passed == [
        GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_EOS,
      ])
  }
}
