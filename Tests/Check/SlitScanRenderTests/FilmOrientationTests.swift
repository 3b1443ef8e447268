// Tests of films whose file says how to turn them: they are rendered as films that are upright.

import AwaitedProgram
import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing
import OrientedVideo

@testable import SlitScanRender

@Suite(.serialized) struct FilmOrientationTests {
  private let folder = TemporaryFolder()

  /// Writes a film that is turned, and one of the frames that ffmpeg shows of it.
  private func write(
    _ turn: VideoOrientation, frames: Int
  ) async throws -> (turned: String, upright: String) {
    let (turned, upright) = ("\(folder)/turned.mp4", "\(folder)/upright.mkv")
    try await OrientedVideo.write(turned, turn, frames: frames, hasSound: true)
    try AwaitedProgram.shell(
      "ffmpeg -v error -i \(turned) -c:v libx264 -qp 0 -c:a copy \(upright)")
    return (turned, upright)
  }

  private func expectSameFrames(_ path: String, _ other: String, count: Int) async throws {
    let (left, right) = (try await Decoded(path), try await Decoded(other))
    #expect(left.frames.count == count)
    let isSame = left.frames == right.frames
    #expect(isSame)
    let hasSameSound = left.sound == right.sound
    #expect(hasSameSound)
  }

  @Test(arguments: VideoOrientation.allCases)
  func aTurnedFilmIsRenderedUpright(turn: VideoOrientation) async throws {
    let (turned, upright) = try await write(turn, frames: 12)
    for film in [turned, upright] {
      let request = RenderRequest(
        [film], to: film + ".mkv", scan: ["depth": 5, "angle": 30],
        settings: FilmSettings(isLossless: true), keepsSound: false)
      #expect(try await FilmRendering(request).run().frames == 12)
    }
    try await expectSameFrames("\(turned).mkv", "\(upright).mkv", count: 12)
  }

  @Test func partsOfATurnedFilmAreTheWhole() async throws {
    let (turned, _) = try await write(.clockwise, frames: 50)
    let request = RenderRequest(
      [turned], to: "\(folder)/whole.mkv", scan: ["depth": 9],
      settings: FilmSettings(isLossless: true))
    _ = try await FilmRendering(request).run()
    let info = try await FilmDescription(FilmInput("\(folder)/whole.mkv"), wantsSound: true).info
    #expect(info.width == 64 && info.height == 96)
    let parts = try await request.renderParts(3, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    try await expectSameFrames("\(folder)/joined.mkv", "\(folder)/whole.mkv", count: 50)
  }

  @Test func aStripIsTakenOfTheUprightFrames() async throws {
    let (turned, upright) = try await write(.clockwise, frames: 12)
    var images: [Data] = []
    for film in [turned, upright] {
      let strip = try await StripPhotographing(StripRequest(film, to: film + ".png")).run()
      #expect(strip.width == 12 && strip.height == 96)
      images.append(try Data(contentsOf: URL(filePath: strip.path)))
    }
    let isSame = images[0] == images[1]
    #expect(isSame)
  }
}
