// Tests of capture sessions: a configuration is reached completely or not at all.

import Foundation
import Footage
import GStreamer
import SeededGenerator
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CaptureSessionTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  @Test func partsComeAndGoWithTheConfiguration() async throws {
    let session = CaptureSession(on: clock)
    await #expect(throws: CaptureError.self) { try await session.photo() }
    for isRecording in [false, true, false] {
      let recordings = try await session.update {
        TestPattern("ball", .small)
        TestTone(delay: .center)
        Scan(["depth": 10, "map": "radial"])
        Preview("fakesink")
        if isRecording { Record(to: "\(folder)/out.mp4") }
      }
      let status = await session.status
      #expect(status.state == .running)
      #expect(status.previews.count == 1)
      #expect(status.recordings.count == (isRecording ? 1 : 0))
      if isRecording { await until { await session.status.frames >= status.frames + 40 } }
      #expect(recordings.isEmpty || !isRecording)
      _ = try await session.photo()
    }
    #expect(try await DecodedFile(path: "\(folder)/out.mp4").stream("v").frames > 0)
    #expect(try await DecodedFile(path: "\(folder)/out.mp4").stream("a").frames > 0)
    await session.stop()
    #expect(await session.status.state == .stopped)
    #expect(await session.configuration == CaptureConfiguration())
  }

  @Test func aRecordingIsPausedByItsPartWithoutAGap() async throws {
    let (camera, footage) = (try HandDrivenCamera(), Footage())
    let (film, late) = ("\(folder)/film.mkv", "\(folder)/late.mkv")
    let session = CaptureSession(clock: ManualClock())
    func update(isPaused: Bool, isLatePaused: Bool = true) async throws {
      try await session.update {
        CustomVideo(from: camera)
        Record(to: film, isPaused: isPaused)
        Record(to: late, isPaused: isLatePaused)
      }
    }
    func deliver(_ numbers: Range<Int>) async throws {
      for number in numbers { try await camera.deliver(footage.frame(number)) }
    }
    async let opens: Void = update(isPaused: false)
    try await deliver(0..<60)
    try await opens
    let recordings = await session.recordings
    let recording = try #require(recordings[film])
    let recorded = { @Sendable in await recording.recorder.timeline.videoEnd / 1_000_000 }
    await until { await recorded() >= 1990 }
    try await update(isPaused: true)
    let frames = await session.frames(delivery: .lossless)
    try await deliver(60..<120)
    for try await frame in frames.prefix(60) { _ = frame }
    await until { recordings.values.allSatisfy { $0.frames.fill == 0 } }
    try await update(isPaused: false, isLatePaused: false)
    try await deliver(120..<180)
    await until { await recorded() >= 3990 }
    let files = await session.stop()
    // The last paused frame may be on its way into either recorder as that goes on.
    let counts = files.map(\.frames).sorted()
    #expect(counts.count == 2 && 60...61 ~= counts[0] && 120...121 ~= counts[1], "\(counts)")
    #expect(files.allSatisfy { $0.droppedFrames == 0 })
    for file in files {
      let times = try await DecodedFile(path: file.path).packets("v").map(\.presentation)
      for (time, next) in zip(times, times.dropFirst()) {
        #expect(abs(next - time - 1.0 / 30) < 0.002)
      }
    }
  }

  /// As by sliders between two updates.
  @Test func whatIsSetStaysUntilAnotherScanIsWanted() async throws {
    let session = CaptureSession(on: clock)
    await #expect(throws: CaptureError.self) { try await session.set("gain", to: 2) }
    func update(_ pattern: String, depth: Int) async throws {
      try await session.update {
        TestPattern(pattern, .small)
        Scan(map: .live, depth: depth)
      }
    }
    func requireSet(_ values: [String: Value]) async {
      for (name, value) in values { #expect(await session.value(of: name) == value, "\(name)") }
    }
    try await update("ball", depth: 10)
    try await session.set("gain", to: 2)
    try await session.set(["offset": 0.5, "mix": 0.25])
    try await session.setMapImage(MapImage(width: 1, height: 1, gray8: [128]))
    try await session.setBlack(true)
    await #expect(throws: CaptureError.self) { try await session.set("gian", to: 3) }
    let capture = await session.capture
    #expect(await capture.isBlack)
    #expect(await capture.mapImage != nil)
    for pattern in ["ball", "snow", ""] {
      // As after a source that failed.
      if pattern.isEmpty { await capture.stop() }
      try await update(pattern.isEmpty ? "snow" : pattern, depth: 10)
      await requireSet([
        "gain": .double(2), "offset": .double(0.5), "mix": .double(0.25), "depth": .uint(10),
      ])
    }
    try await update("snow", depth: 20)
    await requireSet(["gain": .double(1), "offset": .double(0), "depth": .uint(20)])
    try await session.move("gain", .wave(.saw, period: .seconds(1), from: 3, to: 4))
    await until { await session.value(of: "gain") != .double(1) }
    try await session.move("gain", nil)
    await session.stop()
  }

  @Test func keysAndLoudnessAreToldFromBeforeTheFirstUpdate() async throws {
    let session = CaptureSession(clock: ManualClock())
    let (keys, levels) = (session.keyPresses, session.soundLevels)
    try await session.update {
      TestPattern("ball", .small, isLive: false)
      CustomSound(from: MeteredSound(TestToneSource(isLive: false)))
    }
    for await level in levels where level.loudness() > SoundLevel.silence { break }
    let capture = await session.capture
    await capture.keys.tell("space")
    for await key in keys where key == "space" { break }
    await session.stop()
  }

  @Test func videoAndSoundtrackAreRecordedTogether() async throws {
    let film = try await Recorder.started(
      to: "\(folder)/film.mkv", RecorderSettings(audio: AudioSettings()))
    try await Footage().shoot(0..<120, with: film)
    try await film.finish()
    let session = CaptureSession(clock: ManualClock())
    let events = session.events
    try await session.update {
      VideoFile("\(folder)/film.mkv", isPaced: false)
      Soundtrack("\(folder)/film.mkv", isPaced: false)
      Record(to: "\(folder)/out.mkv")
    }
    for await event in events where event == .sourceEnded { break }
    // The sound that belongs to the last frames may still be under way.
    let recorder = try #require(await session.recordings["\(folder)/out.mkv"]?.recorder)
    await until { await recorder.timeline.audioEnd >= 3_900_000_000 }
    let results = await session.stop()
    #expect(results.first?.frames == 120)
    let copy = DecodedFile(path: "\(folder)/out.mkv")
    let (flashes, clicks) = (try await copy.flashes(), try await copy.clicks())
    #expect(flashes.count >= 3)
    #expect(flashes.count == clicks.count, "\(flashes) \(clicks)")
    for (flash, click) in zip(flashes, clicks) { #expect(abs(flash - click) < 0.02) }
  }

  @Test func soundIsAsLateAsTheFrameThatItBelongsTo() async throws {
    // All of the frame is 30 frames old.
    let footage = Footage(start: .seconds(0))
    let (frames, sounds) = (
      try (0..<210).map { try footage.frame($0) }, try (0..<210).map { try footage.sound($0) }
    )
    for (delay, lateness) in [
      (SoundDelay.center, 0.0), (.mean, 0), (.none, 1), (.fixed(.seconds(0.5)), 0.5),
    ] {
      let path = "\(folder)/\(lateness)-\(delay.statistic ?? "").mkv"
      let session = CaptureSession(clock: ManualClock())
      let events = session.events
      try await session.update {
        CustomVideo(from: InMemorySource(frames))
        CustomSound(from: InMemorySound(InMemorySource(sounds)), delay: delay)
        Scan(["depth": 31, "gain": 0, "offset": 1])
        Record(to: path)
      }
      for await event in events where event == .sourceEnded { break }
      let recorder = try #require(await session.recordings[path]?.recorder)
      await until { await recorder.timeline.audioEnd >= 6_000_000_000 }
      await session.stop()
      let film = DecodedFile(path: path)
      let (flashes, clicks) = (try await film.flashes(), try await film.clicks())
      #expect(flashes.count >= 6, "\(delay)")
      // While history fills, the frame is less old.
      for flash in flashes where flash > 2.6 && flash < 5.6 {
        let nearest = clicks.min { abs($0 - flash + lateness) < abs($1 - flash + lateness) } ?? 0
        #expect(abs(nearest - flash + lateness) < 0.04, "\(delay) \(flash) \(nearest)")
      }
    }
  }

  @Test func anUpdateThatFailsChangesNothing() async throws {
    let session = CaptureSession(on: clock)
    try await session.update {
      TestPattern("ball", .small, isLive: false)
      Preview("fakesink")
      Record(to: "\(folder)/a.mkv")
    }
    let frames = await session.frames(delivery: .lossless)
    let watching = Task {
      var times: [ClockTime] = []
      for try await frame in frames {
        if let time = frame.runningTime ?? frame.buffer?.presentationTime { times.append(time) }
        if times.count == 600 { break }
      }
      return times
    }
    let before = await session.anatomy
    let configuration = await session.configuration
    let failures: [(CaptureError.Code, [any CapturePart])] = [
      (.missingElement, [TestPattern("ball", .small, isLive: false), Preview("no-such-sink")]),
      (.notWritable, [TestPattern("white"), Record(to: "\(folder)/none/b.mkv")]),
      (.badScan, [TestPattern("white"), Scan(["angle": "steep"]), Record(to: "\(folder)/b.mkv")]),
      (.badMapImage, [TestPattern("white"), Scan(map: .image, mapLocation: "/nowhere.png")]),
      (.badMapImage, [TestPattern("white"), Scan(map: .image), Record(to: "\(folder)/b.mkv")]),
      (.sourceFailed, [TestPattern("no-such-pattern"), Record(to: "\(folder)/b.mkv")]),
      (.noSuchFile, [VideoFile("\(folder)/none.mp4"), Preview("identity ! fakesink")]),
      (
        .sourceFailed,
        [TestPattern("white"), TestTone("no-such-wave"), Record(to: "\(folder)/b.mkv")]
      ),
      (.badConfiguration, [TestPattern("white"), TestPattern("ball")]),
    ]
    for (code, parts) in failures {
      let error = await #expect(throws: CaptureError.self) {
        try await session.update(to: CaptureConfiguration(parts))
      }
      #expect(error?.code == code, "\(error as Any)")
      let after = await session.anatomy
      #expect(after == before, "\(code): \(after.difference(from: before))")
      #expect(await session.configuration == configuration)
      #expect(await session.capture.stream?.pipeline.state == .playing)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/b.mkv"))
    }
    let times = try await watching.value
    for (time, next) in zip(times, times.dropFirst()) {
      #expect(abs((next.seconds - time.seconds) * 30 - 1) < 0.01)
    }
    #expect(await session.stop().count == 1)
  }

  @Test func aFileThatAnUpdateWouldReplaceIsThereIfTheUpdateFails() async throws {
    let path = "\(folder)/film.mkv"
    try "precious".write(toFile: path, atomically: true, encoding: .utf8)
    let session = CaptureSession(on: clock)
    let pattern = TestPattern("ball", .small)
    for part: any CapturePart in [TestTone("no-such-wave"), Preview("no-such-sink")] {
      await #expect(throws: CaptureError.self) {
        try await session.update(to: CaptureConfiguration([pattern, Record(to: path), part]))
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }
    try await session.update(to: CaptureConfiguration([pattern, Record(to: path)]))
    // Settings stay as long as it goes on.
    let other = Record(to: path, video: VideoSettings(bitRate: 1_000_000))
    let error = await #expect(throws: CaptureError.self) {
      try await session.update(to: CaptureConfiguration([pattern, other]))
    }
    #expect(error?.code == .badConfiguration)
    _ = try await session.photo()
    #expect(await session.stop().count == 1)
    #expect(try await DecodedFile(path: path).stream("v").frames > 0)
    #expect(try folder.files == ["film.mkv"])
  }

  /// The seed of a failure is in its arguments.
  @Test(arguments: (0..<64 as Range<UInt64>).sampled())
  func updatesEndAsIfStartedAnew(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let configurations = RandomConfigurations(folder: folder.path)
    // Sound stands still.
    let clock = TestClock()
    let session = CaptureSession(on: clock)
    try await session.update { TestPattern("ball", .small, isLive: false) }
    let frames = await session.frames(delivery: .lossless)
    let watching = Task {
      var times: [ClockTime] = []
      for try await frame in frames {
        times.append(frame.runningTime ?? frame.buffer?.presentationTime ?? .zero)
      }
      return times
    }
    for _ in 0..<8 {
      let parts = configurations.make(&random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        let before = await session.anatomy
        let spoiled = configurations.spoil(parts, &random)
        await #expect(throws: CaptureError.self) {
          try await session.update(to: CaptureConfiguration(spoiled))
        }
        #expect(await session.anatomy == before)
      } else {
        try await session.update(to: CaptureConfiguration(parts))
        let fresh = CaptureSession(on: clock)
        // A file can be written by one of them only.
        let elsewhere = parts.map { ($0 as? Record).map { Record(to: "\($0.path).mkv") } ?? $0 }
        try await fresh.update(to: CaptureConfiguration(elsewhere))
        let expected = await fresh.anatomy.map {
          $0.replacing(".mkv.mkv", with: ".mkv").replacing(".webm.mkv", with: ".webm")
        }
        let anatomy = await session.anatomy
        #expect(anatomy == expected, "\(anatomy.difference(from: expected))")
        await fresh.stop()
      }
    }
    await session.stop()
    watching.cancel()
    let times = try await watching.value
    #expect(times.count > 8)
    for (time, next) in zip(times, times.dropFirst()) {
      #expect(abs((next.seconds - time.seconds) * 30 - 1) < 0.01, "\(time) \(next)")
    }
  }

  @Test func eightTasksChangeEverythingAtOnce() async throws {
    let session = CaptureSession(on: clock)
    let configurations = RandomConfigurations(folder: folder.path, isLive: true)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 as Range<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: task)
          for _ in 0..<5 {
            let parts = configurations.make(&random)
            let update = Task { try await session.update(to: CaptureConfiguration(parts)) }
            if Int.random(in: 0..<3, using: &random) == 0 { update.cancel() }
            if Int.random(in: 0..<3, using: &random) == 0 {
              let photo = Task { try await session.photo() }
              if Bool.random(using: &random) { photo.cancel() }
              _ = try? await photo.value
            }
            _ = try? await update.value
          }
        }
      }
    }
    try await session.update {
      TestPattern("ball", .small)
      Preview("fakesink")
    }
    _ = try await session.photo()
    await session.stop()
  }

  @Test func aStopInATaskThatIsCancelledStopsEverythingToo() async throws {
    for isControlled in [false, true] {
      let session = CaptureSession(on: clock)
      let controller = await CaptureController(session: session)
      try await session.update {
        TestPattern("ball", .small)
        Record(to: "\(folder)/out.mp4")
      }
      await until { await session.status.frames >= 10 }
      let task = Task {
        try? await ManualClock().sleep(for: .seconds(1))
        guard isControlled else { return await session.stop() }
        await controller.stop()
        return await controller.completed
      }
      task.cancel()
      #expect(await task.value.map(\.path) == ["\(folder)/out.mp4"])
      #expect(await session.status.state == .stopped)
      #expect(await session.configuration == CaptureConfiguration())
      #expect(try await DecodedFile(path: "\(folder)/out.mp4").stream("v").frames > 0)
    }
  }

  @Test(arguments: ["patience", "cancellation", "stop"])
  func anUpdateWithASourceThatGivesNothingEnds(by end: String) async throws {
    let path = #filePath
    let clock = ManualClock()
    let session = CaptureSession(clock: clock)
    let update = Task { try await session.update { CustomVideo(from: EmptySource(path)) } }
    await until { await session.capture.opening != nil }
    let passing = Task { while !Task.isCancelled, end == "patience" { await clock.crank() } }
    switch end {
    case "cancellation": update.cancel()
    case "stop": await session.stop()
    default: break
    }
    let error = await #expect(throws: CaptureError.self) { try await update.value }
    passing.cancel()
    let codes: [String: CaptureError.Code] = [
      "patience": .sourceFailed, "cancellation": .cancelled, "stop": .stopped,
    ]
    #expect(error?.code == codes[end], "\(error as Any)")
    if end == "patience" { #expect(error?.message.contains(path) == true) }
    // Another one does not wait for it.
    try await session.update { TestPattern("ball", .small, isLive: false) }
    _ = try await session.photo()
    await session.stop()
  }

  @Test func anUpdateThatIsCancelledDoesNotWaitForTheOneBefore() async throws {
    let camera = try HandDrivenCamera()
    let session = CaptureSession(clock: ManualClock())
    let first = Task { try await session.update { CustomVideo(from: camera) } }
    await until { await session.capture.opening != nil }
    let next = Task { try await session.update { TestPattern("ball", .small) } }
    next.cancel()
    let error = await #expect(throws: CaptureError.self) { try await next.value }
    #expect(error?.code == .cancelled)
    try await camera.deliver(Footage().frame(0))
    _ = try await first.value
    await session.stop()
  }

  @Test func aSessionThatIsLetGoOfEndsItsPreviewsToo() async throws {
    var session: CaptureSession? = CaptureSession(on: clock)
    try await session?.update {
      TestPattern("ball", .small)
      Preview("fakesink")
    }
    _ = try await session?.photo()
    var capture = await session?.capture
    var pipelines = [
      await capture?.stream?.pipeline, await capture?.previews.values.first?.parts?.pipeline,
    ]
    let elements = pipelines.compactMap { $0.map { WeakElement($0.element) } }
    #expect(elements.count == 2)
    (session, capture, pipelines) = (nil, nil, [])
    await until { elements.allSatisfy(\.isGone) }
  }

  @Test func aFailedPartStaysFailedUntilItIsTakenOut() async throws {
    let session = CaptureSession(on: clock)
    let events = session.events
    for (isWanted, isOpened) in [(true, true), (true, false), (false, false), (true, true)] {
      try await session.update {
        TestPattern("ball", .small)
        if isWanted { Preview("identity error-after=3 ! fakesink") }
      }
      // Each that is opened fails, perhaps before its update is done.
      if isOpened {
        for await event in events {
          guard case .previewFailed = event else { continue }
          break
        }
      }
      #expect(await session.status.previews.isEmpty)
    }
    await session.stop()
  }

  /// A file that is read to its end, and gives neither a frame nor an error.
  private actor EmptySource: FrameSource {
    private let path: String

    init(_ path: String) { self.path = path }

    func makeElement() throws(CaptureError) -> Element {
      let element = try bin("filesrc location=\(path) ! identity")
      do throws(GStreamerError) {
        try element.pad("src").addProbe([.buffer, .eventDownstream]) { _ in .drop }
      } catch {
        throw explain(error)
      }
      return element
    }
  }
}
