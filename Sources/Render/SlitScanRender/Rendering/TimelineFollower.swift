// The timeline follower applies the changes of a scan timeline as frames pass.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Does what a timeline says, each thing with its frame, on the threads that carry the frames.
///
/// It may follow the same frames in several places. The first frame of all is the first that passes any:
/// further on, a part of a film has lost those before its own.
final class TimelineFollower: Sendable {
  private let entries: [ScanTimeline.Entry]
  private let first = Lock<ClockTime?>(nil)

  init(_ timeline: ScanTimeline) { entries = timeline.entries }

  /// Follows the frames that pass a pad.
  ///
  /// - Parameter act: Does something, before its frame goes on; `first` is when the first frame is
  ///   shown.
  func follow(
    _ pad: Pad, _ act: @escaping @Sendable (ScanTimeline.Change, _ first: ClockTime) -> Void
  ) {
    let done = Lock(0)
    pad.addProbe(.buffer) { [self] item in
      guard case .buffer(let buffer) = item, let time = buffer.presentationTime else {
        return .pass
      }
      let first = first.withLock { first in
        let begun = first ?? time
        first = begun
        return begun
      }
      let due = done.withLock { done in
        let rest = entries[done...].prefix { entry in entry.time.map { $0 < time - first } ?? true }
        done = rest.endIndex
        return rest
      }
      for entry in due { act(entry.change, first) }
      return .pass
    }
  }
}
