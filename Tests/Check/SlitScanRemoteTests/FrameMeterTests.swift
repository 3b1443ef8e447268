// Tests of what clients may send by their WebSockets.

import CSoup
import Testing

@testable import SlitScanRemote

@Suite struct FrameMeterTests {
  private let start = ContinuousClock.now

  @Test func aMessageHasItsLimitHoweverManyFramesItHas() {
    var meter = FrameMeter(messageLimit: 10, secondLimit: 1000, at: start)
    for (opcode, byteCount, isTooBig) in [
      (1, 10, false), (1, 11, true), (1, 4, false), (0, 4, false), (9, 125, false), (0, 2, false),
      (0, 1, true), (2, 10, false),
    ] as [(UInt8, Int, Bool)] {
      let code = meter.take(opcode, byteCount: byteCount, at: start, hasRoom: true)
      #expect(code == (isTooBig ? SOUP_WEBSOCKET_CLOSE_TOO_BIG : nil), "\(opcode) \(byteCount)")
    }
  }

  @Test func aSecondHasItsLimit() {
    var meter = FrameMeter(messageLimit: 100, secondLimit: 200, at: start)
    for (milliseconds, isTooMuch) in [
      (0, false), (1000, false), (1001, false), (2000, false), (2000, true),
    ] {
      let now = start + .milliseconds(milliseconds)
      let code = meter.take(1, byteCount: 94, at: now, hasRoom: true)
      #expect(code == (isTooMuch ? SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION : nil))
    }
  }

  @Test func pingsWhoseAnswersAreNotTakenAreTooMuch() {
    var meter = FrameMeter(messageLimit: 100, secondLimit: 1000, at: start)
    #expect(meter.take(9, byteCount: 1, at: start, hasRoom: true) == nil)
    #expect(meter.take(1, byteCount: 1, at: start, hasRoom: false) == nil)
    #expect(
      meter.take(9, byteCount: 1, at: start, hasRoom: false)
        == SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION)
  }
}
