// Tests of what MIDI devices are told to show, from the rules to a device that takes messages.

import Foundation
import GStreamer
import LibC
import StageUnderTest
import TemporaryFolder
import Testing

@testable import SlitScanMIDI
@testable import SlitScanStage

@Suite struct MIDIFeedbackTests {
  private static let kinds: [MIDIControl.Kind] = [
    .controller(7), .pair(1), .parameter(300), .registered(2), .note(60), .pitchBend,
  ]
  private let start = ContinuousClock.now

  /// The final position of each control after messages.
  private func shown(_ messages: [(wish: MIDIFeedback.Wish, bytes: [UInt8])]) -> [MIDIControl: Int]
  {
    var parser = MIDIParser()
    var assembler = MIDIAssembler()
    var shown: [MIDIControl: Int] = [:]
    for message in parser.parse(messages.flatMap(\.bytes)) {
      for event in assembler.events(of: message) { shown[event.control] = event.value }
    }
    return shown
  }

  @Test(arguments: kinds) func aValueIsSentAsItWouldBeHeard(kind: MIDIControl.Kind) {
    let control = MIDIControl(kind, channel: 3)
    for value in 0...control.top where value < 130 || value.isMultiple(of: 97) {
      #expect(MIDIEvent.value(at: MIDIEvent(control, value).place, of: control) == value)
      let round = MIDIFeedback().messages(
        for: [MIDIFeedback.Wish(control: control, value: value)], at: start)
      #expect(shown(round.messages)[control] == value)
      #expect(!round.isMore)
    }
    #expect(MIDIEvent.value(at: .nan, of: control) == 0)
    #expect(MIDIEvent.value(at: 7, of: control) == control.top)
  }

  private let fader = MIDIControl(.controller(7), channel: 1)
  private let slide = MIDIAction.fader("mix", from: 0, to: 1, hasPickup: true)

  private func wish(_ value: Int) -> [MIDIFeedback.Wish] {
    [MIDIFeedback.Wish(control: fader, value: value)]
  }

  @Test func onlyChangesAreSent() {
    var feedback = MIDIFeedback()
    let first = feedback.messages(for: wish(64), at: start)
    #expect(first.messages.map(\.bytes) == [[0xb0, 7, 64]])
    // It was not taken: it is sent again.
    #expect(feedback.messages(for: wish(64), at: start).messages.count == 1)
    feedback.sent(first.messages.map(\.wish))
    #expect(feedback.messages(for: wish(64), at: start).messages.isEmpty)
    #expect(feedback.messages(for: wish(65), at: start).messages.count == 1)
    feedback.forget()
    #expect(feedback.messages(for: wish(64), at: start).messages.count == 1)
  }

  @Test func aMovedFaderGetsFeedbackOnlyOnceItRests() {
    var feedback = MIDIFeedback()
    feedback.sent(wish(0))
    var now = start
    for value in 1...50 {
      now += .milliseconds(100)
      let isHand = feedback.hear(MIDIEvent(fader, value), of: fader, doing: slide, at: now)
      #expect(isHand)
      // Another input sets it to 100 all the time.
      let round = feedback.messages(for: wish(100), at: now + .milliseconds(99))
      #expect(round.messages.isEmpty && round.isMore)
    }
    now += MIDIFeedback.hold
    let round = feedback.messages(for: wish(100), at: now)
    #expect(shown(round.messages) == [fader: 100])
    // What it has sent itself it is not told.
    #expect(feedback.messages(for: wish(50), at: now).messages.isEmpty)
    // Nor another place of the same choice.
    #expect(feedback.messages(for: wish(60), at: now) { $1 == 50 }.messages.isEmpty)
  }

  @Test func echoesOfMotorFadersAreIgnored() {
    var feedback = MIDIFeedback()
    feedback.sent(wish(100))
    for (value, isHand) in [(100, false), (101, true), (100, true)] {
      let isHeardAsHand = feedback.hear(MIDIEvent(fader, value), of: fader, doing: slide, at: start)
      #expect(isHeardAsHand == isHand)
    }
  }

  @Test func aButtonIsAnsweredAtEachPressAndEachLettingGo() {
    let pad = MIDIControl(.note(36), channel: 10)
    let press = MIDIAction.press(.toggle("freeze"))
    let on = [MIDIFeedback.Wish(control: pad, value: 127)]
    var feedback = MIDIFeedback()
    for value in [90, 0, 127, 0] {
      let isHand = feedback.hear(MIDIEvent(pad, value), of: pad, doing: press, at: start)
      #expect(isHand)
      let round = feedback.messages(for: on, at: start)
      // A press of 127 lights it already.
      #expect(round.messages.map(\.bytes) == (value == 127 ? [] : [[0x99, 36, 127]]))
      feedback.sent(round.messages.map(\.wish))
    }
  }

  @Test func manyControlsAreToldInRoundsThatACableCarries() {
    let wishes = (0..<120).map {
      MIDIFeedback.Wish(control: MIDIControl(.controller($0), channel: 2), value: $0)
    }
    var feedback = MIDIFeedback()
    var seen: [MIDIControl: Int] = [:]
    var rounds = 0
    while true {
      let round = feedback.messages(for: wishes, at: start)
      let bytes = round.messages.reduce(0) { $0 + $1.bytes.count }
      #expect(bytes <= MIDIFeedback.limit)
      seen.merge(round.messages.map { ($0.wish.control, $0.wish.value) }) { $1 }
      feedback.sent(round.messages.map(\.wish))
      rounds += 1
      guard round.isMore, rounds < 100 else { break }
    }
    #expect(seen.count == wishes.count)
    let seconds = MIDIFeedback.interval / .seconds(1)
    #expect(Double(MIDIFeedback.limit) / seconds < 3125)
  }

  @Test func theControlsOfAMapShowWhatIsSo() async throws {
    let map = MIDIMap(
      """
      cc 1 = fader mix
      cc 2 = fader mix 1 0
      cc 3 = encoder mix twos
      note 1 = fader mix
      note 2 = do toggle freeze
      note 3 = do preset vortex
      note 4 = do set map radial
      note 5 = hold blackout on / blackout off
      note 6 = momentary pointer on
      note 7 = do tap
      note 8 = do record toggle
      note 9 = do set nothing 1
      cc 4 = crossfade
      program = presets
      """)
    #expect(map.problems.isEmpty)
    let performance = await Performance(on: try InMemoryStage())
    func values() async -> [String: Int] {
      let state = await performance.state
      let wishes = map.wishes(state, values: state.values, performance.parameters)
      return Dictionary(wishes.map { ($0.control.text, $0.value) }) { $1 }
    }
    try await performance.perform(Move("set mix 0.25 map linear"))
    #expect(
      await values() == [
        "cc 1": 32, "cc 2": 96, "cc 3": 32, "note 2": 0, "note 3": 0, "note 4": 0, "note 5": 0,
        "note 6": 0, "note 8": 0, "cc 4": 0,
      ])
    try await performance.perform(.preset("Vortex", beats: nil))
    #expect(await values()["note 3"] == 127)
    for line in [
      "set map radial", "toggle freeze", "set pointer on", "blackout on", "record on a.mkv",
    ] { try await performance.perform(Move(line)) }
    let lit = await values().filter { $0.key.hasPrefix("note") && $0.value == 127 }
    #expect(Set(lit.keys) == ["note 2", "note 4", "note 5", "note 6", "note 8"])
  }

  @Test(
    arguments: [
      (
        "nanoKONTROL2:nanoKONTROL2 MIDI 1 20:0",
        ["Midi Through:0", "nanoKONTROL2:nanoKONTROL2 MIDI 1 20:0"], 1
      ),
      (
        "a2j:nano [20] (capture): 0",
        ["a2j:nano [20] (playback): 0", "a2j:other [24] (playback): 0"], 0
      ),
      ("system:midi_capture_2", ["system:midi_playback_1", "system:midi_playback_2"], 1),
      ("box:out", ["synth:in", "box:in"], 1),
      ("box:out", ["box:in 1", "box:in 2"], nil),
      ("box:out", ["boxes:in"], nil),
      ("box:out", [], nil),
    ] as [(String, [String], Int?)])
  func theOutputOfADeviceIsFound(port: String, ports: [String], index: Int?) {
    #expect(MIDIPorts.output(of: port, among: ports) == index)
  }
}

/// A device that takes messages: a pseudoterminal.
private final class Device {
  let path: String
  private let main: FileHandle
  private let end: FileHandle
  private let incoming: AsyncStream<[UInt8]>
  private var decoder = (MIDIParser(), MIDIAssembler())
  private(set) var shown: [MIDIControl: Int] = [:]
  private var bytes: AsyncStream<[UInt8]>.Iterator

  init() throws {
    // What posix_openpt(3) does, which Swift does not see.
    let descriptor = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, isLocked): (CInt, CInt) = (0, 0)
    let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
    try #require(
      descriptor >= 0 && ioctl(descriptor, getNumber, &number) == 0
        && ioctl(descriptor, setLock, &isLocked) == 0)
    path = "/dev/pts/\(number)"
    // Keeps the other end open, so that a reader finds no end of file before the device is opened.
    let other = Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0)
    end = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    main = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let (stream, pen) = AsyncStream.makeStream(of: [UInt8].self)
    incoming = stream
    bytes = stream.makeAsyncIterator()
    feed = pen
  }

  private let feed: AsyncStream<[UInt8]>.Continuation

  /// Begins to take messages.
  func listen() {
    main.readabilityHandler = { [feed] file in
      let data = file.availableData
      if data.isEmpty { feed.finish() } else { feed.yield(Array(data)) }
    }
  }

  func send(_ bytes: [UInt8]) throws { try main.write(contentsOf: Data(bytes)) }

  /// Takes messages until its controls show something.
  func wait(until isRight: ([MIDIControl: Int]) -> Bool) async throws {
    while !isRight(shown) {
      guard let next = await bytes.next() else { throw CancellationError() }
      for message in decoder.0.parse(next) {
        for event in decoder.1.events(of: message) { shown[event.control] = event.value }
      }
    }
  }

  /// Unplugs it; no other device gets its path until this object is gone.
  func unplug() throws {
    main.readabilityHandler = nil
    try main.close()
  }

  /// Sends something to itself, as another program may.
  func mark(_ bytes: [UInt8]) throws { try end.write(contentsOf: Data(bytes)) }
}

@Suite final class MIDIFeedbackDeviceTests {
  private let folder = TemporaryFolder()
  private let clock = ManualClock()
  private let stage: InMemoryStage
  private let performance: Performance
  /// Has time pass as long as a round of feedback is waited for.
  private let time: Task<Void, Never>

  init() async throws {
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(on: stage, clock: clock)
    time = Task { [clock] in
      while !Task.isCancelled {
        let round = clock.now + MIDIFeedback.interval
        await clock.sleepers { $0.contains { $0 <= round } }
        clock.advance(to: round)
      }
    }
  }

  deinit { time.cancel() }

  private func play(_ device: Device, _ map: String) async throws -> MIDIInput {
    let midi = MIDIInput(
      performance, sources: [.stream(path: device.path)], folder: folder.path, map: MIDIMap(map))
    try await midi.start()
    return midi
  }

  private let fader = MIDIControl(.controller(7), channel: 1)
  private let fine = MIDIControl(.pair(1), channel: 2)
  private let pad = MIDIControl(.note(36), channel: 10)
  private let map = """
    channel 1 cc 7 = fader mix jump
    channel 2 cc14 1 = fader gain
    channel 10 note 36 = do preset Vortex
    """

  @Test func changesByOtherInputsAreShownAndOwnMovesAreNotEchoed() async throws {
    let device = try Device()
    device.listen()
    try await performance.perform(Move("set mix 1 gain 10"))
    let midi = try await play(device, map)
    // How everything is when it is connected.
    try await device.wait { $0[fader] == 127 && $0[fine] == 16383 && $0[pad] == 0 }
    try await performance.perform(.preset("Vortex", beats: nil))
    try await device.wait { $0[pad] == 127 }
    try await performance.perform(.undo)
    try await device.wait { $0[pad] == 0 && $0[fader] == 127 && $0[fine] == 16383 }
    // The user moves one fader; another input moves the other.
    let changes = performance.changes
    try device.send([0xb0, 7, 32])
    for await case .property("mix", _) in changes { break }
    try await performance.perform(Move("set gain -10"))
    try await device.wait { $0[fine] == 0 }
    #expect(device.shown[fader] == 127, "It was told what it has sent.")
    try await performance.perform(Move("set mix 0"))
    try await device.wait { $0[fader] == 0 }
    await midi.stop()
  }

  @Test func aGlideIsShownOnItsWay() async throws {
    let device = try Device()
    device.listen()
    let midi = try await play(device, map)
    try await device.wait { $0[fader] != nil }
    try await performance.perform(Move("drive mix sine 4 0 1"))
    for place in [0.0, 0.5, 1] {
      try await stage.set("mix", to: .double(place))
      try await device.wait { $0[fader] == Int((place * 127).rounded()) }
    }
    await midi.stop()
  }

  @Test func aBlockedDeviceDelaysNoOtherAndCatchesUpLater() async throws {
    let device = try Device()
    let midi = try await play(
      device, map + (8..<100).map { "\nchannel 1 cc \($0) = fader mix" }.joined())
    for index in 0..<400 {
      try await performance.perform(.fade("mix", Double(index % 2)))
      try await clock.sleep(for: MIDIFeedback.interval)
    }
    try await performance.perform(Move("set mix 0.5"))
    device.listen()
    try await device.wait { shown in
      (7..<100).allSatisfy { shown[MIDIControl(.controller($0), channel: 1)] == 64 }
    }
    await midi.stop()
  }

  @Test func aDeviceThatIsUnpluggedIsNoError() async throws {
    let device = try Device()
    device.listen()
    var changes = performance.changes.makeAsyncIterator()
    let midi = try await play(device, map)
    // Nothing more comes: the handler must not read what is closed.
    try await device.wait { $0[fader] != nil && $0[fine] != nil && $0[pad] != nil }
    try device.unplug()
    for index in 0..<50 { try await performance.perform(.fade("mix", Double(index % 2))) }
    while let change = await changes.next() {
      if case .warning(let text) = change, text.contains("disconnected") { break }
    }
    await midi.stop()
    withExtendedLifetime(device) {}
  }

  @Test(arguments: ["map", "option"]) func feedbackCanBeTurnedOff(by what: String) async throws {
    let device = try Device()
    device.listen()
    let midi = MIDIInput(
      performance, sources: [.stream(path: device.path)], folder: folder.path,
      map: MIDIMap(map + (what == "map" ? "\nfeedback = off" : "")),
      sendsFeedback: what != "option")
    try await midi.start()
    let changes = performance.changes
    try device.send([0xb0, 7, 64])
    for await change in changes where change == .property("mix", .double(0.5)) { break }
    try await performance.perform(Move("set mix 1"))
    await midi.stop()
    // Whatever was sent before the end would be read before what is written now.
    try device.mark([0xe5, 1, 2])
    try await device.wait { $0[MIDIControl(.pitchBend, channel: 6)] != nil }
    #expect(device.shown.count == 1)
  }
}
