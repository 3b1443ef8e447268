// Tests that a film keeps the tags and chapters of the films that it is made of.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct MetadataTests {
  private let folder = TemporaryFolder()

  private static let tags = tagList([
    "title": "Grüße, 3 \"Teile\"", "artist": "A. Painter", "comment": "First line.\nSecond.",
    "date": .other(type: "GDate", text: "2021-05-06"), "genre": "Test",
  ])
  private static let chapters = [
    Chapter(tagList(["title": "One"]), start: .zero, end: .milliseconds(400)),
    Chapter(tagList(["title": "Two, the end"]), start: .milliseconds(400), end: .seconds(1)),
  ]

  private static func tagList(_ tags: [String: Value]) -> TagList {
    (try? TagList(tags)) ?? TagList()
  }

  /// Makes a film of one second with two tracks, of which the second is the default one.
  private func makeFilm(
    _ name: String, tags: TagList = Self.tags, chapters: [Chapter] = Self.chapters
  ) async throws {
    let sound =
      "audiotestsrc num-buffers=100 samplesperbuffer=480 ! audio/x-raw,rate=48000 ! flacenc"
    let pipeline = try Pipeline(
      """
      videotestsrc num-buffers=25 ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 \
      ! x264enc ! h264parse ! queue ! matroskamux name=mux ! filesink location=\(folder)/\(name) \
      \(sound) ! queue ! mux. \(sound) ! queue ! mux.
      """)
    let mux = try pipeline.element(named: "mux")
    try mux.setTags(tags)
    try mux.setChapters(chapters)
    let track = MatroskaOutput.Track(hasTitle: false, isDefault: true)
    let other = MatroskaOutput.Track(hasTitle: false, isDefault: false)
    MatroskaOutput([track, other, track]).correct(try mux.pad("src"))
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
  }

  private func render(
    _ films: [String], to name: String, part: FilmPart? = nil
  ) async throws -> RenderResult {
    try await FilmRendering(
      RenderRequest(
        films.map { "\(folder)/\($0)" }, to: "\(folder)/\(name)", scan: ["depth": 2], part: part)
    ).run()
  }

  private func streams(of name: String) async throws -> FilmStreams {
    try #require(try await FilmStreams("\(folder)/\(name)"))
  }

  private func kept(_ streams: FilmStreams) -> TagList {
    streams.tags.filter { Self.tags[$0] != nil }
  }

  @Test(arguments: ["out.mp4", "out.mkv", "out.webm"])
  func tagsAreKept(name: String) async throws {
    try await makeFilm("in.mkv")
    _ = try await render(["in.mkv"], to: name)
    #expect(try await kept(streams(of: name)) == Self.tags)
  }

  /// GStreamer's muxer writes quotation marks and backslashes, which only GStreamer removes.
  @Test func otherReadersGetTheTextAsItWas() async throws {
    try await makeFilm("in.mkv")
    _ = try await render(["in.mkv"], to: "out.mkv")
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/out.mkv"))
    for text in ["Grüße, 3 \"Teile\"", "A. Painter", "First line.\nSecond."] {
      #expect(bytes.range(of: Data([0] + text.utf8)) == nil)
      #expect(bytes.range(of: Data(text.utf8 + [0])) != nil)
      #expect(bytes.range(of: Data("\"\(text)\"".utf8)) == nil)
    }
  }

  @Test(arguments: ["out.mkv", "out.webm"])
  func chaptersAndTheDefaultTrackAreKept(name: String) async throws {
    try await makeFilm("in.mkv")
    let result = try await render(["in.mkv"], to: name)
    #expect(result.warnings.isEmpty)
    let streams = try await streams(of: name)
    #expect(streams.chapters == Self.chapters)
    #expect(streams.sounds.map(\.isDefault) == [false, true])
  }

  @Test func chaptersBeginWithTheirFilm() async throws {
    try await makeFilm("1.mkv")
    try await makeFilm("2.mkv", chapters: [])
    _ = try await render(["1.mkv", "2.mkv", "1.mkv"], to: "out.mkv")
    let chapters = try await streams(of: "out.mkv").chapters
    #expect(chapters.map(\.start.seconds) == [0, 0.4, 2, 2.4])
  }

  /// GStreamer's demuxer reads neither.
  @Test func chaptersAndTheRangeOfAnMP4FileAreRead() async throws {
    let text =
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n"
      + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=1000\ntitle=Two\n"
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/chapters.txt"))
    try AwaitedProgram.shell(
      "ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=25:d=1 -i \(folder)/chapters.txt -map_metadata 1 "
        + "-pix_fmt yuv420p -c:v libx264 -color_primaries bt709 -color_trc bt709 -colorspace bt709 "
        + "-color_range pc \(folder)/in.mp4")
    _ = try await render(["in.mp4"], to: "out.mkv")
    let streams = try await streams(of: "out.mkv")
    #expect(streams.chapters.map(\.start.seconds) == [0, 0.4])
    #expect(streams.chapters.map(\.end?.seconds) == [0.4, 1])
    #expect(streams.chapters.map { $0.tags["title"]?.text } == ["One", "Two"])
    let colours = streams.video.first?.format.fields["colorimetry"].flatMap { Colorimetry($0.text) }
    #expect(colours?.isFullRange == true)
  }

  /// A trap would end the tests.
  @Test func aDamagedHeaderOfAnMP4FileIsReadAsFarAsItGoes() async throws {
    try await makeFilm("in.mkv")
    let path = "\(folder)/out.mp4"
    _ = try await render(["in.mkv"], to: "out.mp4")
    let whole = try Data(contentsOf: URL(filePath: path))
    let header = try #require(whole.range(of: Data("moov".utf8)))
    for index in stride(from: header.lowerBound - 4, to: whole.count, by: 3) {
      for byte: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        try damaged.write(to: URL(filePath: path))
        #expect((MovieHeader(path)?.chapters.count ?? 0) < whole.count)
      }
    }
    // A box of 2⁶³ bytes.
    let vast = whole.prefix(header.lowerBound - 4) + [0, 0, 0, 1] + Data("moov".utf8)
    try (vast + [0x7F] + Data(repeating: 0xFF, count: 7)).write(to: URL(filePath: path))
    #expect(MovieHeader(path) == nil, "It is longer than the file.")
  }

  @Test func chaptersAreCutAtTheInAndTheOutPoint() async throws {
    try await makeFilm("in.mkv")
    var request = RenderRequest(
      ["\(folder)/in.mkv"], to: "\(folder)/out.mkv", scan: ["depth": 2])
    request.range = FilmRange(from: .time(.milliseconds(200)), to: .time(.milliseconds(600)))
    _ = try await FilmRendering(request).run()
    let chapters = try await streams(of: "out.mkv").chapters
    #expect(chapters.map(\.start.seconds) == [0, 0.2])
    #expect(chapters.map { $0.end?.seconds } == [0.2, 0.4])
    request.output = "\(folder)/end.mkv"
    request.range = FilmRange(from: .time(.milliseconds(600)), to: nil)
    _ = try await FilmRendering(request).run()
    #expect(try await streams(of: "end.mkv").chapters.map(\.tags["title"]) == ["Two, the end"])
  }

  @Test func joinedPartsSayWhatTheFilmSays() async throws {
    try await makeFilm("in.mkv")
    for number in 1...2 {
      _ = try await render(["in.mkv"], to: "\(number).mkv", part: FilmPart(number, of: 2))
    }
    _ = try await FilmJoining(["\(folder)/1.mkv", "\(folder)/2.mkv"], to: "\(folder)/out.mkv").run()
    let streams = try await streams(of: "out.mkv")
    #expect(kept(streams) == Self.tags)
    #expect(streams.chapters == Self.chapters)
    #expect(streams.sounds.map(\.isDefault) == [false, true])
  }

  @Test(arguments: [("1970-01-01T00:00:00", nil), ("2024-05-06T07:08:09", "2024-05-06")])
  func aFilmWithoutATimeHasNoDate(time: String, date: String?) async throws {
    try AwaitedProgram.shell(
      "ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=25:d=0.2 -pix_fmt yuv420p "
        + "-metadata creation_time=\(time)Z \(folder)/in.mp4")
    _ = try await render(["in.mp4"], to: "out.mkv")
    #expect(try await streams(of: "out.mkv").tags["date"]?.text == date)
  }

  @Test func whatGStreamerDoesNotReadIsNamed() async throws {
    try AwaitedProgram.shell(
      "ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=25:d=0.2 -pix_fmt yuv420p -timecode 01:00:00:00 "
        + "-metadata location=+48.85+002.35/ \(folder)/in.mov")
    let warnings = try await render(["in.mov"], to: "out.mkv").warnings
    #expect(warnings.contains { $0.contains("timecode") && $0.contains("location") }, "\(warnings)")
  }

  @Test func whatAContainerDoesNotHoldIsNamed() async throws {
    try await makeFilm("in.mkv", tags: TagList(["isrc": "US-S1Z-99-00001"]))
    let warnings = try await render(["in.mkv"], to: "out.mp4").warnings
    #expect(warnings.contains { $0.contains("chapters") })
    #expect(warnings.contains { $0.contains("isrc") })
  }
}
