// Tests of moves that come while others wait for the stage.

import GStreamer
import StageUnderTest
import Testing

@testable import SlitScanCapture
@testable import SlitScanStage

@Suite struct MovesAtOnceTests {
  private let clock = ManualClock()
  private let stage: InMemoryStage
  private let performance: Performance

  init() async throws {
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
  }

  /// Does a move, and another one once the stage is asked for a line.
  private func perform(_ move: Move, and other: Move, at line: String) async throws {
    await stage.setWhenAsked { [stage, performance] in
      guard $0 == line else { return }
      await stage.setWhenAsked(nil)
      await performance.play(other)
    }
    try await performance.perform(move)
  }

  @Test func aRecordingThatBrokeOffBeforeAnotherBeganEndsItNot() async throws {
    for path in ["a.mkv", "b.mkv"] {
      try await performance.performAll(.record(.off, nil), .record(.on, path))
    }
    await performance.loseRecording(to: "a.mkv", because: "The disk is full.")
    #expect(await performance.state.recording == "b.mkv")
    await performance.loseRecording(to: "b.mkv", because: "The disk is full.")
    #expect(await performance.state.recording == nil)
  }

  // MARK: Drives

  @Test func aTempoBeginsNoDriveAnewThatEndsMeanwhile() async throws {
    try await performance.performAll(
      Move("drive angle saw 4 0 360"), Move("drive gain sine 4 0 1"))
    try await perform(
      .tempo(90, beat: 1), and: .release("gain"), at: "angle~drive angle saw 4.0 0.0 360.0")
    #expect(await stage.log.last == "gain~")
    #expect(await Set(performance.state.drives.keys) == ["angle"])
  }

  @Test func aHandEndsADriveThatIsAboutToBegin() async throws {
    let line = "gain~drive gain sine 4.0 0.0 1.0"
    try await perform(Move("drive gain sine 4 0 1"), and: .set("gain", .int(2)), at: line)
    #expect(await stage.log == [line, "gain~", "gain=2"])
    #expect(await performance.state.drives.isEmpty)
    #expect(await performance.state.values["gain"] == .double(2))
  }

  @Test(arguments: [nil, Drive.wave(.saw, beats: 4, from: 0, to: 1)])
  func ofTwoDrivesTheStageGoesByTheLast(last: Drive?) async throws {
    let stage = try CaptureStage(.pattern("ball"), scan: .off)
    try await stage.drive("gain", by: .wave(.sine, beats: 4, from: 0, to: 1), then: last)
    let motion = await stage.capture.motions["gain"]
    switch motion {
    case nil: #expect(last == nil)
    case .wave(let wave, _, _, _, _): #expect(last != nil && wave == .saw)
    default: Issue.record("\(String(describing: motion))")
    }
  }

  /// Saves a preset that sets `mix` to 0.5, and has `gain` move by itself.
  ///
  /// - Returns: The drive of `gain`.
  private func saveDrivenPreset(_ values: [String: Value] = [:]) async -> Drive {
    let drive = Drive.wave(.sine, beats: 4, from: 0, to: 1)
    await stage.save(
      PresetContent(
        values: values.merging(["mix": .double(0.5)]) { $1 }, drives: ["gain": drive]), as: "Mine")
    return drive
  }

  @Test(arguments: [Move.preset("Mine", beats: nil), .undo])
  func aHandEndsADriveThatComesWithALook(move: Move) async throws {
    let drive = await saveDrivenPreset()
    try await performance.performAll(.preset("Mine", beats: nil), .reset(nil))
    let before = await stage.log.count
    try await perform(move, and: .set("gain", .int(2)), at: "mix=0.5")
    #expect(await stage.log.dropFirst(before) == ["mix=0.5", "gain=2"])
    #expect(await performance.state.drives.isEmpty)
    #expect(await performance.state.values["gain"] == .double(2))
    // That is undone by itself.
    try await performance.perform(.undo)
    #expect(await performance.state.drives == ["gain": drive])
    #expect(await performance.state.values["mix"] == .double(0.5))
  }

  @Test func aPresetThatIsUndoneBeforeItsDrivesBeginLeavesNoValue() async throws {
    _ = await saveDrivenPreset(["gain": .double(3)])
    try await perform(.preset("Mine", beats: nil), and: .undo, at: "mix=0.5")
    #expect(await stage.value(of: "gain") == .double(1))
    #expect(await performance.state.values["gain"] == .double(1))
    #expect(await performance.state.drives.isEmpty)
  }

  @Test func aHandOnAnotherPropertyEndsNoDriveThatComesWithALook() async throws {
    let drive = await saveDrivenPreset()
    try await perform(.preset("Mine", beats: nil), and: .set("depth", .int(7)), at: "mix=0.5")
    #expect(await performance.state.drives == ["gain": drive])
    try await performance.perform(.undo)
    #expect(await performance.state.drives == ["gain": drive])
    #expect(await performance.state.values["mix"] == .double(0.5))
  }

  @Test func aPresetIsToldOnceItsDrivesHaveBegun() async throws {
    let drive = await saveDrivenPreset()
    var changes = performance.changes.makeAsyncIterator()
    try await performance.perform(.preset("Mine", beats: nil))
    var told: [Change] = []
    while told.last != .preset("Mine"), let change = await changes.next() { told.append(change) }
    #expect(told == [.property("mix", .double(0.5)), .driven("gain", drive), .preset("Mine")])
  }

  @Test func aValueThatIsSetWhileAGlideBeginsIsNewer() async throws {
    await stage.save(
      PresetContent(
        values: ["gain": .double(3), "map": .string("radial"), "mix": .double(0.5)], drives: nil),
      as: "Mine")
    try await perform(
      .preset("Mine", beats: 4), and: .setAll(["map": .string("spiral"), "mix": .double(0.25)]),
      at: "gain~drive gain ramp 4.0 3.0")
    var changes = performance.changes.makeAsyncIterator()
    clock.advance(by: .seconds(2))
    while let change = await changes.next(), change != .property("gain", .double(3)) {}
    for (name, text) in [("gain", "3"), ("map", "spiral"), ("mix", "0.25")] {
      #expect(await performance.state.values[name].map { Parameter.text($0) } == text)
      #expect(await Parameter.text(stage.value(of: name)) == text)
    }
  }

  // MARK: Values

  /// Moves that set `gain` to 3 and `mix` to 0.5, after ``prepare()``.
  private static let moves = [
    Move.preset("Mine", beats: nil), .setAll(["gain": .int(3), "mix": .double(0.5)]),
    .crossfade(1), .undo,
  ]

  private func prepare() async throws {
    await stage.save(
      PresetContent(values: ["gain": .double(3), "mix": .double(0.5)], drives: nil), as: "Mine")
    try await performance.performAll(.deck(.a, nil), .deck(.b, "Mine"))
    try await performance.performAll(.preset("Mine", beats: nil), .reset(nil))
  }

  @Test(arguments: moves + [.set("mix", .double(0.5))])
  func aChangeIsToldOnceTheStageHasIt(move: Move) async throws {
    try await prepare()
    var changes = performance.changes.makeAsyncIterator()
    try await perform(move, and: .quantize(2), at: "mix=0.5")
    let first = await changes.next()
    #expect(first == .quantize(2))
    // A new listener has it from the state, and the others are told.
    performance.tell(.notice("The end"))
    while let change = await changes.next(), change != .notice("The end") {
      if change == .property("mix", .double(0.5)) { return }
    }
    Issue.record("The change was not told.")
  }

  @Test(arguments: moves)
  func aValueThatIsSetWhileSeveralAreIsNewer(move: Move) async throws {
    try await prepare()
    var changes = performance.changes.makeAsyncIterator()
    try await perform(move, and: .set("gain", .int(2)), at: "mix=0.5")
    #expect(await stage.value(of: "gain") == .double(2))
    #expect(await performance.state.values["gain"] == .double(2))
    #expect(await performance.state.values["mix"] == .double(0.5))
    #expect(await performance.state.preset == nil)
    // The last value that is told is the one that there is.
    performance.tell(.notice("The end"))
    var gain: Value?
    while let change = await changes.next(), change != .notice("The end") {
      if case .property("gain", let value) = change { gain = value }
    }
    #expect(gain == .double(2))
    // It is undone by itself.
    try await performance.perform(.undo)
    #expect(await performance.state.values["gain"] == .double(3))
    #expect(await performance.state.values["mix"] == .double(0.5))
  }

  @Test func aLookThatIsChangedWhileItIsSavedIsNotTheOneThatIsSaved() async throws {
    try await perform(.save("Mine"), and: .set("gain", .int(2)), at: "save Mine")
    #expect(await performance.state.preset == nil)
    #expect(try await stage.content(of: "Mine").values["gain"] == .double(1))
    try await performance.perform(.save("Mine"))
    #expect(await performance.state.preset == "Mine")
  }

  @Test func aPresetThatCannotBeSetChangesNoValue() async throws {
    await stage.save(
      PresetContent(values: ["gain": .double(3), "mix": .string("half")], drives: nil), as: "Mine")
    try await performance.perform(.preset("Vortex", beats: nil))
    let values = await performance.state.values
    await #expect(throws: StageError.self) {
      try await performance.perform(.preset("Mine", beats: nil))
    }
    #expect(await performance.state.values == values)
    #expect(await performance.state.preset == "Vortex")
  }
}

extension CaptureStage {
  /// Has a parameter move by itself, and in another way before it has begun to.
  fileprivate func drive(_ name: String, by first: Drive, then last: Drive?) async throws {
    // They come in this order.
    let moves = [first, last].map { drive in
      Task { try await self.drive(name, by: drive, tempo: Tempo()) }
    }
    for move in moves { try await move.value }
  }
}
