// What happens in the course of a film, with its pictures.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Does what a timeline says, each thing with its picture, on the thread that carries the pictures.
final class TimelineFollower: Sendable {
  private struct State {
    var next = 0
    var first: ClockTime?
  }

  private let entries: [ScanTimeline.Entry]
  private let state = Lock(State())

  init(_ timeline: ScanTimeline) { entries = timeline.entries }

  /// Follows the pictures that pass a pad.
  ///
  /// - Parameter act: Does something, before its picture goes on; `first` is when the first picture is
  ///   shown.
  func follow(
    _ pad: Pad, _ act: @escaping @Sendable (ScanTimeline.Change, _ first: ClockTime) -> Void
  ) {
    pad.addProbe(.buffer) { [self] item in
      guard case .buffer(let buffer) = item, let time = buffer.presentationTime else {
        return .pass
      }
      let (changes, first) = due(with: time)
      for change in changes { act(change, first) }
      return .pass
    }
  }

  private func due(with time: ClockTime) -> ([ScanTimeline.Change], ClockTime) {
    state.withLock { state in
      let first = state.first ?? time
      state.first = first
      let begin = state.next
      while state.next < entries.count,
        entries[state.next].time.map({ $0 < time - first }) ?? true
      {
        state.next += 1
      }
      return (entries[begin..<state.next].map(\.change), first)
    }
  }
}
