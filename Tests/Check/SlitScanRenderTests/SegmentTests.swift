// Tests that joined parts are the whole film, byte for byte.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanRender

@Suite(.serialized, .timeLimit(.minutes(10)))
struct SegmentTests {
  /// The properties of a scan, and a film for it.
  struct Case: CustomTestStringConvertible, Sendable {
    var scan: [String: Value]
    var extra = "identity"
    var pattern = "snow"
    var parts = 3
    var frames = 70

    var testDescription: String {
      scan.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        + " \(extra) \(pattern) in \(parts)"
    }
  }

  static let cases = [
    Case(scan: ["depth": 20]),
    Case(scan: [
      "depth": 17, "map": "radial", "interpolation": "linear", "gain": 3, "edge": "mirror",
    ]),
    Case(scan: ["depth": 30, "map": "random", "block-size": 1, "component-spread": 0.5], parts: 4),
    Case(scan: ["depth": 60]),
    Case(scan: ["depth": 12, "feedback": 0.6]),
    Case(scan: ["duration": 700_000_000, "interpolation": "linear"]),
    Case(
      scan: ["duration": 600_000_000, "map": "radial"],
      extra: "identity drop-probability=0.3"),
    Case(scan: ["depth": 9, "map": "luma", "interpolation": "linear"]),
    Case(scan: ["depth": 12, "map": "motion"], pattern: "ball"),
    Case(scan: ["depth": 9, "map": "radial", "interpolation": "motion"], pattern: "ball"),
    Case(scan: ["mode": "sweep", "sweep-duration": 1_100_000_000, "sweep-loop": "loop"], parts: 4),
    Case(scan: ["mode": "sweep", "sweep-duration": 900_000_000, "sweep-loop": "ping-pong"]),
    Case(scan: ["mode": "sweep", "sweep-duration": 2_000_000_000, "map": "luma"]),
    Case(scan: ["mode": "strip", "angle": 90, "slit-width": 4]),
    Case(scan: ["mode": "strip", "slit-width": 3, "canvas": "wrap", "canvas-length": 40]),
    Case(scan: ["mode": "strip", "slit-width": 2, "canvas": "wrap"]),
    Case(scan: ["mode": "strip", "slit-width": 5, "canvas-length": 70, "warmup": "transparent"]),
    Case(scan: ["depth": 15, "freeze": true]),
    Case(scan: ["depth": 15, "drain": true]),
    Case(scan: ["depth": 25, "mix": 0.4, "warmup": "black"], parts: 9, frames: 9),
  ]

  @Test(arguments: cases)
  func partsThatAreJoinedAreTheWholeFilm(_ test: Case) async throws {
    try await withFolder { folder in
      let film = "\(folder)/film.mkv"
      try await MadeFilm.noise(
        film, frames: test.frames, extra: test.extra, pattern: test.pattern)
      let lossless = FilmSettings(isLossless: true)
      var request = RenderRequest(
        [film], to: "\(folder)/whole.mkv", scan: Scan(test.scan), settings: lossless)
      let whole = try await FilmRendering(request).run()

      var parts: [String] = []
      var frames = 0
      for number in 1...test.parts {
        request.output = "\(folder)/\(number).mkv"
        request.part = FilmPart(number, of: test.parts)
        frames += try await FilmRendering(request).run().frames
        parts.append(request.output)
      }
      #expect(frames == whole.frames)
      _ = try await FilmJoining(parts.reversed(), to: "\(folder)/joined.mkv").run()
      try await expectSame("\(folder)/joined.mkv", "\(folder)/whole.mkv")
    }
  }

  /// As the command's presets, which people use.
  @Test func everyPresetJoins() async throws {
    let presets = try Preset.all()
    try await withFolder { folder in
      let film = "\(folder)/film.mkv"
      try await MadeFilm.noise(film, frames: 120, pattern: "ball", hasSound: false)
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
  }

  @Test func partsOfFilmsThatFollowEachOtherJoin() async throws {
    try await withFolder { folder in
      let films = ["\(folder)/1.mkv", "\(folder)/2.mkv", "\(folder)/3.mkv"]
      try await MadeFilm.noise(films[0], frames: 31)
      try await MadeFilm.noise(films[1], frames: 20, hasSound: false)
      try await MadeFilm.noise(films[2], frames: 26)
      var request = RenderRequest(
        films, to: "\(folder)/whole.mkv", scan: ["depth": 12],
        settings: FilmSettings(isLossless: true))
      let whole = try await FilmRendering(request).run()
      #expect(whole.frames == 77)
      #expect(abs(whole.end.seconds - 77 / 25) < 0.1)
      var parts: [String] = []
      for number in 1...3 {
        request.output = "\(folder)/part\(number).mkv"
        request.part = FilmPart(number, of: 3)
        parts.append(request.output)
        _ = try await FilmRendering(request).run()
      }
      _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
      try await expectSame("\(folder)/joined.mkv", "\(folder)/whole.mkv")
    }
  }

  private func expectSame(_ path: String, _ other: String) async throws {
    let (left, right) = (try await Decoded(path), try await Decoded(other))
    #expect(left.times == right.times)
    #expect(left.frames.count == right.frames.count)
    // Whoever would print all of it, would print for hours.
    let different = zip(left.frames, right.frames).enumerated().filter { $1.0 != $1.1 }
      .map(\.offset)
    #expect(different == [])
    let firstOther = zip(left.sound, right.sound).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(firstOther == nil)
    let (length, otherLength) = (left.sound.count, right.sound.count)
    #expect(length > 0)
    #expect(length == otherLength)
  }

  // MARK: What is refused

  @Test func partsThatAreNotAFilmAreRefused() async throws {
    try await withFolder { folder in
      let film = "\(folder)/film.mkv"
      try await MadeFilm.noise(film, frames: 12)
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
  }

  @Test func aPartOfMoreThanThereAreFramesIsRefused() async throws {
    try await withFolder { folder in
      let film = "\(folder)/film.mkv"
      try await MadeFilm.noise(film, frames: 5, hasSound: false)
      let request = RenderRequest([film], to: "\(folder)/part.mkv", part: FilmPart(1, of: 50))
      let error = await #expect(throws: CaptureError.self) {
        _ = try await FilmRendering(request).run()
      }
      #expect(error?.message.contains("the film has only 5 frames") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["film.mkv"])
    }
  }
}
