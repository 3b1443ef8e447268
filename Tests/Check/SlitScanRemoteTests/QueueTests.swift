// Tests of the messages that wait for a client, and from one.

import Foundation
import GStreamer
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

@Suite struct QueueTests {
  private let moment = ContinuousClock.now

  private func outbox() -> Outbox {
    var outbox = Outbox(Update(PerformanceState(values: ["mix": .double(0)]), at: moment))
    _ = outbox.next()
    _ = outbox.next()
    return outbox
  }

  @Test func theFirstUpdateIsWholeAndTheNextOnlyChanges() {
    var outbox = Outbox(Update(PerformanceState(values: ["mix": .double(0)]), at: moment))
    outbox.note { $0.add(.property("mix", .double(1)), at: moment) }
    #expect(outbox.next() == .surface)
    guard case .update(let all, isWhole: true) = outbox.next() else {
      Issue.record("no state")
      return
    }
    #expect(all.values == ["mix": .double(1)])
    #expect(outbox.next() == nil)
    outbox.note { $0.add(.blackout(true), at: moment) }
    var change = Update()
    change.add(.blackout(true), at: moment)
    #expect(outbox.next() == .update(change, isWhole: false))
    #expect(outbox.next() == nil)
  }

  @Test func aSlowClientGetsTheLastOfEverythingOnce() throws {
    var outbox = outbox()
    for number in 0..<10_000 {
      outbox.note { $0.add(.property("p\(number % 40)", .int(Int64(number))), at: moment) }
      outbox.note { $0.add(.warning("\(number)"), at: moment) }
    }
    guard case .update(let update, isWhole: false) = outbox.next() else {
      Issue.record("no change")
      return
    }
    #expect(update.values.count == 40)
    #expect(update.values["p39"] == .int(9_999))
    #expect(update.notes.count == Update.noteLimit)
    #expect(update.notes.last?.text == "9999")
    #expect(outbox.next() == nil)
  }

  @Test func imagesGoToWatchingClientsThatHaveShownTheLast() {
    var outbox = outbox()
    let (first, second) = (Data([1]), Data([2]))
    outbox.show(first)
    #expect(outbox.next() == nil)
    outbox.look(true)
    #expect(outbox.wantsFrame)
    outbox.show(first)
    outbox.show(second)
    #expect(outbox.next() == .frame(first))
    outbox.show(second)
    #expect(outbox.next() == nil)
    outbox.seen()
    outbox.show(second)
    // News goes first.
    outbox.note { $0.add(.preset(nil), at: moment) }
    guard case .update = outbox.next() else {
      Issue.record("no news")
      return
    }
    #expect(outbox.next() == .frame(second))
    outbox.look(false)
    outbox.seen()
    outbox.show(first)
    #expect(outbox.next() == nil)
  }

  @Test func updatesAndImagesTakeTurnsWhileSomethingAlwaysChanges() {
    var outbox = Outbox(Update(PerformanceState(values: ["mix": .double(0)]), at: moment))
    outbox.look(true)
    outbox.show(Data([0]))
    var images = 0
    var updates = 0
    for number in 0..<20 {
      outbox.note { $0.add(.property("mix", .double(Double(number))), at: moment) }
      switch outbox.next() {
      case .frame(let image):
        // Never before the state.
        #expect(updates > 0)
        #expect(image == Data([UInt8(images)]))
        images += 1
        outbox.seen()
        outbox.show(Data([UInt8(images)]))
      case .update: updates += 1
      default: #expect(number == 0)
      }
    }
    #expect(images == 9)
    #expect(updates == 10)
  }

  @Test func aWatchingClientGetsTheNewestThumbnailOfEachThingAmongOtherNews() {
    let (a, b) = (Thumbnail(kind: .preset, name: "a"), Thumbnail(kind: .source, name: "1"))
    var outbox = Outbox(
      Update(PerformanceState(values: ["mix": .double(0)]), at: moment), thumbnails: [a: Data([1])])
    _ = (outbox.next(), outbox.next())
    #expect(outbox.next() == nil)
    outbox.show(b, Data([2]))
    outbox.show(a, Data([3]))
    outbox.look(true)
    outbox.show(Data([4]))
    var items: [Outbox.Item] = []
    for number in 0..<6 {
      outbox.note { $0.add(.property("mix", .double(Double(number))), at: moment) }
      if let item = outbox.next() { items.append(item) }
    }
    #expect(items.filter { $0 == .frame(Data([4])) }.count == 1)
    #expect(items.contains(.thumbnail(a, Data([3]))) && items.contains(.thumbnail(b, Data([2]))))
    #expect(!items.contains(.thumbnail(a, Data([1]))))
    #expect(items.count == 6)
  }

  @Test func strokesThatAreTheMapTakeThePlaceOfASource() {
    var update = Update()
    update.add(.mapSource(2), at: moment)
    update.add(.drawing(isMap: false, fade: 3), at: moment)
    #expect(update.fields["map-source"] == .number(2))
    update.add(.drawing(isMap: true, fade: 3), at: moment)
    #expect(update.fields["map-source"] == nil)
    update.add(.drawing(isMap: false, fade: 3), at: moment)
    update.add(.mapSource(1), at: moment)
    #expect(update.fields["map-source"] == .number(1))
  }

  @Test(arguments: [
    ("source 2: rtsp://user:secret@cam/1", "source 2: a stream"),
    (
      "rtsp://user:secret@cam: no answer.  It is tried again.",
      "a stream: no answer.  It is tried again."
    ),
    ("`srt://cam?passphrase=x`, (http://a/b.m3u8).", "`a stream`, (a stream)."),
    ("uri=rtsp://cam\nrtsp://cam", "a stream\na stream"),
    (
      "/home/ann/videos/slitscan-1.mkv: the encoder is too slow.",
      "slitscan-1.mkv: the encoder is too slow."
    ),
    ("videos/a.mkv cannot be written.", "a.mkv cannot be written."),
    ("~/maps is not a folder; /home/ann/maps/, ../maps.", "maps is not a folder; maps, maps."),
    ("OSC: /slitscan/set/depth needs a number.", "OSC: /slitscan/set/depth needs a number."),
    (
      "30000/1001 frames and/or 29.97/1.5, a / b, 3:1 ...",
      "30000/1001 frames and/or 29.97/1.5, a / b, 3:1 ..."
    ),
    ("", ""), (" ", " "), ("://", "a stream"), ("/", "/"), ("(.)", "(.)"),
  ]) func phonesAreToldNoAddressesAndNoFolders(text: String, told: String) {
    var update = Update()
    for change in [Change.warning(text), .notice(text), .recordingLost("/a/b.mkv", text)] {
      update.add(change, at: moment)
    }
    #expect(update.notes.map(\.text) == [told, told, "b.mkv: \(told)"])
  }

  @Test func parametersThatMoveTwiceMoveOnceUnlessSomethingComesBetween() {
    var inbox = Inbox()
    for number in 0..<1000 {
      inbox.put(.fade("mix", Double(number) / 1000))
      inbox.put(.set("depth", .int(Int64(number))))
    }
    #expect(inbox.count == 2)
    inbox.put(.undo)
    inbox.put(.fade("mix", 1))
    var moves: [Move] = []
    inbox.put(.set("depth", .int(5)))
    for place in 0..<1000 { inbox.put(.crossfade(Double(place))) }
    inbox.put(.set("depth", .int(7)))
    while let move = inbox.next() { moves.append(move) }
    #expect(
      moves == [
        .fade("mix", 0.999), .set("depth", .int(999)), .undo, .fade("mix", 1), .crossfade(999),
        .set("depth", .int(7)),
      ])
    for _ in 0..<Inbox.limit { inbox.put(.tap) }
    #expect(inbox.isFull)
  }

  @Test(arguments: [
    ("set depth 60", ClientMessage.move(.set("depth", .int(60)))),
    ("fade mix 0.5", .move(.fade("mix", 0.5))),
    (#" {"look":true}"#, .look(true)),
    (#"{"seen":true}"#, .seen),
    (#"{"here":true}"#, .here),
  ]) func messagesAreMovesOrSayOneThing(text: String, message: ClientMessage) throws {
    #expect(try ClientMessage(text) == message)
  }

  @Test(arguments: [
    "", "jump", "{", "{}", #"{"fade":["mix"]}"#, #"{"fade":["mix",0.5,1]}"#,
    #"{"fade":["mix","0.5"]}"#, #"{"fade":["mix",1e999]}"#, #"{"fade":[1,0.5]}"#,
    #"{"fade":["mix",0.5],"look":true}"#, #"{"seen":false}"#, #"{"look":1}"#, "[]", "null",
    String(repeating: "[", count: 4000), #"{"fade":"# + String(repeating: "[", count: 4000),
    "\u{0}", #"{"fade":["mix",NaN]}"#,
  ]) func invalidMessagesAreErrorsThatSaySo(text: String) {
    let error = #expect(throws: StageError.self) { _ = try ClientMessage(text) }
    #expect(error?.code == .badMove)
  }
}
