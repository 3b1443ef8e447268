// Tests of a folder of images that are maps, with images that come, go and cannot be read.

import Foundation
import GStreamer
import TemporaryFolder
import Testing

@testable import SlitScanStage

@Suite struct MapFolderTests {
  private let folder = TemporaryFolder()

  private static let image = Array("P5 2 1 255\n".utf8) + [0, 255]

  private func make() async throws -> (Performance, InMemoryStage) {
    let stage = try InMemoryStage()
    return (await Performance(on: stage, maps: try MapFolder(folder.path)), stage)
  }

  private func shown(_ performance: Performance) async -> String? {
    let values = await performance.state.values
    guard values["map"] == .nick("image"), case .string(let path)? = values["map-location"] else {
      return nil
    }
    return (path as NSString).lastPathComponent
  }

  @Test func stepsGoRoundByNumberAndLeaveOutWhatCannotBeRead() async throws {
    for name in ["10.pgm", "2.PGM", "ramp one.pgm"] { try folder.write(name, Self.image) }
    try folder.write("3.png", Array("no image".utf8))
    try folder.write("4.png", Array(Self.image.prefix(11)))
    try folder.write("notes.txt", Self.image)
    try folder.write(".hidden.pgm", Self.image)
    let (performance, stage) = try await make()
    let changes = performance.changes
    #expect(
      await performance.state.mapImages == ["2.PGM", "3.png", "4.png", "10.pgm", "ramp one.pgm"])
    for name in ["2.PGM", "10.pgm", "ramp one.pgm", "2.PGM"] {
      try await performance.perform(Move("next-map"))
      #expect(await shown(performance) == name)
    }
    // They are no choices any more, until their files are others.
    #expect(await performance.state.mapImages == ["2.PGM", "10.pgm", "ramp one.pgm"])
    try folder.write("4.png", Array("no image either".utf8))
    try await performance.perform(Move("previous-map"))
    #expect(await performance.state.mapImages == ["2.PGM", "4.png", "10.pgm", "ramp one.pgm"])
    #expect(await shown(performance) == "ramp one.pgm")
    try await performance.perform(.undo)
    #expect(await shown(performance) == "2.PGM")
    #expect(await stage.log.last?.hasSuffix("map-location=\(folder.path)/2.PGM") == true)
    performance.tell(.closeRequested)
    var warnings: [String] = []
    for await change in changes {
      if change == .closeRequested { break }
      if case .warning(let text) = change { warnings.append(text) }
    }
    #expect(warnings.count == 2)
    #expect(warnings.first?.hasPrefix("3.png is left out.") == true)
    #expect(warnings.last?.hasPrefix("4.png is left out.") == true)
  }

  @Test func anImageIsFoundByNameAndNumberAndComesBackWithoutTheFolder() async throws {
    for name in ["a ramp.pgm", "b.pgm", "c.pgm"] { try folder.write(name, Self.image) }
    try folder.write("broken.png", [1, 2, 3])
    let (performance, _) = try await make()
    var performed = performance.performed.makeAsyncIterator()
    for (line, name) in [
      ("map-image 3", "broken.png"), ("map-image 4", "c.pgm"), ("map-image b", "b.pgm"),
      ("map-image \"A Ramp\"", "a ramp.pgm"), ("map-image c.pgm", "c.pgm"),
    ] {
      guard name != "broken.png" else {
        let error = await #expect(throws: StageError.self) {
          try await performance.perform(Move(line))
        }
        #expect(error?.code == .badFile)
        #expect(error?.message.contains("broken.png") == true)
        continue
      }
      try await performance.perform(Move(line))
      #expect(await shown(performance) == name)
      let entry = try #require(await performed.next())
      let alone = await Performance(on: try InMemoryStage())
      try await alone.perform(Move(entry.move.line))
      #expect(await shown(alone) == name)
    }
    for word in ["0", "5", "d", "../b.pgm", "\"\""] {
      let error = await #expect(throws: StageError.self) {
        try await performance.perform(Move("map-image \(word)"), from: .elsewhere)
      }
      #expect(error?.code == .badFile)
    }
    #expect(await shown(performance) == "c.pgm")
    // A phone names no files, but those of the folder.
    try await performance.perform(Move("map-image 1"), from: .elsewhere)
    #expect(await shown(performance) == "a ramp.pgm")
  }

  @Test func theFolderIsLookedIntoAgainWithEachStep() async throws {
    let (performance, _) = try await make()
    let changes = performance.changes
    for line in ["next-map", "previous-map", "map-image 1"] {
      let error = await #expect(throws: StageError.self) {
        try await performance.perform(Move(line))
      }
      #expect(error?.code == .badFile)
    }
    for name in ["1.pgm", "3.pgm"] { try folder.write(name, Self.image) }
    try await performance.perform(Move("next-map"))
    #expect(await shown(performance) == "1.pgm")
    try folder.write("2.pgm", Self.image)
    try FileManager.default.removeItem(at: folder.url.appending(component: "1.pgm"))
    try await performance.perform(Move("next-map"))
    #expect(await shown(performance) == "2.pgm")
    try FileManager.default.removeItem(at: folder.url.appending(component: "2.pgm"))
    try await performance.perform(Move("previous-map"))
    #expect(await shown(performance) == "3.pgm")
    performance.tell(.closeRequested)
    var names: [[String]] = []
    for await change in changes {
      if change == .closeRequested { break }
      if case .mapImages(let images) = change { names.append(images) }
    }
    #expect(names == [["1.pgm", "3.pgm"], ["2.pgm", "3.pgm"], ["3.pgm"]])
  }

  @Test func withoutAFolderStepsSayHowThereIsOne() async throws {
    let performance = await Performance(on: try InMemoryStage())
    let error = await #expect(throws: StageError.self) {
      try await performance.perform(Move("next-map"))
    }
    #expect(error?.message.contains("--maps") == true)
    for path in ["/nowhere", "/etc/passwd"] {
      let error = #expect(throws: StageError.self) { _ = try MapFolder(path) }
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test func imagesWaitForTheBeatAsMapsDo() async throws {
    try folder.write("a.pgm", Self.image)
    let clock = ManualClock()
    let performance = await Performance(
      on: try InMemoryStage(), maps: try MapFolder(folder.path), tempo: Tempo(120, from: clock.now),
      clock: clock, isRehearsal: true)
    let begin = clock.now
    try await performance.perform(Move("quantize 4"))
    await performance.rehearse(until: begin + .milliseconds(100), by: clock)
    try await performance.perform(Move("next-map"))
    #expect(await performance.state.waiting["map"]?.value == "a.pgm")
    #expect(await shown(performance) == nil)
    await performance.rehearse(until: begin + .milliseconds(2100), by: clock)
    #expect(await shown(performance) == "a.pgm")
  }
}
