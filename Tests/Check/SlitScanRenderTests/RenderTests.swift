// Tests of the result of a rendering: a film with its sound, or nothing.

import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import StreamingThread
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct RenderTests {
  private let folder = TemporaryFolder()

  @Test(arguments: ["out.mp4", "out.mkv", "out.webm"])
  func aFilmKeepsItsFramesTimesAndSound(name: String) async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 30, pattern: "ball")
    let request = RenderRequest(["\(folder)/in.mkv"], to: "\(folder)/\(name)", scan: ["depth": 5])
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 30)
    #expect(result.hasSound)
    #expect(result.warnings.isEmpty)
    let film = try await Decoded(request.output)
    #expect(film.frames.count == 30)
    for (index, time) in film.times.enumerated() {
      #expect(abs(time.seconds - Double(index) / 25) < 0.002)
    }
    // 1.2 seconds of four bytes, two channels.
    let rate = name == "out.mp4" ? 44_100.0 : 48_000
    #expect(abs(Double(film.sound.count) / 8 / rate - 1.2) < 0.1)
    #expect(try folder.files == ["in.mkv", name].sorted())
  }

  /// Noise takes as many bits as there are: encoders have limits of their own, 2 Mbit/s and less.
  @Test(arguments: ["x264enc", "openh264enc", "vp8enc", "vp9enc"])
  func withoutABitRateThereIsNoLimit(encoder: String) async throws {
    let path = "\(folder)/in.mkv"
    try await TestFilm.make(
      path,
      "videotestsrc pattern=snow num-buffers=20 ! video/x-raw,format=I420,width=640,height=368,framerate=25/1 "
        + "! x264enc speed-preset=ultrafast pass=quant quantizer=10 ! h264parse ! matroskamux")
    let film = try await FilmDescription(FilmInput(path), wantsSound: false)
    let codec: VideoCodec = encoder == "vp8enc" ? .vp8 : encoder == "vp9enc" ? .vp9 : .h264
    let file = try UnfinishedFile("\(folder)/out.mkv", replaces: false)
    let format = try FilmFormat(
      "out.mkv", FilmSettings(codec: codec), hasSound: false,
      EncoderCatalog { !$0.contains("264enc") || $0 == encoder })
    let writer = try await FilmWriter(file, format, scan: ValidatedScan(["depth": 1]))
    try await writer.prepare(for: format.frameCaps(film.info, hasBlack: false))
    var frames = try await FilmFrames(FilmInput(path))
    while let frame = try await frames.next() {
      try await writer.send(frame: Sample(frame.buffer, caps: film.info.caps()))
    }
    await frames.close()
    try await writer.finish()
    #expect(byteCount(ofFile: "\(folder)/out.mkv") > (codec == .h264 ? 1_000_000 : 300_000))
  }

  /// A file may state the rate of its clock.
  @Test func theNumberOfFramesToComeIsThatOfThoseThatCome() async throws {
    try await TestFilm.make(
      "\(folder)/in.mkv",
      "videotestsrc num-buffers=50 ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 "
        + "! capssetter join=false caps=video/x-raw,framerate=1000/1 ! x264enc ! h264parse ! matroskamux"
    )
    let totals = Lock<[Int?]>([])
    let request = RenderRequest(["\(folder)/in.mkv"], to: "\(folder)/out.mkv", scan: ["depth": 5])
    let strip = StripRequest("\(folder)/in.mkv", to: "\(folder)/out.png")
    let listener: FilmRendering.Listener = { progress in
      if progress.stage == .rendering { totals.withLock { $0.append(progress.total) } }
    }
    _ = try await FilmRendering(request).run(listener)
    _ = try await StripPhotographing(strip).run(listener)
    let known = totals.withLock { $0.compactMap(\.self) }
    #expect(known.count >= 90 && known.allSatisfy { 45...60 ~= $0 }, "\(totals.withLock { $0 })")
  }

  /// Noise has no other place where it is alike, so sound that is late or early is told.
  @Test(arguments: [0, 0.2])
  func soundIsWhereItWasOrAsMuchLaterAsWasSaid(delay: Double) async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 50, pattern: "ball")
    let request = RenderRequest(
      ["\(folder)/in.mkv"], to: "\(folder)/part.mkv", scan: ["depth": 5],
      soundDelay: .fixed(.seconds(delay)), part: FilmPart(1, of: 1))
    _ = try await FilmRendering(request).run()
    let (before, after) = (
      try await Decoded("\(folder)/in.mkv").sound, try await Decoded(request.output).sound
    )
    let shift = Int((delay * 44_100).rounded()) * 8
    let isSilent = after.prefix(shift).allSatisfy { $0 == 0 }
    #expect(isSilent)
    let isSame = after.dropFirst(shift).elementsEqual(before)
    #expect(isSame)
  }

  @Test func theDelayOfTheFrameIsKnownBeforeAnyFrame() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 5, hasSound: false)
    let film = try await FilmDescription(FilmInput("\(folder)/in.mkv"), wantsSound: false)
    let scan = try ValidatedScan(["depth": 51])
    // Half of fifty frames of forty milliseconds.
    let center = try SoundDelay.center.settled(for: scan, of: film)
    #expect(abs(center.seconds - 1) < 0.03)
    let mean = try SoundDelay.mean.settled(for: scan, of: film)
    #expect(abs(mean.seconds - 1) < 0.03)
    for map in ["luma", "motion", "live"] {
      let error = #expect(throws: CaptureError.self) {
        try SoundDelay.mean.settled(for: ValidatedScan(["map": .string(map)]), of: film)
      }
      #expect(error?.code == .badRequest)
      #expect(error?.message.contains("map=\(map)") == true)
    }
    // The most that there can be, of frames that would take more memory than there is.
    let deep = try ValidatedScan(["depth": 100_000, "max-memory": .uint(1 << 52)])
    #expect(try abs(SoundDelay.mean.settled(for: deep, of: film).seconds - 1999.98) < 1)
  }

  /// Both are of 96x64 pixels and 40 milliseconds a frame.
  @Test(
    arguments: [
      ["depth": 51], ["depth": 51, "map": "radial", "interpolation": "linear"],
      ["depth": 30, "map": "random", "block-size": 7, "map-smoothing": 3],
      ["depth": 90, "map": "image", "gain": 0.7, "offset": 0.1],
      ["depth": 40, "component-spread": 0.5],
      ["duration": 1_000_000_000, "map": "angular"],
      ["duration": 1_010_000_000, "map": "spiral", "interpolation": "linear"],
      ["duration": 1, "map": "radial"], ["depth": 60, "max-memory": 400_000],
      ["mode": "strip"], ["mode": "sweep"], ["mix": 0.0], ["depth": 1],
    ] as [[String: Value]])
  func theDelayIsWhatTheElementMeasuresOnceHistoryIsFull(properties: [String: Value]) async throws {
    var properties = properties
    if properties["map"] == "image" {
      var image = Data("P5 4 2 255\n".utf8)
      image.append(contentsOf: [0, 30, 60, 250, 200, 90, 10, 255])
      try image.write(to: URL(filePath: "\(folder)/map.pgm"))
      properties["map-location"] = .string("\(folder)/map.pgm")
    }
    try await TestFilm.noise("\(folder)/in.mkv", frames: 5, hasSound: false)
    let film = try await FilmDescription(FilmInput("\(folder)/in.mkv"), wantsSound: false)
    let scan = try ValidatedScan(Scan(properties))
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=120 ! video/x-raw,format=I420,width=96,height=64,framerate=25/1 ! "
        + "slitscan name=scan ! fakesink")
    let element = try pipeline.element(named: "scan")
    scan.apply(to: element)
    try await pipeline.play()
    try await pipeline.waitForEnd()
    let measured = try element.get("stats", as: Structure.self)
    await pipeline.stop()
    for delay in [SoundDelay.mean, .center] {
      let told = try delay.settled(for: scan, of: film)
      let statistic = try #require(delay.statistic)
      let expected: ClockTime = try #require(measured.get(statistic))
      #expect(abs(told.seconds - expected.seconds) < 0.001, "\(delay)")
    }
  }

  @Test func aFailedRenderingLeavesNothing() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 300, hasSound: false)
    try "old".write(toFile: "\(folder)/out.mkv", atomically: true, encoding: .utf8)
    // The film breaks off in the middle.
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/in.mkv"))
    var broken = bytes
    broken.replaceSubrange(
      bytes.count / 2..<bytes.count * 3 / 4, with: Data(repeating: 0xFF, count: 10))
    try broken.write(to: URL(filePath: "\(folder)/broken.mkv"))
    let map = Scan(["map": "image", "map-location": "/nonexistent.png"])
    for (input, scan) in [("\(folder)/nothing.mkv", Scan()), ("\(folder)/in.mkv", map)] {
      let request = RenderRequest(
        [input], to: "\(folder)/out.mkv", scan: scan, replacesOutput: true)
      await #expect(throws: CaptureError.self) { _ = try await FilmRendering(request).run() }
    }
    #expect(try folder.files == ["broken.mkv", "in.mkv", "out.mkv"])
    #expect(try String(contentsOfFile: "\(folder)/out.mkv", encoding: .utf8) == "old")
  }

  @Test func aCancelledRenderingLeavesNothing() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 400)
    let request = RenderRequest(["\(folder)/in.mkv"], to: "\(folder)/out.mkv", scan: ["depth": 9])
    let task = Task {
      try await FilmRendering(request).run {
        guard $0.stage == .rendering, $0.frames == 20 else { return }
        let isBegun = (try? folder.files)?.contains { $0.hasSuffix(".part") }
        #expect(isBegun == true)
        _ = withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let error = await #expect(throws: CaptureError.self) { _ = try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try folder.files == ["in.mkv"])
  }

  @Test(arguments: [false, true])
  func aFileThatAppearsDuringARenderingStaysUnlessItMayBeReplaced(replaces: Bool) async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 30, hasSound: false)
    let output = "\(folder)/out.mkv"
    let request = RenderRequest(
      ["\(folder)/in.mkv"], to: output, scan: ["depth": 5], replacesOutput: replaces)
    let rendering = Task {
      try await FilmRendering(request).run {
        guard $0.stage == .rendering, $0.frames == 20 else { return }
        try? "theirs".write(toFile: output, atomically: true, encoding: .utf8)
      }
    }
    guard !replaces else {
      _ = try await rendering.value
      #expect(try await Decoded(output).frames.count == 30)
      #expect(try folder.files == ["in.mkv", "out.mkv"])
      return
    }
    let error = await #expect(throws: CaptureError.self) { _ = try await rendering.value }
    #expect(error?.code == .fileExists)
    let message = try #require(error?.message)
    #expect(message.contains("exists already") && message.contains("\(folder)/out-2.mkv"))
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "theirs")
    #expect(try await Decoded("\(folder)/out-2.mkv").frames.count == 30)
    #expect(try folder.files == ["in.mkv", "out-2.mkv", "out.mkv"])
  }

  @Test func aStripIsKeptBesideTheFilesThatAppearWhileItIsTaken() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 30, hasSound: false)
    let others = ["\(folder)/out.png", "\(folder)/out-2.png"]
    let request = StripRequest("\(folder)/in.mkv", to: others[0])
    let error = await #expect(throws: CaptureError.self) {
      _ = try await StripPhotographing(request).run {
        guard $0.stage == .rendering, $0.frames == 20 else { return }
        for other in others {
          try? "theirs".write(toFile: other, atomically: true, encoding: .utf8)
        }
      }
    }
    #expect(error?.code == .fileExists)
    #expect(error?.message.contains("\(folder)/out-3.png") == true)
    for other in others { #expect(try String(contentsOfFile: other, encoding: .utf8) == "theirs") }
    let image = try Data(contentsOf: URL(filePath: "\(folder)/out-3.png"))
    #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try folder.files == ["in.mkv", "out-2.png", "out-3.png", "out.png"])
  }

  @Test func aFileIsKeptWhereItsPlaceIsBeingRecorded() async throws {
    let file = try UnfinishedFile("\(folder)/out", replaces: true)
    try await file.create()
    let recording = try OutputFile("\(folder)/out")
    let error = #expect(throws: CaptureError.self) { try file.complete() }
    #expect(error?.code == .fileBusy)
    #expect(error?.message.contains("\(folder)/out-2") == true)
    #expect(try folder.files == ["out", "out-2"])
    recording.discard()
  }

  @Test func aLinkThatLeadsNowhereIsAFileThatIsThere() async throws {
    let path = "\(folder)/out.mkv"
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "\(folder)/gone.mkv")
    let error = #expect(throws: CaptureError.self) { try UnfinishedFile(path, replaces: false) }
    #expect(error?.code == .fileExists)
    let file = try UnfinishedFile(path, replaces: true)
    try await file.create()
    try file.complete()
    #expect(try folder.files == ["gone.mkv", "out.mkv"])
    #expect(throws: Never.self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
  }

  @Test func impossibleRequestsAreRefusedWithASentence() async throws {
    let film = "\(folder)/in.mkv"
    try await TestFilm.noise(film, frames: 3)
    try await TestFilm.make(
      "\(folder)/wide.mkv",
      "videotestsrc num-buffers=3 ! video/x-raw,width=128,height=64 ! x264enc ! matroskamux")
    try await TestFilm.make(
      "\(folder)/sound.mkv", "audiotestsrc num-buffers=3 ! opusenc ! matroskamux")
    try "words".write(toFile: "\(folder)/words.txt", atomically: true, encoding: .utf8)
    let out = "\(folder)/out.mkv"
    let lossless = FilmSettings(isLossless: true)
    let requests: [(RenderRequest, CaptureError.Code, String)] = [
      (
        RenderRequest([film], to: "\(folder)/out.avi"), .unknownContainer,
        ".mp4, .mov, .mkv or .webm"
      ),
      (RenderRequest([film], to: film), .badRequest, "is also the input"),
      (RenderRequest([film], to: film, replacesOutput: true), .badRequest, "is also the input"),
      (RenderRequest([film], to: "\(folder)/wide.mkv"), .fileExists, "--force"),
      (RenderRequest([film], to: folder.path, replacesOutput: true), .notWritable, "is a folder"),
      (RenderRequest([], to: out), .badRequest, "name a film"),
      (RenderRequest([film, "\(folder)/wide.mkv"], to: out), .formatsDiffer, "128x64"),
      (RenderRequest(["\(folder)/sound.mkv"], to: out), .sourceFailed, "no video"),
      (RenderRequest(["\(folder)/words.txt"], to: out), .sourceFailed, "words.txt"),
      (RenderRequest([film], to: out, scan: ["depht": 3]), .badScan, "depht"),
      (RenderRequest([film], to: out, scan: ["depth": "many"]), .badScan, "depth"),
      (RenderRequest([film], to: out, scan: Scan(preset: "Nix")), .badScan, "Nix"),
      (RenderRequest([film], to: out, scan: ["map": "live"]), .badRequest, "second video"),
      (RenderRequest([film], to: "\(folder)/out.webm", settings: lossless), .badRequest, "H.264"),
      (
        RenderRequest([film], to: "\(folder)/out.mp4", part: FilmPart(1, of: 2)), .badRequest,
        ".mkv"
      ),
      (
        RenderRequest([film], to: "\(folder)/out.webm", settings: FilmSettings(codec: .h264)),
        .unsupportedFormat, "VP"
      ),
      (
        RenderRequest([film], to: "/nonexistent/out.mkv"), .notWritable, "cannot be created"
      ),
      (
        RenderRequest(
          [film], to: out, scan: ["depth": 90, "max-memory": 20_000], part: FilmPart(3, of: 3)),
        .scanFailed, "max-memory"
      ),
    ]
    for (request, code, words) in requests {
      let error = await #expect(throws: CaptureError.self) {
        _ = try await FilmRendering(request).run()
      }
      #expect(error?.code == code, "\(error?.message ?? "")")
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(try folder.files == ["in.mkv", "sound.mkv", "wide.mkv", "words.txt"])
  }
}
