// An outlet passes the samples of a capture to one reader.

import GStreamer
import Synchronization

/// One reader's way to the samples.
///
/// Ends when it is released, so that a reader that is gone holds nothing up.
///
/// Previews and recordings, too, read an outlet and no `tee` beside the appsink: their frames are those that the
/// capture has timed over changes of source, kept in step with sound, and covered where black is shown. A recorder
/// places each of them. Samples are references, so no pixel is copied: the way of a frame over an appsink and an appsrc
/// takes 20 µs of a processor, and 8 in C (`Benchmarks bridge`).
final class Outlet: Sendable {
  /// The fate of samples for which the queue has no room.
  enum Overflow: Sendable {
    /// The oldest is dropped and counted.
    case dropOldest
    /// The newest is dropped and counted.
    case drop
    /// The outlet ends with an error.
    case fail
  }

  private let handoff = Handoff()
  private let limit: Handoff.Limit
  private let overflow: Overflow
  private let watch: ReaderWatch?
  /// Whether it ends with the source.
  let endsWithSource: Bool
  private let lost = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - limit: How much of a live source may wait for a lossless reader.
  ///   - overflow: What becomes of more.
  ///   - watch: Sees how long a source that can wait does so for a lossless reader.
  ///   - endsWithSource: Whether the reader is done when the source is.
  init(
    _ delivery: Delivery, limit: Handoff.Limit = .frames, overflow: Overflow = .fail,
    watch: ReaderWatch? = nil, endsWithSource: Bool = false
  ) {
    self.watch = watch
    self.endsWithSource = endsWithSource
    switch delivery {
    case .lossless: (self.limit, self.overflow) = (limit, overflow)
    case .latest(let count):
      self.limit = Handoff.Limit(samples: max(1, count), bytes: .max)
      self.overflow = .dropOldest
    }
  }

  deinit { finish() }

  /// Samples that were not read: newer ones came, or there was no room.
  var dropped: UInt64 { lost.load(ordering: .relaxed) }

  /// The part of the queue that is full, from 0 to 1.
  var fill: Double { handoff.fill(of: limit) }

  /// Whether samples wait for the reader.
  var isLossless: Bool { overflow != .dropOldest }

  /// Hands a sample over; waits for a lossless reader, unless the source is live.
  func take(_ sample: Sample, isLive: Bool) async {
    guard isLive || !isLossless else {
      watch?.begin()
      await handoff.send(sample)
      watch?.end()
      return
    }
    guard !handoff.leave(sample, limit: limit, replacing: overflow == .dropOldest) else { return }
    if overflow == .fail {
      handoff.finish(throwing: .slowReader)
    } else {
      lost.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// There will be no more; what is in a queue can still be read.
  ///
  /// - Parameter failure: Why not, for the reader; nil for an end.
  func finish(throwing failure: CaptureError? = nil) { handoff.finish(throwing: failure) }

  /// The next sample, for the one reader; nil at the end, or when the task is cancelled.
  ///
  /// - Throws: What ``finish(throwing:)`` was given; ``CaptureError/Code/slowReader``, where the outlet fails when it
  ///   is full.
  func next(isolation: isolated (any Actor)? = #isolation) async throws(CaptureError) -> Sample? {
    try await handoff.next(isolation: isolation)
  }
}

extension Handoff.Limit {
  static let frames = Self(samples: 60, bytes: 256 << 20)
  static let sounds = Self(samples: 1000, bytes: 16 << 20)
}

extension CaptureError {
  fileprivate static var slowReader: CaptureError {
    CaptureError(
      .slowReader,
      "A lossless reader is slower than the live source: more frames wait for it than may. Read "
        + "faster, or only the latest frames.")
  }
}

/// All who want samples.
///
/// A reference that may outlive those who read: it holds them weakly.
struct Distribution {
  private struct Entry {
    weak var outlet: Outlet?
  }

  private var entries: [Entry] = []

  /// The outlets that are still read.
  var outlets: [Outlet] { entries.compactMap(\.outlet) }

  /// Adds an outlet, for as long as the caller holds it.
  mutating func add(_ outlet: Outlet) -> Outlet {
    entries.removeAll { $0.outlet == nil }
    entries.append(Entry(outlet: outlet))
    return outlet
  }

  /// Gives everybody a sample of a stream.
  func pass(
    _ sample: Sample, of stream: CaptureStream?, isolation: isolated (any Actor)? = #isolation
  ) async {
    for outlet in outlets {
      // Known anew with each sample, as sources come and go.
      await outlet.take(sample, isLive: outlet.isLossless && stream?.isLive ?? true)
    }
  }

  /// The source has given its last sample, or broke off.
  func endSource(_ failure: CaptureError? = nil) {
    for outlet in outlets where outlet.endsWithSource { outlet.finish(throwing: failure) }
  }

  func finish() {
    for outlet in outlets { outlet.finish() }
  }
}
