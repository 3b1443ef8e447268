// Tests of the effect of moves on a performance, on an in-memory stage.

import Foundation
import GStreamer
import StageUnderTest
import TemporaryFolder
import Testing

@testable import SlitScanStage

@Suite struct PerformanceTests {
  private let clock = ManualClock()
  private let performance: Performance
  private let stage: InMemoryStage

  init() async throws { (performance, stage) = try await Self.make(by: clock) }

  private static func make(by clock: ManualClock) async throws -> (Performance, InMemoryStage) {
    let stage = try InMemoryStage(clock: clock)
    let tempo = Tempo(120, from: clock.now)
    return (await Performance(on: stage, tempo: tempo, clock: clock), stage)
  }

  @Test func aMoveReachesTheStageAndEverybodyHearsOfIt() async throws {
    var changes = performance.changes.makeAsyncIterator()
    try await performance.perform(.set("depth", .double(60)))
    #expect(await stage.log == ["depth=60"])
    #expect(await performance.state.values["depth"] == .uint(60))
    #expect(await changes.next() == .property("depth", .uint(60)))
  }

  @Test func wordsAndNumbersFitWhereTheyCan() async throws {
    try await performance.performAll(.set("map", .string("radial")), .set("mode", .int(0)))
    try await performance.performAll(.set("freeze", .string("on")), .set("gain", .int(2)))
    let values = await performance.state.values
    #expect(values["map"] == .nick("radial"))
    #expect(values["freeze"] == .bool(true))
    #expect(values["gain"] == .double(2))
  }

  @Test(arguments: [
    (Move.set("map", .string("sideways")), StageError.Code.badValue),
    (.set("gain", .double(.nan)), .badValue),
    (.set("gain", .double(.infinity)), .badValue),
    (.set("nothing", .int(1)), .noSuchProperty),
    (.fade("map-location", 0.5), .badValue),
    (.toggle("depth"), .badValue),
    (.preset("no such preset", beats: nil), .noSuchPreset),
    (.drive("mode", .ramp(beats: 4, to: 1)), .badValue),
    (.save("Vortex"), .badValue),
    (.save("vortex"), .badValue),
    (.save(" "), .badValue),
    (.save("_presets_"), .badValue),
    (.save("a]"), .badValue),
    (.save("a\nb"), .badValue),
    (.save(String(repeating: "a", count: 65)), .badValue),
    (.undo, .nothingToUndo),
    (.redo, .nothingToUndo),
  ]) func impossibleMovesAreErrorsAndChangeNothing(move: Move, code: StageError.Code) async throws {
    let before = await performance.state
    let error = await #expect(throws: StageError.self) { try await performance.perform(move) }
    #expect(error?.code == code)
    #expect(await performance.state == before)
    #expect(await stage.log.isEmpty)
  }

  @Test(arguments: [
    ("set depth -5", "set depth 1"), ("set gain 1000 mix -1", "set gain 10 mix 0"),
    ("drive gain sine 4 0 1e9", "drive gain sine 4 0 10"),
    ("drive depth ramp 1 0", "drive depth ramp 1 1"),
  ]) func numbersAreBroughtIntoTheRange(line: String, inside: String) async throws {
    try await performance.perform(Move(line))
    let (other, otherStage) = try await Self.make(by: clock)
    try await other.perform(Move(inside))
    #expect(await stage.log == otherStage.log)
    #expect(await performance.state.values == other.state.values)
    #expect(await performance.state.drives == other.state.drives)
  }

  @Test(arguments: [
    ("set depth 100000", "set depth 600"), ("set gain 1 depth 100000", "set gain 1 depth 600"),
    ("drive depth sine 4 1 100000", "drive depth sine 4 1 600"),
    ("drive depth ramp 1 601", "drive depth ramp 1 600"),
    ("set duration 60000000000", "set duration 10s"), ("set duration 60s", "set duration 10s"),
    ("set canvas-length 1000000", "set canvas-length 8192"),
  ]) func numbersFromAnotherMachineAreBroughtIntoTheFader(line: String, inside: String) async throws
  {
    try await performance.perform(Move(line), from: .elsewhere)
    let (other, otherStage) = try await Self.make(by: clock)
    try await other.perform(Move(inside))
    #expect(await stage.log == otherStage.log)
    #expect(await performance.state.drives == other.state.drives)
    // This machine goes farther.
    let (free, freeStage) = try await Self.make(by: clock)
    try await free.perform(Move(line))
    #expect(await freeStage.log != stage.log)
  }

  @Test func everyPresetChangeTakesAsLongAsTheGlide() async throws {
    let first = try #require(performance.presets.first)
    for move in [Move.preset(first, beats: nil), .nextPreset(-1), .preset(first, beats: 4)] {
      try await performance.performAll(.reset(nil), .glide(4))
      let before = await stage.log.count
      try await performance.perform(move)
      #expect(await stage.log.dropFirst(before).contains { $0.contains("ramp 4.0") }, "\(move)")
    }
    try await performance.perform(.reset(nil))
    let before = await stage.log.count
    try await performance.perform(.preset(first, beats: 0))
    #expect(await !stage.log.dropFirst(before).contains { $0.contains("ramp") })
  }

  @Test func aPresetThatIsSavedBringsBackWhatWasSeenWithItsDrives() async throws {
    let count = performance.presets.count
    try await performance.performAll(.preset("Vortex", beats: nil), Move("set gain 3"))
    try await performance.performAll(Move("drive angle saw 4 0 360"), .save("My own"))
    let seen = await performance.state
    #expect(seen.preset == "My own")
    #expect(performance.presets.dropFirst(count) == ["My own"])
    try await performance.performAll(.reset(nil), Move("drive mix sine 4 0 1"))
    try await performance.perform(.preset("my OWN", beats: nil))
    #expect(await performance.state.values == seen.values)
    #expect(await performance.state.drives == seen.drives)
    #expect(await performance.state.preset == "My own")
    // A preset saved by the user can be saved again.
    try await performance.performAll(Move("set gain 2"), .save("my own"), .reset(nil))
    try await performance.perform(.preset("My own", beats: nil))
    #expect(await performance.state.values["gain"] == .double(2))
    #expect(performance.presets.count == count + 1)
  }

  @Test func thereIsALimitToPresetsAndNoneTakesTheNameOfAnother() async throws {
    let count = performance.presets.count
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { try? await performance.perform(.save(nil), from: .elsewhere) }
      }
    }
    #expect(performance.presets.dropFirst(count) == (1...30).map { "Saved \($0)" }[...])
    let error = await #expect(throws: StageError.self) { try await performance.perform(.save(nil)) }
    #expect(error?.message.contains("30 presets") == true)
    #expect(error?.message.contains("save NAME") == true)
    for number in 1...100 { try await performance.perform(.save("Mine \(number)")) }
    await #expect(throws: StageError.self) { try await performance.perform(.save("another")) }
    // One that is there can be saved again.
    try await performance.perform(.save("Saved 1"))
    #expect(performance.presets.count == count + 130)
  }

  @Test(arguments: [
    (Move.snapshot("a.png"), WrittenFile.still), (.record(.toggle, "a.mkv"), .recording),
  ]) func thereIsALimitToStillsAndRecordings(move: Move, kind: WrittenFile) async throws {
    for _ in 0..<kind.limit {
      try await performance.perform(move)
      if kind == .recording { try await performance.perform(move) }
    }
    let before = await stage.log
    let error = await #expect(throws: StageError.self) { try await performance.perform(move) }
    #expect(error?.code == .notWritten)
    #expect(error?.message.contains("\(kind.limit)") == true)
    #expect(await performance.state.recording == nil)
    #expect(await stage.log == before)
  }

  @Test func aPresetIsLoadedWithoutADriveThatIsImpossible() async throws {
    var values = try await stage.content(of: "Vortex").values
    values["gain"] = .double(3)
    let drive = Drive.wave(.sine, beats: 4, from: 0, to: 1)
    await stage.save(
      PresetContent(values: values, drives: ["nothing": drive, "mix": drive]), as: "Of old")
    let changes = performance.changes
    try await performance.perform(.preset("Of old", beats: nil))
    #expect(await performance.state.drives == ["mix": drive])
    #expect(await performance.state.values["gain"] == .double(3))
    #expect(await performance.state.preset == "Of old")
    for await change in changes { if case .warning = change { break } }
  }

  @Test func theCrossfaderGoesFromOnePresetToTheOther() async throws {
    await #expect(throws: StageError.self) { try await performance.perform(.crossfade(0.5)) }
    try await performance.performAll(Move("set gain 1 depth 30 map linear"), .deck(.a, nil))
    try await performance.performAll(Move("set gain 3 depth 30 map radial"), .deck(.b, nil))
    try await performance.perform(.preset("Vortex", beats: nil))
    for (place, gain, map) in [(0.25, 1.5, "linear"), (0.75, 2.5, "radial"), (7, 3, "radial")] {
      let before = await stage.log.count
      try await performance.perform(.crossfade(place))
      let values = await performance.state.values
      #expect(abs((Parameter.number(values["gain"] ?? .none) ?? 0) - gain) < 1e-9)
      #expect(values["map"] == .nick(map))
      #expect(values["depth"] == .uint(30))
      // What is the same at both ends, or is there already, is left alone.
      let changed = await Set(stage.log.dropFirst(before).map { $0.prefix { $0 != "=" } })
      #expect(place == 0.25 || changed.isSubset(of: ["gain", "map"]), "\(changed)")
    }
    // One change to undo, however often the fader has moved.
    try await performance.perform(.undo)
    let vortex = try await stage.content(of: "Vortex").values
    #expect(await performance.state.values["gain"] == vortex["gain"])
    // What is driven stays so.
    try await performance.performAll(Move("drive gain sine 4 0 1"), .deck(.a, "vortex"))
    try await performance.perform(.crossfade(0))
    #expect(await performance.state.drives["gain"] != nil)
    #expect(await performance.state.decks == [.a: "Vortex", .b: "what was seen"])
  }

  @Test func presetsThatAreSavedWithoutANameAreNumbered() async throws {
    let count = performance.presets.count
    for _ in 0..<2 { try await performance.perform(.save(nil), from: .elsewhere) }
    #expect(performance.presets.dropFirst(count) == ["Saved 1", "Saved 2"])
  }

  @Test func aPresetThatSaysNothingOfDrivesLeavesThemRunning() async throws {
    try await performance.perform(Move("drive mix sine 4 0 1"))
    let drives = await performance.state.drives
    let before = await stage.log.count
    try await performance.perform(.preset("Vortex", beats: nil))
    #expect(await performance.state.drives == drives)
    #expect(await !stage.log.dropFirst(before).contains { $0.hasPrefix("mix") })
    try await performance.perform(.reset(nil))
    #expect(await performance.state.drives.isEmpty)
  }

  @Test(arguments: [
    "set max-memory 1", "fade max-memory 1", "reset max-memory", "set reserve 0",
    "set map-location /etc/passwd", "set history-location /tmp", "fade max-disk 1",
    "set gain 1 map-location /etc/passwd", "snapshot /etc/passwd", "record on /etc/passwd",
  ]) func anotherMachineNamesNoFilesAndTakesNoMemory(line: String) async throws {
    let before = await performance.state
    await #expect(throws: StageError.self) {
      try await performance.perform(Move(line), from: .elsewhere)
    }
    #expect(await performance.state == before)
    #expect(await stage.log.isEmpty)
    // It makes sense, and this machine can do it.
    try await performance.perform(Move(line))
  }

  @Test func anotherMachineGoesAsFarAsTheShowAndTheFaders() async throws {
    let stage = try InMemoryStage()
    try await stage.set("depth", to: .uint(5000))
    let performance = await Performance(on: stage)
    for line in [
      "set depth 600", "fade depth 1", "step depth 1000", "set depth 5000", "undo", "reset",
      "set duration 10000000000 canvas-length 8192", "snapshot", "record on", "set gain -8",
    ] { try await performance.perform(Move(line), from: .elsewhere) }
    try await performance.perform(.set("depth", .int(5001)), from: .elsewhere)
    #expect(await performance.state.values["depth"] == .uint(5000))
  }

  @Test func everyParametersFaderGoesFromEndToEndAndBack() async throws {
    for parameter in performance.parameters.all {
      guard parameter.value(at: 0) != nil else { continue }
      for place in [0, 0.1, 0.5, 0.9, 1] {
        try await performance.perform(.fade(parameter.name, place))
        let value = try #require(await performance.state.values[parameter.name])
        let back = try #require(parameter.place(of: value))
        #expect(parameter.value(at: back) == value, "\(parameter.name) at \(place)")
      }
      #expect(parameter.place(of: try #require(parameter.value(at: 0))) == 0)
      #expect(parameter.place(of: try #require(parameter.value(at: 1))) == 1)
    }
  }

  @Test func severalValuesAreOneChange() async throws {
    let defaults = await performance.state.values
    try await performance.perform(.drive("gain", .ramp(beats: 1000, to: 3)))
    try await performance.set(["gain": .int(2), "mix": .double(0.5), "freeze": .string("on")])
    #expect(await stage.log.suffix(3) == ["freeze=true", "gain=2", "mix=0.5"])
    #expect(await performance.state.drives.isEmpty)
    for _ in 0..<50 { try await performance.set(["gain": .int(3), "mix": .double(0.25)]) }
    try await performance.perform(.undo)
    #expect(await performance.state.values["gain"] == .double(2))
    #expect(await performance.state.values["freeze"] == .bool(true))
    try await performance.perform(.undo)
    #expect(await performance.state.values == defaults)
  }

  @Test func ofSeveralValuesNoneIsSetWhereOneCannotBe() async throws {
    for wrong in [
      ["gain": Value.int(2), "mix": .string("half")], ["gain": .int(2), "nothing": .int(7)],
    ] { await #expect(throws: StageError.self) { try await performance.set(wrong) } }
    #expect(await stage.log.isEmpty)
  }

  @Test func ofSeveralValuesThoseThatWaitForTheBeatWait() async throws {
    try await performance.performAll(.tempo(400, beat: 1), .quantize(4))
    try await performance.set(["map": .string("radial"), "gain": .int(2)])
    #expect(await stage.log == ["gain=2"])
    var changes = performance.changes.makeAsyncIterator()
    await clock.crank()
    while let change = await changes.next(), change != .waiting("map", nil) {}
    #expect(await changes.next() == .property("map", .nick("radial")))
    #expect(await stage.log == ["gain=2", "map=radial"])
  }

  @Test func stepsGoRoundAndStopAtTheEnds() async throws {
    let modes = try performance.parameters.find("mode").choices
    for _ in modes { try await performance.perform(.step("mode", 1)) }
    #expect(
      await performance.state.values["mode"]
        == performance.parameters["mode"]?.property.defaultValue)
    try await performance.perform(.step("mode", -1))
    #expect(await performance.state.values["mode"] == .nick(try #require(modes.last)))
    for _ in 0..<200 { try await performance.perform(.step("mix", -1)) }
    #expect(await performance.state.values["mix"] == .double(0))
    try await performance.performAll(.set("depth", .int(10)), .step("depth", 1))
    #expect(await performance.state.values["depth"] == .uint(11))
  }

  @Test func undoRevertsOneChangeOfAnyInput() async throws {
    let defaults = await performance.state.values
    // A fader that is moved is one change.
    for place in 1...50 { try await performance.perform(.fade("mix", Double(place) / 100)) }
    try await performance.performAll(.toggle("freeze"), .undo)
    #expect(await performance.state.values["freeze"] == .bool(false))
    #expect(await performance.state.values["mix"] == .double(0.5))
    try await performance.perform(.undo)
    #expect(await performance.state.values == defaults)
    try await performance.performAll(.redo, .redo)
    #expect(await performance.state.values["freeze"] == .bool(true))
    #expect(await performance.state.values["mix"] == .double(0.5))
  }

  @Test func changesOfModeWaitForTheBeat() async throws {
    try await performance.performAll(.tempo(400, beat: 1), .quantize(4))
    try await performance.perform(.set("map", .string("radial")))
    var changes = performance.changes.makeAsyncIterator()
    try await performance.perform(.set("map", .string("spiral")))
    #expect(await stage.log.isEmpty)
    // Three beats of 150 ms; only the last word counts.
    let waiting = try #require(await performance.state.waiting["map"])
    #expect(waiting.value == "spiral")
    #expect(await changes.next() == .waiting("map", waiting))
    #expect(abs((waiting.moment - clock.now) / .seconds(1) - 0.45) < 1e-6)
    await clock.sleepers(1)
    #expect(clock.deadlines == [waiting.moment])
    clock.advance(to: waiting.moment)
    while let change = await changes.next(), change != .waiting("map", nil) {}
    #expect(await changes.next() == .property("map", .nick("spiral")))
    #expect(await performance.state.waiting.isEmpty)
    #expect(await stage.log == ["map=spiral"])
  }

  @Test func aHandEndsADrive() async throws {
    let drive = Drive.wave(.sine, beats: 4, from: 0, to: 360)
    try await performance.perform(.drive("angle", drive))
    #expect(await performance.state.drives == ["angle": drive])
    try await performance.perform(.set("angle", .int(90)))
    #expect(await performance.state.drives.isEmpty)
    #expect(await stage.log == ["angle~drive angle sine 4.0 0.0 360.0", "angle~", "angle=90"])
  }

  @Test func undoBringsBackADriveThatAHandHasEnded() async throws {
    let drive = Drive.wave(.sine, beats: 4, from: 0, to: 360)
    try await performance.performAll(.drive("angle", drive), .set("angle", .int(90)), .undo)
    #expect(await performance.state.drives == ["angle": drive])
    #expect(await stage.log.last == "angle~drive angle sine 4.0 0.0 360.0")
  }

  @Test func aStepGoesOnFromWhereThePropertyIs() async throws {
    try await performance.perform(.drive("angle", .wave(.saw, beats: 8, from: 0, to: 360)))
    // As it swings.
    try await stage.set("angle", to: .double(100))
    try await performance.perform(.step("angle", 1))
    let value = try #require(await performance.state.values["angle"])
    let angle = try #require(Parameter.number(value))
    #expect((100.5...110).contains(angle), "\(angle)")
  }

  @Test func whatIsDoneDuringAGlideGoesByThePresetThatComes() async throws {
    let vortex = try await stage.content(of: "Vortex").values
    try await performance.performAll(.preset("Vortex", beats: 1000), .set("freeze", .bool(true)))
    try await performance.perform(.undo)
    #expect(await performance.state.preset == "Vortex")
    #expect(await performance.goal.values.filter { vortex[$0.key] != nil } == vortex)
    // It still glides.
    #expect(await !performance.gliding.isEmpty)
    try await performance.perform(.save("Mine"))
    #expect(try await stage.content(of: "Mine").values == vortex)
    try await performance.performAll(.deck(.b, nil), .reset(nil), .deck(.a, nil), .crossfade(1))
    #expect(await performance.state.values.filter { vortex[$0.key] != nil } == vortex)
  }

  @Test func aMoveAtTheMomentAtWhichAGlideArrivesIsNotLost() async throws {
    let stage = try InMemoryStage()
    let performance = await Performance(
      on: stage, tempo: Tempo(120, from: clock.now), clock: clock, isRehearsal: true)
    let defaults = await performance.state.values
    try await performance.perform(.preset("Vortex", beats: 1))
    let gliding = await performance.gliding
    #expect(!gliding.isEmpty)
    await stage.setWhenAsked { line in
      // A motion ends.
      guard line.hasSuffix("~") else { return }
      await stage.setWhenAsked(nil)
      try? await performance.perform(.reset(nil))
    }
    await performance.rehearse(until: clock.now + .seconds(1), by: clock)
    #expect(await performance.gliding.isEmpty)
    #expect(await performance.state.values == defaults)
    for name in gliding.keys { #expect(await stage.value(of: name) == defaults[name], "\(name)") }
  }

  @Test func theCrossfaderEndsAGlideToAnotherPreset() async throws {
    try await performance.performAll(.deck(.a, nil), .deck(.b, "Vortex"))
    try await performance.perform(.preset("Vortex", beats: 1000))
    #expect(await !performance.gliding.isEmpty)
    let defaults = try InMemoryStage().parameters.look.map { ($0.name, $0.property.defaultValue) }
    try await performance.perform(.crossfade(0))
    #expect(await performance.gliding.isEmpty)
    for (name, value) in defaults { #expect(await stage.value(of: name) == value, "\(name)") }
  }

  @Test func eachOfTwoMovesAtOnceIsUndoneByItself() async throws {
    for _ in 0..<100 {
      let (performance, _) = try await Self.make(by: clock)
      let defaults = await performance.state.values
      try await withThrowingTaskGroup { group in
        group.addTask { try await performance.perform(.set("gain", .double(3))) }
        group.addTask { try await performance.perform(.set("mix", .double(0.5))) }
        try await group.waitForAll()
      }
      try await performance.perform(.undo)
      let values = await performance.state.values
      #expect((values["gain"] == .double(3)) != (values["mix"] == .double(0.5)))
      try await performance.perform(.undo)
      #expect(await performance.state.values == defaults)
    }
  }

  @Test func theNextPresetIsLoggedByItsName() async throws {
    var done = performance.performed.makeAsyncIterator()
    try await performance.perform(.nextPreset(2))
    #expect(await done.next()?.move == .preset(performance.presets[1], beats: 0))
  }

  @Test func aClipThatTakesItsTimeHoldsUpNoOtherMove() async throws {
    let stage = try InMemoryStage()
    let (end, opener) = AsyncStream.makeStream(of: Void.self)
    let opening = Task { for await _ in end {} }
    await stage.setWhenAsked { if $0.hasPrefix("clip") { await opening.value } }
    let performance = await Performance(on: stage)
    for move in [Move.nextClip, .previousClip] { await performance.play(move) }
    await performance.play(.blackout(.on))
    #expect(await performance.state.isBlack)
    opener.finish()
  }

  @Test func twoStillsOfOneSecondAreTwoFiles() {
    var names = FileNames(folder: NSTemporaryDirectory())
    #expect(Set((0..<5).map { _ in names.next("png") }).count == 5)
  }

  /// A show that is played again records beside what it recorded before.
  @Test func noFileOfAnEarlierShowIsReplaced() async throws {
    let folder = TemporaryFolder()
    for name in ["a.png", "a.mkv", "a-2.mkv"] { try folder.write(name) }
    try #require(mkfifo(folder.path + "/pipe.mkv", 0o600) == 0)
    for name in ["a.png", "b.png"] {
      try await performance.perform(.snapshot("\(folder.path)/\(name)"))
    }
    for name in ["a.mkv", "a.mkv", "pipe.mkv", "pipe.mkv"] {
      try await performance.performAll(.record(.on, "\(folder.path)/\(name)"), .record(.off, nil))
    }
    let written = await stage.log.filter { !$0.hasPrefix("recorded") }.compactMap {
      $0.split(separator: "/").last
    }
    #expect(written == ["a-2.png", "b.png", "a-3.mkv", "a-4.mkv", "pipe.mkv", "pipe.mkv"])
  }

  @Test func stillsRecordingsAndBlackAreReported() async throws {
    var changes = performance.changes.makeAsyncIterator()
    try await performance.performAll(.snapshot("a.png"), .record(.toggle, "a.mkv"))
    try await performance.performAll(.record(.on, "b.mkv"), .record(.toggle, nil))
    try await performance.performAll(.blackout(.toggle), .blackout(.toggle))
    var heard: [Change] = []
    for _ in 0..<6 { if let change = await changes.next() { heard.append(change) } }
    #expect(
      heard == [
        .snapshot("a.png"), .recording("a.mkv"), .recording(nil), .recorded("a.mkv"),
        .blackout(true), .blackout(false),
      ])
    #expect(
      await stage.log == ["snapshot a.png", "record a.mkv", "recorded a.mkv", "black", "video"])
  }
}
