// Tests that joined parts are the whole film, byte for byte, in every mode. Live: 30 films take minutes.

import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import SlitScanRender
import TemporaryFolder
import Testing

@Suite(.serialized) struct SegmentLiveTests {
  private let folder = TemporaryFolder()

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
    Case(scan: ["duration": 600_000_000, "map": "radial"], extra: "identity drop-probability=0.3"),
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

  @Test(arguments: cases) func partsThatAreJoinedAreTheWholeFilm(_ test: Case) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: test.frames, extra: test.extra, pattern: test.pattern)
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
    let expected = try await Decoded("\(folder)/whole.mkv")
    #expect(!expected.sound.isEmpty)
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: expected) == nil)
  }
}
