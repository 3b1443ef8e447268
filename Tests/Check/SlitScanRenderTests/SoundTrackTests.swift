// Tests that a film keeps all sound tracks of the films that it is made of.

import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct SoundTrackTests {
  private let folder = TemporaryFolder()

  /// Makes a film of one second whose tracks of noise have numbers of channels and languages.
  private func makeFilm(_ path: String, _ tracks: [(channels: Int, language: String)]) async throws
  {
    let masks = [1: "", 2: "0x3", 6: "0x3f", 8: "0xc3f"]
    let sounds = tracks.map { channels, language in
      let mask = channels > 1 ? ",channel-mask=(bitmask)\(masks[channels] ?? "")" : ""
      return "audiotestsrc wave=pink-noise num-buffers=100 samplesperbuffer=480 ! audioconvert "
        + "! audio/x-raw,format=S16LE,rate=48000,channels=\(channels)\(mask) "
        + "! taginject tags=\"language-code=\(language),title=In-\(language)\" ! flacenc ! queue ! m. "
    }
    try await TestFilm.make(
      path,
      sounds.joined()
        + "videotestsrc num-buffers=25 ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 "
        + "! x264enc ! h264parse ! queue ! m. matroskamux name=m")
  }

  private func render(
    _ films: [String], to name: String, part: FilmPart? = nil
  ) async throws -> RenderResult {
    try await FilmRendering(
      RenderRequest(
        films.map { "\(folder)/\($0)" }, to: "\(folder)/\(name)", scan: ["depth": 2], part: part)
    ).run()
  }

  private func tracks(of name: String) async throws -> [SoundStream] {
    try await FilmDescription(FilmInput("\(folder)/\(name)"), wantsSound: true).sounds
  }

  @Test(arguments: ["out.mp4", "out.mkv", "out.webm"])
  func allTracksAreKeptWithTheirChannelsAndLanguages(name: String) async throws {
    try await makeFilm("\(folder)/in.mkv", [(1, "en"), (6, "de"), (2, "fr")])
    let result = try await render(["in.mkv"], to: name)
    #expect(result.warnings.allSatisfy { $0.contains("titles of sound tracks") })
    let tracks = try await tracks(of: name)
    #expect(tracks.map(\.channels) == [1, 6, 2])
    #expect(tracks.map { $0.tags["language-code"]?.text } == ["en", "de", "fr"])
    if name != "out.mp4" {
      #expect(tracks.map { $0.tags["title"]?.text } == ["In-en", "In-de", "In-fr"])
    }
  }

  @Test func channelsThatAnEncoderDoesNotTakeAreMixedAndNamed() async throws {
    try await makeFilm("\(folder)/in.mkv", [(2, "en"), (8, "de")])
    #expect(try await render(["in.mkv"], to: "out.mkv").warnings.isEmpty)
    #expect(try await tracks(of: "out.mkv").map(\.channels) == [2, 8])
    let warnings = try await render(["in.mkv"], to: "out.mp4").warnings
    #expect(warnings.contains { $0.contains("8 channels of sound track 2") })
    #expect(try await tracks(of: "out.mp4").map(\.channels) == [2, 6])
  }

  @Test func allTracksOfPartsJoinSampleBySample() async throws {
    try await makeFilm("\(folder)/in.mkv", [(6, "en"), (1, "de")])
    for number in 1...3 {
      _ = try await render(["in.mkv"], to: "\(number).mkv", part: FilmPart(number, of: 3))
    }
    _ = try await render(["in.mkv"], to: "part.mkv", part: FilmPart(1, of: 1))
    _ = try await FilmJoining((1...3).map { "\(folder)/\($0).mkv" }, to: "\(folder)/joined.mkv")
      .run()
    _ = try await FilmJoining(["\(folder)/part.mkv"], to: "\(folder)/whole.mkv").run()
    let whole = try await Decoded("\(folder)/whole.mkv")
    #expect(whole.sounds.count == 2)
    #expect(try await Decoded("\(folder)/joined.mkv").sounds == whole.sounds)
    #expect(
      try await tracks(of: "joined.mkv").map { $0.tags["title"]?.text } == ["In-en", "In-de"])
    // A part has the samples of the film as they are, in the order of its channels.
    let before = try await Decoded("\(folder)/in.mkv")
    #expect(try await Decoded("\(folder)/part.mkv").sounds == before.sounds)
  }

  @Test func aTrackIsSilentInAFilmThatLacksIt() async throws {
    try await makeFilm("\(folder)/1.mkv", [(2, "en"), (1, "de")])
    try await makeFilm("\(folder)/2.mkv", [(2, "en")])
    _ = try await render(["1.mkv", "2.mkv", "1.mkv"], to: "out.mkv", part: FilmPart(1, of: 1))
    let sounds = try await Decoded("\(folder)/out.mkv").sounds
    #expect(sounds.map(\.count) == [3 * 48_000 * 8, 3 * 48_000 * 4])
    let seconds = (0..<3).map { sounds[1].dropFirst($0 * 48_000 * 4).prefix(48_000 * 4) }
    #expect(seconds.map { $0.contains { $0 != 0 } } == [true, false, true])
  }
}
