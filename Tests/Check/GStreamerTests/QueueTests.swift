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
  @Test func newsIsWhatHappensAfterTheMark() {
    var board = ProgressBoard()
    let mark = board.mark
    #expect(!board.hasNews(since: mark))
    board.happen()
    #expect(board.hasNews(since: mark))
    #expect(!board.hasNews(since: board.mark))
  }

  @Test func anErrorReachesTheWaitersThatBeganBeforeIt() {
    var board = ProgressBoard()
    let before = board.mark
    board.fail(GStreamerError(.streamFailed, "It broke."))
    #expect(board.error(since: before)?.code == .streamFailed)
    #expect(board.error(since: board.mark) == nil)
  }

  @Test func theEndLastsUntilANewBeginning() {
    var board = ProgressBoard()
    board.end()
    #expect(board.hasEnded)
    board.begin()
    #expect(!board.hasEnded)
  }

  @Test func theFirstErrorLastsUntilANewBeginning() {
    var board = ProgressBoard()
    #expect(board.failure == nil)
    for number in 0..<20 { board.fail(GStreamerError(.streamFailed, "\(number)")) }
    #expect(board.failure?.message == "0")
    board.begin()
    #expect(board.failure == nil)
    board.fail(GStreamerError(.streamFailed, "20"))
    #expect(board.failure?.message == "20")
  }
}
