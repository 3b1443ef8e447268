// Tests of `slitscan bench`, on a clock that goes on with each look at it.

import CommandUnderTest
import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanCommand

struct BenchTests {
  /// Shows a tenth of a second more at each look.
  private struct LookedAtClock: SteadyClock {
    private let clock = ManualClock()
    var minimumResolution: Duration { clock.minimumResolution }
    var now: ContinuousClock.Instant {
      clock.advance(by: .milliseconds(100))
      return clock.now
    }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline)
    }
  }

  @Test func everyMapThatNeedsOnlyTheFramesIsMeasured() async throws {
    let scans = try Bench.scans(of: ["depth": 4], maps: [])
    #expect(try scans.map(\.map) == maps().filter { !["image", "live"].contains($0) })
    for (map, scan) in scans {
      let size = try #require(FrameSize(argument: "64x48"))
      let line = try await BenchLine(
        of: scan, map: map, size: size, format: "I420", on: LookedAtClock())
      let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(line))
      let json = try #require(object as? [String: Any])
      #expect(json["map"] as? String == map && json["size"] as? String == "64x48")
      // After the first look, nine frames take the second.
      #expect(json["frames-per-second"] as? Double == 9)
      #expect(try abs(#require(json["milliseconds"] as? Double) - 1000 / 9) < 1e-9)
      #expect(try #require(json["history-bytes"] as? Int) > 0, "\(line)")
    }
  }

  @Test func aPresetIsMeasuredWithItsOwnMap() throws {
    #expect(try Bench.scans(of: Scan(preset: "Vortex"), maps: []).map(\.map) == ["spiral"])
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
    let result = try await slitscan("bench \(arguments)")
    // EX_USAGE of sysexits.h.
    #expect(result.status == 64, "\(result.text)")
    #expect(result.text.replacing("`", with: "").contains(sentence), "\(result.text)")
  }
}
