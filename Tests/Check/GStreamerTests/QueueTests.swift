// Tests of what the bus is made of, without GStreamer.

import Testing

@testable import GStreamer

@Suite struct BroadcastTests {
  private let broadcast = Broadcast<Int>()

  @Test func itemsAreReadInOrderThenTheReaderWaits() async {
    var items = broadcast.listen(limit: 10).makeAsyncIterator()
    for item in 0..<3 { broadcast.tell(item) }
    for item in 0..<3 { #expect(await items.next() == item) }
    async let next: Void = broadcast.tell(3)
    #expect(await items.next() == 3)
    await next
  }

  @Test func ofMoreThanTheLimitTheOldestGo() async {
    var items = broadcast.listen(limit: 2).makeAsyncIterator()
    for item in 0..<5 { broadcast.tell(item) }
    #expect(await items.next() == 3)
    #expect(await items.next() == 4)
  }

  @Test func remainingItemsCanBeReadAfterTheEnd() async {
    var items = broadcast.listen(limit: 2).makeAsyncIterator()
    broadcast.tell(1)
    broadcast.finish()
    broadcast.tell(2)
    #expect(await items.next() == 1)
    #expect(await items.next() == nil)
  }

  @Test func theEndWakesReadersAndIsThatOfLaterOnes() async {
    let items = broadcast.listen(limit: 2)
    async let end: Void = broadcast.finish()
    for await _ in items {}
    await end
    for await _ in broadcast.listen(limit: 2) {}
  }
}

@Suite struct ProgressTests {
  @Test func newsBetweenTheMarkAndTheWaitIsNotMissed() {
    var board = ProgressBoard<Int>()
    let mark = board.mark
    #expect(board.happen().isEmpty)
    let isWaiting = board.wait(1, id: 0, after: mark)
    #expect(!isWaiting)
  }

  @Test func newsWakesEachWaiterOnce() {
    var board = ProgressBoard<Int>()
    for waiter in 0..<3 {
      let isWaiting = board.wait(waiter, id: board.makeID(), after: board.mark)
      #expect(isWaiting)
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
