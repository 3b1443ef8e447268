// Samples from one task to another, in their order.

import GStreamer

/// A channel to one reader: a sender waits until the reader takes its sample, or leaves it in a queue.
///
/// Senders do not wait after ``finish(throwing:)``, or when their tasks are cancelled; their samples are dropped. What is
/// in the queue can still be read.
final class Handoff: Sendable {
  /// The limit of the queue; one sample may always be in it, however large.
  struct Limit: Sendable {
    var samples: Int
    var bytes: Int
  }

  private struct Entry {
    let id: UInt64
    let sample: Sample
    /// Whether a sender waits until it is taken.
    let isAwaited: Bool
  }

  private struct State {
    var isFinished = false
    /// The error that the reader gets at the end, once.
    var failure: CaptureError?
    var lastID: UInt64 = 0
    var entries: [Entry] = []
    /// The reader that waits, only where there are no entries.
    var reader: UInt64?

    mutating func makeID() -> UInt64 {
      lastID += 1
      return lastID
    }

    @discardableResult
    mutating func append(_ sample: Sample, isAwaited: Bool) -> UInt64 {
      entries.append(Entry(id: makeID(), sample: sample, isAwaited: isAwaited))
      return lastID
    }

    var bytes: Int { entries.reduce(0) { $0 + ($1.sample.buffer?.byteCount ?? 0) } }

    func hasRoom(for sample: Sample, _ limit: Limit) -> Bool {
      guard !entries.isEmpty else { return true }
      return entries.count < limit.samples
        && sample.buffer?.byteCount ?? 0 <= limit.bytes - bytes
    }
  }

  private let state = Shared(State())

  /// The part of a limit that the samples in the queue reach.
  func fill(of limit: Limit) -> Double {
    state.withLock { state in
      max(
        Double(state.entries.count) / Double(limit.samples),
        Double(state.bytes) / Double(limit.bytes))
    }
  }

  /// Waits until the reader has the sample, or will not have it.
  func send(_ sample: Sample) async {
    let id = state.withLock { state in
      state.isFinished || Task.isCancelled ? nil : state.append(sample, isAwaited: true)
    }
    guard let id else { return }
    await state.wait { state in
      state.entries.contains { $0.id == id } ? nil : ()
    } onCancel: { state in
      state.entries.removeAll { $0.id == id }
    }
  }

  /// Leaves the sample in the queue, where the reader does not wait for it.
  ///
  /// - Parameter isReplacing: Whether the oldest sample makes room.
  /// - Returns: False where there was no room.
  func leave(_ sample: Sample, limit: Limit, replacing isReplacing: Bool = false) -> Bool {
    let (isTaken, _) = state.withLock { state -> (Bool, Entry?) in
      if state.isFinished { return (true, nil) }
      let hasRoom = state.hasRoom(for: sample, limit)
      guard hasRoom || isReplacing else { return (false, nil) }
      // Freed outside of the lock.
      let replaced = hasRoom ? nil : state.entries.removeFirst()
      state.append(sample, isAwaited: false)
      return (hasRoom, replaced)
    }
    return isTaken
  }

  /// Gives the reader a sample, if it waits for one; otherwise none is made.
  func pass(_ make: () -> Sample?) {
    guard state.withLock({ $0.reader != nil }), let sample = make() else { return }
    state.withLock { state in
      if state.reader != nil { state.append(sample, isAwaited: false) }
    }
  }

  /// Waits for the next sample; nil at the end, where the task is cancelled, and where another waits.
  ///
  /// - Throws: What ``finish(throwing:)`` was given, once.
  func next(isolation: isolated (any Actor)? = #isolation) async throws(CaptureError) -> Sample? {
    let id = state.withLock { $0.makeID() }
    let outcome = await state.wait { state -> Result<Sample?, CaptureError>? in
      guard state.reader == nil || state.reader == id else { return .success(nil) }
      state.reader = nil
      if !state.entries.isEmpty { return .success(state.entries.removeFirst().sample) }
      guard state.isFinished else {
        state.reader = id
        return nil
      }
      defer { state.failure = nil }
      return state.failure.map { .failure($0) } ?? .success(nil)
    } onCancel: { state in
      guard state.reader == id else { return .success(nil) }
      state.reader = nil
      // What came meanwhile came for it.
      return .success(state.entries.isEmpty ? nil : state.entries.removeFirst().sample)
    }
    return try outcome.get()
  }

  /// There will be no more.
  ///
  /// - Parameter failure: Why not, for the reader; nil for an end.
  func finish(throwing failure: CaptureError? = nil) {
    state.withLock { state in
      if !state.isFinished { state.failure = failure }
      state.isFinished = true
      state.entries.removeAll(where: \.isAwaited)
    }
  }
}
