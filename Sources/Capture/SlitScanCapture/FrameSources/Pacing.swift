// Pacing releases the frames and sound of a file in real time.

import GStreamer
import StreamingThread

/// The running time at which a file began to play, shared by its video and its sound so that they stay in
/// step.
package final class PlaybackStart: Sendable {
  private let offset = Lock<ClockTime?>(nil)

  /// A file that has not begun to play.
  package init() {}

  /// The offset that makes a file begin now; the first of its streams decides for all.
  fileprivate func offset(of due: ClockTime, at now: ClockTime) -> ClockTime {
    offset.withLock { offset in
      if let offset { return offset }
      let lateness = now > due ? now - due : .zero
      offset = lateness
      return lateness
    }
  }
}

extension Element {
  /// Plays what comes out of an element in real time.
  ///
  /// A stream that starts while others play begins at that time, not at running time 0: otherwise all of
  /// it would be late.
  ///
  /// - Parameters:
  ///   - element: The element that is going to be linked before it.
  ///   - start: Shared by streams that begin together.
  init(pacing element: Element, from start: PlaybackStart) throws(GStreamerError) {
    try self.init("identity")
    try set("sync", to: true)
    let output = try element.pad("src")
    output.addProbe(.buffer) { [self] item, pad in
      guard case .buffer(let buffer) = item, let due = pad.runningTime(of: buffer) else {
        return .pass
      }
      if let now = currentRunningTime {
        let offset = start.offset(of: due, at: now)
        if offset > .zero { pad.shift(by: offset) }
      }
      return .remove
    }
  }
}
