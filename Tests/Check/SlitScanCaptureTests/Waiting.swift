// Waiting for what has no event, and captures whose time the test makes.

import GStreamer
import TestClock

@testable import SlitScanCapture

/// Looks until something is so.
func until(
  isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async rethrows {
  while try await !isSo() { await Task.yield() }
}

extension CapturePipeline {
  /// A capture whose limits are never reached.
  init(
    _ source: any FrameSource, sound: (any SoundSource)? = nil, scan: Scan = [:],
    gpu: GPUUse = .off, on streamClock: TestClock
  ) {
    self.init(
      source, sound: sound, scan: scan, gpu: gpu, clock: ManualClock(),
      streamClock: streamClock.clock)
  }

  /// Changes the scan alone, as the update of a session does.
  func setScan(_ scan: Scan) async throws(CaptureError) {
    _ = try await reconfigure(
      to: nil, sound: nil, scan, ValidatedScan(scan), gpu: nil, recorders: [], stopsBefore: stops)
  }
}

extension CaptureSession {
  /// A session whose limits are never reached.
  init(on streamClock: TestClock) {
    self.init(clock: ManualClock(), streamClock: streamClock.clock)
  }
}
