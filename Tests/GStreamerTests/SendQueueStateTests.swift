// Tests of an appsrc's state machine, without threads or GStreamer.

import Testing

@testable import GStreamer

@Suite struct SendQueueStateTests {
  private typealias Turns = SendQueueState<Int>
  private let failure = GStreamerError(.streamFailed, "It broke.")

  /// Two senders that wait.
  private func waiting() -> (Turns, [UInt64]) {
    var turns = Turns()
    let ids = (0..<2).map { waiter in
      #expect(turns.turn() == .wait)
      let id = turns.makeID()
      turns.wait(waiter, id: id)
      return id
    }
    return (turns, ids)
  }

  @Test func beforeDataIsWantedSendersWait() {
    var turns = Turns()
    #expect(turns.turn() == .wait)
    #expect(turns.need()?.waiter == nil)
    #expect(turns.turn() == .push)
  }

  @Test func sendersPushOneAtATimeInTheOrderInWhichTheyCame() {
    var (turns, _) = waiting()
    guard let first = turns.need() else { return #expect(Bool(false)) }
    #expect(first.waiter == 0)
    #expect(first.turn == .push)
    #expect(turns.need()?.waiter == nil)
    #expect(turns.turn() == .wait)
    guard let second = turns.finishPush() else { return #expect(Bool(false)) }
    #expect(second.waiter == 1)
    #expect(second.turn == .push)
    #expect(turns.finishPush()?.waiter == nil)
    #expect(turns.turn() == .push)
  }

  @Test func nobodyOvertakesWhoWaits() {
    var (turns, _) = waiting()
    _ = turns.need()
    #expect(turns.turn() == .wait)
  }

  @Test func afterEnoughSendersWaitForNeed() {
    var turns = Turns()
    _ = turns.need()
    #expect(turns.turn() == .push)
    turns.enough()
    #expect(turns.finishPush()?.waiter == nil)
    #expect(turns.turn() == .wait)
    turns.wait(3, id: turns.makeID())
    guard let next = turns.need() else { return #expect(Bool(false)) }
    #expect(next.waiter == 3)
    #expect(next.turn == .push)
  }

  @Test func whateverEndsTheStreamWakesAllWhoWaitOnce() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var (turns, _) = waiting()
      let wakened = turns.end(ending)
      #expect(wakened.map(\.waiter) == [0, 1])
      #expect(wakened.allSatisfy { $0.turn == .end(ending) })
      #expect(turns.end(ending).isEmpty)
    }
  }

  @Test func afterTheEndNobodySendsUntilTheStreamBeginsAnew() {
    var turns = Turns()
    _ = turns.need()
    _ = turns.end(.eos)
    #expect(turns.turn() == .end(.eos))
    #expect(turns.need()?.waiter == nil)
    #expect(turns.turn() == .end(.eos))
    _ = turns.end(.stopped)
    #expect(turns.turn() == .wait)
    _ = turns.need()
    #expect(turns.turn() == .push)
  }

  @Test func nothingFollowsWhatIsGone() {
    var turns = Turns()
    _ = turns.end(.disposed)
    turns.rearm()
    _ = turns.end(.stopped)
    #expect(turns.turn() == .end(.disposed))
  }

  @Test func whoIsCancelledLeavesTheLineUnlessItsTurnHasCome() {
    var (turns, ids) = waiting()
    #expect(turns.stopWaiting(ids[0]) == 0)
    #expect(turns.stopWaiting(ids[0]) == nil)
    guard let next = turns.need() else { return #expect(Bool(false)) }
    #expect(next.waiter == 1)
    #expect(next.turn == .push)
    #expect(turns.stopWaiting(ids[1]) == nil)
  }
}
