// Tests of MIDI maps as files.

import Foundation
import GStreamer
import StageUnderTest
import TemporaryFolder
import Testing

@testable import SlitScanMIDI
@testable import SlitScanStage

@Suite struct MIDIMapTests {
  @Test(arguments: [
    ("cc 7", MIDIControl(.controller(7))),
    ("channel 16 cc14 31", MIDIControl(.pair(31), channel: 16)),
    ("nrpn 16383", MIDIControl(.parameter(16383))),
    ("rpn 0", MIDIControl(.registered(0))),
    ("channel 10 note 36", MIDIControl(.note(36), channel: 10)),
    ("key-pressure 1", MIDIControl(.keyPressure(1))),
    ("pressure", MIDIControl(.pressure)),
    ("pitch-bend", MIDIControl(.pitchBend)),
    ("program", MIDIControl(.program(nil))),
    ("channel 1 program 5", MIDIControl(.program(5), channel: 1)),
  ]) func aControlIsTextAndTheOtherWayRound(text: String, control: MIDIControl) {
    #expect(MIDIControl(text) == control)
    #expect(control.text == text)
  }

  /// As editors of Windows write it; libFuzzer has found that it was one line.
  @Test(arguments: ["\r\n", "\r"]) func linesMayEndAsTheyDoElsewhere(end: String) {
    let map = MIDIMap(["cc 7 = fader mix", "# pads", "note 1 = do undo"].joined(separator: end))
    #expect(map.problems.isEmpty)
    #expect(map.controls.count == 2)
    #expect(MIDIMap(map.text).text == map.text)
  }

  @Test(arguments: [
    "", "cc", "cc 128", "cc -1", "cc 7 8", "cc14 32", "nrpn 16384", "note", "channel 0 cc 1",
    "channel 17 cc 1", "channel cc 1", "pitch-bend 1", "knob 3", "cc 9999999999999999999999",
  ]) func invalidControlsAreRefused(text: String) { #expect(MIDIControl(text) == nil) }

  @Test(
    arguments: [
      ("cc 1 = fader depth", MIDIAction.fader("depth", from: 0, to: 1, hasPickup: true)),
      ("cc 1 = fader depth jump", .fader("depth", from: 0, to: 1, hasPickup: false)),
      ("cc 1 = fader gain 0.75 0.25", .fader("gain", from: 0.75, to: 0.25, hasPickup: true)),
      ("cc14 1 = fader gain 0.0 0.5 jump", .fader("gain", from: 0, to: 0.5, hasPickup: false)),
      ("pitch-bend = fader gain", .fader("gain", from: 0, to: 1, hasPickup: false)),
      ("pitch-bend = fader gain pickup", .fader("gain", from: 0, to: 1, hasPickup: true)),
      ("cc 1 = encoder angle twos", .encoder("angle", .twos, steps: 1)),
      ("cc 1 = encoder angle sign -5", .encoder("angle", .sign, steps: -5)),
      ("note 1 = do preset \"Time Warp\" 4.0", .press(.preset("Time Warp", beats: 4))),
      ("note 1 = hold blackout on / blackout off", .hold(.blackout(.on), .blackout(.off))),
      ("note 1 = momentary freeze on", .momentary("freeze", .string("on"))),
      (
        "note 1 = momentary map-location \"a b # c.png\"",
        .momentary("map-location", .string("a b # c.png"))
      ),
      ("program = presets", .presets(beats: nil)),
      ("program = presets 8.0", .presets(beats: 8)),
      ("cc 8 = crossfade", .crossfade),
      ("program 3 = do undo", .press(.undo)),
    ] as [(String, MIDIAction)]) func aLineIsAnActionAndTheOtherWayRound(
      line: String, action: MIDIAction
    ) throws
  {
    let map = MIDIMap(line)
    #expect(map.problems.isEmpty)
    let control = try #require(map.controls.first)
    #expect(map[control] == action)
    var written = MIDIMap()
    written.assign(action, to: control)
    #expect(written.text == line + "\n")
  }

  @Test(arguments: [
    "nothing", "cc 1 fader depth", "cc 1 =", "cc 1 = fader", "cc 1 = fader depth 0.5",
    "cc 1 = fader depth 0 2", "cc 1 = fader depth 0 nan", "cc 1 = fader depth soft",
    "cc 1 = encoder depth", "cc 1 = encoder depth threes", "cc 1 = encoder depth twos 1000",
    "note 1 = encoder depth twos", "note 1 = do", "note 1 = do jump high", "note 1 = hold tap",
    "note 1 = hold tap / jump", "note 1 = momentary freeze", "cc 1 = presets",
    "knob 1 = fader depth",
    "clock = maybe", "program = presets -1", "note 1 = momentary name \"open",
  ]) func aWrongLineSaysWhereAndWhatWouldBeRight(line: String) {
    let map = MIDIMap("# First\ncc 9 = fader mix\n\(line)\ncc 10 = fader gain")
    #expect(map.problems.map(\.line) == [3])
    #expect(map.problems.first?.message.isEmpty == false)
    // The others hold.
    #expect(map.controls.count == 2)
    #expect(map.text.contains(line))
  }

  @Test(arguments: [
    (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/slitscan"),
    (["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/slitscan"),
    (["HOME": "/h"], "/h/.config/slitscan"),
    ([:], NSHomeDirectory() + "/.config/slitscan"),
  ]) func learnedMapsAreInTheFolderOfSettings(environment: [String: String], folder: String) {
    #expect(settingsFolder(environment) == folder)
  }

  @Test func aControlHasOneLine() {
    let map = MIDIMap("cc 1 = fader mix\n\ncc 1 = fader gain\nchannel 1 cc 1 = fader depth\n")
    #expect(map.problems.map(\.line) == [3])
    #expect(map.problems.first?.message.contains("line 1") == true)
    // What is said of a channel goes before what is said of all.
    #expect(map.action(for: MIDIControl(.controller(1), channel: 1))?.0.channel == 1)
    #expect(map.action(for: MIDIControl(.controller(1), channel: 2))?.0.channel == nil)
    #expect(map.action(for: MIDIControl(.controller(2), channel: 2)) == nil)
  }

  @Test func anUnknownPropertyIsAProblemOfItsLine() throws {
    let parameters = try InMemoryStage().parameters
    let map = MIDIMap(
      """
      cc 1 = fader depth
      cc 2 = fader nothing
      cc 3 = fader map-location
      note 1 = momentary freeze maybe
      note 2 = do toggle nothing
      note 3 = hold set freeze on / set gain high
      note 4 = do set mode sweep
      """)
    #expect(map.problems.isEmpty)
    #expect(map.problems(with: parameters).map(\.line) == [2, 3, 4, 5, 6])
  }

  @Test func aChangeLeavesEverythingElse() {
    let text = """
      # My box
      cc 1 = fader mix   # the left one

      what is this
      clock = ignore
        cc 2=fader gain#no comment

      """
    var map = MIDIMap(text)
    #expect(map.text == text)
    #expect(map.problems.map(\.line) == [4, 6])
    #expect(!map.followsClock)
    map.assign(.press(.tap), to: MIDIControl(.controller(1)))
    map.assign(.press(.undo), to: MIDIControl(.note(36), channel: 10))
    #expect(
      map.text == text.replacing("cc 1 = fader mix ", with: "cc 1 = do tap ")
        + "channel 10 note 36 = do undo\n")
    #expect(MIDIMap(map.text)[MIDIControl(.controller(1))] == .press(.tap))
  }

  @Test func aFileIsReadAndWrittenAlsoWhereItIsALink() throws {
    let folder = TemporaryFolder()
    let path = MIDIMap.path(for: "a/b: c", in: folder.path + "/new")
    #expect(path == folder.path + "/new/a-b- c.txt")
    #expect(try MIDIMap.read(path) == nil)
    try MIDIMap("cc 1 = fader mix\n").write(path)
    let link = folder.path + "/link.txt"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try MIDIMap("cc 2 = fader mix\n").write(link)
    #expect(try MIDIMap.read(path)?.text == "cc 2 = fader mix\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test func aFileThatIsNotTextIsAnError() throws {
    let folder = TemporaryFolder()
    let path = try folder.write("noise.txt", [0xff, 0xfe, 0x80])
    #expect(throws: StageError.self) { try MIDIMap.read(path) }
    let error = #expect(throws: StageError.self) { try MIDIMap().write("/dev/null/map.txt") }
    #expect(error?.code == .badFile)
  }
}
