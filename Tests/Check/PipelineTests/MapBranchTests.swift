// Tests of branches to the pad `map` that hang, come and go, deliver invalid data, or share a tee with the video. The
// video must go on.

import CGStreamer
import GStreamer
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MapBranchTests {
  // MARK: Branches that are not there

  @Test func aPadThatIsNotLinkedIsNotWaitedFor() throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 40)
    let pad = try pipeline.scan.requestPad("map")
    defer { pipeline.scan.release(pad) }
    try pipeline.expectToPlay()
    record.expectDelays(count: 40) { _ in 0 }
    #expect(!(try pipeline.hasWaitedInVain()))
  }

  @Test func thereIsOnlyOnePad() throws {
    let (pipeline, _) = try Numbered.pipeline()
    for _ in 0..<3 {
      let pad = try pipeline.scan.requestPad("map")
      #expect(throws: GStreamerError.self) { try pipeline.scan.requestPad("map") }
      pipeline.scan.release(pad)
    }
  }

  @Test func branchesMayComeAndGoWhilePlaying() throws {
    let (pipeline, record) = try Numbered.pipeline()
    try pipeline.start()
    for round in 0..<30 {
      let delay = round % 10 + 1
      let branch = try PlayingBranch(to: pipeline, value: Numbered.luma(ofDelay: delay))
      try pipeline.waitUntil("a delay of \(delay)") {
        // Once it is not waited for any more, it may never catch up with a video at full speed.
        try #require(!(try pipeline.hasWaitedInVain()), "in round \(round)")
        return record.lastDelay == delay
      }
      branch.leave(padFirst: round % 2 == 0)
      try pipeline.waitUntil("no delay") { record.lastDelay == 0 }
    }
    #expect(!(try pipeline.hasWaitedInVain()))
    pipeline.endStream()
    // A source that loses its pad says so.
    var last: Message?
    repeat {
      last = pipeline.nextMessage()
    } while last != nil && last?.kind != .eos
    #expect(last?.kind == .eos)
  }

  @Test(arguments: [false, true])
  func aBranchThatIsHeldUpMayBeTakenAway(padFirst: Bool) throws {
    let (pipeline, _) = try Numbered.pipeline()
    let branch = try PlayingBranch(to: pipeline, value: 0)
    // The video stands still at its first frame, and with it the branch.
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.waitUntil("a full queue") { branch.sent >= 6 }
    branch.leave(padFirst: padFirst)
  }

  @Test func aVideoThatWaitsForItsMapMayBeStopped() throws {
    let (pipeline, record) = try Numbered.pipeline()
    let branch = try PushedBranch(to: pipeline)
    for state in [GST_STATE_READY, GST_STATE_NULL] {
      try pipeline.start()
      branch.start(Numbered.mapCaps)
      let before = record.frames.count
      try branch.push(0, at: 0, lasting: Numbered.frame)
      try pipeline.waitUntil("the first frame") { record.frames.count > before }
      try pipeline.go(to: state)
      // The frame that waited may still go out.
      #expect(record.frames.count <= before + 2)
    }
  }

  // MARK: Branches that hang

  @Test(arguments: [true, false])
  func aLiveVideoWaitsForNoSilentBranch(isLive: Bool) throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc is-live=\(isLive) ! \(Numbered.mapCaps) ! valve drop=true ! scan.map",
      frames: 25, isLive: true)
    try pipeline.expectToPlay()
    #expect(record.frames.map(\.delay) == [Int?](repeating: 0, count: 25))
    #expect(!(try pipeline.hasWaitedInVain()))
  }

  @Test(arguments: [
    "videotestsrc name=map is-live=true ! \(Numbered.mapCaps) ! scan.map",
    "videotestsrc name=map ! \(Numbered.mapCaps) ! identity sleep-time=200000 ! scan.map",
    "videotestsrc name=map ! \(Numbered.mapCaps) ! scan.map",
  ])
  func aLiveVideoTakesTheMapThatThereIs(branch: String) throws {
    let (pipeline, record) = try Numbered.pipeline(branch, isLive: true)
    try pipeline.paint("map") { _ in Numbered.luma(ofDelay: 8) }
    try pipeline.start()
    try pipeline.waitUntil("the map") { record.lastDelay == 8 }
    pipeline.endStream()
    try pipeline.expectEnd()
    #expect(!(try pipeline.hasWaitedInVain()))
    #expect(record.lastDelay == 8)
    let first = try #require(record.frames.first?.pts)
    for (number, frame) in record.frames.enumerated() {
      #expect(frame.pts == first + UInt(number) * Numbered.frame)
      #expect([0, min(number, 8)].contains(try #require(frame.delay)))
    }
  }

  @Test func aVideoThatIsNotLiveMayHaveALiveMap() throws {
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map is-live=true ! \(Numbered.mapCaps) ! scan.map")
    try pipeline.paint("map") { _ in Numbered.luma(ofDelay: 8) }
    try pipeline.start()
    try pipeline.waitUntil("the map") { record.lastDelay == 8 }
    #expect(!(try pipeline.hasWaitedInVain()))
    pipeline.endStream()
    try pipeline.expectEnd()
  }

  @Test func aVideoThatIsNotLiveDoesNotWaitForALiveMap() throws {
    // Else it would be late, having waited for the time of each of its frames.
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc is-live=true ! \(Numbered.mapCaps) ! "
        + "valve drop=true drop-mode=forward-sticky-events ! scan.map", frames: 25)
    try pipeline.expectToPlay()
    record.expectDelays(count: 25) { _ in 0 }
    #expect(!(try pipeline.hasWaitedInVain()))
  }

  @Test func aBranchThatHangsIsNotWaitedForForEver() throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 100)
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    try branch.push(Numbered.luma(ofDelay: 4), at: 0, lasting: Numbered.frame)
    try pipeline.expectEnd()
    record.expectDelays(count: 100) { _ in 4 }
    #expect(try pipeline.hasWaitedInVain())
  }

  // MARK: Branches of something else

  @Test(arguments: [
    "audio/x-raw,format=S16LE,rate=44100,channels=1,layout=interleaved", "video/x-h264",
    "video/x-raw(memory:GLMemory),format=RGBA,width=2,height=2,framerate=25/1",
  ])
  func aMapOfOtherCapsIsAWarningAndTheVideoGoesOn(caps: String) throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 40)
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    try branch.push(Numbered.luma(ofDelay: 2), at: 0, lasting: Numbered.frame)
    branch.setCaps(caps)
    for number: UInt in 1..<20 {
      try branch.push(255, at: number * Numbered.frame, lasting: Numbered.frame)
    }
    // What is one again is one again.
    branch.setCaps(Numbered.mapCaps)
    try branch.push(Numbered.luma(ofDelay: 5), at: 20 * Numbered.frame, lasting: Numbered.frame)
    branch.end()
    let warnings = try pipeline.expectEnd()
    #expect(warnings.count == 1)
    #expect(warnings.first?.source?.name == "scan")
    #expect(warnings.first?.text.contains("raw video") == true)
    #expect(warnings.first?.text.contains("decodebin") == true)
    record.expectDelays(count: 40) { $0 < 20 ? 2 : 5 }
  }

  @Test func dataWithoutCapsIsAWarningAndTheVideoGoesOn() throws {
    let (pipeline, record) = try Numbered.pipeline("fakesrc sizetype=fixed sizemax=16 ! scan.map")
    try pipeline.start()
    // The video need not wait for the data.
    let warning = try pipeline.nextWarning()
    #expect(warning.source?.name == "scan")
    #expect(warning.text.contains("raw video"))
    let count = record.frames.count
    try pipeline.waitUntil("more frames") { record.frames.count > count + 40 }
    pipeline.endStream()
    #expect(try pipeline.expectEnd().isEmpty)
    record.expectDelays(count: record.frames.count) { _ in 0 }
  }

  @Test func buffersThatAreTooSmallAreNoMaps() throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 20)
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start("video/x-raw,format=GRAY8,width=4000,height=4000,framerate=25/1")
    try branch.push(255, at: 0, lasting: Numbered.frame)
    branch.end()
    try pipeline.expectEnd()
    record.expectDelays(count: 20) { _ in 0 }
  }

  // MARK: One tee for both

  @Test(arguments: [
    "t. ! scan.map t. ! \(Numbered.scan)", "t. ! queue ! scan.map t. ! queue ! \(Numbered.scan)",
    "t. ! scan.map t. ! queue ! \(Numbered.scan)",
  ])
  func behindATeeEachFrameIsItsOwnMap(branches: String) throws {
    let (pipeline, record) = try Numbered.teedPipeline(branches, frames: 200)
    try pipeline.expectToPlay()
    record.expectDelays(count: 200) { Numbered.delay(ofLuma: UInt8($0)) }
    #expect(!(try pipeline.hasWaitedInVain()))
  }

  @Test func behindATeeThatFeedsTheVideoFirstTheMapIsTheFrameBefore() throws {
    let (pipeline, record) = try Numbered.teedPipeline(
      "t. ! \(Numbered.scan) t. ! scan.map", frames: 200)
    try pipeline.expectToPlay()
    record.expectDelays(count: 200) { Numbered.delay(ofLuma: UInt8(max(0, $0 - 1))) }
    #expect(!(try pipeline.hasWaitedInVain()))
  }

  @Test func behindATeeWithAQueueBeforeTheMapOnlyTheVideoGoesOn() throws {
    // The map of a frame is only sent once the frame is done.
    let (pipeline, record) = try Numbered.teedPipeline(
      "t. ! \(Numbered.scan) t. ! queue ! scan.map", frames: 200)
    try pipeline.expectToPlay()
    #expect(record.frames.count == 200)
    for frame in record.frames { #expect((0...10).contains(try #require(frame.delay))) }
  }

  @Test func behindATeeAVideoOfFewerFramesIsNotStopped() throws {
    let (pipeline, record) = try Numbered.teedPipeline(
      "t. ! scan.map t. ! identity name=few ! \(Numbered.scan)", frames: 200)
    try pipeline.dropBuffers(of: "few") { $0 / Numbered.frame % 20 != 0 }
    try pipeline.expectToPlay()
    #expect(record.frames.count == 10)
    for (index, frame) in record.frames.enumerated() {
      let asked = Numbered.delay(ofLuma: UInt8(20 * index))
      #expect(frame.value == UInt8(20 * max(0, index - asked)), "frame \(index)")
    }
    #expect(!(try pipeline.hasWaitedInVain()))
  }
}
