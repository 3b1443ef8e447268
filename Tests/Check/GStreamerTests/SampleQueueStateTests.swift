// Tests of an appsink's state machine, without threads or GStreamer.

import SeededGenerator
import Testing

@testable import GStreamer

@Suite final class SampleQueueStateTests {
  private typealias State = SampleQueueState<Int>
  private var state = State(.lossless)
  private let failure = GStreamerError(.streamFailed, "It broke.")

  /// A reader that waits.
  private func waiting(_ delivery: Delivery = .lossless) -> (State, UInt64) {
    var state = State(delivery)
    let id = state.claim() ?? .max
    #expect(state.nextAction(of: id) == .wait)
    #expect(state.wait(7, as: id) == true)
    return (state, id)
  }

  @Test func aSampleThatCameBeforeItsReaderIsPulledOnce() {
    guard case .keep = state.arrive(), let id = state.claim() else { return #expect(Bool(false)) }
    #expect(state.nextAction(of: id) == .pull)
    #expect(state.nextAction(of: id) == .wait)
  }

  @Test func aSampleWakesTheWaitingReaderWhichThenPullsIt() {
    var (state, id) = waiting()
    guard case .wake(7) = state.arrive() else { return #expect(Bool(false)) }
    #expect(state.nextAction(of: id) == .pull)
    #expect(state.nextAction(of: id) == .wait)
  }

  @Test func aReaderDoesNotWaitWhenASampleCameBetweenItsLookAndItsWait() {
    let id = state.claim() ?? .max
    #expect(state.nextAction(of: id) == .wait)
    _ = state.arrive()
    #expect(state.wait(7, as: id) == false)
    #expect(state.nextAction(of: id) == .pull)
  }

  @Test func waitingForTheEndWaitsUntilTheLastSampleIsPulled() {
    let id = state.claim() ?? .max
    #expect(state.waitUntilRead(8, id: 100) == false)
    _ = state.arrive()
    _ = state.arrive()
    #expect(state.waitUntilRead(8, id: 100) == true)
    #expect(state.waitUntilRead(9, id: 101) == true)
    #expect(state.stopWaitingUntilRead(101) == 9)
    #expect(state.nextAction(of: id) == .pull)
    #expect(state.takeEndWaiters() == [])
    #expect(state.nextAction(of: id) == .pull)
    #expect(state.takeEndWaiters() == [8])
    #expect(state.takeEndWaiters() == [])
    #expect(state.stopWaitingUntilRead(100) == nil)
  }

  @Test(arguments: [0, 1, 2, 3, 4]) func waitingForTheEndDoesNotWaitForDroppedSamples(ending: Int) {
    let id = state.claim() ?? .max
    _ = state.arrive()
    #expect(state.waitUntilRead(8, id: 100) == true)
    switch ending {
    case 0: state.flush()
    case 1: _ = state.end(.stopped)
    case 2: _ = state.end(.disposed)
    case 3: #expect(state.leave(id) == 1)
    default: #expect(state.stopReading().held == 1)
    }
    #expect(state.takeEndWaiters() == [8])
  }

  @Test func waitingForTheEndDoesNotWaitForLatestSamples() {
    var state = State(.latest(2))
    _ = state.arrive()
    #expect(state.waitUntilRead(8, id: 100) == false)
  }

  @Test func aWaitingReaderIsNotReplaced() {
    var (state, id) = waiting()
    #expect(state.claim() == nil)
    guard case .wake(7) = state.arrive() else { return #expect(Bool(false)) }
    #expect(state.nextAction(of: id) == .pull)
  }

  @Test func aNewReaderGetsTheHeldSamplesAndTheOldIsSuperseded() {
    let first = state.claim() ?? .max
    _ = state.arrive()
    _ = state.arrive()
    #expect(state.nextAction(of: first) == .pull)
    let second = state.claim() ?? .max
    #expect(state.nextAction(of: second) == .pull)
    #expect(state.nextAction(of: first) == .superseded)
    #expect(state.wait(7, as: first) == false)
    #expect(state.leave(first) == 0)
    #expect(state.nextAction(of: second) == .wait)
    #expect(state.dropped == 0)
  }

  @Test func readingThatIsStoppedIsOverWhateverWasHeld() {
    var (state, id) = waiting()
    var stopped = state.stopReading()
    #expect(stopped.waiter == 7)
    #expect(stopped.held == 0)
    #expect(state.nextAction(of: id) == .end(.stopped))
    let next = state.claim() ?? .max
    _ = state.arrive()
    stopped = state.stopReading()
    #expect(stopped.waiter == nil)
    #expect(stopped.held == 1)
    #expect(state.dropped == 1)
    #expect(state.nextAction(of: next) == .end(.stopped))
    guard case .discard = state.arrive() else { return #expect(Bool(false)) }
  }

  @Test func samplesStillWaitForTheFirstReaderAfterAnEarlyStop() {
    _ = state.arrive()
    #expect(state.stopReading().held == 0)
    let id = state.claim() ?? .max
    #expect(state.nextAction(of: id) == .pull)
  }

  @Test(arguments: [1, 2, 5]) func ofMoreThanTheLatestTheOldestAreDroppedAndCounted(limit: Int) {
    var state = State(.latest(limit))
    var discarded = 0
    for _ in 0..<10 { if case .discard = state.arrive() { discarded += 1 } }
    #expect(discarded == 10 - limit)
    #expect(state.dropped == UInt64(10 - limit))
    let id = state.claim() ?? .max
    for _ in 0..<limit { #expect(state.nextAction(of: id) == .pull) }
    #expect(state.nextAction(of: id) == .wait)
  }

  @Test func samplesBeforeTheEndArePulledFirst() {
    let id = state.claim() ?? .max
    _ = state.arrive()
    #expect(state.end(.eos) == nil)
    #expect(state.nextAction(of: id) == .pull)
    #expect(state.nextAction(of: id) == .end(.eos))
  }

  @Test func everyEndOfTheStreamWakesTheReaderOnce() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var (state, id) = waiting()
      #expect(state.end(ending) == 7)
      #expect(state.end(ending) == nil)
      #expect(state.nextAction(of: id) == .end(ending))
    }
  }

  @Test func theFirstReasonIsReported() {
    var (state, id) = waiting()
    _ = state.end(.failed(failure))
    _ = state.end(.eos)
    _ = state.end(.stopped)
    _ = state.end(.disposed)
    #expect(state.nextAction(of: id) == .end(.failed(failure)))
  }

  @Test func aStopIsReportedEvenIfTheNextStreamHasBegun() {
    var (state, id) = waiting()
    _ = state.end(.stopped)
    _ = state.arrive()
    #expect(state.nextAction(of: id) == .end(.stopped))
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .pull)
  }

  @Test func aFailureBeforeTheStreamBeganIsForgottenWhenItBeginsAnew() {
    var (state, id) = waiting()
    _ = state.end(.failed(failure))
    _ = state.rearm()
    #expect(state.nextAction(of: id) == .end(.failed(failure)))
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .wait)
  }

  @Test func aReaderFromBeforeTheFirstStartIsStillThereAtTheStart() {
    var (state, id) = waiting()
    #expect(state.rearm() == nil)
    guard case .wake(7) = state.arrive() else { return #expect(Bool(false)) }
    #expect(state.nextAction(of: id) == .pull)
  }

  @Test func nothingFollowsWhatIsGone() {
    var (state, _) = waiting()
    _ = state.end(.disposed)
    _ = state.rearm()
    _ = state.end(.stopped)
    let next = state.claim() ?? .max
    #expect(state.nextAction(of: next) == .end(.disposed))
  }

  @Test func aFlushForgetsWhatWasHeldAndTheEnd() {
    let id = state.claim() ?? .max
    _ = state.arrive()
    _ = state.arrive()
    _ = state.end(.eos)
    state.flush()
    #expect(state.nextAction(of: id) == .wait)
    #expect(state.dropped == 0)
  }

  @Test func afterItsReaderHasGoneSamplesAreDroppedUntilAnotherComes() {
    let id = state.claim() ?? .max
    _ = state.arrive()
    _ = state.arrive()
    #expect(state.leave(id) == 2)
    #expect(state.leave(id) == 0)
    guard case .discard = state.arrive() else { return #expect(Bool(false)) }
    #expect(state.dropped == 3)
    let next = state.claim() ?? .max
    guard case .keep = state.arrive() else { return #expect(Bool(false)) }
    #expect(state.nextAction(of: next) == .pull)
  }

  /// The queue of a real appsink, as far as the machine relies on it.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func whateverHappensNothingIsLostDoubledOrReordered(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let delivery: Delivery = Bool.random(using: &random) ? .lossless : .latest(3)
    var state = State(delivery)
    var queue: [Int] = []
    var pulled: [Int] = []
    var (sent, discarded, flushed) = (0, 0, 0)
    let id = state.claim() ?? .max
    var isWaiting = false
    for _ in 0..<500 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        if case .lossless(let length) = delivery, queue.count >= length { continue }
        queue.append(sent)
        sent += 1
        switch state.arrive() {
        case .keep: #expect(!isWaiting)
        case .wake: isWaiting = false
        case .discard:
          queue.removeFirst()
          discarded += 1
        }
      case 10:
        state.flush()
        flushed += queue.count
        queue.removeAll()
      default:
        guard !isWaiting else { continue }
        switch state.nextAction(of: id) {
        case .pull: pulled.append(queue.removeFirst())
        case .wait: isWaiting = state.wait(1, as: id)
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
