// Tests of the capture pipeline: its frames, and the scan and the properties that it has.

import Footage
import GStreamer
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CapturePipelineTests {
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  @Test func everyFrameOfASourceComesThroughTheEffectInOrder() async throws {
    let capture = CapturePipeline(
      smallPattern(count: 100), scan: ["depth": 20], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    let events = capture.events
    try await capture.start()
    async let ended: Void = { for await event in events where event == .sourceEnded { break } }()
    async let numbers = frames.numbers(100)
    #expect(try await numbers == Array(0..<100))
    await ended
    #expect(await capture.state == .ended)
    await capture.stop()
    #expect(await capture.state == .stopped)
  }

  @Test func severalPropertiesAreSetWithOneFrameAndLeaveTheOthersAlone() async throws {
    let capture = CapturePipeline(smallPattern(), scan: ["depth": 20], clock: ManualClock())
    try await capture.start()
    // One frame is under way until it is released.
    let effect = try #require(await capture.stream).effect.element
    let hold = try await effect.pad("sink").block()
    let change = Task { try await capture.set(["gain": 2, "offset": 0.5, "mix": 0.25]) }
    await until { await capture.pendingChange != nil }
    try await capture.set("gain", to: 3)
    try await capture.set("depth", to: 50)
    hold.release()
    try await change.value
    let values: [String: Value] = [
      "gain": .double(3), "offset": .double(0.5), "mix": .double(0.25), "depth": .uint(50),
    ]
    for (name, value) in values { #expect(await capture.value(of: name) == value, "\(name)") }
    #expect(await capture.scan.properties == ["gain": 3, "offset": 0.5, "mix": 0.25, "depth": 50])
    await capture.stop()
  }

  @Test func aPropertyThatIsSetWhileSeveralWaitForTheirTurnStays() async throws {
    let capture = CapturePipeline(smallPattern(), scan: ["depth": 20], clock: ManualClock())
    try await capture.start()
    let effect = try #require(await capture.stream).effect.element
    let hold = try await effect.pad("sink").block()
    let first = Task { try await capture.set(["offset": 0.5, "mix": 0.25]) }
    await until { await capture.pendingChange != nil }
    let second = await capture.set(["gain": 2, "mix": 0.5], then: "gain", 3)
    await until { await capture.scan.properties["gain"] == 3 }
    hold.release()
    try await first.value
    try await second.value
    let values: [String: Value] = [
      "gain": .double(3), "offset": .double(0.5), "mix": .double(0.5), "depth": .uint(20),
    ]
    for (name, value) in values { #expect(await capture.value(of: name) == value, "\(name)") }
    await capture.stop()
  }

  @Test func theEffectIsDoneToTheFrames() async throws {
    let footage = Footage(width: 16, height: 16, interval: 2)
    let samples = try (0..<12).map { try footage.frame($0) }
    // Every other frame is bright; the lower rows show those of before.
    let capture = CapturePipeline(
      InMemorySource(samples), scan: ["depth": 3, "gain": 0, "offset": 0.5], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    var levels: [UInt8] = []
    for try await frame in frames {
      levels.append(try frame.level())
      if levels.count == 12 { break }
    }
    #expect(levels == [16, 16, 235, 16, 235, 16, 235, 16, 235, 16, 235, 16])
  }

  @Test func aScanThatMakesNoSenseIsSaidBeforeAnythingOpens() async throws {
    for (scan, word) in [
      (Scan(["mapp": "radial"]), "mapp"), (["map": "round"], "map"), (["depth": -1], "depth"),
      (Scan(preset: "No Such Preset"), "No Such Preset"), (["depth": "many"], "depth"),
    ] {
      let capture = CapturePipeline(smallPattern(), scan: scan, clock: ManualClock())
      let error = await #expect(throws: CaptureError.self) { try await capture.start() }
      #expect(error?.code == .badScan)
      #expect(error?.message.contains(word) == true, "\(error as Any)")
      #expect(await capture.state == .stopped)
    }
  }

  @Test func aScanThatMakesNoSenseChangesNothingWhileFramesFlow() async throws {
    let capture = CapturePipeline(smallPattern(isLive: true), scan: ["map": "radial"], on: clock)
    try await capture.start()
    await #expect(throws: CaptureError.self) {
      try await capture.setScan(["map": "angular", "depth": 0])
    }
    #expect(await capture.scan == ["map": "radial"])
    #expect(try await capture.stream?.scan.get("map") == "radial")
    try await capture.setScan(["depth": 7])
    #expect(try await capture.stream?.scan.get("map") == "linear")
    #expect(try await capture.stream?.scan.get("depth") == 7)
    await capture.stop()
  }

  @Test func allOfAScanTakesEffectWithTheSameFrame() async throws {
    let footage = Footage(width: 16, height: 16, interval: 1_000_000)
    let source = InMemorySource { number in try footage.frame(number) }
    // Either is the frame as it is; a frame of half of one and half of the other would be black.
    let scans: [Scan] = [
      ["depth": 100_000, "gain": 0, "offset": 1, "warmup": "live"],
      ["depth": 100_000, "gain": 0, "offset": 0, "warmup": "black"],
    ]
    let capture = CapturePipeline(source, scan: scans[0], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let watching = Task {
      var levels: Set<UInt8> = []
      var count = 0
      for try await frame in frames {
        levels.insert(try frame.level())
        count += 1
        if count == 600 { break }
      }
      return levels
    }
    for number in 0..<40 { try await capture.setScan(scans[number % 2]) }
    #expect(try await watching.value == [16])
    await capture.stop()
  }

  @Test func aHistoryOnDiskIsOnTheProcessorAndSaysWhereItCannotBe() async throws {
    let location = "/proc/self/status"
    let capture = CapturePipeline(
      smallPattern(count: 20), scan: ["depth": 10, "history-location": .string(location)],
      gpu: .auto, clock: ManualClock())
    let events = capture.events
    try await capture.start()
    #expect(
      await capture.device == .processor(because: "The GPU keeps no history in history-location."))
    for await case .historyFailed(let error) in events {
      #expect(error.code == .historyFailed)
      #expect(error.message.hasPrefix("No history can be kept in \(location): Not a directory."))
      break
    }
    await capture.stop()
  }

  @Test func aCaptureThatIsLetGoOfStops() async throws {
    weak var gone: CapturePipeline?
    do {
      let capture = CapturePipeline(smallPattern(isLive: true), sound: TestToneSource(), on: clock)
      try await capture.start()
      try await capture.openPreview("fakesink")
      _ = try await capture.photo()
      gone = capture
    }
    await until { gone == nil }
  }
}

extension CapturePipeline {
  /// Sets several properties, and one while those wait for their turn.
  fileprivate func set(
    _ properties: [String: Value], then name: String, _ value: Value
  ) -> Task<Void, any Error> {
    let change = Task { try await self.set(properties) }
    // It comes after that.
    Task { try self.set(name, to: value) }
    return change
  }
}
