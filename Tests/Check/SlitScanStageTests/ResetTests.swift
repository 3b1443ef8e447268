// Tests of presets, the key 0 and undo on a stage with video: they change the effect and leave machine settings
// alone.

import Foundation
import GStreamer
import SlitScanCapture
import StageUnderTest
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct ResetTests {
  /// A property that belongs to the machine or to the moment, not to a preset.
  private static let kept: [String: Value] = [
    "threads": .uint(1), "max-memory": .uint(50_000_000), "history": .nick("whole"),
  ]

  @Test func presetsAndTheKey0LeaveTheMachineAndTheHistoryAlone() async {
    // Presets are looked for once in a process.
    await #expect(processExitsWith: .success) {
      // In a folder without user presets, and where GStreamer cannot make one.
      setenv("XDG_DATA_HOME", "/proc", 1)
      try await ResetTests.play()
    }
  }

  @Test func theEffectMayBeginWithUnits() async throws {
    let stage = try CaptureStage(
      .pattern("ball"), scan: ["duration": "2s", "sweep-duration": "10s", "line-color": "#ff8000"])
    #expect(await UInt64(from: stage.value(of: "duration")) == 2_000_000_000)
    #expect(await UInt64(from: stage.value(of: "sweep-duration")) == 10_000_000_000)
    #expect(await UInt64(from: stage.value(of: "line-color")) == 0xffff_8000)
    let error = #expect(throws: StageError.self) {
      try CaptureStage(.pattern("ball"), scan: ["duration": "soon"])
    }
    #expect(error?.code == .badValue)
    let unknown = #expect(throws: StageError.self) {
      try CaptureStage(.pattern("ball"), scan: Scan(preset: "Nothing of the kind"))
    }
    #expect(unknown?.code == .noSuchPreset)
  }

  private static func play() async throws {
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("ball"), scan: ["threads": 1, "max-memory": 50_000_000], reserve: .standard,
      on: streamClock)
    try await streamClock.run { try await stage.start() }
    let performance = await Performance(on: stage)
    let preset = try #require(stage.presets.first)
    // As the keys do.
    let moves: [Move] = [
      .preset(preset, beats: 0), .reset(nil), .undo, .redo, .preset(preset, beats: 0.1),
      .reset(nil),
    ]
    for move in moves {
      try await performance.perform(move)
      for (name, value) in kept {
        #expect(await stage.value(of: name) == value, "\(name) after \(move)")
        #expect(await performance.state.values[name] == value, "\(name) after \(move)")
      }
    }
    #expect(await stage.value(of: "gain") == stage.parameters["gain"]?.property.defaultValue)

    // All of the frame is of one moment, of which only the newest is needed.
    try await performance.performAll(.set("gain", .double(0)), .set("depth", .int(30)))
    let frames = await ClockedFrames(of: stage, on: streamClock)
    _ = try await frames.fresh()
    try await frames.skip(40)
    try await performance.perform(.set("freeze", .bool(true)))
    var seen: Set<[UInt8]> = []
    for place in 0..<6 {
      try await performance.perform(.set("offset", .double(Double(place) / 6)))
      seen.insert(try await frames.fresh().luma())
    }
    #expect(seen.count > 1)
    await stage.stop()
  }
}
