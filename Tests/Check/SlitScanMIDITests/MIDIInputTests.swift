// Tests of the MIDI input, from bytes in a FIFO to an in-memory stage.

import Foundation
import GStreamer
import LibC
import StageUnderTest
import StreamingThread
import TemporaryFolder
import Testing

@testable import SlitScanMIDI
@testable import SlitScanStage

/// A performance that is played by MIDI bytes from a FIFO.
private final class Rig {
  let folder = TemporaryFolder()
  let clock = ManualClock()
  let stage: InMemoryStage
  let performance: Performance
  let midi: MIDIInput
  let fifo: String
  private var changes: AsyncStream<Change>.Iterator
  private(set) var writer: FileHandle?

  /// - Parameter map: The device's file.
  init(_ map: String, sources: [MIDISource] = []) async throws {
    fifo = folder.path + "/box"
    try #require(mkfifo(fifo, 0o600) == 0)
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(
      on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
    midi = MIDIInput(
      performance, sources: sources + [.stream(path: fifo)], folder: folder.path)
    try await performance.perform(.set("mix", .double(0)))
    changes = performance.changes.makeAsyncIterator()
    try MIDIMap(map).write(file)
  }

  var file: String { MIDIMap.path(for: "box", in: folder.path) }

  func start() async throws {
    try await midi.start()
    try open()
  }

  /// Opens the FIFO for writing; it has a reader already, so this does not wait.
  func open() throws {
    let descriptor = Glibc.open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0, "The FIFO has no reader.")
    _ = fcntl(descriptor, F_SETFL, O_WRONLY)
    writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func close() throws { try writer?.close() }

  func send(_ bytes: [UInt8]) throws { try writer?.write(contentsOf: Data(bytes)) }

  /// The changes up to the one that is waited for.
  func hear(until isLast: (Change) -> Bool) async throws -> [Change] {
    var heard: [Change] = []
    while let change = await changes.next() {
      if isLast(change) { return heard + [change] }
      // It comes with each device.
      if case .assignments = change { continue }
      heard.append(change)
    }
    throw CancellationError()
  }

  /// The next value of a property.
  func next(_ name: String) async throws -> Value {
    var found = Value.none
    _ = try await hear {
      guard case .property(name, let value) = $0 else { return false }
      found = value
      return true
    }
    return found
  }
}

@Suite struct MIDIInputTests {
  @Test func controlsMoveProperties() async throws {
    let rig = try await Rig(
      """
      channel 1 cc 7 = fader mix jump
      cc14 1 = fader offset 0.5 1 jump
      pitch-bend = fader center-x
      note 40 = fader center-y
      channel 2 cc 16 = encoder depth twos
      """)
    try await rig.performance.perform(.set("depth", .int(10)))
    try await rig.start()
    try rig.send([0xb0, 7, 127])
    #expect(try await rig.next("mix") == .double(1))
    // The offset goes from -1 to 1; its fader begins in the middle.
    try rig.send([0xb5, 1, 0, 33, 0, 1, 64, 33, 0])
    var offset = try await rig.next("offset")
    while offset != .double(0.5) { offset = try await rig.next("offset") }
    try rig.send([0xe0, 127, 127])
    #expect(try await rig.next("center-x") == .double(2))
    try rig.send([0x93, 40, 127])
    #expect(try await rig.next("center-y") == .double(2))
    // A channel that nothing is said of; then three clicks forward and one back.
    try rig.send([0xb0, 16, 1, 0xb1, 16, 1, 16, 2, 16, 127])
    var depths = [10.0]
    for _ in 0..<3 { depths.append(Parameter.number(try await rig.next("depth")) ?? 0) }
    #expect(depths[0] < depths[1] && depths[1] < depths[2] && depths[2] > depths[3])
  }

  @Test func notesAndButtonsDoMoves() async throws {
    let rig = try await Rig(
      """
      note 36 = do toggle freeze
      note 37 = momentary mix 0.25
      note 38 = hold blackout on / blackout off
      program = presets
      program 9 = do quantize 4
      cc 119 = do quantize 8
      """)
    try await rig.start()
    let mix = await rig.performance.state.values["mix"]
    try rig.send([0x90, 36, 100, 36, 0, 36, 1, 0x80, 36, 64, 0x90, 36, 90, 36, 90])
    try rig.send([0x90, 37, 100, 37, 100, 37, 0, 37, 0])
    try rig.send([0x90, 38, 100, 38, 0])
    try rig.send([0xc0, 9, 0xb0, 119, 64])
    var heard = try await rig.hear { $0 == .quantize(8) }
    heard.removeAll { if case .notice = $0 { true } else { false } }
    #expect(
      heard == [
        .property("freeze", .bool(true)), .property("freeze", .bool(false)),
        .property("freeze", .bool(true)), .property("freeze", .bool(false)),
        .property("mix", .double(0.25)), .property("mix", try #require(mix)),
        .blackout(true), .blackout(false), .quantize(4), .quantize(8),
      ])
    try rig.send([0xc0, 127])
    _ = try await rig.hear { if case .warning = $0 { true } else { false } }
    // Without the plugin's folder, there are none.
    guard let preset = rig.performance.presets.first else { return }
    try rig.send([0xc0, 0])
    _ = try await rig.hear { $0 == .preset(preset) }
  }

  @Test func aFaderCrossfadesBetweenTwoDecks() async throws {
    let rig = try await Rig("cc 8 = crossfade\n")
    for line in ["deck a", "set gain 3", "deck b"] { try await rig.performance.perform(Move(line)) }
    #expect(try await rig.next("gain") == .double(3))
    try await rig.start()
    try rig.send([0xb0, 8, 0])
    #expect(try await rig.next("gain") == .double(1))
    try rig.send([0xb0, 8, 127])
    #expect(try await rig.next("gain") == .double(3))
  }

  @Test func aFaderPicksUpAPropertyThatAnotherInputMoved() async throws {
    let rig = try await Rig("cc 1 = fader mix\ncc 119 = do quantize 8\n")
    try await rig.performance.perform(.set("mix", .double(0.5)))
    try await rig.start()
    try rig.send([0xb0, 1, 0, 1, 60, 1, 70, 1, 127, 119, 127, 119, 0])
    _ = try await rig.hear { $0 == .quantize(8) }
    #expect(await rig.performance.state.values["mix"] == .double(1))
    // By a key.
    try await rig.performance.perform(.set("mix", .double(0.25)))
    let before = await rig.stage.log.count
    try rig.send([0xb0, 1, 120, 1, 100, 119, 127, 119, 0])
    _ = try await rig.hear { $0 == .quantize(8) }
    #expect(await rig.performance.state.values["mix"] == .double(0.25))
    #expect(await rig.stage.log.count == before)
    try rig.send([0xb0, 1, 0, 119, 127])
    _ = try await rig.hear { $0 == .quantize(8) }
    #expect(await rig.performance.state.values["mix"] == .double(0))
  }

  @Test func aControlIsLearnedAndWrittenToTheFileOfItsDevice() async throws {
    let rig = try await Rig("# My box\ncc 1 = fader gain  # left\n")
    try await rig.start()
    let bad = await #expect(throws: StageError.self) { try await rig.midi.learn("no such thing") }
    #expect(bad?.code == .noSuchProperty)
    _ = await #expect(throws: StageError.self) { try await rig.midi.learn("map-location") }
    _ = try await rig.hear { $0 == .notice("MIDI: box is connected.") }
    try await rig.midi.learn("mix")
    #expect(await rig.midi.learning == "mix")
    // The file is edited meanwhile.
    try MIDIMap("# My box\ncc 1 = fader gain  # left\n\n# The pads\n").write(rig.file)
    try rig.send((40...64).flatMap { [0xb0, 7, $0] })
    _ = try await rig.hear { $0 == .notice("box: channel 1 cc 7 = fader mix") }
    #expect(await rig.midi.learning == nil)
    try rig.send([0xb0, 7, 0, 7, 127, 7, 64])
    while try await rig.next("mix") != .double(0.5) {}
    let text = try MIDIMap.read(rig.file)?.text
    #expect(
      text == "# My box\ncc 1 = fader gain  # left\n\n# The pads\nchannel 1 cc 7 = fader mix\n")
    // Learned anew, in the same line.
    try await rig.midi.learn("freeze")
    try rig.send([0x99, 36, 100, 36, 0])
    _ = try await rig.hear { $0 == .notice("box: channel 10 note 36 = do toggle freeze") }
    try await rig.midi.learn("map")
    try rig.send([0x99, 36, 100, 36, 0])
    _ = try await rig.hear { $0 == .notice("box: channel 10 note 36 = do step map 1") }
    #expect(
      try MIDIMap.read(rig.file)?.text == (text ?? "") + "channel 10 note 36 = do step map 1\n")
  }

  @Test func whatControlsDoIsListedChangedAndRemovedByMoves() async throws {
    let rig = try await Rig("# My box\ncc 1 = fader gain  # left\nnote 36 = do preset Vortex\n")
    #expect(await rig.performance.state.assignments == nil)
    await #expect(throws: StageError.self) { try await rig.performance.perform(.midiLearn("mix")) }
    try await rig.start()
    func list(_ lines: [(String, String, String?)], _ learning: String? = nil) -> Change {
      .assignments(
        lines.map {
          ControlAssignment(device: "box", control: $0.0, action: $0.1, property: $0.2)
        }, learning: learning)
    }
    let preset = ("note 36", "do preset Vortex", String?.none)
    let gain = ("cc 1", "fader gain", String?("gain"))
    _ = try await rig.hear { $0 == list([gain, preset]) }
    // Another control in the place of the first.
    try await rig.performance.perform(Move("midi-learn gain \"cc 1\" box"))
    _ = try await rig.hear { $0 == list([gain, preset], "gain") }
    try rig.send((40...64).flatMap { [0xb0, 7, $0] })
    let moved = ("channel 1 cc 7", "fader gain", String?("gain"))
    _ = try await rig.hear { $0 == list([preset, moved]) }
    #expect(
      try MIDIMap.read(rig.file)?.text
        == "# My box\nnote 36 = do preset Vortex\nchannel 1 cc 7 = fader gain\n")
    // The other does nothing any more.
    try await rig.performance.perform(.set("gain", .double(0)))
    try rig.send([0xb0, 1, 0, 1, 127, 0x90, 36, 100])
    _ = try await rig.hear { $0 == .preset("Vortex") }
    #expect(await rig.performance.state.values["gain"] != .double(8))
    // One that looks for its control goes on with what it was.
    try await rig.performance.perform(.midiLearn("mix", replacing: "note 36"))
    try await rig.performance.perform(.midiLearn(nil))
    _ = try await rig.hear { $0 == list([preset, moved]) }
    for line in ["midi-remove \"note 36\"", "midi-remove \"channel 1 cc 7\" box"] {
      try await rig.performance.perform(Move(line), from: .elsewhere)
    }
    _ = try await rig.hear { $0 == list([]) }
    #expect(try MIDIMap.read(rig.file)?.text == "# My box\n")
    for line in ["midi-remove \"note 36\"", "midi-remove cc", "midi-learn mix pressure other"] {
      let error = await #expect(throws: StageError.self) {
        try await rig.performance.perform(Move(line))
      }
      #expect(error?.code == .badMove && error?.message.hasSuffix(".") == true)
    }
    await rig.midi.stop()
    #expect(await rig.performance.state.assignments == nil)
  }

  @Test func whileAControlIsLookedForNothingElseMoves() async throws {
    let rig = try await Rig("cc 1 = fader mix jump\nnote 1 = momentary freeze on\n")
    try await rig.start()
    try rig.send([0x90, 1, 100])
    #expect(try await rig.next("freeze") == .bool(true))
    try await rig.midi.learn("depth")
    let before = await rig.performance.state.values["mix"]
    try rig.send([0xb0, 1, 0, 1, 5, 0x90, 1, 0])
    // What was held is released.
    #expect(try await rig.next("freeze") == .bool(false))
    #expect(await rig.performance.state.values["mix"] == before)
    await rig.midi.cancelLearning()
    try rig.send([0xb0, 1, 127])
    #expect(try await rig.next("mix") == .double(1))
  }

  @Test func invalidBytesAreIgnoredAndTheShowGoesOn() async throws {
    let rig = try await Rig("channel 1 cc 7 = fader mix jump\n")
    try await rig.start()
    try rig.send([0xf0] + [UInt8](repeating: 0x55, count: 300_000))
    try rig.send([0xf4, 0xf5, 0xfd, 0xff, 1, 2, 3, 0xb0, 0xf7, 7, 127, 0xb0, 7])
    try rig.send([0xf8, 0x90, 0xb0, 7, 0xfe, 127])
    #expect(try await rig.next("mix") == .double(1))
    #expect(await rig.midi.lostCount == 0)
  }

  @Test func ofAFloodTheLastValueWins() async throws {
    let rig = try await Rig("cc 7 = fader mix jump\ncc 119 = do quantize 8\n")
    try await rig.start()
    // Before it is known what a control does, presses may be lost in a flood.
    _ = try await rig.hear { $0 == .notice("MIDI: box is connected.") }
    // 100,000 of the fader, as many of what moves nothing, and the last.
    try rig.send((0..<100_000).flatMap { [0xb0, 7, UInt8($0 % 128), 8, UInt8($0 % 127)] })
    try rig.send([0xb0, 7, 127, 119, 127])
    _ = try await rig.hear { $0 == .quantize(8) }
    #expect(await rig.performance.state.values["mix"] == .double(1))
    #expect(await rig.midi.lostCount == 0)
  }

  @Test func ofAFloodOfPressesNoneIsLostInSilence() async throws {
    let rig = try await Rig("note 1 = do set mix 0.5\ncc 119 = fader gain jump\n")
    let before = await rig.stage.log.count
    try await rig.start()
    try rig.send((0..<100_000).flatMap { _ in [0x90, 1, 100, 1, 0] })
    // It waits in its turn, and is never lost.
    try rig.send([0xb0, 119, 0])
    var heard = try await rig.hear { $0 == .property("gain", .double(-8)) }
    // What waits is played before the device is gone.
    await rig.midi.stop()
    heard += try await rig.hear { $0 == .warning("MIDI: box was disconnected.") }
    let played = await rig.stage.log.count - before - 1
    let lost = await rig.midi.lostCount
    let told = heard.compactMap { change -> Int? in
      guard case .warning(let text) = change else { return nil }
      return text.split(separator: " ").compactMap { Int($0) }.first
    }
    #expect(played + lost == 100_000)
    #expect(told.reduce(0, +) == lost)
  }

  /// A descriptor that is closed twice may have been reused by the second time.
  @Test func aFailedOpenClosesNoOtherDescriptor() async throws {
    let folder = TemporaryFolder()
    let file = try folder.write("no-device", "MIDI".utf8)
    let isOver = Lock(false)
    // A thread of its own: a task would keep one of Swift's threads from all other tests.
    async let lost: Int = withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var lost = 0
        while !isOver.withLock({ $0 }) {
          let own = (0..<8).map { _ in Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
          for descriptor in own where fcntl(descriptor, F_GETFD) < 0 { lost += 1 }
          for descriptor in own { Glibc.close(descriptor) }
        }
        continuation.resume(returning: lost)
      }
    }
    for _ in 0..<2000 {
      do throws(StageError) {
        try await MIDIByteStream.listener(path: file, MIDIIntake()).start()
        Issue.record("It opened.")
      } catch {
        #expect(error.code == .inputFailed)
      }
    }
    isOver.withLock { $0 = true }
    #expect(await lost == 0)
  }

  @Test func aFIFOIsReadFromOneWriterAfterAnother() async throws {
    let rig = try await Rig(
      "cc 7 = fader mix jump\nnote 1 = momentary freeze on\nnote 2 = do quantize 3\n")
    try await rig.start()
    try rig.send([0x90, 1, 100, 2])
    #expect(try await rig.next("freeze") == .bool(true))
    try rig.close()
    // What was held is released, and half a message is forgotten.
    #expect(try await rig.next("freeze") == .bool(false))
    try rig.open()
    try rig.send([100, 0xb0, 7, 127])
    let heard = try await rig.hear { $0 == .property("mix", .double(1)) }
    #expect(!heard.contains(.quantize(3)))
    // Five more, each with one message.
    for value: UInt8 in [0, 127, 0, 127, 0] {
      try rig.close()
      try rig.open()
      try rig.send([0xb0, 7, value])
      #expect(try await rig.next("mix") == .double(value == 0 ? 0 : 1))
    }
  }

  @Test func aFileThatIsGoneIsReportedAndComesBack() async throws {
    let rig = try await Rig("cc 7 = fader mix jump\n")
    try await rig.start()
    _ = try await rig.hear { $0 == .notice("MIDI: box is connected.") }
    #expect(await rig.midi.deviceNames == ["box"])
    try FileManager.default.removeItem(atPath: rig.fifo)
    await rig.clock.crank()
    _ = try await rig.hear { $0 == .warning("MIDI: box was disconnected.") }
    #expect(mkfifo(rig.fifo, 0o600) == 0)
    await rig.clock.crank()
    _ = try await rig.hear { $0 == .notice("MIDI: box is connected.") }
    try rig.open()
    try rig.send([0xb0, 7, 127])
    #expect(try await rig.next("mix") == .double(1))
  }

  @Test func aStopReleasesHeldNotesAndAllowsANewStart() async throws {
    let rig = try await Rig("note 1 = momentary freeze on\n")
    try await rig.start()
    try rig.send([0x90, 1, 100])
    #expect(try await rig.next("freeze") == .bool(true))
    await rig.midi.stop()
    #expect(try await rig.next("freeze") == .bool(false))
    #expect(await rig.midi.deviceNames.isEmpty)
    await rig.midi.stop()
    try await rig.start()
    try rig.send([0x90, 1, 100])
    #expect(try await rig.next("freeze") == .bool(true))
  }

  @Test func problemsOfAMapAreReportedWithTheirLines() async throws {
    let rig = try await Rig("cc 7 = fader mix jump\nwhat\ncc 8 = fader nothing\n")
    try await rig.start()
    let heard = try await rig.hear { $0 == .notice("MIDI: box is connected.") }
    let warnings = heard.compactMap { if case .warning(let text) = $0 { text } else { nil } }
    #expect(warnings.count == 2)
    #expect(warnings.first?.hasPrefix("\(rig.file), line 2: ") == true)
    #expect(warnings.last?.hasPrefix("\(rig.file), line 3: ") == true)
    try rig.send([0xb0, 7, 127])
    #expect(try await rig.next("mix") == .double(1))
  }

  /// Without an ALSA sequencer, its source is one.
  @Test(
    arguments: [
      (MIDISource.stream(path: "/no/such/device"), "/no/such/device"), (.alsa(), "/dev/snd/seq"),
    ].filter { access($0.1, R_OK | W_OK) != 0 })
  func aSourceThatDoesNotOpenIsAnErrorAndTheOthersPlay(source: MIDISource, name: String)
    async throws
  {
    let rig = try await Rig("cc 7 = fader mix jump\n", sources: [source])
    let error = await #expect(throws: StageError.self) { try await rig.midi.start() }
    #expect(error?.code == .inputFailed)
    #expect(error?.message.contains(name) == true)
    try rig.open()
    try rig.send([0xb0, 7, 127])
    #expect(try await rig.next("mix") == .double(1))
  }

  @Test func aFileWithoutAWriterIsNoDevice() async throws {
    let rig = try await Rig("")
    for path in [rig.file, rig.folder.path] {
      let midi = MIDIInput(rig.performance, sources: [.stream(path: path)])
      let error = await #expect(throws: StageError.self) { try await midi.start() }
      #expect(error?.code == .inputFailed)
      #expect(error?.message.contains("mkfifo") == true)
    }
  }

  @Test func aSourceIsText() {
    #expect(MIDISource("alsa") == .alsa())
    #expect(MIDISource("alsa:Launch Control") == .alsa("Launch Control"))
    #expect(MIDISource("jack:a:b") == .jack("a:b"))
    #expect(MIDISource("/dev/midi1") == .stream(path: "/dev/midi1"))
  }

  @Test func aSerialPortIsTakenAsItIs() async throws {
    let rig = try await Rig("")
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0)
    // As unlockpt and ptsname do, which Swift does not see.
    var number: CInt = 0
    try #require(
      ioctl(master, 0x4004_5431, &number) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    let path = "/dev/pts/\(number)"
    // As long as this end is open, no port of another test gets the number, where it would be looked for.
    let end = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(end >= 0)
    defer { Glibc.close(end) }
    let map = MIDIMap(
      "cc 13 = fader mix jump\ncc 3 = fader gain jump\ncc 10 = fader center-x jump\n")
    let midi = MIDIInput(
      rig.performance, sources: [.stream(path: path)], folder: rig.folder.path, map: map)
    try await midi.start()
    let port = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    // What terminals take for ends of lines and of programs.
    try port.write(contentsOf: Data([0xb0, 13, 127, 3, 0, 17, 19, 4, 26, 10, 0]))
    #expect(try await rig.next("mix") == .double(1))
    #expect(try await rig.next("gain") == .double(-8))
    #expect(try await rig.next("center-x") == .double(-1))
    // It is unplugged.
    try port.close()
    _ = try await rig.hear { if case .warning = $0 { true } else { false } }
    await midi.stop()
  }

  @Test func aClockSetsTheTempo() async throws {
    let rig = try await Rig("cc 7 = fader mix jump\n")
    try await rig.start()
    try rig.send([0xfa])
    var heard: [Change] = []
    // A fader that has moved says that the tick before it was heard.
    for tick in 0..<48 {
      try rig.send([0xf8, 0xb0, 7, tick.isMultiple(of: 2) ? 127 : 0])
      heard += try await rig.hear { if case .property("mix", _) = $0 { true } else { false } }
      rig.clock.advance(by: .milliseconds(50))
    }
    let tempos = heard.compactMap { if case .tempo(let tempo) = $0 { tempo } else { nil } }
    // 24 ticks of 50 ms are 50 a minute.
    #expect(abs((tempos.last?.beatsPerMinute ?? 0) - 50) < 0.01)
  }
}
