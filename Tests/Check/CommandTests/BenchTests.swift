// Tests of `slitscan bench`, on a clock that goes on with each look at it.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanCommand

struct BenchTests {
  /// Shows a tenth of a second more at each look.
  private struct AdvancingClock: SteadyClock {
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
        of: scan, map: map, size: size, format: "I420", on: AdvancingClock())
      let json = try fields(String(decoding: jsonData(line.json), as: UTF8.self))
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
}
