// Tests of in and out points: what is between them is what it is in the whole film.

import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct PointTests {
  private let folder = TemporaryFolder()

  /// A film in Matroska without loss, with its sound as it is.
  private func render(
    _ films: [String], to name: String, _ scan: Scan, _ range: FilmRange = FilmRange(),
    part: FilmPart? = FilmPart(1, of: 1), delay: SoundDelay = .none
  ) async throws -> (result: RenderResult, film: Decoded) {
    var request = RenderRequest(
      films, to: "\(folder)/\(name).mkv", scan: scan, settings: FilmSettings(isLossless: true),
      soundDelay: delay, part: part, replacesOutput: true)
    request.range = range
    let result = try await FilmRendering(request).run()
    return (result, try await Decoded(result.path))
  }

  /// The bytes of sound at a frame: 25 frames a second, and 44,100 samples of two channels of four bytes.
  private func byte(_ frame: Int) -> Int { frame * 44_100 / 25 * 8 }

  @Test(
    arguments: [
      ["depth": 12], ["depth": 12, "feedback": 0.5], ["duration": 500_000_000],
      ["mode": "sweep", "sweep-loop": "loop", "sweep-duration": 500_000_000],
      ["mode": "strip", "angle": 90, "slit-width": 8],
    ] as [[String: Value]])
  func framesAndSoundAreThoseOfTheWholeFilm(properties: [String: Value]) async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 60)
    let delay = SoundDelay.fixed(.milliseconds(200))
    let whole = try await render([film], to: "whole", Scan(properties), delay: delay).film
    for (range, frames) in [
      (FilmRange(from: .time(.seconds(1)), to: .time(.seconds(1.6))), 25..<40),
      (FilmRange(from: .frame(31)), 31..<60), (FilmRange(to: .time(.milliseconds(401))), 0..<11),
    ] {
      let (result, part) = try await render(
        [film], to: "part", Scan(properties), range, delay: delay)
      #expect(result.frames == frames.count)
      let isSame = part.frames.elementsEqual(whole.frames[frames])
      #expect(isSame, "\(range)")
      for (index, time) in part.times.enumerated() {
        #expect(abs(time.seconds - Double(index) / 25) < 0.001)
      }
      let end = frames.upperBound == 60 ? whole.sound.count : byte(frames.upperBound)
      let isSameSound = part.sound.elementsEqual(whole.sound[byte(frames.lowerBound)..<end])
      #expect(isSameSound, "\(range)")
    }
  }

  @Test func pointsAreInAllFilmsTogetherAndTheirSegmentsJoin() async throws {
    let films = ["\(folder)/1.mkv", "\(folder)/2.mkv", "\(folder)/3.mkv"]
    for film in films { try await TestFilm.noise(film, frames: 20) }
    let range = FilmRange(from: .frame(15), to: .time(.seconds(1.8)))
    let whole = try await render(films, to: "whole", ["depth": 9]).film
    let part = try await render(films, to: "part", ["depth": 9], range).film
    let isSame = part.frames.elementsEqual(whole.frames[15..<45])
    #expect(isSame)
    var request = RenderRequest(
      films, to: "", scan: ["depth": 9], settings: FilmSettings(isLossless: true))
    request.range = range
    let parts = try await request.renderParts(4, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    request.output = "\(folder)/once.mkv"
    _ = try await FilmRendering(request).run()
    let once = try await Decoded(request.output)
    #expect(once.frames.count == 30)
    #expect(try await Decoded("\(folder)/joined.mkv").difference(from: once) == nil)
    // Of another range, however alike its frames are.
    request.range.from = .frame(16)
    request.range.to = .frame(46)
    request.part = FilmPart(2, of: 4)
    request.output = "\(folder)/other.mkv"
    _ = try await FilmRendering(request).run()
    await #expect(throws: CaptureError.self) {
      try await FilmJoining(
        [parts[0], request.output, parts[2], parts[3]], to: "\(folder)/no.mkv"
      ).run()
    }
  }

  @Test func theProgressIsThatOfTheFramesBetweenThePoints() async throws {
    let film = "\(folder)/film.mkv"
    try await TestFilm.noise(film, frames: 40, hasSound: false)
    var request = RenderRequest([film], to: "\(folder)/out.mkv", scan: ["depth": 9])
    request.range = FilmRange(from: .frame(20), to: .frame(30))
    await confirmation(expectedCount: 18) { frame in
      _ = try? await FilmRendering(request).run { progress in
        guard progress.stage != .looking else { return }
        #expect(progress.total == (progress.stage == .warmingUp ? 8 : 10))
        frame()
      }
    }
  }

  @Test(arguments: [
    (FilmRange(from: .frame(50)), "There is no frame at --from 50f"),
    (FilmRange(from: .time(.seconds(3))), "There is no frame at --from 0:03"),
    (FilmRange(to: .frame(51)), "--to 51f is beyond the end"),
    (FilmRange(to: .time(.seconds(2.5))), "--to 0:02.5 is beyond the end"),
    (FilmRange(from: .frame(20), to: .frame(20)), "no frame between --from 20f and --to 20f"),
    (FilmRange(from: .time(.seconds(1)), to: .frame(5)), "between --from 0:01 and --to 5f"),
  ])
  func pointsWithoutFramesAreRefused(range: FilmRange, words: String) throws {
    var times = FilmTimes()
    times.append((0..<50).map { .milliseconds(40 * $0) }, frameDuration: .milliseconds(40))
    let error = #expect(throws: CaptureError.self) { try range.frames(of: times) }
    #expect(error?.code == .badRequest && error?.message.contains(words) == true, "\(error as Any)")
  }

  @Test func pointsAreReadAsPeopleWriteThem() {
    for (text, time) in [
      ("10", 10), ("10s", 10), ("0:10", 10), ("1:02:03.5", 3723.5), ("2min", 120), ("90:00", 5400),
      ("0.25", 0.25), ("200ms", 0.2),
    ] {
      #expect(FilmPoint(text) == .time(.seconds(time)), "\(text)")
    }
    #expect(FilmPoint("300f") == .frame(300) && FilmPoint("0f") == .frame(0))
    for text in [
      "", "f", "-1f", "1.5f", "-1", "0:", ":10", "1:2:3:4", "0:60", "1:60:00", "1e5", "nan", "soon",
      "0:-1",
    ] { #expect(FilmPoint(text) == nil, "\(text)") }
    for text in ["0:10", "1:02:03.5", "0:00.004"] {
      #expect(ClockTime(clock: text)?.clock == text)
    }
  }
}
