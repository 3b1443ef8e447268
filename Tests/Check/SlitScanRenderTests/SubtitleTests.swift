// Tests that a film keeps the subtitles of the films that it is made of.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct SubtitleTests {
  private let folder = TemporaryFolder()

  private static let lines = """
    1
    00:00:00,200 --> 00:00:00,400
    Fish & chips

    2
    00:00:00,600 --> 00:00:00,900
    <i>Good</i>
    bye
    """

  private func ffmpeg(_ arguments: String) throws {
    try AwaitedProgram.shell("ffmpeg -v error -y \(arguments)")
  }

  private func makeFilm(_ name: String, _ codecs: [String]) throws {
    try Data(Self.lines.utf8).write(to: URL(filePath: "\(folder)/lines.srt"))
    let inputs = codecs.map { _ in "-i \(folder)/lines.srt" }.joined(separator: " ")
    let tracks = codecs.enumerated().map { index, codec in
      "-map \(index + 1) -c:s:\(index) \(codec) -metadata:s:s:\(index) language=\(["eng", "deu"][index])"
    }.joined(separator: " ")
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25:d=1 \(inputs) -map 0 \(tracks) -pix_fmt yuv420p \(folder)/\(name)"
    )
  }

  private func render(_ films: [String], to name: String, part: FilmPart? = nil) async throws
    -> RenderResult
  {
    try await FilmRendering(
      RenderRequest(
        films.map { "\(folder)/\($0)" }, to: "\(folder)/\(name)", scan: ["depth": 2], part: part)
    ).run()
  }

  private struct Shown: Equatable {
    let time: Int
    let end: Int
    let text: String
  }

  /// The subtitles of each track as plain text, with their times in milliseconds.
  private func shown(in name: String) async throws -> [[Shown]] {
    let path = "\(folder)/\(name)"
    return try await SubtitleTrack.all(of: path, FilmStreams(path)).map { track in
      try track.converted(to: .plain).subtitles.compactMap { subtitle in
        let mapping = try subtitle.buffer.map()
        let bytes = unsafe mapping.bytes.withUnsafeBytes { unsafe Array($0) }
        guard !bytes.isEmpty else { return nil }
        return Shown(
          time: Int((subtitle.start.seconds * 1000).rounded()),
          end: Int((subtitle.end.seconds * 1000).rounded()),
          text: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  private let plain = [
    Shown(time: 200, end: 400, text: "Fish & chips"), Shown(time: 600, end: 900, text: "Good\nbye"),
  ]

  @Test(
    arguments: [("in.mkv", ["srt", "ass"]), ("in.mp4", ["mov_text", "mov_text"])],
    ["out.mp4", "out.mkv", "out.webm"])
  func subtitlesAreKeptWithTheirLanguages(
    film: (name: String, codecs: [String]), output: String
  ) async throws {
    try makeFilm(film.name, film.codecs)
    _ = try await render([film.name], to: output)
    #expect(try await shown(in: output) == [plain, plain])
    let streams = try #require(try await FilmStreams("\(folder)/\(output)"))
    #expect(streams.texts.map { $0.tags["language-code"]?.text } == ["en", "de"])
  }

  @Test func howSubtitlesLookIsKeptInMatroskaOrNamed() async throws {
    try makeFilm("in.mkv", ["srt", "ass"])
    let kept = try await render(["in.mkv"], to: "out.mkv")
    #expect(!kept.warnings.contains { $0.contains("SubStation") })
    let streams = try #require(try await FilmStreams("\(folder)/out.mkv"))
    #expect(streams.texts.map(\.format.name) == ["text/x-raw", "application/x-ass"])
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/out.mkv"))
    #expect(bytes.range(of: Data("<i>Good</i>".utf8)) != nil)
    #expect(bytes.range(of: Data("{\\i1}Good{\\i0}".utf8)) != nil)
    let lost = try await render(["in.mkv"], to: "out.mp4")
    #expect(lost.warnings.contains { $0.contains("SubStation") })
  }

  @Test func subtitlesComeWithTheirFilmAndInJoinedParts() async throws {
    try makeFilm("1.mkv", ["srt"])
    _ = try await render(["1.mkv", "1.mkv"], to: "out.mkv")
    let later = plain.map { Shown(time: $0.time + 1000, end: $0.end + 1000, text: $0.text) }
    #expect(try await shown(in: "out.mkv") == [plain + later])
    for number in 1...2 {
      _ = try await render(
        ["1.mkv", "1.mkv"], to: "\(number)-part.mkv", part: FilmPart(number, of: 2))
    }
    _ = try await FilmJoining(
      ["\(folder)/1-part.mkv", "\(folder)/2-part.mkv"], to: "\(folder)/joined.mp4"
    ).run()
    #expect(try await shown(in: "joined.mp4") == [plain + later])
  }
}
