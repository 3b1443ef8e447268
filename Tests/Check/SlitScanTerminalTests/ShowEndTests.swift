// Tests of the end of a show: what is being written then, and what is said of it.

import Foundation
import GStreamer
import SlitScanCapture
import StageUnderTest
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanTerminal
@testable import SlitScanStage

@Suite final class ShowEndTests {
  /// A show of a pattern, without a window, and the task that runs it.
  private struct Run {
    let show: Show
    let task: Task<StageError?, Never>

    /// Runs a show, and returns once it plays and has shown a frame.
    ///
    /// - Parameter clock: The clock of its limits.
    init(
      size: Int = 64, outputs: [Output] = [], clock: ManualClock = ManualClock(),
      in folder: TemporaryFolder, on streamClock: TestClock
    ) async throws {
      let show = await Show(
        try CaptureStage(
          .pattern("ball"), size: size, outputs: outputs, clock: clock, on: streamClock),
        folder: folder.path)
      let frames = await show.capture.frames()
      var reader = frames.makeAsyncIterator()
      let (looks, look) = AsyncStream.makeStream(of: Void.self)
      task = Task {
        do throws(StageError) {
          try await show.run(room: { (0, 0) }, draw: { _ in look.yield() })
          return nil
        } catch {
          return error
        }
      }
      self.show = show
      _ = try await reader.next()
      for await _ in looks { break }
    }
  }

  private let folder = TemporaryFolder()
  private let streamClock = TestClock.running()

  deinit { streamClock.stop() }

  /// Returns once some frames have passed.
  private func passFrames(_ capture: CapturePipeline) async throws {
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    for _ in 0..<5 { _ = try await reader.next() }
  }

  @Test func aRecordingThatIsRunningIsCompletedAndSaidToBe() async throws {
    let run = try await Run(outputs: [Output("sink:fakesink")], in: folder, on: streamClock)
    let path = folder.path + "/take.mkv"
    try await run.show.performance.perform(.record(.on, path))
    try await passFrames(run.show.capture)
    run.show.end()
    #expect(await run.task.value == nil)
    #expect(await run.show.performance.state.recording == nil)
    #expect(await run.show.lastChanges.contains(.recorded(path)))
    #expect(try folder.files == ["take.mkv"])
  }

  @Test func aRecordingThatCannotBeCompletedIsAFailureOfTheShow() async throws {
    let standing = TestClock()
    async let first: Void = standing.crank()
    let run = try await Run(in: folder, on: standing)
    await first
    try await run.show.performance.perform(.record(.on, folder.path + "/take.mkv"))
    run.show.end()
    let error = await run.task.value
    #expect(error?.code == .notWritten)
    #expect(error?.message.contains("nothing was recorded") == true, "\(String(describing: error))")
    #expect(await run.show.capture.state == .stopped)
  }

  @Test func aRecordingThatBrokeOffLongAgoIsAFailureOfTheShow() async throws {
    let full = folder.path + "/full.mkv"
    try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
    let run = try await Run(in: folder, on: streamClock)
    let changes = run.show.performance.changes
    try await run.show.performance.perform(.record(.on, full))
    for await change in changes { if case .warning = change { break } }
    // Another one is whole.
    let path = folder.path + "/take.mkv"
    try await run.show.performance.perform(.record(.on, path))
    try await passFrames(run.show.capture)
    try await run.show.performance.perform(.record(.off, nil))
    run.show.end()
    let error = await run.task.value
    #expect(error?.code == .notWritten)
    #expect(error?.message.contains("The disk is full") == true, "\(String(describing: error))")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func endingARecordingThatHasJustFailedReportsTheReason() async throws {
    let path = folder.path + "/take.mkv"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let stage = try CaptureStage(.pattern("ball"), on: streamClock)
    let news = stage.news
    try await stage.start()
    try await stage.startRecording(to: path)
    for await change in news { if case .recordingLost = change { break } }
    let error = await #expect(throws: StageError.self) { try await stage.stopRecording() }
    #expect(error?.message.contains("The disk is full") == true, "\(String(describing: error))")
    // Another one can begin.
    let other = folder.path + "/other.mkv"
    try await stage.startRecording(to: other)
    try await passFrames(stage.capture)
    #expect(try await stage.stopRecording() == other)
    await stage.stop()
  }

  @Test func aRecordingTellsHowItsFramesWereChanged() async throws {
    let stage = try CaptureStage(
      .pattern("ball"), scan: ["mode": "strip", "canvas-length": 101], on: streamClock)
    let news = stage.news
    try await stage.start()
    try await stage.startRecording(to: folder.path + "/take.mkv")
    try await passFrames(stage.capture)
    _ = try await stage.stopRecording()
    for await change in news {
      if case .notice(let text) = change, text.contains("x101 pixels were scaled to") { break }
    }
    await stage.stop()
  }

  @Test func aStillThatIsBeingWrittenIsThereWhenTheShowIsOver() async throws {
    // So large that it takes a while.
    let run = try await Run(size: 2048, in: folder, on: streamClock)
    await run.show.press(Key("s"))
    await run.show.press(Key("q"))
    #expect(await run.task.value == nil)
    let files = try folder.files
    #expect(files.count == 1 && files.first?.hasSuffix(".png") == true, "\(files)")
    #expect(await run.show.lastChanges.contains { if case .snapshot = $0 { true } else { false } })
  }

  @Test func aFilmThatIsBeingWrittenIsThereWithItsMovesWhenTheShowIsOver() async throws {
    let run = try await Run(in: folder, on: streamClock)
    try await passFrames(run.show.capture)
    await run.show.press(Key("S"))
    await run.show.press(Key("q"))
    #expect(await run.task.value == nil)
    #expect(try folder.files.map { $0.suffix(4) }.sorted() == [".mkv", ".txt"])
    #expect(await run.show.lastChanges.contains { if case .recorded = $0 { true } else { false } })
  }

  /// None comes but the first, as the clock stands still.
  @Test func aStillThatHasNoFrameYetHoldsUpNoEnd() async throws {
    let (clock, standing) = (ManualClock(), TestClock())
    async let first: Void = standing.crank()
    let run = try await Run(clock: clock, in: folder, on: standing)
    await first
    // The watch for silence sleeps until other moments.
    let silence = clock.now + .seconds(1)
    await clock.sleeper(until: silence)
    clock.advance(by: .milliseconds(50))
    await run.show.press(Key("s"))
    await run.show.press(Key("q"))
    // Two seconds, while the limit of the whole end is looked at every second.
    let begin = clock.now
    for turn in 1...10 {
      let (look, other) = (begin + .milliseconds(200 * turn), begin + .seconds((turn + 4) / 5))
      await clock.sleepers { sleepers in
        sleepers.filter { $0 == look }.count >= (look == other ? 2 : 1) && sleepers.contains(other)
      }
      if turn == 5 {
        clock.advance(to: silence)
        await clock.sleeper(until: silence + .seconds(1))
      }
      clock.advance(to: look)
    }
    #expect(await run.task.value == nil)
    #expect(try folder.files == [])
    #expect(
      await run.show.lastChanges.contains { change in
        if case .warning(let text) = change { text.contains("photo") } else { false }
      })
  }
}
