// Tests of recordings in every format, with ffprobe.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite struct RecorderTests {
  private let folder = TemporaryFolder()
  private let footage = Footage()
  private let withSound = RecorderSettings(audio: AudioSettings())

  @Test(arguments: Container.allCases)
  func everyKindOfFileHoldsAllFramesAndTheirSound(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try Recorder(to: path, withSound)
    #expect(recorder.container == container)
    try await recorder.start()
    try await footage.shoot(0..<150, with: recorder)
    let recording = try await recorder.finish()
    #expect(recording.frames == 150)
    #expect(recording.skippedFrames == 0)
    #expect(abs(recording.duration.seconds - 5) < 0.05)
    #expect(try recording.byteCount == Data(contentsOf: URL(filePath: path)).count)
    let film = DecodedFile(path: path)
    let stream = try await film.stream("v")
    #expect(stream.frames == 150)
    #expect((stream.width, stream.height) == (64, 48))
    #expect(try await film.packets("v").first?.presentation == 0)
    #expect(try await film.faults(flashes: 5) == [])
  }

  /// Frames whose caps do not say what samples mean, and frames of RGB.
  @Test(arguments: ["I420", "RGB"], [Orientation.up, .right])
  func framesThatAreTurnedOrScaledKeepTheirColours(
    format: String, orientation: Orientation
  ) async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: VideoSettings(orientation: orientation)))
    // Those of the second size are scaled to the first.
    for (number, size) in ["640x360", "640x360", "1280x720"].enumerated() {
      let sides = size.split(separator: "x")
      let line =
        "videotestsrc num-buffers=1 pattern=red ! "
        + "video/x-raw,format=\(format),width=\(sides[0]),height=\(sides[1])"
      let pipeline = try Pipeline("\(line) ! appsink name=out")
      let sink = try AppSink(pipeline.element(named: "out"))
      try await pipeline.play()
      for try await sample in sink.samples {
        let time = ClockTime.seconds(Double(number) / 30)
        let buffer = try #require(sample.buffer).moved(to: time, duration: .seconds(1.0 / 30))
        try await recorder.append(video: Sample(buffer, caps: try #require(sample.caps)))
      }
      await pipeline.stop()
    }
    try await recorder.finish()
    let film = try await DecodedFile(path: path).frames(as: "rgb24")
    for start in stride(from: 0, to: film.count, by: 640 * 360 * 3) {
      let middle = start + (320 * 360 + 180) * 3
      let colour = Array(film[middle..<middle + 3])
      #expect(colour[0] > 250 && colour[1] < 5 && colour[2] < 5, "\(start) \(colour)")
    }
    #expect(film.count == 3 * 640 * 360 * 3)
  }

  @Test(arguments: Container.allCases, [-12, 0, 12])
  func soundAndFramesStayTogetherOverPausesAndLostFrames(
    container: Container, soundLag: Int
  ) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try await Recorder.started(to: path, withSound)
    // One in seven is lost, but no flash.
    let isSeen = { $0 % 7 != 3 || $0 % 30 == 15 }
    try await footage.shoot(0..<95, with: recorder, soundLag: soundLag, isSeen: isSeen)
    await recorder.pause()
    try await footage.shoot(95..<180, with: recorder, soundLag: soundLag)
    await recorder.resume()
    try await footage.shoot(180..<300, with: recorder, soundLag: soundLag, isSeen: isSeen)
    let recording = try await recorder.finish()
    let seen = ((0..<95).map { $0 } + (180..<300).map { $0 }).filter(isSeen).count
    #expect(recording.frames == seen)
    #expect(abs(recording.duration.seconds - 215.0 / 30) < 0.07)
    let film = DecodedFile(path: path)
    #expect(try await film.stream("v").frames == seen)
    #expect(try await film.faults(flashes: 7) == [])
  }

  @Test(arguments: [VideoCodec.vp8, .vp9]) func webmTakesEitherCodec(
    codec: VideoCodec
  ) async throws {
    let path = "\(folder)/film.webm"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: VideoSettings(codec: codec)))
    for number in 0..<30 { try await recorder.append(video: footage.frame(number)) }
    #expect(try await recorder.finish().frames == 30)
    let stream = try await DecodedFile(path: path).stream("v")
    #expect(stream.codec == codec.rawValue)
    #expect(stream.frames == 30)
  }

  @Test(arguments: Container.allCases)
  func missingSoundIsSilenceAndFramesGoOn(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try await Recorder.started(to: path, withSound)
    for number in 0..<150 { try await recorder.append(video: footage.frame(number)) }
    #expect(try await recorder.finish().frames == 150)
    let film = DecodedFile(path: path)
    #expect(try await film.stream("v").frames == 150)
    let last = try #require(try await film.packets("a").last)
    #expect(abs(last.presentation - 5) < 0.1)
    #expect(try await film.clicks() == [])
  }

  @Test(arguments: Container.allCases)
  func soundAloneIsARecordingToo(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: nil, audio: AudioSettings()))
    for number in 0..<90 { try await recorder.append(audio: footage.sound(number)) }
    let recording = try await recorder.finish()
    #expect(recording.frames == 0)
    #expect(abs(recording.duration.seconds - 3) < 0.05)
    #expect(try await DecodedFile(path: path).clicks().count == 3)
  }

  @Test(arguments: Container.allCases, [Orientation.right, .down])
  func framesCanBeTurned(container: Container, orientation: Orientation) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    let video = VideoSettings(orientation: orientation)
    let recorder = try await Recorder.started(to: path, RecorderSettings(video: video))
    for number in 0..<10 { try await recorder.append(video: footage.frame(number)) }
    try await recorder.finish()
    let stream = try await DecodedFile(path: path).stream("v")
    #expect((stream.width, stream.height) == (orientation.isSideways ? (48, 64) : (64, 48)))
  }

  @Test func framesOfAnotherSizeAreScaledToTheFirst() async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(to: path)
    var large = footage
    (large.width, large.height) = (128, 96)
    for number in 0..<10 { try await recorder.append(video: footage.frame(number)) }
    for number in 10..<20 { try await recorder.append(video: large.frame(number)) }
    #expect(try await recorder.finish().frames == 20)
    let stream = try await DecodedFile(path: path).stream("v")
    #expect(stream.frames == 20)
    #expect((stream.width, stream.height) == (64, 48))
  }

  @Test func framesOfAnotherSizeMayComeBeforeTheFirstHasGoneOn() async throws {
    let recorder = try await Recorder.started(to: "\(folder)/film.mkv")
    let input = try #require(await recorder.streams).pipeline.element(named: "video-in")
    let hold = try input.pad("src").hold(.buffer)
    try await recorder.append(video: footage.frame(0))
    try await recorder.append(video: Footage(width: 128, height: 48).frame(1))
    hold.release()
    #expect(try await recorder.finish().frames == 2)
    #expect(try await DecodedFile(path: "\(folder)/film.mkv").stream("v").frames == 2)
  }

  @Test func everyStateTakesWhatItCan() async throws {
    let recorder = try Recorder(to: "\(folder)/film.mp4")
    func expect(
      _ code: CaptureError.Code, _ body: () async throws -> Void,
      at location: SourceLocation = #_sourceLocation
    ) async {
      let error = await #expect(throws: CaptureError.self, sourceLocation: location) {
        try await body()
      }
      #expect(error?.code == code, sourceLocation: location)
    }
    #expect(await recorder.state == .idle)
    await expect(.wrongState) { try await recorder.append(video: footage.frame(0)) }
    await expect(.wrongState) { _ = try await recorder.finish() }
    try await recorder.start()
    #expect(await recorder.state == .recording)
    await expect(.wrongState) { try await recorder.start() }
    await expect(.unsupportedFormat) { try await recorder.append(audio: footage.sound(0)) }
    await expect(.unsupportedFormat) { try await recorder.append(video: footage.sound(0)) }
    try await recorder.append(video: footage.frame(0))
    async let first = recorder.finish()
    async let second = recorder.finish()
    #expect(try await first == second)
    #expect(try await recorder.finish() == first)
    await expect(.wrongState) { try await recorder.append(video: footage.frame(1)) }
    await recorder.cancel()
    #expect(try await recorder.state == .finished(first))
  }

  @Test(arguments: Container.allCases)
  func aRecorderThatIsLetGoOfLeavesWhatItHasWritten(container: Container) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    var recorder: Recorder? = try Recorder(to: path)
    weak let observed = recorder
    try await recorder?.start()
    for number in 0..<90 { try await recorder?.append(video: footage.frame(number)) }
    // What the encoder and its queue still have is not written.
    await until { await recorder?.streams?.written.frames ?? 90 >= 85 }
    await recorder?.cancel()
    recorder = nil
    // A message on its way holds it for a moment.
    await until { observed == nil }
    #expect(try await DecodedFile(path: path).stream("v").frames >= 70)
  }

  @Test(arguments: Container.allCases)
  func soundThatNeverComesIsSilenceWhateverTheFramesDo(container: Container) async throws {
    let path = "\(folder)/silent.\(container.rawValue)"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(container: container, audio: AudioSettings()))
    let sizes = [Footage(), Footage(width: 32, height: 32), Footage(width: 80, height: 60)]
    for number in 0..<200 {
      // The encoder begins anew while nothing can leave it, as the muxer waits for sound.
      try await recorder.append(video: sizes[number / 7 % 3].frame(number))
    }
    let recording = try await recorder.finish()
    #expect(recording.frames == 200)
    #expect(try await DecodedFile(path: path).stream("a").frames > 100)
  }

  @Test func soundOfManyTasksWaitsForTheEncoder() async throws {
    let recorder = try await Recorder.started(
      to: "\(folder)/film.mkv", RecorderSettings(video: nil, audio: AudioSettings()))
    // A second each.
    let block = try WritableBuffer(byteCount: 2 * Footage.sampleRate).finish()
    let next = Shared(0)
    let most = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var most = 0
          for _ in 0..<15 {
            next.value += 1
            let time = ClockTime.seconds(Double(next.value))
            let sample = Sample(
              try block.moved(to: time, duration: .seconds(1)), caps: try Caps(Footage.soundCaps))
            try await recorder.append(audio: sample)
            most = max(most, await recorder.soundToSend.count)
          }
          return most
        }
      }
      return try await group.reduce(0, max)
    }
    // A block of each task, and what may wait.
    #expect(most <= 8 + Recorder.soundLimit / block.byteCount + 1)
    try await recorder.finish()
  }

  // MARK: Changes and losses

  @Test(arguments: [
    (
      "mkv", VideoFormat.rgba,
      [
        FormatChange.scaled(fromWidth: 65, fromHeight: 47, toWidth: 64, toHeight: 46),
        .lessColour(from: .rgba, to: .i420), .noOpacity(.rgba),
      ]
    ),
    ("webm", .gray16, [.fewerBits(from: 16, to: 8)]), ("webm", .i420, []),
  ]) func formatChangesAreReported(
    suffix: String, format: VideoFormat, changes: [FormatChange]
  ) async throws {
    let path = "\(folder)/film.\(suffix)"
    let recorder = try await Recorder.started(to: path)
    let info = try VideoInfo(format, width: 65, height: 47, frameRate: 30)
    for number in 0..<5 {
      var buffer = try WritableBuffer(info)
      buffer.presentationTime = footage.time(ofFrame: number)
      try await recorder.append(video: Sample(buffer.finish(), caps: info.caps()))
    }
    #expect(try await recorder.finish().changes == changes.map(\.description))
    let stream = try await DecodedFile(path: path).stream("v")
    #expect((stream.width, stream.height) == (suffix == "mkv" ? (64, 46) : (65, 47)))
  }

  /// The frames come at the same pace, whatever the caps say.
  @Test(arguments: ["mp4", "webm"])
  func aFrameRateThatIsNotKnownOrImpossibleCountsAsThirty(suffix: String) async throws {
    let path = "\(folder)/film.\(suffix)"
    var sizes: [Int] = []
    for frameRate: Fraction in [30, 0, 90_000, Fraction(.max)] {
      let recorder = try await Recorder.started(to: path)
      // The smallest for which a rate is chosen that goes by the size.
      for number in 0..<15 {
        try await recorder.append(
          video: footage.noise(number, width: 320, height: 272, frameRate: frameRate))
      }
      let recording = try await recorder.finish()
      #expect(recording.frames == 15)
      #expect(recording.duration < .seconds(0.6))
      #expect(try await DecodedFile(path: path).stream("v").frames == 15)
      sizes.append(recording.byteCount)
    }
    let sensible = Double(sizes[0]) * 0.8...Double(sizes[0]) * 1.25
    #expect(sizes.allSatisfy { sensible.contains(Double($0)) }, "\(sizes)")
  }

  /// Noise takes as many bits as there are: encoders have limits of their own, 2 Mbit/s and less.
  @Test(arguments: VideoCodec.allCases.filter(\.isForRecordings))
  func withoutABitRateThereIsNoLimit(codec: VideoCodec) async throws {
    var sizes: [Int] = []
    for bitRate in [nil, 2_000_000] {
      let recorder = try await Recorder.started(
        to: "\(folder)/film.mkv",
        RecorderSettings(video: VideoSettings(codec: codec, bitRate: bitRate)))
      for number in 0..<20 {
        try await recorder.append(video: footage.noise(number, width: 640, height: 368))
      }
      sizes.append(try await recorder.finish().byteCount)
    }
    #expect(sizes[0] > 4 * 2_000_000 / 8, "\(sizes)")
    #expect(sizes[0] > 2 * sizes[1], "\(sizes)")
  }

  @Test func theEncoderIsAsFastAsTheFramesNeed() throws {
    func speed(_ width: Int, _ height: Int, _ rate: Int32, _ processors: Int) throws -> EncoderSpeed
    {
      let frames = try VideoInfo(.i420, width: width, height: height, frameRate: Fraction(rate, 1))
      return EncoderSpeed(ofLive: frames, processors: processors)
    }
    #expect(try speed(320, 240, 30, 2) == .medium)
    #expect(try speed(1280, 720, 30, 2) == .fast)
    #expect(try speed(1920, 1080, 30, 2) == .fastest)
    #expect(try speed(1920, 1080, 30, 8) == .fast)
    #expect(try speed(3840, 2160, 60, 8) == .fastest)
  }

  @Test(
    arguments: [
      (VideoCodec.h264, nil, "x264enc", EncoderSpeed.medium),
      (.h264, .fastest, "x264enc", .fastest),
      (.vp8, nil, "vp8enc", nil),
    ] as [(VideoCodec, EncoderSpeed?, String, EncoderSpeed?)])
  func aRecordingSaysHowItWasEncoded(
    codec: VideoCodec, speed: EncoderSpeed?, encoder: String, expected: EncoderSpeed?
  ) async throws {
    let recorder = try await Recorder.started(
      to: "\(folder)/film.mkv", RecorderSettings(video: VideoSettings(codec: codec, speed: speed)))
    for number in 0..<5 { try await recorder.append(video: footage.frame(number)) }
    let recording = try await recorder.finish()
    #expect(recording.encoder == encoder)
    #expect(recording.encoderSpeed == expected)
  }

  @Test(arguments: ["x264enc", "vp8enc", "vp9enc"], [Int.max, 3_000_000_000])
  func aBitRateThatNoEncoderHasBecomesTheNearest(encoder: String, bitRate: Int) async throws {
    let path = "\(folder)/film.mkv"
    let codec: VideoCodec = encoder == "x264enc" ? .h264 : encoder == "vp8enc" ? .vp8 : .vp9
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: VideoSettings(codec: codec, bitRate: bitRate)))
    for number in 0..<5 { try await recorder.append(video: footage.frame(number)) }
    #expect(try await recorder.finish().frames == 5)
    #expect(try await DecodedFile(path: path).stream("v").frames == 5)
  }

  @Test func anEncoderThatCannotBeSetUpFailsTheRecordingWithTheReason() async throws {
    let recorder = try await Recorder.started(to: "\(folder)/film.mkv")
    let pipeline = try #require(await recorder.streams?.pipeline)
    try await pipeline.remove(pipeline.element(named: "video-format"))
    let frames = Outlet(.lossless)
    let failure = Shared<CaptureError?>(nil)
    let recording = ActiveRecording(
      recorder, frames: frames, sound: nil, whenFailed: { failure.value = $0 })
    for number in 0..<5 { await frames.take(try footage.frame(number), isLive: false) }
    let error = await #expect(throws: CaptureError.self) { try await recording.finish() }
    #expect(error?.code == .missingElement)
    #expect(await recorder.state == .failed(try #require(error)))
    #expect(failure.value == error)
  }

  @Test func framesThatTheRecorderRefusesAreCountedAndWhereItTakesNoneTheReasonIsSaid() async throws
  {
    for taken in [0, 5] {
      let recorder = try await Recorder.started(to: "\(folder)/film.mkv")
      let frames = Outlet(.lossless)
      let recording = ActiveRecording(
        recorder, frames: frames, sound: nil,
        whenLate: { Issue.record("The encoder is not too slow.") },
        whenFailed: { Issue.record($0) })
      for number in 0..<taken { await frames.take(try footage.frame(number), isLive: false) }
      let wrong = Sample(
        try #require(try footage.frame(taken).buffer), caps: try Caps("video/x-strange"))
      for _ in 0..<3 { await frames.take(wrong, isLive: false) }
      if taken > 0 {
        let result = try await recording.finish()
        #expect(result.frames == taken)
        #expect(result.droppedFrames == 3)
      } else {
        let error = await #expect(throws: CaptureError.self) { try await recording.finish() }
        #expect(error?.code == .nothingRecorded)
        #expect(error?.message.contains("video/x-strange") == true, "\(error?.message ?? "")")
      }
      #expect(recording.dropped == 3)
    }
  }

  @Test func aFrameBehindTheLastTimeThatThereIsIsSkipped() async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(to: path, RecorderSettings(audio: AudioSettings()))
    for number in 0..<10 { try await recorder.append(video: footage.frame(number)) }
    let end = ClockTime(nanoseconds: .max)
    let (frame, sound) = (try footage.frame(10), try footage.sound(10))
    try await recorder.append(
      video: Sample(
        try #require(frame.buffer).moved(to: end, duration: .seconds(1)),
        caps: try #require(frame.caps)))
    try await recorder.append(
      audio: Sample(
        try #require(sound.buffer).moved(to: end, duration: .seconds(1)),
        caps: try #require(sound.caps)))
    for number in 10..<20 { try await recorder.append(video: footage.frame(number)) }
    let recording = try await recorder.finish()
    #expect(recording.frames == 20)
    #expect(recording.skippedFrames == 1)
    #expect(try await DecodedFile(path: path).stream("v").frames == 20)
  }

  @Test func largeFramesThatWaitForAnEncoderAreBoundedInBytes() async throws {
    let outlet = Outlet(
      .lossless, limit: Handoff.Limit(samples: 60, bytes: 100_000_000), overflow: .drop)
    // Of 4K; they are never written to, so they take no memory here.
    let frame = Sample(
      try WritableBuffer(byteCount: 12_441_600).finish(), caps: try Caps("video/x-raw"))
    for _ in 0..<60 { await outlet.take(frame, isLive: true) }
    outlet.finish()
    var count = 0
    while try await outlet.next() != nil { count += 1 }
    #expect(count == 8)
    #expect(outlet.dropped == 52)
  }

  @Test(arguments: ["mkv", "webm"])
  func lossesOfALiveRecordingAreReportedCountedAndInTheFile(ending: String) async throws {
    let recorder = try await Recorder.started(to: "\(folder)/film.\(ending)")
    let frames = Outlet(
      .lossless, limit: Handoff.Limit(samples: 60, bytes: 20 * 64 * 48), overflow: .drop)
    // All at once, before reading begins.
    for number in 0..<50 { await frames.take(try footage.frame(number), isLive: true) }
    let told = Shared(0)
    let recording = ActiveRecording(
      recorder, frames: frames, sound: nil,
      whenLate: { told.value += 1 }, whenFailed: { Issue.record($0) })
    let result = try await recording.finish()
    #expect(result.frames == 20)
    #expect(result.droppedFrames == 30)
    #expect(told.value == 1)
    let film = DecodedFile(path: result.path)
    #expect(try await film.stream("v").frames == 20)
    let tags = try await film.tags()
    #expect(tags.split(separator: "\n").contains("frames-missing:30"), "\(tags)")
  }
}
