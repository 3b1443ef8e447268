// Tests that joined parts are the whole film, byte for byte.

import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct SegmentTests {
  private let folder = TemporaryFolder()

  /// As the command's presets, which people use.
  @Test func everyPresetJoins() async throws {
    let presets = try Preset.all()
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 120, pattern: "ball", hasSound: false)
    for preset in presets {
      let lossless = FilmSettings(isLossless: true)
      var request = RenderRequest(
        [film], to: "\(folder)/whole.mkv", scan: Scan(preset: preset.name), settings: lossless,
        replacesOutput: true)
      _ = try await FilmRendering(request).run()
      request.part = FilmPart(2, of: 2)
      request.output = "\(folder)/part.mkv"
      _ = try await FilmRendering(request).run()
      let whole = try await Decoded("\(folder)/whole.mkv")
      let part = try await Decoded("\(folder)/part.mkv")
      #expect(part.frames.count == 60)
      let isSame = part.frames.elementsEqual(whole.frames.suffix(60))
      #expect(isSame, "\(preset.name)")
    }
  }

  @Test func partsOfFilmsThatFollowEachOtherJoin() async throws {
    let films = ["\(folder)/1.mkv", "\(folder)/2.mkv", "\(folder)/3.mkv"]
    try await TestFilm.noise(films[0], frames: 31)
    try await TestFilm.noise(films[1], frames: 20, hasSound: false)
    try await TestFilm.noise(films[2], frames: 26)
    let request = RenderRequest(
      films, to: "\(folder)/whole.mkv", scan: ["depth": 12],
      settings: FilmSettings(isLossless: true))
    let whole = try await FilmRendering(request).run()
    #expect(whole.frames == 77)
    #expect(abs(whole.end.seconds - 77 / 25) < 0.1)
    let parts = try await request.renderParts(3, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    let film = try await Decoded("\(folder)/whole.mkv")
    #expect(!film.sound.isEmpty)
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: film) == nil)
  }

  @Test func aFrameAtAnotherTimeThanItsPacketSaysNamesItsFilm() async throws {
    let paths = ["\(folder)/first.mkv", "\(folder)/second.mkv"]
    var films: [FilmDescription] = []
    for path in paths {
      try await TestFilm.noise(path, frames: 4, hasSound: false)
      films.append(try await FilmDescription(FilmInput(path), wantsSound: false))
    }
    var times = FilmTimes()
    times.append([0, 40, 80, 120].map { .milliseconds($0) }, frameDuration: .milliseconds(40))
    times.append([20, 60, 100, 140].map { .milliseconds($0) }, frameDuration: .milliseconds(40))
    let part = RenderPlan.Part(
      times: times, spans: [0..<8], frames: 0..<8, origin: .zero, outputEnd: nil, lead: 0)
    var queue = try FrameQueue(films, part)
    for _ in 0..<4 { _ = try await queue.next() }
    let error = await #expect(throws: CaptureError.self) { _ = try await queue.next() }
    #expect(error?.code == .timesDiffer)
    #expect(error?.message.hasPrefix("\(paths[1]): Frame 0 is not decoded") == true)
    await queue.close()
  }

  @Test(
    arguments: [
      ["shutter": 7.5, "depth": 4], ["shutter-duration": 400_000_000, "depth": 4],
      ["shutter": 12, "duration": 200_000_000, "map": "radial", "interpolation": "linear"],
      ["mode": "strip", "canvas": "corridor", "slit-width": 16, "canvas-depth": 20],
      ["mode": "strip", "canvas": "tunnel", "slit-width": 16, "canvas-depth": 20],
    ] as [Scan])
  func exposuresAndCanvasesJoin(scan: Scan) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60, pattern: "ball", hasSound: false)
    var request = RenderRequest(
      [film], to: "\(folder)/whole.mkv", scan: scan, settings: FilmSettings(isLossless: true))
    _ = try await FilmRendering(request).run()
    let whole = try await Decoded("\(folder)/whole.mkv")
    request.part = FilmPart(2, of: 2)
    request.output = "\(folder)/part.mkv"
    _ = try await FilmRendering(request).run()
    let part = try await Decoded("\(folder)/part.mkv")
    let isSame = part.frames.elementsEqual(whole.frames.suffix(30))
    #expect(part.frames.count == 30 && isSame)
  }

  /// Other machines have other folders.
  @Test func partsWithHistoryOnDiskJoinWithOneThatHasItInMemory() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60, pattern: "ball", hasSound: false)
    var request = RenderRequest(
      [film], to: "\(folder)/whole.mkv", scan: ["depth": 40],
      settings: FilmSettings(isLossless: true))
    _ = try await FilmRendering(request).run()
    var parts: [String] = []
    for number in 1...2 {
      request.part = FilmPart(number, of: 2)
      request.output = "\(folder)/part-\(number).mkv"
      request.scan.properties["history-location"] = number == 2 ? .string(folder.path) : nil
      request.scan.properties["max-memory"] = number == 2 ? 60_000 : nil
      _ = try await FilmRendering(request).run()
      parts.append(request.output)
    }
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    let whole = try await Decoded("\(folder)/whole.mkv")
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: whole) == nil)
  }

  // MARK: What is refused

  @Test func partsThatAreNotAFilmAreRefused() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 12)
    func part(_ number: Int, _ name: String, depth: Value = 4) async throws -> String {
      let path = "\(folder)/\(name).mkv"
      let request = RenderRequest(
        [film], to: path, scan: ["depth": depth], settings: FilmSettings(isLossless: true),
        part: FilmPart(number, of: 3))
      _ = try await FilmRendering(request).run()
      return path
    }
    let parts = [try await part(1, "1"), try await part(2, "2"), try await part(3, "3")]
    let again = try await part(2, "again")
    let other = try await part(2, "other", depth: 5)
    for (paths, words) in [
      ([parts[0], parts[2]], "2/3 is missing"),
      ([parts[0], parts[1], again, parts[2]], "both part 2/3"),
      ([parts[0], other, parts[2]], "different films"),
      ([parts[0], parts[1], film], "is not a part"),
    ] {
      let error = await #expect(throws: CaptureError.self) {
        _ = try await FilmJoining(paths, to: "\(folder)/joined.mkv").run()
      }
      #expect(error?.code == .badParts)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/joined.mkv"))
  }

  @Test func aPartOfMoreThanThereAreFramesIsRefused() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 5, hasSound: false)
    let request = RenderRequest([film], to: "\(folder)/part.mkv", part: FilmPart(1, of: 50))
    let error = await #expect(throws: CaptureError.self) {
      _ = try await FilmRendering(request).run()
    }
    #expect(error?.message.contains("the film has only 5 frames") == true)
    #expect(try folder.files == ["film.mkv"])
  }
}
