// Tests of an appsrc's state machine, without threads or GStreamer.

import Testing

@testable import GStreamer

@Suite final class SendQueueStateTests {
  private var state = SendQueueState()
  private let failure = GStreamerError(.streamFailed, "It broke.")

  @Test func beforeDataIsWantedSendersWait() {
    #expect(state.nextAction(after: 0) == nil)
    state.need()
    #expect(state.nextAction(after: 0) == .push)
  }

  @Test func sendersPushOneAtATime() {
    state.need()
    #expect(state.nextAction(after: 0) == .push)
    state.need()
    #expect(state.nextAction(after: 0) == nil)
    state.finishPush()
    #expect(state.nextAction(after: 0) == .push)
  }

  @Test func afterEnoughSendersWaitForNeed() {
    state.need()
    #expect(state.nextAction(after: 0) == .push)
    state.enough()
    state.finishPush()
    #expect(state.nextAction(after: 0) == nil)
    state.need()
    #expect(state.nextAction(after: 0) == .push)
  }

  @Test func everyEndOfTheStreamIsThatOfTheSendersThatWait() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var state = SendQueueState()
      state.end(ending)
      #expect(state.nextAction(after: 0) == .end(ending))
    }
  }

  @Test func sendingFailsAfterTheEndUntilTheStreamBeginsAnew() {
    state.need()
    state.end(.eos)
    #expect(state.nextAction(after: 0) == .end(.eos))
    state.need()
    #expect(state.nextAction(after: 0) == .end(.eos))
    state.end(.stopped)
    #expect(state.nextAction(after: state.stops) == nil)
    state.need()
    #expect(state.nextAction(after: state.stops) == .push)
  }

  @Test func nothingFollowsWhatIsGone() {
    state.end(.disposed)
    state.rearm()
    state.end(.stopped)
    #expect(state.nextAction(after: state.stops) == .end(.disposed))
  }
}
