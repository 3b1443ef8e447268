// Tests of the OSC queue, subscribers and complaints: values without clocks.

import GStreamer
import Testing

@testable import SlitScanOSC
@testable import SlitScanStage

// `#expect` takes no calls that change a value.

private final class Queue {
  private var value = OSCQueue()
  var count: Int { value.count }
  var next: ContinuousClock.Instant? { value.next }
  func add(_ order: OSCOrder) -> Bool { value.add(order) }
  func add(_ order: OSCOrder, at moment: ContinuousClock.Instant) -> Bool {
    value.add(order, at: moment)
  }
  func take(at moment: ContinuousClock.Instant) -> [OSCOrder] { value.take(at: moment) }
}

private final class Subscribers {
  var value = OSCSubscribers()
  var next: ContinuousClock.Instant? { value.next }
  func subscribe(
    _ target: OSCEndpoint, for source: OSCEndpoint, to addresses: [String],
    at moment: ContinuousClock.Instant
  ) -> Bool { value.subscribe(target, for: source, to: addresses, at: moment) }
  func take(at moment: ContinuousClock.Instant) -> [(OSCEndpoint, [String])] {
    value.take(at: moment)
  }
}

private final class WarningQueue {
  private var value = OSCWarnings()
  var next: ContinuousClock.Instant? { value.next }
  func add(_ sentence: String) { value.add(sentence) }
  func take(at moment: ContinuousClock.Instant) -> String? { value.take(at: moment) }
}

@Suite struct OSCQueueTests {
  private let start = ContinuousClock.now
  private let sender: OSCEndpoint

  init() throws { sender = try #require(OSCEndpoint("127.0.0.1", port: 4000)) }

  private func order(_ moves: Move...) -> OSCOrder {
    OSCOrder(sender: sender, requests: moves.map { .move($0) })
  }

  @Test func ofValuesForOnePropertyTheLastCounts() {
    let queue = Queue()
    for number in 0..<50_000 {
      #expect(queue.add(order(.set("gain", .int(Int64(number))))))
      #expect(queue.add(order(.fade("mix", Double(number)))))
    }
    #expect(queue.count == 2)
    #expect(
      queue.take(at: start) == [order(.set("gain", .int(49_999))), order(.fade("mix", 49_999))])
    #expect(queue.take(at: start).isEmpty)
  }

  @Test func nothingIsReplacedAcrossSomethingElse() {
    let queue = Queue()
    let orders = [
      order(.set("freeze", .int(1))), order(.snapshot(nil)), order(.set("freeze", .int(0))),
      order(.toggle("freeze")), order(.set("freeze", .int(0))), order(.set("gain", .int(0))),
    ]
    for order in orders { #expect(queue.add(order)) }
    #expect(queue.add(order(.set("freeze", .int(1)))))
    var expected = orders
    expected.remove(at: 4)
    #expect(queue.take(at: start) == expected + [order(.set("freeze", .int(1)))])
  }

  @Test func bundlesReplaceBundlesOfTheSameProperties() {
    let queue = Queue()
    for number in 0..<100 {
      #expect(queue.add(order(.fade("center-x", Double(number)), .fade("center-y", 0))))
    }
    #expect(queue.count == 2)
    #expect(queue.add(order(.fade("center-x", 1))))
    #expect(queue.count == 3)
  }

  @Test func theQueueIsNeverLongerThanItsLimit() {
    let queue = Queue()
    var taken = 0
    for _ in 0..<10_000 where queue.add(order(.step("gain", 1))) { taken += 1 }
    #expect(taken == OSCQueue.limit)
    // A value that replaces none does not fit, either; afterwards it does.
    #expect(!queue.add(order(.set("gain", .int(1)))))
    #expect(queue.take(at: start).count == OSCQueue.limit)
    #expect(queue.add(order(.set("gain", .int(1)))))
    // What does not fit replaces nothing.
    let many = OSCOrder(
      sender: sender,
      requests: (0...OSCQueue.limit).map { .move(.set("gain", .int(Int64($0)))) })
    #expect(!queue.add(many))
    #expect(queue.take(at: start) == [order(.set("gain", .int(1)))])
    taken = 0
    for _ in 0..<10_000 where queue.add(order(.tap), at: start) { taken += 1 }
    #expect(taken == OSCQueue.limit)
  }

  @Test func scheduledOrdersAreDoneInOrder() {
    let queue = Queue()
    let second = start + .seconds(1)
    #expect(queue.add(order(.preset("C", beats: 0)), at: start + .seconds(2)))
    #expect(queue.add(order(.preset("A", beats: 0)), at: second))
    #expect(queue.add(order(.preset("B", beats: 0)), at: second))
    #expect(queue.add(order(.tap)))
    #expect(queue.next == second)
    #expect(queue.take(at: start) == [order(.tap)])
    #expect(
      queue.take(at: second) == [order(.preset("A", beats: 0)), order(.preset("B", beats: 0))])
    #expect(queue.next == start + .seconds(2))
    #expect(queue.take(at: start + .seconds(5)) == [order(.preset("C", beats: 0))])
    #expect(queue.next == nil)
    #expect(queue.count == 0)
  }

  @Test func aFloodWithoutAReaderStaysBounded() throws {
    let parameters = try InMemoryStage().parameters
    let intake = OSCIntake { OSCDialect(parameters: parameters, presets: []) }
    for number in 0..<10_000 {
      intake.take(OSCMessage("/slitscan/depth", .whole(Int64(number % 600))).bytes, from: sender)
    }
    #expect(intake.counts.mostWaiting == 1)
    for _ in 0..<10_000 { intake.take(OSCMessage("/slitscan/mix/step").bytes, from: sender) }
    #expect(intake.counts.mostWaiting == OSCQueue.limit)
    #expect(intake.counts.dropped == 10_000 + 1 - OSCQueue.limit)
    let everything = OSCPacket.bundle(
      Array(repeating: OSCMessage("/slitscan/*/step").bytes, count: 2000), at: .immediately)
    intake.take(everything, from: sender)
    #expect(intake.counts.mostWaiting == OSCQueue.limit)
    let work = intake.work(at: .now)
    #expect(work.orders.first == order(.set("depth", .int(9_999 % 600))))
    #expect(work.loss?.contains("were dropped") == true)
    #expect(intake.work(at: .now).orders.isEmpty)
  }

  @Test func aBundleForTheDayAfterTomorrowIsNotKept() throws {
    let parameters = try InMemoryStage().parameters
    let clock = ManualClock()
    let intake = OSCIntake(clock: clock) { OSCDialect(parameters: parameters, presets: []) }
    let tap = OSCMessage("/slitscan/tap").bytes
    intake.take(
      OSCPacket.bundle([tap], at: OSCTimeTag.now.advanced(by: .seconds(7200))), from: sender)
    let work = intake.work(at: clock.now + .seconds(10_000))
    #expect(work.orders.isEmpty)
    #expect(work.warning?.contains("clock") == true)
    intake.take(
      OSCPacket.bundle([tap], at: OSCTimeTag.now.advanced(by: .seconds(600))), from: sender)
    #expect(intake.work(at: clock.now).orders.isEmpty)
    #expect(intake.next != nil)
    #expect(intake.work(at: clock.now + .seconds(601)).orders == [order(.tap)])
    for past in [OSCTimeTag.now.advanced(by: .seconds(-600)), OSCTimeTag(rawValue: 0)] {
      intake.take(OSCPacket.bundle([tap], at: past), from: sender)
      #expect(intake.work(at: clock.now).orders == [order(.tap)])
    }
  }

  // MARK: Subscribers

  @Test func silentSubscribersAreForgotten() throws {
    let subscribers = Subscribers()
    let other = sender.at(port: 4001)
    #expect(subscribers.subscribe(sender, for: sender, to: ["/a"], at: start))
    #expect(subscribers.subscribe(other, for: other, to: [], at: start))
    #expect(subscribers.take(at: start).map(\.1) == [["/a"]])
    subscribers.value.renew(from: other, at: start + .seconds(30))
    subscribers.value.change("/b", at: start + .seconds(59))
    #expect(subscribers.take(at: start + .seconds(59)).count == 2)
    #expect(subscribers.value.targets(at: start + .seconds(60)) == [other])
    subscribers.value.change("/b", at: start + .seconds(61))
    #expect(subscribers.take(at: start + .seconds(61)).map(\.0) == [other])
    #expect(subscribers.take(at: start + .seconds(90)).isEmpty)
    #expect(subscribers.value.targets(at: start).isEmpty)
    #expect(subscribers.next == nil)
  }

  @Test func subscribersAreLimited() {
    let subscribers = Subscribers()
    for port in 1...UInt16(OSCSubscribers.limit) {
      #expect(subscribers.subscribe(sender.at(port: port), for: sender, to: [], at: start))
    }
    #expect(!subscribers.subscribe(sender.at(port: 999), for: sender, to: [], at: start))
    #expect(subscribers.subscribe(sender.at(port: 1), for: sender, to: [], at: start))
    subscribers.value.unsubscribe(sender.at(port: 1), for: sender)
    #expect(subscribers.subscribe(sender.at(port: 999), for: sender, to: [], at: start))
    subscribers.value.unsubscribe(nil, for: sender)
    #expect(subscribers.value.targets(at: start).isEmpty)
  }

  @Test func theMoverOfAFaderHearsOfItOnceItIsStill() throws {
    let subscribers = Subscribers()
    let other = sender.at(port: 4001)
    for target in [sender, other] {
      #expect(subscribers.subscribe(target, for: target, to: [], at: start))
    }
    var told: [OSCEndpoint: Int] = [:]
    var moment = start
    for _ in 0..<100 {
      moment += .milliseconds(10)
      subscribers.value.touch("/fade", by: sender, at: moment)
      subscribers.value.change("/fade", at: moment)
      subscribers.value.change("/value", at: moment)
      for (target, addresses) in subscribers.take(at: moment) {
        #expect(addresses == (target == sender ? ["/value"] : ["/fade", "/value"]))
        told[target, default: 0] += 1
      }
    }
    #expect(told == [sender: 100, other: 100])
    // Another input moves it meanwhile: no feedback yet.
    subscribers.value.change("/fade", at: moment + .milliseconds(20))
    #expect(subscribers.take(at: moment + .milliseconds(20)).map(\.0) == [other])
    // A renewal is no way round.
    #expect(
      subscribers.subscribe(sender, for: sender, to: ["/fade"], at: moment + .milliseconds(30)))
    #expect(subscribers.take(at: moment + .milliseconds(30)).isEmpty)
    #expect(subscribers.next == moment + OSCSubscribers.hold)
    let after = subscribers.take(at: moment + OSCSubscribers.hold)
    #expect(after.map(\.0) == [sender] && after.map(\.1) == [["/fade"]])
    #expect(subscribers.next == nil)
    subscribers.value.change("/fade", at: moment + .seconds(1))
    #expect(subscribers.take(at: moment + .seconds(1)).count == 2)
  }

  @Test func failedSendsAreRepeatedLater() throws {
    let subscribers = Subscribers()
    #expect(subscribers.subscribe(sender, for: sender, to: ["/a", "/b"], at: start))
    #expect(subscribers.take(at: start).count == 1)
    subscribers.value.retry(["/a", "/b"], to: sender, at: start)
    #expect(subscribers.take(at: start).isEmpty)
    #expect(subscribers.take(at: start + OSCSubscribers.pause).map(\.1) == [["/a", "/b"]])
    // A client that has unsubscribed meanwhile is not told.
    subscribers.value.unsubscribe(sender, for: sender)
    subscribers.value.retry(["/a"], to: sender, at: start)
    #expect(subscribers.next == nil)
  }

  // MARK: Warnings

  @Test func aFloodOfNonsenseIsAFewSentences() {
    let complaints = WarningQueue()
    #expect(complaints.take(at: start) == nil)
    complaints.add("one")
    #expect(complaints.next == nil)
    #expect(complaints.take(at: start) == "one")
    for _ in 0..<50_000 { complaints.add("two") }
    #expect(complaints.take(at: start + .seconds(1)) == nil)
    #expect(complaints.next == start + OSCWarnings.pause)
    #expect(complaints.take(at: start + .seconds(2)) == "two (And 49999 more of this kind.)")
    #expect(complaints.next == nil)
  }

  @Test func noTerminalObeysAStranger() {
    let complaints = WarningQueue()
    complaints.add("\u{1B}]0;x\u{7}\r\n\u{202E}Größe" + String(repeating: "x", count: 10_000))
    let sentence = complaints.take(at: start)
    #expect(sentence?.hasPrefix("?]0;x????Größe") == true)
    #expect(sentence?.count == OSCWarnings.length)
  }

  // MARK: Endpoints

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:9000", true), ("127.9.9.9", "127.9.9.9:9000", true),
    ("localhost", "127.0.0.1:9000", true), ("0.0.0.0", "0.0.0.0:9000", false),
    ("192.168.1.20", "192.168.1.20:9000", false), ("::1", "[::1]:9000", true),
    ("::ffff:127.0.0.1", "127.0.0.1:9000", true), ("fe80::1", "[fe80::1]:9000", false),
  ]) func addressesAreFigures(host: String, text: String, isLoopback: Bool) throws {
    let endpoint = try #require(OSCEndpoint(host, port: 9000))
    #expect(endpoint.description == text)
    #expect(endpoint.isLoopback == isLoopback)
  }

  @Test(arguments: ["", "example.org", "127.0.0", "127.0.0.1:9000", "1.2.3.4.5", "::g"])
  func namesAreNone(host: String) { #expect(OSCEndpoint(host, port: 1) == nil) }
}
