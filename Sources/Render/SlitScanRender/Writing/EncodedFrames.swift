// The count of the frames that an encoder takes and gives.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Counts the frames that enter an encoder and those that leave it: one that drops frames says nothing of it.
final class EncodedFrames: Sendable {
  private let name: String
  private let counts = Lock((taken: 0, given: 0))

  init(of encoder: Element) throws(GStreamerError) {
    name = encoder.factoryName
    try encoder.pad("sink").addProbe(.buffer) { [self] _ in
      counts.withLock { $0.taken += 1 }
      return .pass
    }
    try encoder.pad("src").addProbe(.buffer) { [self] _ in
      counts.withLock { $0.given += 1 }
      return .pass
    }
  }

  /// - Throws: ``CaptureError/Code/encoderFailed`` where frames are missing; after the end of the stream.
  func requireAll(_ path: String) throws(CaptureError) {
    let (taken, given) = counts.withLock { $0 }
    guard taken != given else { return }
    throw CaptureError(
      .encoderFailed,
      "\(path): The encoder \(name) wrote \(given) of \(taken) frames. Choose another --codec.")
  }
}
