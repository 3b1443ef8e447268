// Tests of photo requests: which caller gets which frame.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite final class PhotoRequestsTests {
  private var requests = Requests()
  private typealias Requests = PhotoRequests<Int, String>

  private func time(_ number: Int) -> ClockTime { .milliseconds(UInt64(number)) }

  private func waiters(_ answers: [Requests.Answer]) -> [String] {
    answers.map { "\($0.waiter) \($0.frame)" }
  }

  @Test func aRequestForTheNextFrameGetsIt() {
    #expect(requests.handle(1, at: time(1)).isEmpty)
    requests.add("a", id: 1, wish: .next)
    requests.add("b", id: 2, wish: .next)
    #expect(waiters(requests.handle(2, at: time(2))) == ["a 2", "b 2"])
    #expect(requests.handle(3, at: time(3)).isEmpty)
  }

  @Test func aCompleteFrameIsFoundWhicheverComesFirst() {
    for isToldFirst in [true, false] {
      var requests = Requests()
      requests.add("a", id: 1, wish: .complete)
      #expect(requests.handle(1, at: time(1)).isEmpty)
      if isToldFirst {
        #expect(requests.complete(at: time(2)).isEmpty)
        #expect(waiters(requests.handle(2, at: time(2))) == ["a 2"])
      } else {
        #expect(requests.handle(2, at: time(2)).isEmpty)
        #expect(requests.handle(3, at: time(3)).isEmpty)
        #expect(waiters(requests.complete(at: time(2))) == ["a 2"])
      }
      #expect(requests.complete(at: time(3)).isEmpty)
    }
  }

  @Test func aFrameCompleteBeforeTheRequestDoesNotCount() {
    #expect(requests.handle(1, at: time(1)).isEmpty)
    #expect(requests.complete(at: time(1)).isEmpty)
    requests.add("a", id: 1, wish: .complete)
    #expect(requests.handle(2, at: time(2)).isEmpty)
    #expect(requests.complete(at: time(1)).isEmpty)
    #expect(waiters(requests.complete(at: time(2))) == ["a 2"])
  }

  @Test func aMessageThatComesMuchTooLateIsNoOnes() {
    requests.add("a", id: 1, wish: .complete)
    for number in 1...100 { #expect(requests.handle(number, at: time(number)).isEmpty) }
    #expect(requests.complete(at: time(1)).isEmpty)
    #expect(waiters(requests.complete(at: time(100))) == ["a 100"])
  }

  @Test func aRequestForAnAbandonedCanvasGetsTheNextFrame() {
    requests.add("a", id: 1, wish: .complete)
    #expect(requests.handle(1, at: time(1)).isEmpty)
    requests.change(to: .next)
    #expect(waiters(requests.handle(2, at: time(2))) == ["a 2"])
    requests.add("b", id: 2, wish: .next)
    requests.change(to: .complete)
    #expect(requests.handle(3, at: time(3)).isEmpty)
    #expect(waiters(requests.complete(at: time(3))) == ["b 3"])
  }

  @Test func aCancelledRequestGetsNothingAndTheOthersDo() {
    requests.add("a", id: 1, wish: .next)
    requests.add("b", id: 2, wish: .complete)
    #expect(requests.cancel(1) == "a")
    #expect(requests.cancel(1) == nil)
    #expect(requests.handle(1, at: time(1)).isEmpty)
    #expect(waiters(requests.complete(at: time(1))) == ["b 1"])
  }

  @Test func theEndResumesAllWaiters() {
    requests.add("a", id: 1, wish: .next)
    requests.add("b", id: 2, wish: .complete)
    #expect(requests.end() == ["a", "b"])
    #expect(requests.end().isEmpty)
  }
}
