// Tests of an appsink's state machine, without threads or GStreamer.

import SeededGenerator
import Testing

@testable import GStreamer

@Suite final class SampleQueueStateTests {
  private var state = SampleQueueState(.lossless)
  private let failure = GStreamerError(.streamFailed, "It broke.")

  /// A reader that waits.
  private func waiting() -> (SampleQueueState, UInt64) {
    var state = SampleQueueState(.lossless)
    let id = state.claim() ?? .max
    #expect(state.nextAction(of: id) == .wait)
    #expect(state.mustWait(id))
    return (state, id)
  }

  @Test(arguments: [0, 1, 2, 3, 4]) func droppedSamplesAreNotToBeRead(ending: Int) {
    let id = state.claim() ?? .max
    _ = state.arrive()
    #expect(!state.isRead)
    switch ending {
    case 0: state.flush()
    case 1: state.end(.stopped)
    case 2: state.end(.disposed)
    case 3: #expect(state.leave(id) == 1)
    default: #expect(state.stopReading() == 1)
    }
    #expect(state.isRead)
  }

  @Test func samplesStillWaitForTheFirstReaderAfterAnEarlyStop() {
    _ = state.arrive()
    #expect(state.stopReading() == 0)
    let id = state.claim() ?? .max
    #expect(state.nextAction(of: id) == .pull)
  }

  @Test func theFirstReasonIsReported() {
    var (state, id) = waiting()
    state.end(.failed(failure))
    state.end(.eos)
    state.end(.stopped)
    state.end(.disposed)
    #expect(state.nextAction(of: id) == .end(.failed(failure)))
  }

  @Test func aStopIsReportedEvenIfTheNextStreamHasBegun() {
    var (state, id) = waiting()
    state.end(.stopped)
    _ = state.arrive()
    #expect(state.nextAction(of: id) == .end(.stopped))
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .pull)
  }

  @Test func aFailureBeforeTheStreamBeganIsForgottenWhenItBeginsAnew() {
    var (state, id) = waiting()
    state.end(.failed(failure))
    state.rearm()
    #expect(state.nextAction(of: id) == .end(.failed(failure)))
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .wait)
  }

  @Test func nothingFollowsWhatIsGone() {
    var (state, _) = waiting()
    state.end(.disposed)
    state.rearm()
    state.end(.stopped)
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .end(.disposed))
  }

  @Test func aFlushForgetsWhatWasHeldAndTheEnd() {
    let id = state.claim() ?? .max
    _ = state.arrive()
    _ = state.arrive()
    state.end(.eos)
    state.flush()
    #expect(state.nextAction(of: id) == .wait)
    #expect(state.dropped == 0)
  }

  /// The queue of a real appsink, as far as the machine relies on it.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func whateverHappensNothingIsLostDoubledOrReordered(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let delivery: Delivery = Bool.random(using: &random) ? .lossless : .latest(3)
    var state = SampleQueueState(delivery)
    var queue: [Int] = []
    var pulled: [Int] = []
    var (sent, discarded, flushed) = (0, 0, 0)
    let id = state.claim() ?? .max
    for _ in 0..<500 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        if case .lossless(let length) = delivery, queue.count >= length { continue }
        queue.append(sent)
        sent += 1
        if state.arrive() {
          queue.removeFirst()
          discarded += 1
        }
      case 10:
        state.flush()
        flushed += queue.count
        queue.removeAll()
      default:
        guard !state.isWaiting || !state.mustWait(id) else { continue }
        switch state.nextAction(of: id) {
        case .pull: pulled.append(queue.removeFirst())
        case .wait: #expect(queue.isEmpty)
        case .end, .superseded: #expect(Bool(false))
        }
      }
      if case .latest(let limit) = delivery { #expect(queue.count <= limit) }
    }
    #expect(pulled == pulled.sorted())
    #expect(Set(pulled).count == pulled.count)
    #expect(sent == pulled.count + discarded + flushed + queue.count)
    #expect(state.dropped == UInt64(discarded))
  }
}
