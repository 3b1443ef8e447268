// Tests of an appsink's state machine, without threads or GStreamer.

import SeededGenerator
import Testing

@testable import GStreamer

@Suite struct SampleQueueStateTests {
  private typealias Turns = SampleQueueState<Int>
  private let failure = GStreamerError(.streamFailed, "It broke.")

  /// A reader that waits.
  private func waiting(_ delivery: Delivery = .lossless) -> (Turns, UInt64) {
    var turns = Turns(delivery)
    let id = turns.claim() ?? .max
    #expect(turns.turn(of: id) == .wait)
    #expect(turns.wait(7, as: id) == true)
    return (turns, id)
  }

  @Test func aSampleThatCameBeforeItsReaderIsPulledOnce() {
    var turns = Turns(.lossless)
    guard case .keep = turns.arrive(), let id = turns.claim() else { return #expect(Bool(false)) }
    #expect(turns.turn(of: id) == .pull)
    #expect(turns.turn(of: id) == .wait)
  }

  @Test func aSampleWakesTheReaderWhoWaitsWhoThenPullsIt() {
    var (turns, id) = waiting()
    guard case .wake(7) = turns.arrive() else { return #expect(Bool(false)) }
    #expect(turns.turn(of: id) == .pull)
    #expect(turns.turn(of: id) == .wait)
  }

  @Test func aReaderDoesNotWaitWhenASampleCameBetweenItsLookAndItsWait() {
    var turns = Turns(.lossless)
    let id = turns.claim() ?? .max
    #expect(turns.turn(of: id) == .wait)
    _ = turns.arrive()
    #expect(turns.wait(7, as: id) == false)
    #expect(turns.turn(of: id) == .pull)
  }

  @Test func nobodyTakesOverFromAReaderWhoWaits() {
    var (turns, id) = waiting()
    #expect(turns.claim() == nil)
    guard case .wake(7) = turns.arrive() else { return #expect(Bool(false)) }
    #expect(turns.turn(of: id) == .pull)
  }

  @Test func whoTakesOverGetsWhatIsHeldAndTheOtherIsTold() {
    var turns = Turns(.lossless)
    let first = turns.claim() ?? .max
    _ = turns.arrive()
    _ = turns.arrive()
    #expect(turns.turn(of: first) == .pull)
    let second = turns.claim() ?? .max
    #expect(turns.turn(of: second) == .pull)
    #expect(turns.turn(of: first) == .superseded)
    #expect(turns.wait(7, as: first) == false)
    #expect(turns.leave(first) == 0)
    #expect(turns.turn(of: second) == .wait)
    #expect(turns.dropped == 0)
  }

  @Test func readingThatIsStoppedIsOverWhateverWasHeld() {
    var (turns, id) = waiting()
    var stopped = turns.stopReading()
    #expect(stopped.waiter == 7)
    #expect(stopped.held == 0)
    #expect(turns.turn(of: id) == .end(.stopped))
    let next = turns.claim() ?? .max
    _ = turns.arrive()
    stopped = turns.stopReading()
    #expect(stopped.waiter == nil)
    #expect(stopped.held == 1)
    #expect(turns.dropped == 1)
    #expect(turns.turn(of: next) == .end(.stopped))
    guard case .discard = turns.arrive() else { return #expect(Bool(false)) }
  }

  @Test func stoppedBeforeAnybodyReadsSamplesWaitForTheFirstReaderNevertheless() {
    var turns = Turns(.lossless)
    _ = turns.arrive()
    #expect(turns.stopReading().held == 0)
    let id = turns.claim() ?? .max
    #expect(turns.turn(of: id) == .pull)
  }

  @Test(arguments: [1, 2, 5]) func ofMoreThanTheLatestTheOldestAreDroppedAndCounted(
    limit: Int
  ) {
    var turns = Turns(.latest(limit))
    var discarded = 0
    for _ in 0..<10 { if case .discard = turns.arrive() { discarded += 1 } }
    #expect(discarded == 10 - limit)
    #expect(turns.dropped == UInt64(10 - limit))
    let id = turns.claim() ?? .max
    for _ in 0..<limit { #expect(turns.turn(of: id) == .pull) }
    #expect(turns.turn(of: id) == .wait)
  }

  @Test func samplesBeforeTheEndArePulledBeforeItIsTold() {
    var turns = Turns(.lossless)
    let id = turns.claim() ?? .max
    _ = turns.arrive()
    #expect(turns.end(.eos) == nil)
    #expect(turns.turn(of: id) == .pull)
    #expect(turns.turn(of: id) == .end(.eos))
  }

  @Test func whateverEndsTheStreamWakesTheReaderOnce() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var (turns, id) = waiting()
      #expect(turns.end(ending) == 7)
      #expect(turns.end(ending) == nil)
      #expect(turns.turn(of: id) == .end(ending))
    }
  }

  @Test func theFirstReasonIsTheOneThatIsTold() {
    var (turns, id) = waiting()
    _ = turns.end(.failed(failure))
    _ = turns.end(.eos)
    _ = turns.end(.stopped)
    _ = turns.end(.disposed)
    #expect(turns.turn(of: id) == .end(.failed(failure)))
  }

  @Test func aStopIsToldEvenIfTheNextStreamHasBegun() {
    var (turns, id) = waiting()
    _ = turns.end(.stopped)
    _ = turns.arrive()
    #expect(turns.turn(of: id) == .end(.stopped))
    let next = turns.claim() ?? .max
    #expect(turns.turn(of: next) == .pull)
  }

  @Test func aFailureBeforeTheStreamBeganIsForgottenWhenItBeginsAnew() {
    var (turns, id) = waiting()
    _ = turns.end(.failed(failure))
    _ = turns.rearm()
    #expect(turns.turn(of: id) == .end(.failed(failure)))
    let next = turns.claim() ?? .max
    #expect(turns.turn(of: next) == .wait)
  }

  @Test func aReaderFromBeforeTheFirstStartIsStillThereAtTheStart() {
    var (turns, id) = waiting()
    #expect(turns.rearm() == nil)
    guard case .wake(7) = turns.arrive() else { return #expect(Bool(false)) }
    #expect(turns.turn(of: id) == .pull)
  }

  @Test func nothingFollowsWhatIsGone() {
    var (turns, _) = waiting()
    _ = turns.end(.disposed)
    _ = turns.rearm()
    _ = turns.end(.stopped)
    let next = turns.claim() ?? .max
    #expect(turns.turn(of: next) == .end(.disposed))
  }

  @Test func aFlushForgetsWhatWasHeldAndTheEnd() {
    var turns = Turns(.lossless)
    let id = turns.claim() ?? .max
    _ = turns.arrive()
    _ = turns.arrive()
    _ = turns.end(.eos)
    turns.flush()
    #expect(turns.turn(of: id) == .wait)
    #expect(turns.dropped == 0)
  }

  @Test func afterItsReaderHasGoneSamplesAreDroppedUntilAnotherComes() {
    var turns = Turns(.lossless)
    let id = turns.claim() ?? .max
    _ = turns.arrive()
    _ = turns.arrive()
    #expect(turns.leave(id) == 2)
    #expect(turns.leave(id) == 0)
    guard case .discard = turns.arrive() else { return #expect(Bool(false)) }
    #expect(turns.dropped == 3)
    let next = turns.claim() ?? .max
    guard case .keep = turns.arrive() else { return #expect(Bool(false)) }
    #expect(turns.turn(of: next) == .pull)
  }

  /// The queue of a real appsink, as far as the machine relies on it.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func whateverHappensNothingIsLostDoubledOrReordered(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let delivery: Delivery = Bool.random(using: &random) ? .lossless : .latest(3)
    var turns = Turns(delivery)
    var queue: [Int] = []
    var pulled: [Int] = []
    var (sent, discarded, flushed) = (0, 0, 0)
    let id = turns.claim() ?? .max
    var isWaiting = false
    for _ in 0..<500 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        if case .lossless(let length) = delivery, queue.count >= length { continue }
        queue.append(sent)
        sent += 1
        switch turns.arrive() {
        case .keep: #expect(!isWaiting)
        case .wake: isWaiting = false
        case .discard:
          queue.removeFirst()
          discarded += 1
        }
      case 10:
        turns.flush()
        flushed += queue.count
        queue.removeAll()
      default:
        guard !isWaiting else { continue }
        switch turns.turn(of: id) {
        case .pull: pulled.append(queue.removeFirst())
        case .wait: isWaiting = turns.wait(1, as: id)
        case .end, .superseded: #expect(Bool(false))
        }
      }
      if case .latest(let limit) = delivery { #expect(queue.count <= limit) }
    }
    #expect(pulled == pulled.sorted())
    #expect(Set(pulled).count == pulled.count)
    #expect(sent == pulled.count + discarded + flushed + queue.count)
    #expect(turns.dropped == UInt64(discarded))
  }
}
