// An outlet passes the samples of a capture to one reader.

import GStreamer
import Synchronization

/// One reader's way to the samples.
///
/// Ends when it is let go of, so that nobody waits for a reader who has gone.
final class Outlet: Sendable {
  /// The fate of a live source's sample for which a lossless outlet's queue has no room.
  enum Overflow: Sendable {
    /// Drops and counts it.
    case drop
    /// Ends with an error.
    case fail
  }

  private enum Way {
    case lossless(Handoff)
    case latest(AsyncStream<Sample>, AsyncStream<Sample>.Continuation)
  }

  private let way: Way
  private let limit: Handoff.Limit
  private let overflow: Overflow
  private let watch: ReaderWatch?
  private let lost = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - limit: How much of a live source may wait for a lossless reader.
  ///   - overflow: What becomes of more.
  ///   - watch: Sees how long a source that can wait does so for a lossless reader.
  init(
    _ delivery: Delivery, limit: Handoff.Limit = .frames, overflow: Overflow = .fail,
    watch: ReaderWatch? = nil
  ) {
    self.limit = limit
    self.overflow = overflow
    self.watch = watch
    switch delivery {
    case .lossless: way = .lossless(Handoff())
    case .latest(let limit):
      let (stream, continuation) = AsyncStream.makeStream(
        of: Sample.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
      way = .latest(stream, continuation)
    }
  }

  deinit { finish() }

  /// Samples that nobody got: newer ones came, or there was no room.
  var dropped: UInt64 { lost.load(ordering: .relaxed) }

  /// Whether samples wait for the reader.
  var isLossless: Bool {
    if case .lossless = way { true } else { false }
  }

  /// Hands a sample over; waits for a lossless reader, unless the source is live.
  func take(_ sample: Sample, isLive: Bool) async {
    switch way {
    case .lossless(let handoff) where isLive:
      guard !handoff.leave(sample, limit: limit) else { return }
      switch overflow {
      case .drop: lost.wrappingAdd(1, ordering: .relaxed)
      case .fail: handoff.finish(throwing: .slowReader)
      }
    case .lossless(let handoff):
      watch?.begin()
      await handoff.send(sample)
      watch?.end()
    case .latest(_, let continuation):
      if case .dropped = continuation.yield(sample) { lost.wrappingAdd(1, ordering: .relaxed) }
    }
  }

  /// There will be no more; what is in a queue can still be read.
  func finish() {
    switch way {
    case .lossless(let handoff): handoff.finish()
    case .latest(_, let continuation): continuation.finish()
    }
  }

  /// The samples, for one reader.
  func makeReader() -> Reader {
    switch way {
    case .lossless(let handoff): .lossless(handoff)
    case .latest(let stream, _): .latest(stream.makeAsyncIterator())
    }
  }

  /// Reads samples, one after the other.
  enum Reader {
    case lossless(Handoff)
    case latest(AsyncStream<Sample>.Iterator)

    /// The next sample; nil at the end, or when the task is cancelled.
    ///
    /// - Throws: ``CaptureError/Code/slowReader``, where the outlet fails when it is full.
    mutating func next(isolation: isolated (any Actor)?) async throws(CaptureError) -> Sample? {
      switch self {
      case .lossless(let handoff): return try await handoff.next(isolation: isolation)
      case .latest(var iterator):
        defer { self = .latest(iterator) }
        return await iterator.next(isolation: isolation)
      }
    }
  }
}

extension Handoff.Limit {
  /// Of frames.
  static let frames = Self(samples: 60, bytes: 256 << 20)
  /// Of sound.
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

  init() {}

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

  /// There will be no more.
  func finish() {
    for outlet in outlets { outlet.finish() }
  }
}
