// Tests of branches to the pad `map` that hang, come and go, deliver invalid data, or share a tee with the video. The
// video must go on.

import CGStreamer
import GStreamer
import TestClock
import Testing

@Suite struct MapBranchTests {
  // MARK: Branches that are not there

  @Test func aPadThatIsNotLinkedIsNotWaitedFor() throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 40)
    let pad = try pipeline.scan.requestPad("map")
    defer { pipeline.scan.release(pad) }
    try pipeline.expectToPlay()
    record.expectDelays(count: 40) { _ in 0 }
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
      record.wait(forDelay: delay)
      branch.leave(padFirst: round % 2 == 0)
      record.wait(forDelay: 0)
    }
    pipeline.endStream()
    // A source that loses its pad says so.
    while try pipeline.nextMessage().kind != .eos {}
  }

  @Test(arguments: [false, true]) func aBranchThatIsHeldUpMayBeTakenAway(padFirst: Bool) throws {
    let (pipeline, _) = try Numbered.pipeline()
    let branch = try PlayingBranch(to: pipeline, value: 0)
    // The video stands still at its first frame, and with it the branch.
    try pipeline.go(to: GST_STATE_PAUSED)
    branch.waitForFullQueue()
    branch.leave(padFirst: padFirst)
  }

  @Test func aVideoThatWaitsForItsMapMayBeStopped() async throws {
    let limits = TestClock()
    let (pipeline, record) = try Numbered.pipeline(limits: limits)
    let branch = try PushedBranch(to: pipeline)
    for state in [GST_STATE_READY, GST_STATE_NULL] {
      try pipeline.start()
      branch.start(Numbered.mapCaps)
      let before = record.frames.count
      try branch.push(0, at: 0, lasting: Numbered.frame)
      record.wait { $0.count > before }
      await limits.waits(1)
      try pipeline.go(to: state)
      // The frame that waited may still go out.
      #expect(record.frames.count <= before + 2)
    }
  }

  // MARK: Branches that hang

  @Test(arguments: [true, false]) func aLiveVideoWaitsForNoSilentBranch(isLive: Bool) async throws {
    let clock = TestClock()
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc is-live=\(isLive) ! \(Numbered.mapCaps) ! valve drop=true ! scan.map",
      frames: 25, isLive: true, clock: clock)
    _ = try await clock.run { try pipeline.expectToPlay() }
    #expect(record.frames.map(\.delay) == [Int?](repeating: 0, count: 25))
  }

  @Test(arguments: [
    "videotestsrc name=map is-live=true ! \(Numbered.mapCaps) ! scan.map",
    "videotestsrc name=map ! \(Numbered.mapCaps) ! identity name=slow ! scan.map",
    "videotestsrc name=map ! \(Numbered.mapCaps) ! scan.map",
  ])
  func aLiveVideoTakesTheMapThatThereIs(branch: String) async throws {
    let clock = TestClock()
    let (pipeline, record) = try Numbered.pipeline(branch, isLive: true, clock: clock)
    // However long no map has come, the frames are there once one has.
    try pipeline.set("history", "whole")
    // What is slow comes five frames late.
    try pipeline.paint("map") { _ in
      if branch.contains("slow") { record.wait { $0.count >= 5 } }
      return Numbered.luma(ofDelay: 8)
    }
    try await clock.run {
      try pipeline.start()
      record.wait(forDelay: 8)
      pipeline.endStream()
      try pipeline.expectEnd()
    }
    #expect(record.lastDelay == 8)
    let first = try #require(record.frames.first?.pts)
    for (number, frame) in record.frames.enumerated() {
      #expect(frame.pts == first + UInt(number) * Numbered.frame)
      #expect([0, min(number, 8)].contains(try #require(frame.delay)))
    }
  }

  @Test func aVideoThatIsNotLiveMayHaveALiveMap() async throws {
    let clock = TestClock()
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc name=map is-live=true ! \(Numbered.mapCaps) ! scan.map", clock: clock)
    try pipeline.paint("map") { _ in Numbered.luma(ofDelay: 8) }
    try await clock.run {
      try pipeline.start()
      record.wait(forDelay: 8)
      pipeline.endStream()
      try pipeline.expectEnd()
    }
  }

  @Test func aVideoThatIsNotLiveDoesNotWaitForALiveMap() async throws {
    // Else it would be late, having waited for the time of each of its frames. Here only the first comes, with
    // which the branch says that it is live.
    let clock = TestClock()
    let (pipeline, record) = try Numbered.pipeline(
      "videotestsrc is-live=true ! \(Numbered.mapCaps) ! "
        + "valve drop=true drop-mode=forward-sticky-events ! scan.map", frames: 25, clock: clock)
    try pipeline.start()
    await clock.crank()
    try pipeline.expectEnd()
    record.expectDelays(count: 25) { _ in 0 }
  }

  @Test func aBranchThatHangsIsNotWaitedForForEver() async throws {
    let limits = TestClock()
    try await Self.hang(limits)
  }

  @Test func whereNoClockIsGivenTheSystemsLimitsTheWait() async {
    // In a process of its own, whose clock that is.
    await #expect(processExitsWith: .success) {
      let limits = TestClock()
      unsafe gst_system_clock_set_default(limits.base)
      try await MapBranchTests.hang(limits, isGiven: false)
    }
  }

  /// Plays beside a branch that hangs.
  private static func hang(_ limits: TestClock, isGiven: Bool = true) async throws {
    let (pipeline, record) = try Numbered.pipeline(frames: 100, limits: isGiven ? limits : nil)
    let branch = try PushedBranch(to: pipeline)
    try pipeline.start()
    branch.start(Numbered.mapCaps)
    try branch.push(Numbered.luma(ofDelay: 4), at: 0, lasting: Numbered.frame)
    record.wait { !$0.isEmpty }
    // A process that was stopped for an hour, as if for half a second.
    await limits.waits(1)
    limits.advance(by: .seconds(3600))
    for _ in 0..<8 { await limits.crank() }
    await limits.waits(1)
    #expect(record.frames.count == 1)
    await limits.crank()
    try pipeline.expectEnd()
    record.expectDelays(count: 100) { _ in 4 }
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
    let warning = try pipeline.nextMessage(.warning)
    #expect(warning.source?.name == "scan")
    #expect(warning.text.contains("raw video"))
    record.wait(forMore: 40)
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
  }

  @Test func behindATeeThatFeedsTheVideoFirstTheMapIsTheFrameBefore() throws {
    let (pipeline, record) = try Numbered.teedPipeline(
      "t. ! \(Numbered.scan) t. ! scan.map", frames: 200)
    try pipeline.expectToPlay()
    record.expectDelays(count: 200) { Numbered.delay(ofLuma: UInt8(max(0, $0 - 1))) }
  }

  @Test func behindATeeWithAQueueBeforeTheMapOnlyTheVideoGoesOn() async throws {
    // The map of a frame is only sent once the frame is done.
    let limits = TestClock()
    let (pipeline, record) = try Numbered.teedPipeline(
      "t. ! \(Numbered.scan) t. ! queue ! scan.map", frames: 200, limits: limits)
    _ = try await limits.run { try pipeline.expectToPlay() }
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
  }
}
