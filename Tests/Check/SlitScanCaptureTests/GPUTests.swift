// Tests of captures whose effect runs on the GPU: what they show and record, and what becomes of them without it.

import Footage
import GStreamer
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(
  .serialized, .enabled(if: hasGL, "glslitscan is not built"))
struct GPUTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  /// Widths whose rows textures and encoders fill up differently.
  private static let size = VideoRequest(width: 70, height: 50, frameRate: 30)

  /// The bytes of all planes of each frame of noise, without what is between rows.
  private static func pictures(
    _ scan: Scan, _ gpu: GPUUse, count: Int = 40
  ) async throws -> [[UInt8]] {
    let capture = CapturePipeline(
      TestPatternSource("snow", size, count: count, isLive: false), scan: scan, gpu: gpu,
      clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let isOnGPU = if case .gpu = await capture.device { true } else { false }
    #expect(isOnGPU == (gpu == .on))
    var pictures: [[UInt8]] = []
    for try await sample in frames {
      pictures.append(try sample.bytes())
      if pictures.count == count { break }
    }
    await capture.stop()
    return pictures
  }

  private static func luma(_ sample: Sample, x: Int, y: Int) throws -> UInt8 {
    let frame = try sample.videoFrame()
    return frame.row(y, ofPlane: 0)[x]
  }

  @Test(arguments: [
    ["depth": 12], ["map": "radial", "depth": 20, "edge": "mirror", "gain": 3],
    ["mode": "sweep", "sweep-duration": 500_000_000] as Scan,
  ])
  func nearestIsTheSameByteForByte(scan: Scan) async throws {
    let ours = try await Self.pictures(scan, .on)
    let theirs = try await Self.pictures(scan, .off)
    #expect(ours.count == 40)
    // Not the bytes themselves, which would all be in the message.
    #expect(ours.indices.filter { ours[$0] != theirs[$0] } == [])
    #expect(Set(ours[0..<12]).count == 12, "the noise moves")
  }

  @Test func blendsDifferByOneAtMost() async throws {
    let scan: Scan = ["map": "spiral", "depth": 10, "interpolation": "linear", "mix": 0.7]
    let ours = try await Self.pictures(scan, .on)
    let theirs = try await Self.pictures(scan, .off)
    #expect(ours.count == theirs.count)
    for (one, other) in zip(ours, theirs) {
      #expect(one.count == other.count)
      #expect(zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 2 <= 1)
    }
  }

  @Test func aFileBeginsWithItsEndAsItsPast() async throws {
    let file = "\(folder)/noise.mkv"
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=20 pattern=snow ! video/x-raw,format=I420,width=70,height=50 "
        + "! avenc_ffv1 ! matroskamux ! filesink location=\"\(file)\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    var plain: [[UInt8]] = []
    for try await frame in try await FileSource(file).frames() { plain.append(try frame.bytes()) }
    for gpu in [GPUUse.on, .off] {
      let capture = CapturePipeline(
        FileSource(file), scan: ["gain": 0, "offset": 1, "depth": 7], gpu: gpu,
        past: .init(.seconds(4)) { _ in nil }, clock: ManualClock())
      var reader = await capture.frames(delivery: .lossless).makeAsyncIterator()
      try await capture.start()
      for number in 0..<20 {
        let frame = try #require(try await reader.next())
        #expect(try frame.bytes() == plain[(number + 14) % 20], "frame \(number), \(gpu)")
      }
      await capture.stop()
    }
  }

  @Test func stillsAndRecordingsAreWhatTheProcessorMakes() async throws {
    var stills: [[UInt8]] = []
    for gpu in [GPUUse.on, .off] {
      let capture = CapturePipeline(
        TestPatternSource("smpte", Self.size, isLive: false), scan: ["map": "radial"], gpu: gpu,
        clock: ManualClock())
      try await capture.start()
      let preview = try await capture.openPreview("fakesink")
      let recording = try await capture.record(to: "\(folder)/\(gpu).mkv")
      let photo = try await capture.photo()
      try await photo.write(to: "\(folder)/\(gpu).png")
      stills.append(try photo.sample.bytes())
      await until { await recording.recorder.timeline.end >= 1_000_000_000 }
      let recorded = try await recording.finish()
      #expect(await capture.status.previews.count == 1)
      await capture.closePreview(preview)
      await capture.stop()
      let stream = try await DecodedFile(path: recorded.path).stream("v")
      #expect(stream.frames == recorded.frames && recorded.frames >= 30)
      #expect((stream.width, stream.height) == (70, 50))
      let image = try await DecodedFile(path: "\(folder)/\(gpu).png").stream("v")
      #expect((image.width, image.height, image.frames) == (70, 50, 1))
    }
    // The pattern stands still, but for noise in a corner.
    #expect(zip(stills[0], stills[1]).count { $0 != $1 } < stills[0].count / 10)
  }

  @Test func aGPUThatFailsLosesNoFrameAndNoSetting() async throws {
    let capture = CapturePipeline(
      TestPatternSource("ball", Self.size, isLive: false), scan: ["map": "radial", "depth": 9],
      gpu: .on, clock: ManualClock())
    let (events, frames) = (capture.events, await capture.frames(delivery: .lossless))
    try await capture.start()
    let recording = try await capture.record(to: "\(folder)/show.mkv")
    try await capture.set("gain", to: .double(2.5))
    try await capture.move("offset", .wave(.sine, period: .seconds(1), from: -1, to: 1))
    var reader = frames.makeAsyncIterator()
    var times: [ClockTime] = []
    for _ in 0..<30 { times.append(try #require(await reader.next()?.buffer?.presentationTime)) }
    // As the element does when the driver gives up.
    await capture.stream?.scan.fail("The GPU was reset.")
    for _ in 0..<60 { times.append(try #require(await reader.next()?.buffer?.presentationTime)) }
    for await case .gpuLost(let error) in events {
      #expect(error.code == .noGPU)
      #expect(error.message.contains("The GPU was reset."))
      break
    }
    #expect(await capture.state == .running)
    #expect(await capture.status.device == .processor(because: "The GPU was reset."))
    #expect(await capture.stream?.scan.factoryName == "slitscan")
    #expect(await capture.value(of: "map")?.text == "radial")
    #expect(try await capture.stream?.scan.get("depth", as: Int.self) == 9)
    #expect(await capture.value(of: "gain") == .double(2.5))
    #expect(await capture.stream?.scan.isMoving("offset") == true)
    // What is set from now on reaches the element that draws.
    try await capture.set("mode", to: "sweep")
    #expect(try await capture.stream?.scan.get("mode") == "sweep")
    let first = times[0].nanoseconds
    #expect(
      times.map { Int((Double($0.nanoseconds - first) * 30 / 1e9).rounded()) } == Array(0..<90))
    let recorded = try await recording.finish()
    #expect(recorded.droppedFrames == 0)
    let file = DecodedFile(path: recorded.path)
    #expect(try await file.stream("v").frames == recorded.frames)
    let packets = try await file.packets("v")
    #expect(packets.count > 60)
    #expect(
      zip(packets, packets.dropFirst()).allSatisfy {
        abs($1.presentation - $0.presentation - 1 / 30) < 0.002
      }, "no frame is missing in it")
    await capture.stop()
    // Another start tries the GPU again.
    try await capture.start()
    let isOnGPU = if case .gpu = await capture.device { true } else { false }
    #expect(isOnGPU)
    await capture.stop()
  }

  @Test func aHistoryOnDiskIsTheProcessors() async throws {
    let capture = CapturePipeline(
      TestPatternSource("ball", Self.size, isLive: false), scan: ["depth": 9], gpu: .on,
      clock: ManualClock())
    let (events, frames) = (capture.events, await capture.frames(delivery: .lossless))
    try await capture.start()
    var reader = frames.makeAsyncIterator()
    var times: [ClockTime] = []
    for _ in 0..<5 { times.append(try #require(await reader.next()?.buffer?.presentationTime)) }
    try await capture.set("history-location", to: .string(folder.path))
    for _ in 0..<20 { times.append(try #require(await reader.next()?.buffer?.presentationTime)) }
    for await case .gpuLost(let error) in events {
      #expect(error.message.contains("keeps no history in history-location. It goes on"))
      break
    }
    #expect(await capture.stream?.scan.factoryName == "slitscan")
    #expect(await capture.value(of: "history-location") == .string(folder.path))
    let first = times[0].nanoseconds
    #expect(
      times.map { Int((Double($0.nanoseconds - first) * 30 / 1e9).rounded()) } == Array(0..<25))
    await capture.stop()
    // From the beginning, there is no choice.
    await #expect(throws: CaptureError.self) { try await capture.start() }
  }

  @Test func glslitscanSaysThatItsHistoryIsOnTheGPU() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! glupload ! glcolorconvert ! "
        + "glslitscan history-location=/tmp ! fakesink")
    GPU.offerDisplay(to: pipeline.element)
    let messages = pipeline.bus.messages
    try await pipeline.play()
    for await message in messages {
      guard let warning = message.historyWarning else { continue }
      #expect(
        warning.message
          == "glslitscan keeps history in the memory of the GPU, and not in history-location. Use slitscan for a "
          + "history on disk.")
      break
    }
    await pipeline.stop()
  }

  /// Wider than a texture may be, which the processor does not mind.
  @Test func aSourceThatTheGPUCannotTakeGoesThroughTheProcessor() async throws {
    let capture = CapturePipeline(
      TestPatternSource("white", Self.size, isLive: true), scan: ["depth": 2], gpu: .on, on: clock)
    let (events, frames) = (capture.events, await capture.frames())
    try await capture.start()
    try await capture.setSource(
      TestPatternSource("white", VideoRequest(width: 32700, height: 4, frameRate: 30)))
    for await case .gpuLost in events { break }
    for try await frame in frames where try VideoInfo(#require(frame.caps)).width == 32700 {
      #expect(try Self.luma(frame, x: 32699, y: 3) > 200)
      break
    }
    #expect(await capture.state == .running)
    await capture.stop()
  }

  @Test func automaticMeansTheProcessorWhereOpenGLIsSoftware() async throws {
    let gpu = try await GPU.find()
    #expect(!gpu.renderer.isEmpty)
    let capture = CapturePipeline(
      TestPatternSource("ball", Self.size), scan: ["depth": 2], gpu: .auto, on: clock)
    try await capture.start()
    let device = await capture.status.device
    await capture.stop()
    if gpu.isSoftware {
      #expect(device == .processor(because: "OpenGL is software here: \(gpu.renderer)."))
    } else {
      #expect(device == .gpu(renderer: gpu.renderer))
    }
  }

  @Test(arguments: [
    ("llvmpipe (LLVM 15.0.6, 256 bits)", true), ("softpipe", true), ("SWR (LLVM 12)", true),
    ("zink Vulkan 1.3(llvmpipe (LLVM 17.0.6, 256 bits) (MESA_LLVMPIPE))", true),
    ("Google SwiftShader", true), ("Software Rasterizer", true),
    ("D3D12 (Microsoft Basic Render Driver)", true), ("NVIDIA GeForce RTX 4070/PCIe/SSE2", false),
    ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", false), ("AMD Radeon RX 6600 (radeonsi)", false),
    ("V3D 4.2", false), ("", false),
  ])
  func renderersInSoftwareAreKnown(name: String, isSoftware: Bool) {
    #expect(GPU(renderer: name, version: "").isSoftware == isSoftware)
  }

  @Test func aSessionChangesBetweenProcessorAndGPU() async throws {
    let session = CaptureSession(on: clock)
    func update(_ gpu: GPUUse?) async throws {
      try await session.update {
        TestPattern("ball", Self.size)
        Scan(["map": "radial"])
        if let gpu { gpu }
        Record(to: "\(folder)/show.mkv")
      }
    }
    var devices: [Bool] = []
    for gpu in [GPUUse.on, .off, .on, nil] {
      try await update(gpu)
      _ = try await session.photo()
      let isOnGPU = if case .gpu = await session.status.device { true } else { false }
      devices.append(isOnGPU)
    }
    #expect(devices == [true, false, true, false])
    let recordings = await session.stop()
    let path = try #require(recordings.first?.path)
    #expect(try await DecodedFile(path: path).stream("v").frames == recordings.first?.frames)
  }
}
