// Tests of an appsrc's state machine, without threads or GStreamer.

import Testing

@testable import GStreamer

@Suite final class SendQueueStateTests {
  private var state = SendQueueState()
  private let failure = GStreamerError(.streamFailed, "It broke.")

  @Test func everyEndOfTheStreamIsThatOfTheSendersThatWait() {
    for ending in [StreamEnding.eos, .failed(failure), .stopped, .disposed] {
      var state = SendQueueState()
      state.end(ending)
      #expect(state.nextAction(after: 0) == .end(ending))
    }
  }

  @Test func nothingFollowsWhatIsGone() {
    state.end(.disposed)
    state.rearm()
    state.end(.stopped)
    #expect(state.nextAction(after: state.stops) == .end(.disposed))
  }
}
