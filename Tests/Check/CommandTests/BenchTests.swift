// Tests of `slitscan bench`, run as a person runs it.

import CommandUnderTest
import Foundation
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared))
struct BenchTests {
  private func bench(_ arguments: String) async throws -> CommandResult {
    try await Command.run(
      "\(Command.slitscan) bench \(arguments)",
      environment: ["GST_PRESET_PATH": Command.root.appending(path: "gst/presets").path])
  }

  @Test func everyMapThatNeedsOnlyTheFramesIsMeasured() async throws {
    let result = try await bench("--size 64x48 --set depth=4 --json")
    #expect(result.status == 0, "\(result.text)")
    let lines = try result.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let maps = try await Command.maps()
    #expect(
      lines.compactMap { $0["map"] as? String } == maps.filter { !["image", "live"].contains($0) })
    for line in lines {
      #expect(line["size"] as? String == "64x48")
      for number in ["frames-per-second", "milliseconds", "history-bytes"] {
        #expect(try #require(line[number] as? Double) > 0, "\(line)")
      }
    }
  }

  @Test func aPresetIsMeasuredWithItsOwnMap() async throws {
    let result = try await bench("--preset Vortex --size 64x48")
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("spiral"))
  }

  @Test(arguments: [
    ("--size 64", "'64' is invalid for '--size"), ("--size 0x48", "'0x48' is invalid"),
    ("--map nonsense", "linear, radial"), ("--set depth=nonsense", "whole number"),
    ("--preset nonsense", "Vortex"), ("--map live", "needs a second video"),
    ("--map image", "--set map-location=FILE"),
    ("--format nonsense", "gst-inspect-1.0 slitscan lists the formats"),
    ("--format v210", "gst-inspect-1.0 slitscan lists the formats"),
  ])
  func nonsenseIsRefusedWithASentence(arguments: String, sentence: String) async throws {
    let result = try await bench(arguments)
    // EX_USAGE of sysexits.h.
    #expect(result.status == 64, "\(result.text)")
    #expect(result.text.replacing("`", with: "").contains(sentence), "\(result.text)")
  }
}
