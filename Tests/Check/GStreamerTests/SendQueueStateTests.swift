// Tests of an appsrc's state machine, without threads or GStreamer.

import Testing

@testable import GStreamer

@Suite final class SendQueueStateTests {
  private typealias State = SendQueueState<Int>
  private var state = State()
  private let failure = GStreamerError(.streamFailed, "It broke.")

  /// Two senders that wait.
  private func waiting() -> (State, [UInt64]) {
    var state = State()
    let ids = (0..<2).map { waiter in
      #expect(state.nextAction() == .wait)
      let id = state.makeID()
      state.wait(waiter, id: id)
      return id
    }
    return (state, ids)
  }

  @Test func beforeDataIsWantedSendersWait() {
    #expect(state.nextAction() == .wait)
    #expect(state.need()?.waiter == nil)
    #expect(state.nextAction() == .push)
  }

  @Test func sendersPushOneAtATimeInTheOrderInWhichTheyCame() {
    var (state, _) = waiting()
    guard let first = state.need() else { return #expect(Bool(false)) }
    #expect(first.waiter == 0)
    #expect(first.action == .push)
    #expect(state.need()?.waiter == nil)
    #expect(state.nextAction() == .wait)
    guard let second = state.finishPush() else { return #expect(Bool(false)) }
    #expect(second.waiter == 1)
    #expect(second.action == .push)
    #expect(state.finishPush()?.waiter == nil)
    #expect(state.nextAction() == .push)
  }

  @Test func newSendersDoNotOvertakeWaitingOnes() {
    var (state, _) = waiting()
    _ = state.need()
    #expect(state.nextAction() == .wait)
  }

  @Test func afterEnoughSendersWaitForNeed() {
    _ = state.need()
    #expect(state.nextAction() == .push)
    state.enough()
    #expect(state.finishPush()?.waiter == nil)
    #expect(state.nextAction() == .wait)
    state.wait(3, id: state.makeID())
    guard let next = state.need() else { return #expect(Bool(false)) }
    #expect(next.waiter == 3)
    #expect(next.action == .push)
  }

  @Test func everyEndOfTheStreamWakesAllWaitersOnce() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var (state, _) = waiting()
      let wakened = state.end(ending)
      #expect(wakened.map(\.waiter) == [0, 1])
      #expect(wakened.allSatisfy { $0.action == .end(ending) })
      #expect(state.end(ending).isEmpty)
    }
  }

  @Test func sendingFailsAfterTheEndUntilTheStreamBeginsAnew() {
    _ = state.need()
    _ = state.end(.eos)
    #expect(state.nextAction() == .end(.eos))
    #expect(state.need()?.waiter == nil)
    #expect(state.nextAction() == .end(.eos))
    _ = state.end(.stopped)
    #expect(state.nextAction() == .wait)
    _ = state.need()
    #expect(state.nextAction() == .push)
  }

  @Test func nothingFollowsWhatIsGone() {
    _ = state.end(.disposed)
    state.rearm()
    _ = state.end(.stopped)
    #expect(state.nextAction() == .end(.disposed))
  }

  @Test func aCancelledSenderLeavesTheQueueUnlessItsTurnHasCome() {
    var (state, ids) = waiting()
    #expect(state.stopWaiting(ids[0]) == 0)
    #expect(state.stopWaiting(ids[0]) == nil)
    guard let next = state.need() else { return #expect(Bool(false)) }
    #expect(next.waiter == 1)
    #expect(next.action == .push)
    #expect(state.stopWaiting(ids[1]) == nil)
  }
}
