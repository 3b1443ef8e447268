// Tests of failing recordings: the errors, and what is left in the file.

import Foundation
import Footage
import GStreamer
import SeededGenerator
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct RecordingFailureTests {
  private let folder = TemporaryFolder()
  private let footage = Footage()

  @Test func aPathThatCannotBeWrittenIsSaidAtTheStart() async throws {
    for path in ["\(folder)/nowhere/film.mp4", "/proc/film.mkv"] {
      let recorder = try Recorder(to: path)
      let error = await #expect(throws: CaptureError.self) { try await recorder.start() }
      #expect(error?.code == .notWritable)
      #expect(await recorder.state == .failed(try #require(error)))
      let later = await #expect(throws: CaptureError.self) {
        try await recorder.append(video: footage.frame(0))
      }
      #expect(later == error)
    }
  }

  @Test func aPathWithoutAKnownEndIsNoRecording() throws {
    let error = #expect(throws: CaptureError.self) { try Recorder(to: "film.avi") }
    #expect(error?.code == .unknownContainer)
    #expect(throws: Never.self) {
      try Recorder(to: "film.avi", RecorderSettings(container: .matroska))
    }
  }

  @Test(arguments: [
    RecorderSettings(video: VideoSettings(bitRate: -5)),
    RecorderSettings(video: VideoSettings(keyFrameInterval: 0)),
    RecorderSettings(audio: AudioSettings(bitRate: 0)),
    RecorderSettings(audio: AudioSettings(sampleRate: -48_000)),
    RecorderSettings(audio: AudioSettings(channels: 0)),
  ]) func settingsThatAreNotPositiveAreRefused(settings: RecorderSettings) {
    let error = #expect(throws: CaptureError.self) { try Recorder(to: "film.mp4", settings) }
    #expect(error?.code == .badConfiguration)
  }

  @Test func aCodecThatDoesNotFitIsNoRecording() throws {
    let settings = RecorderSettings(video: VideoSettings(codec: .vp9))
    let error = #expect(throws: CaptureError.self) { try Recorder(to: "film.mp4", settings) }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func aMissingEncoderIsNamedWithItsPackage() throws {
    let without = { (missing: Set<String>) in
      EncoderCatalog { !missing.contains($0) && Element.isInstalled($0) }
    }
    let settings = RecorderSettings(audio: AudioSettings())
    let plan = try RecordingPlan(path: "film.mp4", settings, without(["x264enc"]))
    #expect(plan.video?.encoder?.factory == "openh264enc")
    let error = #expect(throws: CaptureError.self) {
      try RecordingPlan(path: "film.mp4", settings, without(["x264enc", "openh264enc"]))
    }
    #expect(error?.code == .missingEncoder)
    #expect(error?.message.contains("gstreamer1.0-plugins-ugly") == true)
    // Matroska takes another codec.
    let other = try RecordingPlan(
      path: "film.mkv", settings, without(["x264enc", "openh264enc", "opusenc"]))
    #expect(other.video?.encoder?.factory == "vp8enc")
    let muxer = #expect(throws: CaptureError.self) {
      try RecordingPlan(path: "film.webm", settings, without(["webmmux"]))
    }
    #expect(muxer?.code == .missingElement)
    #expect(muxer?.message.contains("gstreamer1.0-plugins-good") == true)
  }

  @Test func theSecondBestEncoderRecordsToo() async throws {
    let path = "\(folder)/film.mp4"
    let plan = try RecordingPlan(path: path, RecorderSettings(), EncoderCatalog { $0 != "x264enc" })
    let recorder = Recorder(to: path, RecorderSettings(), plan: plan)
    try await recorder.start()
    for number in 0..<60 { try await recorder.append(video: footage.frame(number)) }
    #expect(try await recorder.finish().frames == 60)
    #expect(try await DecodedFile(path: path).stream("v").frames == 60)
  }

  /// Records noise until it fails.
  private func recordUntilFailure(_ path: String) async throws -> CaptureError? {
    let video = VideoSettings(bitRate: 4_000_000)
    let recorder = try await Recorder.started(to: path, RecorderSettings(video: video))
    return await #expect(throws: CaptureError.self) {
      for number in 0..<3000 {
        try await recorder.append(video: footage.noise(number, width: 160, height: 120))
      }
    }
  }

  @Test(.enabled(if: canMount), arguments: Container.allCases)
  func aFullDiskIsAnErrorAndTheFileCanBePlayed(container: Container) async throws {
    try #require(shell("mount -t tmpfs -o size=1M tmpfs \(folder)"))
    defer { _ = shell("umount -l \(folder)") }
    let path = "\(folder)/film.\(container.pathExtension)"
    #expect(try await recordUntilFailure(path)?.code == .diskFull)
    #expect(try await DecodedFile(path: path).stream("v").frames >= 10)
  }

  @Test(arguments: Container.allCases)
  func aFileThatMayNotGrowIsAnErrorAndCanBePlayed(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1_000_000, rlim_max: 1_000_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = try await RecordingFailureTests().recordUntilFailure(path)
      #expect(error?.code == .writeFailed)
    }
    let frames = try await DecodedFile(path: path).stream("v").frames
    #expect(frames >= 10)
  }

  @Test(arguments: Container.allCases)
  func aProcessThatIsKilledLeavesWhatItHasRecorded(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let footage = Footage()
      let recorder = try await Recorder.started(to: path, RecorderSettings(audio: AudioSettings()))
      var number = 0
      // What waits for the encoder is lost.
      while await recorder.streams?.written.frames ?? 120 < 120 {
        try await recorder.append(audio: footage.sound(number))
        try await recorder.append(video: footage.frame(number))
        number += 1
      }
      kill(getpid(), SIGKILL)
    }
    let frames = try await DecodedFile(path: path).stream("v").frames
    #expect(frames >= 110)
  }

  @Test(arguments: Container.allCases)
  func anEncoderThatFailsIsAnErrorAndTheFileCanBePlayed(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try await Recorder.started(to: path)
    for number in 0..<90 { try await recorder.append(video: footage.frame(number)) }
    // What is on its way when an encoder fails is lost; here, little is.
    await until { await recorder.streams?.written.frames ?? 90 >= 85 }
    // What no encoder takes.
    try await recorder.streams?.pipeline.element(named: "video-format")
      .set("caps", to: Caps("video/x-raw,format=GRAY16_LE"))
    let error = await #expect(throws: CaptureError.self) {
      for number in 90..<200 { try await recorder.append(video: footage.frame(number)) }
    }
    #expect(error?.code == .encoderFailed)
    #expect(await recorder.state == .failed(try #require(error)))
    let again = await #expect(throws: CaptureError.self) { try await recorder.finish() }
    #expect(again == error)
    #expect(try await DecodedFile(path: path).stream("v").frames >= 70)
  }

  // MARK: Encoded frames

  /// H.264 of 120 frames with a key frame in 30.
  private func encoded() async throws -> [Sample] {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=120 ! video/x-raw,width=64,height=48,framerate=30/1 "
        + "! x264enc tune=zerolatency key-int-max=30 ! h264parse "
        + "! video/x-h264,stream-format=avc,alignment=au ! appsink name=out sync=false")
    let sink = try AppSink(pipeline.element(named: "out"))
    try await pipeline.play()
    var samples: [Sample] = []
    for try await sample in sink.samples { samples.append(sample) }
    await pipeline.stop()
    return samples
  }

  private let copied = RecorderSettings(video: VideoSettings(codec: .h264, isEncoded: true))

  @Test(arguments: [Container.mp4, .matroska])
  func encodedFramesBeginWithAKeyFrameHoweverLate(container: Container) async throws {
    let samples = try await encoded()
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try await Recorder.started(to: path, copied)
    for sample in samples[10...] { try await recorder.append(video: sample) }
    let recording = try await recorder.finish()
    #expect(recording.frames == 90)
    #expect(recording.skippedFrames == 20)
    let film = DecodedFile(path: path)
    #expect(try await film.stream("v").frames == 90)
    #expect(try await abs(film.packets("v").first?.presentation ?? 1) < 0.001)
  }

  @Test func encodedFramesWithoutAKeyFrameAreAnError() async throws {
    let samples = try await encoded()
    let impatient = try await Recorder.started(to: "\(folder)/a.mp4", copied)
    for sample in samples[1..<20] { try await impatient.append(video: sample) }
    let atTheEnd = await #expect(throws: CaptureError.self) { try await impatient.finish() }
    #expect(atTheEnd?.code == .noKeyFrame)

    let patient = try await Recorder.started(to: "\(folder)/b.mp4", copied)
    let error = await #expect(throws: CaptureError.self) {
      for round in 0..<20 {
        for sample in samples[1..<20] {
          let buffer = try #require(sample.buffer)
          let moved = try buffer.moved(to: .seconds(Double(round)), duration: nil)
          try await patient.append(video: Sample(moved, caps: #require(sample.caps)))
        }
      }
    }
    #expect(error?.code == .noKeyFrame)
  }

  // MARK: Many at once

  @Test(arguments: (0..<200 as Range<UInt64>).sampled())
  func recordingsMayBeStartedStoppedAndCancelledAtAnyMoment(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let container = try #require(Container.allCases.randomElement(using: &random))
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try Recorder(to: path, RecorderSettings(audio: AudioSettings()))
    let footage = footage
    var tasks = [Task { try await recorder.start() }]
    for _ in 0..<4 {
      tasks.append(
        Task { for number in 0..<200 { try await recorder.append(video: footage.frame(number)) } })
      tasks.append(
        Task { for number in 0..<200 { try await recorder.append(audio: footage.sound(number)) } })
    }
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 0..<300, using: &random) { await Task.yield() }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: tasks.randomElement(using: &random)?.cancel()
      case 1: await recorder.pause()
      case 2: await recorder.resume()
      case 3: tasks.append(Task { _ = try await recorder.finish() })
      case 4 where Bool.random(using: &random): await recorder.cancel()
      default: break
      }
    }
    let recording = try? await recorder.finish()
    for task in tasks { _ = await task.result }
    _ = try? await recorder.finish()
    switch await recorder.state {
    case .finished(let last):
      if let recording { #expect(recording == last) }
      let film = DecodedFile(path: path)
      let frames = try await film.stream("v").frames
      if frames != last.frames {
        let times = try await film.packets("v").map(\.presentation)
        Issue.record("\(frames) of \(times.count) frames at \(times) can be decoded: \(last)")
      }
    case .failed(let error):
      #expect(
        [.cancelled, .stopped, .nothingRecorded].contains(error.code), "\(error), seed \(seed)")
    case .idle: break
    case let state: Issue.record("\(state), seed \(seed)")
    }
  }
}
