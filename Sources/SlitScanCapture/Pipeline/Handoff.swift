// A handoff passes samples from one task to another, one at a time.

import GStreamer
import StreamingThread

/// A channel without a buffer: whoever sends a sample waits until the reader has it.
///
/// Nobody waits after ``finish()``, or when their task is cancelled; samples that were not read are dropped.
final class Handoff: Sendable {
  private typealias Reader = CheckedContinuation<Sample?, Never>

  private struct Sender {
    let id: UInt64
    let sample: Sample
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var isFinished = false
    var nextID: UInt64 = 0
    var senders: [Sender] = []
    /// Waits only where no sender does.
    var reader: Reader?

    mutating func stopReading() -> Reader? {
      defer { reader = nil }
      return reader
    }
  }

  private let state = Lock(State())

  /// Waits until the reader has the sample, or will not have it.
  func send(_ sample: Sample) async {
    let id = state.withLock { state -> UInt64 in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let (isOver, reader) = state.withLock { state -> (Bool, Reader?) in
          // Whoever is cancelled after this finds the sender.
          if state.isFinished || Task.isCancelled { return (true, nil) }
          if let reader = state.stopReading() { return (true, reader) }
          state.senders.append(Sender(id: id, sample: sample, continuation: continuation))
          return (false, nil)
        }
        reader?.resume(returning: sample)
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sender = state.withLock { state -> Sender? in
        guard let index = state.senders.firstIndex(where: { $0.id == id }) else { return nil }
        return state.senders.remove(at: index)
      }
      sender?.continuation.resume()
    }
  }

  /// Waits for the next sample; nil after ``finish()``, where the task is cancelled, and where another waits.
  func next(isolation: isolated (any Actor)?) async -> Sample? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Reader) in
        let (isOver, sender) = state.withLock { state -> (Bool, Sender?) in
          if state.isFinished || state.reader != nil || Task.isCancelled { return (true, nil) }
          if !state.senders.isEmpty { return (true, state.senders.removeFirst()) }
          state.reader = continuation
          return (false, nil)
        }
        sender?.continuation.resume()
        if isOver { continuation.resume(returning: sender?.sample) }
      }
    } onCancel: {
      state.withLock { $0.stopReading() }?.resume(returning: nil)
    }
  }

  /// There will be no more.
  func finish() {
    let (reader, senders) = state.withLock { state -> (Reader?, [Sender]) in
      state.isFinished = true
      defer { state.senders = [] }
      return (state.stopReading(), state.senders)
    }
    reader?.resume(returning: nil)
    for sender in senders { sender.continuation.resume() }
  }
}
