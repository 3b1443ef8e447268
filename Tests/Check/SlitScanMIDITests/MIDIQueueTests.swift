// Tests of the MIDI queue under floods, without threads.

import Testing

@testable import SlitScanMIDI

@Suite final class MIDIQueueTests {
  private var queue = MIDIQueue()
  private let map = MIDIMap("cc 1 = fader mix\ncc 2 = encoder gain twos\nnote 1 = do tap\n")

  private func event(_ kind: MIDIControl.Kind, _ value: Int, first: Int? = nil) -> MIDIDelivery {
    let control = MIDIControl(kind, channel: 1)
    return .event(1, MIDIEvent(control, value), first: first.map { MIDIEvent(control, $0) })
  }

  @Test func ofAFaderTheNewestWaits() {
    queue.use(map, for: 1)
    var isFirst = 0
    for number in 0..<100_000 { if queue.add(event(.controller(1), number % 128)) { isFirst += 1 } }
    #expect(isFirst == 1)
    _ = queue.add(.restarted(1))
    let (deliveries, lost) = queue.take()
    #expect(deliveries == [event(.controller(1), 99_999 % 128, first: 0), .restarted(1)])
    #expect(lost == 0)
    let isNext = queue.add(event(.controller(1), 5))
    #expect(isNext)
    let next = queue.take().deliveries
    #expect(next == [event(.controller(1), 5)])
  }

  @Test func pressesAreCountedWhereTheyAreLost() {
    queue.use(map, for: 1)
    for _ in 0..<100_000 {
      _ = queue.add(event(.note(1), 100))
      _ = queue.add(event(.note(1), 0))
      _ = queue.add(event(.controller(2), 1))
    }
    #expect(queue.count <= MIDIQueue.hardLimit)
    _ = queue.add(.vanished(1))
    let (deliveries, lost) = queue.take()
    let releases = deliveries.filter { $0 == event(.note(1), 0) }.count
    let presses = deliveries.filter { $0 == event(.note(1), 100) }.count
    let clicks = deliveries.filter { $0 == event(.controller(2), 1) }.count
    #expect(presses + clicks + lost == 200_000)
    // Nothing stays pressed, and a removed device stays removed.
    #expect(releases == presses)
    #expect(deliveries.last == .vanished(1))
    #expect(
      deliveries.last { $0 != .vanished(1) && $0 != event(.controller(2), 1) }
        == event(.note(1), 0))
  }

  @Test func everythingCountsWhileAControlIsLookedForAndBeforeThereIsAMap() {
    for value in 0..<10 { _ = queue.add(event(.controller(1), value)) }
    let beforeTheMap = queue.take().deliveries.count
    #expect(beforeTheMap == 10)
    queue.use(map, for: 1)
    queue.isLearning = true
    for value in 0..<10 { _ = queue.add(event(.controller(1), value)) }
    let learned = queue.take().deliveries.count
    #expect(learned == 10)
  }

  @Test func beforeThereIsAMapTheNewestWinsBeyondTheLimit() {
    for number in 0..<100_000 { _ = queue.add(event(.controller(1), number % 128)) }
    let (deliveries, lost) = queue.take()
    #expect(deliveries.count == MIDIQueue.limit)
    #expect(deliveries.last == event(.controller(1), 99_999 % 128, first: 4095 % 128))
    #expect(lost == 0)
  }

  @Test func aFloodOfEverythingIsBounded() {
    queue.use(MIDIMap(), for: 1)
    for number in 0..<16384 {
      _ = queue.add(event(.parameter(number), 1))
      _ = queue.add(.clock(1, .clock, .now))
    }
    #expect(queue.count <= MIDIQueue.hardLimit)
    let lost = queue.take().lost
    #expect(lost == 2 * 16384 - MIDIQueue.hardLimit)
  }
}
