// Samples from one task to another, in their order.

import GStreamer
import StreamingThread

/// A channel to one reader: a sender waits until the reader takes its sample, or leaves it in a queue.
///
/// Senders do not wait after ``finish(throwing:)``, or when their tasks are cancelled; their samples are dropped. What is
/// in the queue can still be read.
final class Handoff: Sendable {
  private typealias Reader = CheckedContinuation<Sample?, Never>

  /// The limit of the queue; one sample may always be in it, however large.
  struct Limit: Sendable {
    var samples: Int
    var bytes: Int
  }

  private struct Entry {
    let id: UInt64
    let sample: Sample
    /// The sender who waits until the sample is taken; nil where it is in the queue.
    let sender: CheckedContinuation<Void, Never>?
  }

  private struct State {
    var isFinished = false
    /// The error that the reader gets at the end, once.
    var failure: CaptureError?
    var nextID: UInt64 = 0
    var entries: [Entry] = []
    /// Waits only where there are no entries.
    var reader: Reader?

    mutating func stopReading() -> Reader? {
      defer { reader = nil }
      return reader
    }

    var bytes: Int { entries.reduce(0) { $0 + ($1.sample.buffer?.byteCount ?? 0) } }

    func hasRoom(for sample: Sample, _ limit: Limit) -> Bool {
      guard !entries.isEmpty else { return true }
      return entries.count < limit.samples
        && sample.buffer?.byteCount ?? 0 <= limit.bytes - bytes
    }
  }

  private let state = Lock(State())

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
    let id = state.withLock { state -> UInt64 in
      state.nextID += 1
      return state.nextID
    }
    await withCancellableContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let (isOver, reader) = state.withLock { state -> (Bool, Reader?) in
        // Once it is an entry, cancellation resumes the sender.
        if state.isFinished || Task.isCancelled { return (true, nil) }
        if let reader = state.stopReading() { return (true, reader) }
        state.entries.append(Entry(id: id, sample: sample, sender: continuation))
        return (false, nil)
      }
      reader?.resume(returning: sample)
      if isOver { continuation.resume() }
    } onCancel: {
      let entry = state.withLock { state -> Entry? in
        guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
        return state.entries.remove(at: index)
      }
      entry?.sender?.resume()
    }
  }

  /// Leaves the sample in the queue, where the reader does not wait for it.
  ///
  /// - Parameter isReplacing: Whether the oldest sample makes room.
  /// - Returns: False where there was no room.
  func leave(_ sample: Sample, limit: Limit, replacing isReplacing: Bool = false) -> Bool {
    let (isTaken, reader, _) = state.withLock { state -> (Bool, Reader?, Entry?) in
      if state.isFinished { return (true, nil, nil) }
      if let reader = state.stopReading() { return (true, reader, nil) }
      let hasRoom = state.hasRoom(for: sample, limit)
      guard hasRoom || isReplacing else { return (false, nil, nil) }
      // Freed outside of the lock.
      let replaced = hasRoom ? nil : state.entries.removeFirst()
      state.nextID += 1
      state.entries.append(Entry(id: state.nextID, sample: sample, sender: nil))
      return (hasRoom, nil, replaced)
    }
    reader?.resume(returning: sample)
    return isTaken
  }

  /// Gives the reader a sample, if it waits for one; otherwise none is made.
  func pass(_ make: () -> Sample?) {
    guard state.withLock({ $0.reader != nil }), let sample = make() else { return }
    state.withLock { $0.stopReading() }?.resume(returning: sample)
  }

  /// Waits for the next sample; nil at the end, where the task is cancelled, and where another waits.
  ///
  /// - Throws: What ``finish(throwing:)`` was given, once.
  func next(isolation: isolated (any Actor)? = #isolation) async throws(CaptureError) -> Sample? {
    let sample = await withCancellableContinuation { (continuation: Reader) in
      let (isOver, entry) = state.withLock { state -> (Bool, Entry?) in
        if state.reader != nil || Task.isCancelled { return (true, nil) }
        if !state.entries.isEmpty { return (true, state.entries.removeFirst()) }
        if state.isFinished { return (true, nil) }
        state.reader = continuation
        return (false, nil)
      }
      entry?.sender?.resume()
      if isOver { continuation.resume(returning: entry?.sample) }
    } onCancel: {
      state.withLock { $0.stopReading() }?.resume(returning: nil)
    }
    // The sender was in the lock before: ThreadSanitizer does not see all that a continuation orders.
    let failure = state.withLock { state -> CaptureError? in
      guard sample == nil, !Task.isCancelled else { return nil }
      defer { state.failure = nil }
      return state.failure
    }
    if let failure { throw failure }
    return sample
  }

  /// There will be no more.
  ///
  /// - Parameter failure: Why not, for the reader; nil for an end.
  func finish(throwing failure: CaptureError? = nil) {
    let (reader, senders) = state.withLock { state in
      if !state.isFinished { state.failure = failure }
      state.isFinished = true
      let senders = state.entries.compactMap(\.sender)
      state.entries.removeAll { $0.sender != nil }
      return (state.stopReading(), senders)
    }
    reader?.resume(returning: nil)
    for sender in senders { sender.resume() }
  }
}
