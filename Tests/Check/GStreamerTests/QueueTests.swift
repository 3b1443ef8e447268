// Tests of the bus's state machines, without threads or GStreamer.

import Testing

@testable import GStreamer

@Suite struct MailboxTests {
  @Test func itemsAreReadInOrderThenTheReaderWaits() {
    var mailbox = Mailbox<Int, Int>(limit: 10)
    for item in 0..<3 { #expect(mailbox.post(item) == nil) }
    for item in 0..<3 {
      guard case .item(item) = mailbox.take() else { return #expect(Bool(false)) }
    }
    guard case .wait = mailbox.take() else { return #expect(Bool(false)) }
    mailbox.wait(5)
    #expect(mailbox.post(3) == 5)
    #expect(mailbox.post(4) == nil)
  }

  @Test func ofMoreThanTheLimitTheOldestGo() {
    var mailbox = Mailbox<Int, Int>(limit: 2)
    for item in 0..<5 { _ = mailbox.post(item) }
    guard case .item(3) = mailbox.take(), case .item(4) = mailbox.take(),
      case .wait = mailbox.take()
    else { return #expect(Bool(false)) }
  }

  @Test func remainingItemsCanBeReadAfterTheEnd() {
    var mailbox = Mailbox<Int, Int>(limit: 2)
    _ = mailbox.post(1)
    #expect(mailbox.finish() == nil)
    #expect(mailbox.post(2) == nil)
    guard case .item(1) = mailbox.take(), case .end = mailbox.take() else {
      return #expect(Bool(false))
    }
  }

  @Test func theEndWakesTheReaderOnce() {
    var mailbox = Mailbox<Int, Int>(limit: 2)
    mailbox.wait(9)
    #expect(mailbox.finish() == 9)
    #expect(mailbox.finish() == nil)
  }
}

@Suite struct ProgressTests {
  @Test func newsBetweenTheMarkAndTheWaitIsNotMissed() {
    var board = ProgressBoard<Int>()
    let mark = board.mark
    #expect(board.happen().isEmpty)
    guard case .news = board.wait(1, id: 0, after: mark) else { return #expect(Bool(false)) }
  }

  @Test func newsWakesEachWaiterOnce() {
    var board = ProgressBoard<Int>()
    for waiter in 0..<3 {
      let outcome = board.wait(waiter, id: board.makeID(), after: board.mark)
      #expect(outcome == nil)
    }
    #expect(Set(board.happen()) == [0, 1, 2])
    #expect(board.happen().isEmpty)
  }

  @Test func anErrorReachesTheWaitersThatBeganBeforeIt() {
    var board = ProgressBoard<Int>()
    let before = board.mark
    _ = board.fail(GStreamerError(.streamFailed, "It broke."))
    #expect(board.error(since: before)?.code == .streamFailed)
    #expect(board.error(since: board.mark) == nil)
  }

  @Test func aCancelledWaiterIsNotWoken() {
    var board = ProgressBoard<Int>()
    let id = board.makeID()
    _ = board.wait(4, id: id, after: board.mark)
    #expect(board.stopWaiting(id: id) == 4)
    #expect(board.happen().isEmpty)
  }

  @Test func theEndLastsUntilANewBeginning() {
    var board = ProgressBoard<Int>()
    _ = board.end()
    #expect(board.hasEnded)
    board.begin()
    #expect(!board.hasEnded)
  }

  @Test func theFirstErrorLastsUntilANewBeginning() {
    var board = ProgressBoard<Int>()
    #expect(board.failure == nil)
    for number in 0..<20 { _ = board.fail(GStreamerError(.streamFailed, "\(number)")) }
    #expect(board.failure?.message == "0")
    board.begin()
    #expect(board.failure == nil)
    _ = board.fail(GStreamerError(.streamFailed, "20"))
    #expect(board.failure?.message == "20")
  }
}
