// Tests of the map value that shows the present: past and future around it, in a film that keeps its length.

import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct NowTests {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path }

  private func request(_ film: String, _ scan: Scan, now: Double) -> RenderRequest {
    var request = RenderRequest(
      [film], to: "\(folder)/out.mkv", scan: scan, settings: FilmSettings(isLossless: true),
      part: FilmPart(1, of: 1), replacesOutput: true)
    request.now = now
    return request
  }

  /// A map that grows downwards, over 20 frames.
  @Test(
    arguments: [0, 0.5, 0.25, 1], [["depth": 21], ["duration": 800_000_000]] as [[String: Value]])
  func aRowShowsThePastOrTheFuture(now: Double, properties: [String: Value]) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.brightening(film, frames: 60, bass: 1..<2)
    var request = request(film, Scan(properties), now: now)
    // With a future, nothing is drained.
    if now > 0 { request.scan.properties["drain"] = true }
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
    ] as [[String: Value]])
  func partsAreThoseOfTheWholeFilm(properties: [String: Value]) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60)
    var request = request(film, Scan(properties), now: 0.5)
    _ = try await FilmRendering(request).run()
    let whole = try await Decoded(request.output)
    // The last segments show nothing but the end of the film.
    let parts = try await request.renderParts(12, in: folder)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    request.part = nil
    _ = try await FilmRendering(request).run()
    let once = try await Decoded(request.output)
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: once) == nil)
    for range in [FilmRange(from: .frame(30), to: .frame(45)), FilmRange(from: .frame(55))] {
      request.range = range
      let count = try await FilmRendering(request).run().frames
      let part = try await Decoded(request.output)
      let first = range.from == .frame(30) ? 30 : 55
      let isSame = part.frames.elementsEqual(whole.frames[first..<first + count])
      #expect(isSame && count == (range.to == nil ? 5 : 15), "\(range)")
    }
  }

  @Test(
    arguments: [
      (["mode": "sweep"], "mode=sweep"), (["map": "luma"], "map=luma"),
      (["feedback": 0.5], "feedback"),
      (["mix": 0.5], "mix"), (["freeze": true], "freeze"),
    ] as [([String: Value], String)])
  func anEffectWithoutAFutureIsRefused(properties: [String: Value], words: String) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 5, hasSound: false)
    let error = await #expect(throws: CaptureError.self) {
      try await FilmRendering(request(film, Scan(properties), now: 0.5)).run()
    }
    #expect(error?.code == .badRequest && error?.message.contains(words) == true, "\(error as Any)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["film.mkv"])
  }

  @Test func theDelayOfSoundCountsFromThePresent() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 30)
    var request = request(film, ["depth": 11], now: 0.5)
    request.soundDelay = .center
    _ = try await FilmRendering(request).run()
    let isSame = try await Decoded(request.output).sound == Decoded(film).sound
    #expect(isSame)
    request.now = 1
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(error?.message.contains("--sound-delay") == true)
  }
}
