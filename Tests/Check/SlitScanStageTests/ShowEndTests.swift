// Tests of the end of a show: what is being written then, and what is said of it.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct ShowEndTests {
  /// A show of a pattern, without a window, whose end may take as long as the machine is busy.
  private func makeShow(
    _ scan: Scan = [:], size: Int = 64, frameRate: Fraction = 30,
    patienceForFrames: Duration = .seconds(3600), in folder: TemporaryFolder
  ) async throws -> Show {
    let show = await Show(
      try makeStage(scan, size: size, frameRate: frameRate), folder: folder.path)
    await show.setPatience(Show.Patience(all: .seconds(3600), frames: patienceForFrames))
    return show
  }

  private func makeStage(
    _ scan: Scan = [:], size: Int = 64, frameRate: Fraction = 30
  ) throws -> CaptureStage {
    try CaptureStage(
      .pattern("ball"), VideoRequest(width: size, height: size, frameRate: frameRate),
      outputs: [Output("sink:fakesink")], scan: scan, reserve: .property)
  }

  private func run(_ show: Show) -> Task<StageError?, Never> {
    Task {
      do throws(StageError) {
        try await show.run(room: { (0, 0) }, draw: { _ in })
        return nil
      } catch {
        return error
      }
    }
  }

  /// Returns once there are frames.
  private func waitForFrames(_ show: Show) async throws {
    while await show.capture.time == .zero { try await Task.sleep(for: .milliseconds(5)) }
  }

  private func files(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func aRecordingThatIsRunningIsCompletedAndSaidToBe() async throws {
    let folder = try TemporaryFolder()
    let show = try await makeShow(in: folder)
    let running = run(show)
    try await waitForFrames(show)
    let path = folder.path + "/take.mkv"
    try await show.performance.perform(.record(.on, path))
    let begin = await show.capture.time
    while await show.capture.time < begin + .milliseconds(500) {
      try await Task.sleep(for: .milliseconds(5))
    }
    show.end()
    #expect(await running.value == nil)
    #expect(await show.performance.state.recording == nil)
    #expect(await show.lastChanges.contains(.recorded(path)))
    #expect(try files(in: folder) == ["take.mkv"])
  }

  @Test func aRecordingThatCannotBeCompletedIsAFailureOfTheShow() async throws {
    let folder = try TemporaryFolder()
    // The second frame comes after an hour.
    let show = try await makeShow(frameRate: Fraction(1, 3600), in: folder)
    let running = run(show)
    try await waitForFrames(show)
    try await show.performance.perform(.record(.on, folder.path + "/take.mkv"))
    show.end()
    let error = await running.value
    #expect(error?.code == .notWritten)
    #expect(error?.message.contains("nothing was recorded") == true, "\(String(describing: error))")
    #expect(await show.capture.state == .stopped)
  }

  @Test func aRecordingThatBrokeOffLongAgoIsAFailureOfTheShow() async throws {
    let folder = try TemporaryFolder()
    let full = folder.path + "/full.mkv"
    try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
    let show = try await makeShow(in: folder)
    let running = run(show)
    try await waitForFrames(show)
    let changes = show.performance.changes
    try await show.performance.perform(.record(.on, full))
    for await change in changes { if case .trouble = change { break } }
    // Another one is whole.
    let path = folder.path + "/take.mkv"
    try await show.performance.perform(.record(.on, path))
    try await show.performance.perform(.snapshot(folder.path + "/still.png"))
    try await show.performance.perform(.record(.off, nil))
    show.end()
    let error = await running.value
    #expect(error?.code == .notWritten)
    #expect(error?.message.contains("The disk is full") == true, "\(String(describing: error))")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func whoeverEndsARecordingThatHasJustBrokenOffIsToldWhy() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/take.mkv"
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "/dev/full")
    let stage = try makeStage()
    let news = stage.news
    try await stage.start()
    try await stage.startRecording(to: path)
    for await change in news { if case .recordingLost = change { break } }
    let error = await #expect(throws: StageError.self) { try await stage.stopRecording() }
    #expect(error?.message.contains("The disk is full") == true, "\(String(describing: error))")
    // Another one can begin.
    let other = folder.path + "/other.mkv"
    try await stage.startRecording(to: other)
    try await stage.snapshot(to: folder.path + "/still.png")
    #expect(try await stage.stopRecording() == other)
    await stage.stop()
  }

  @Test func aStillThatIsBeingWrittenIsThereWhenTheShowIsOver() async throws {
    let folder = try TemporaryFolder()
    // So large that it takes a while.
    let show = try await makeShow(size: 2048, in: folder)
    let running = run(show)
    try await waitForFrames(show)
    await show.press(Key("s"))
    await show.press(Key("q"))
    #expect(await running.value == nil)
    let files = try files(in: folder)
    #expect(files.count == 1 && files.first?.hasSuffix(".png") == true, "\(files)")
    #expect(
      await show.lastChanges.contains { if case .snapshot = $0 { true } else { false } })
  }

  /// The canvas is complete after an hour.
  @Test func aStillThatHasNoFrameYetHoldsUpNoEnd() async throws {
    let folder = try TemporaryFolder()
    let show = try await makeShow(
      ["mode": "strip", "canvas-length": 30000, "slit-width": 1], patienceForFrames: .seconds(2),
      in: folder)
    let running = run(show)
    try await waitForFrames(show)
    await show.press(Key("s"))
    await show.press(Key("q"))
    #expect(await running.value == nil)
    #expect(try files(in: folder) == [])
    #expect(
      await show.lastChanges.contains { change in
        if case .trouble(let text) = change { text.contains("photo") } else { false }
      })
  }
}
