// Stages that play by clocks of a test's.

import GStreamer
import SlitScanCapture
import SlitScanStage
import TestClock

extension CaptureStage {
  /// A stage of small frames by a clock of a test's; its limits are never reached unless `clock` is advanced.
  package init(
    _ source: LiveSource, and others: [LiveSource] = [], frameRate: Fraction = 30, size: Int = 64,
    outputs: [Output] = [], scan: Scan = [:], fallback: String = CaptureStage.lastFrame,
    reserve: HistoryReserve = .property, clock: ManualClock = ManualClock(),
    on streamClock: TestClock
  ) throws {
    try self.init(
      source, and: others, VideoRequest(width: size, height: size * 3 / 4, frameRate: frameRate),
      outputs: outputs, scan: scan, fallback: fallback, reserve: reserve, clock: clock,
      streamClock: streamClock.clock)
  }
}
