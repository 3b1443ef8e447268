// Tests of the property `now` in films: past and future around the present, in a film that keeps its length and its
// sound.

import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct NowTests {
  private let folder = TemporaryFolder()

  private func request(_ film: String, _ scan: Scan, now: Double) -> RenderRequest {
    var scan = scan
    scan.properties["now"] = .double(now)
    return RenderRequest(
      [film], to: "\(folder)/out.mkv", scan: scan, settings: FilmSettings(isLossless: true),
      part: FilmPart(1, of: 1), replacesOutput: true)
  }

  /// A map that grows downwards, over 20 frames.
  @Test(
    arguments: [0, 0.5, 0.25, 1], [["depth": 21], ["duration": 800_000_000]] as [[String: Value]])
  func aRowShowsThePastOrTheFuture(now: Double, properties: [String: Value]) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.brightening(film, frames: 60, bass: 1..<2)
    let request = request(film, Scan(properties), now: now)
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 60 && result.end == .seconds(2.4))
    let whole = try await Decoded(request.output)
    #expect(whole.frames.count == 60)
    #expect(whole.times.map(\.seconds) == (0..<60).map { Double($0) / 25 })
    let lead = Int((20 * now).rounded())
    var wrong = 0
    for (number, frame) in whole.frames.enumerated() {
      for row in 0..<64 {
        let delay = Int((Double(row) + 0.5) / 64 * 20 + 0.5)
        let shown = min(max(number + lead - delay, 0), 59)
        if frame[64 * row] != UInt8(16 + 2 * shown) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    // Sound stays with the present.
    let sound = try await Decoded(film).sound
    let isSameSound = !sound.isEmpty && whole.sound.starts(with: sound)
    #expect(isSameSound)
  }

  @Test(
    arguments: [
      ["depth": 21], ["duration": 800_000_000, "interpolation": "linear"], ["depth": 5],
      ["depth": 9, "mix": 0.4], ["depth": 7, "map": "luma"], ["depth": 6, "feedback": 0.5],
      ["depth": 90, "now": 1], ["depth": 8, "drain": true],
    ] as [[String: Value]])
  func partsAreThoseOfTheWholeFilm(properties: [String: Value]) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60)
    var request = request(film, Scan(properties), now: 0.5)
    if let now = properties["now"] { request.scan.properties["now"] = now }
    request.part = nil
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 60)
    let whole = try await Decoded(request.output)
    // The last segments show nothing but the end of the film.
    let parts = try await request.renderParts(12, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: whole) == nil)
    for range in [FilmRange(from: .frame(30), to: .frame(45)), FilmRange(from: .frame(55))] {
      request.range = range
      request.part = nil
      request.scan.properties["drain"] = nil
      let count = try await FilmRendering(request).run().frames
      let part = try await Decoded(request.output)
      let first = range.from == .frame(30) ? 30 : 55
      let isSame = part.frames.elementsEqual(whole.frames[first..<first + count])
      #expect(isSame && count == (range.to == nil ? 5 : 15), "\(range)")
      #expect(part.times.first == .zero)
    }
  }

  @Test func aShowThatChangesTheFutureIsRenderedWhole() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60, hasSound: false)
    var request = request(film, ["depth": 11], now: 0.5)
    request.timeline.add(.set(["now": 0.1]), after: .seconds(1))
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(error?.code == .badRequest && error?.message.contains("the show") == true)
    #expect(try folder.files == ["film.mkv"])
    request.part = nil
    #expect(try await FilmRendering(request).run().frames == 60)
    let times = try await Decoded(request.output).times
    #expect(times.map(\.seconds) == (0..<60).map { Double($0) / 25 })
  }

  @Test func theDelayOfSoundCountsFromThePresent() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 30)
    var request = request(film, ["depth": 11], now: 0.5)
    request.soundDelay = .center
    _ = try await FilmRendering(request).run()
    let isSame = try await Decoded(request.output).sound == Decoded(film).sound
    #expect(isSame)
    request.scan.properties["now"] = 1
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(error?.message.contains("--sound-delay") == true)
  }
}
