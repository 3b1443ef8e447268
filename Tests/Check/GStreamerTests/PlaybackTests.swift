// Tests of how a stream is played: seeks, rates, loops and steps.

import Foundation
import TestClock
import Testing

@testable import GStreamer

@Suite struct PlaybackTests {
  private static let path =
    FileManager.default.temporaryDirectory.path + "/slitscan-\(UUID().uuidString).mov"

  /// A film of four seconds, with 25 frames a second and sound.
  private static let film = Task {
    let pipeline = try Pipeline(
      """
      videotestsrc num-buffers=100 ! video/x-raw,width=16,height=16,framerate=25/1 ! jpegenc ! queue \
      ! qtmux name=mux ! filesink location=\(path) audiotestsrc num-buffers=100 samplesperbuffer=320 \
      ! audio/x-raw,format=S16LE,rate=8000,channels=1 ! queue ! mux.
      """)
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    atexit { try? FileManager.default.removeItem(atPath: PlaybackTests.path) }
  }

  /// The film, on a clock of the test's.
  private struct Player {
    let clock = TestClock()
    let pipeline: Pipeline
    private var frames: Samples.Iterator

    /// - Parameter source: What gives the frames, nil for the film.
    init(_ source: String? = nil) async throws {
      try await film.value
      let source = source ?? "filesrc location=\(path) ! qtdemux ! jpegdec"
      pipeline = try Pipeline("\(source) ! appsink name=out", clock: clock.clock)
      let sink = try AppSink(pipeline.element(named: "out"))
      frames = sink.samples.makeAsyncIterator()
    }

    /// The numbers of the next frames, and how long each was shown, in milliseconds.
    mutating func next(_ count: Int) async throws -> (frames: [Int], durations: [Int]) {
      var (numbers, times): ([Int], [Double]) = ([], [])
      for _ in 0..<count {
        await clock.crank()
        guard let place = try await frames.next()?.streamTime else { break }
        numbers.append(Int((place.seconds * 25).rounded()))
        times.append(clock.now.seconds)
      }
      return (numbers, zip(times, times.dropFirst()).map { Int((($1 - $0) * 1000).rounded()) })
    }
  }

  /// The film, which is paused, before sinks that go by the clock.
  private func pausedFilm(_ clock: StreamClock? = nil) async throws -> Pipeline {
    try await Self.film.value
    let pipeline = try Pipeline(
      """
      filesrc location=\(Self.path) ! qtdemux name=film film. ! queue ! jpegdec ! fakesink sync=true \
      film. ! queue ! audioconvert ! fakesink name=sound sync=true
      """, clock: clock)
    try await pipeline.pause()
    return pipeline
  }

  private static let part = ClockTime.seconds(1)..<ClockTime.milliseconds(1120)

  @Test func aRateIsThatOfTheFramesThatFollow() async throws {
    var player = try await Player()
    try await player.pipeline.play()
    #expect(try await player.next(3) == ([0, 1, 2], [40, 40]))
    let expected: [(rate: Double, frames: [Int], duration: Int)] = [
      (0.25, [2, 3, 4], 160), (2, [4, 5, 6], 20), (-1, [5, 4, 3], 40), (-0.5, [3, 2, 1], 80),
    ]
    for (rate, frames, duration) in expected {
      try await player.pipeline.setRate(rate)
      #expect(try await player.next(3) == (frames, [duration, duration]), "at \(rate)")
      #expect(await player.pipeline.rate == rate)
    }
    await player.pipeline.stop()
    #expect(await player.pipeline.rate == 1)
  }

  @Test func aSeekKeepsTheRate() async throws {
    var player = try await Player()
    try await player.pipeline.pause()
    try await player.pipeline.setRate(0.5)
    try await player.pipeline.seek(to: .seconds(2))
    try await player.pipeline.play()
    #expect(try await player.next(3) == ([50, 51, 52], [80, 80]))
    await player.pipeline.stop()
  }

  @Test func aStreamThatIsPlayedBackwardsEndsAtItsBeginning() async throws {
    var player = try await Player()
    try await player.pipeline.pause()
    try await player.pipeline.seek(to: .milliseconds(120))
    try await player.pipeline.setRate(-1)
    try await player.pipeline.play()
    #expect(try await player.next(4).frames == [2, 1, 0])
    await player.pipeline.stop()
  }

  @Test(arguments: [0, .nan, .infinity]) func whatIsNoRateIsRefused(rate: Double) async throws {
    let pipeline = try await pausedFilm()
    let error = await #expect(throws: GStreamerError.self) { try await pipeline.setRate(rate) }
    #expect(error?.code == .outOfRange)
    #expect(await pipeline.rate == 1)
  }

  @Test func aStreamThatCannotSeekKeepsItsRate() async throws {
    let pipeline = try Pipeline("appsrc name=in ! fakesink")
    let input = try AppSrc(pipeline.element(named: "in"))
    for state in [State.null, .playing] {
      if state == .playing {
        async let plays: Void = pipeline.play()
        try await input.send(WritableBuffer(byteCount: 100).finish())
        try await plays
      }
      let error = await #expect(throws: GStreamerError.self) { try await pipeline.setRate(2) }
      #expect(error?.code == .refused)
      #expect(await pipeline.rate == 1)
    }
    #expect(await pipeline.seekableRange == nil)
    await pipeline.stop()
  }

  @Test(arguments: [1.0, -0.5]) func aLoopHasNoGapAndGoesOnWhereItEnds(rate: Double) async throws {
    // Demuxers of GStreamer 1.22 take the start of the last frame for its end.
    var player = try await Player("videotestsrc ! video/x-raw,framerate=25/1")
    try await player.pipeline.pause()
    try await player.pipeline.setRate(rate)
    try await player.pipeline.loop(Self.part)
    try await player.pipeline.play()
    let (frames, durations) = try await player.next(8)
    let turn = rate > 0 ? [25, 26, 27] : [27, 26, 25]
    #expect(frames == turn + turn + turn.prefix(2))
    #expect(durations == Array(repeating: rate > 0 ? 40 : 80, count: 7))
    try await player.pipeline.endLoop()
    let rest = try await player.next(4).frames
    #expect(rest == (rate > 0 ? [26, 27, 28, 29] : [26, 25, 24, 23]))
    await player.pipeline.stop()
  }

  @Test func aSeekOutOfALoopEndsIt() async throws {
    var player = try await Player()
    let messages = player.pipeline.bus.messages
    try await player.pipeline.pause()
    try await player.pipeline.loop()
    try await player.pipeline.seek(to: .milliseconds(3920))
    try await player.pipeline.play()
    #expect(try await player.next(4).frames == [98, 99, 0, 1])
    for await message in messages where message.kind == .segmentDone { break }
    try await player.pipeline.loop(Self.part)
    try await player.pipeline.seek(to: .milliseconds(3920))
    #expect(try await player.next(4).frames == [98, 99])
    try await player.pipeline.waitForEnd()
    let error = await #expect(throws: GStreamerError.self) {
      try await player.pipeline.loop(.seconds(1)..<ClockTime.seconds(1))
    }
    #expect(error?.code == .outOfRange)
    await player.pipeline.stop()
  }

  /// The position is that of the sink that is furthest on.
  @Test func aStepShowsTheFrameThatFollowsInTheDirectionOfTheRate() async throws {
    let pipeline = try await pausedFilm()
    try await pipeline.step()
    #expect(await pipeline.position == .milliseconds(40))
    try await pipeline.step(frames: 3)
    #expect(await pipeline.position == .milliseconds(160))
    // Two at once come one after the other.
    async let first: Void = pipeline.step()
    async let second: Void = pipeline.step()
    _ = try await (first, second)
    #expect(await pipeline.position == .milliseconds(240))
    try await pipeline.setRate(-1)
    try await pipeline.seek(to: .milliseconds(240))
    try await pipeline.step(frames: 2)
    #expect(await pipeline.position == .milliseconds(160))
    await pipeline.stop()
  }

  @Test func aStepThatIsNotThereIsRefused() async throws {
    let running = RunningClock()
    let pipeline = try await pausedFilm(running.clock.clock)
    for _ in 0..<2 {
      let end = await #expect(throws: GStreamerError.self) { try await pipeline.step(frames: 1000) }
      #expect(end?.code == .ended)
    }
    let none = await #expect(throws: GStreamerError.self) { try await pipeline.step(frames: 0) }
    #expect(none?.code == .outOfRange)
    // It goes on from there.
    try await pipeline.play()
    try await pipeline.waitForEnd()
    try await pipeline.pause()
    let over = await #expect(throws: GStreamerError.self) { try await pipeline.step() }
    #expect(over?.code == .ended)
    try await pipeline.seek(to: .seconds(1))
    try await pipeline.step()
    #expect(await pipeline.position == .milliseconds(1040))
    await pipeline.stop()
    let stopped = await #expect(throws: GStreamerError.self) { try await pipeline.step() }
    #expect(stopped?.code == .refused)
  }

  @Test func aPipelineSaysWhereItCanGoAndHowMuchIsThere() async throws {
    let pipeline = try await pausedFilm()
    #expect(await pipeline.seekableRange == ClockTime.zero...ClockTime.seconds(4))
    #expect(await pipeline.buffering?.percent == 100)
  }
}
