// An outlet passes the samples of a capture to one reader.

import GStreamer
import StreamingThread

/// One reader's way to the samples.
///
/// Ends when it is let go of, so that nobody waits for a reader who has gone.
final class Outlet: Sendable {
  private enum Way {
    case lossless(Handoff)
    case latest(AsyncStream<Sample>, AsyncStream<Sample>.Continuation)
  }

  private let way: Way
  private let watch: ReaderWatch?
  private let waiting: Waiting

  /// - Parameters:
  ///   - byteLimit: How much may wait for a reader of the latest, whatever the number; one sample always
  ///     may.
  ///   - watch: Sees how long samples wait for a lossless reader.
  init(_ delivery: Delivery, byteLimit: Int = .max, watch: ReaderWatch? = nil) {
    self.watch = watch
    waiting = Waiting(byteLimit)
    switch delivery {
    case .lossless: way = .lossless(Handoff())
    case .latest(let limit):
      let (stream, continuation) = AsyncStream.makeStream(
        of: Sample.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
      way = .latest(stream, continuation)
    }
  }

  deinit { finish() }

  /// Samples that nobody got, as newer ones came.
  var dropped: UInt64 { waiting.dropped }

  /// Hands a sample over; waits for the reader where none may be lost.
  func take(_ sample: Sample) async {
    switch way {
    case .lossless(let handoff):
      watch?.begin()
      await handoff.send(sample)
      watch?.end()
    case .latest(_, let continuation):
      guard waiting.admit(sample) else { return }
      if case .dropped(let older) = continuation.yield(sample) { waiting.drop(older) }
    }
  }

  /// There will be no more; what waits can still be read.
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
    case .latest(let stream, _): .latest(stream.makeAsyncIterator(), waiting)
    }
  }

  /// Reads samples, one after the other.
  enum Reader {
    case lossless(Handoff)
    case latest(AsyncStream<Sample>.Iterator, Waiting)

    /// The next sample; nil at the end, or when the task is cancelled.
    mutating func next(isolation: isolated (any Actor)?) async -> Sample? {
      switch self {
      case .lossless(let handoff): return await handoff.next(isolation: isolation)
      case .latest(var iterator, let waiting):
        defer { self = .latest(iterator, waiting) }
        let sample = await iterator.next(isolation: isolation)
        if let sample { waiting.remove(sample) }
        return sample
      }
    }
  }

  /// The memory of samples that nobody has read yet, and how many were dropped.
  final class Waiting: Sendable {
    private let limit: Int
    private let state = Lock((bytes: 0, dropped: UInt64(0)))

    fileprivate init(_ limit: Int) { self.limit = limit }

    var dropped: UInt64 { state.withLock { $0.dropped } }

    /// Makes room for a sample; false where it has to be dropped.
    fileprivate func admit(_ sample: Sample) -> Bool {
      state.withLock { state in
        let size = sample.buffer?.byteCount ?? 0
        guard state.bytes == 0 || size <= limit - state.bytes else {
          state.dropped += 1
          return false
        }
        state.bytes += size
        return true
      }
    }

    /// A sample that waited is gone.
    fileprivate func drop(_ sample: Sample) {
      remove(sample)
      state.withLock { $0.dropped += 1 }
    }

    fileprivate func remove(_ sample: Sample) {
      state.withLock { $0.bytes -= sample.buffer?.byteCount ?? 0 }
    }
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

  /// A new outlet, for as long as the caller holds it.
  mutating func open(
    _ delivery: Delivery, byteLimit: Int = .max, watch: ReaderWatch? = nil
  ) -> Outlet {
    entries.removeAll { $0.outlet == nil }
    let outlet = Outlet(delivery, byteLimit: byteLimit, watch: watch)
    entries.append(Entry(outlet: outlet))
    return outlet
  }

  /// Gives everybody a sample.
  func pass(_ sample: Sample, isolation: isolated (any Actor)? = #isolation) async {
    for outlet in outlets { await outlet.take(sample) }
  }

  /// There will be no more.
  func finish() {
    for outlet in outlets { outlet.finish() }
  }
}

/// The scanned frames of a capture, see ``CapturePipeline/frames(delivery:)``; for one reader.
public struct ScannedFrames: AsyncSequence, Sendable {
  private let outlet: Outlet

  init(_ outlet: Outlet) { self.outlet = outlet }

  /// How many frames nobody got so far, as newer ones came.
  public var dropped: UInt64 { outlet.dropped }

  /// Ends the sequence after what its reader can have at once; the capture does not wait for it any more.
  ///
  /// A reader that was left by `break` does so by itself, but in top-level code, where Swift keeps the
  /// loop's iterator.
  public func stop() { outlet.finish() }

  /// The reader's side.
  public func makeAsyncIterator() -> Iterator {
    Iterator(presence: Presence(outlet), reader: outlet.makeReader())
  }

  /// Ends an outlet when its reader goes.
  fileprivate final class Presence: Sendable {
    private let outlet: Outlet

    init(_ outlet: Outlet) { self.outlet = outlet }

    deinit { outlet.finish() }
  }

  /// Reads frames, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let presence: Presence
    fileprivate var reader: Outlet.Reader
    private var stretch = Stretch()

    fileprivate init(presence: Presence, reader: Outlet.Reader) {
      self.presence = presence
      self.reader = reader
    }

    /// The next frame; nil when the capture stops, or the task is cancelled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> Sample? {
      if stretch.isOver() { await Task.yield() }
      return await reader.next(isolation: isolation)
    }

    /// The next frame; nil when the capture stops, or the task is cancelled.
    public mutating func next() async -> Sample? { await next(isolation: nil) }
  }
}
