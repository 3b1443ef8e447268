// Tests that a film says of its colours what the film says that it is made of.

import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct ColourTests {
  private let folder = TemporaryFolder()

  /// Renders a film whose video comes of elements, and returns the caps of encoded frames before and after.
  private func render(
    _ video: String, to name: String
  ) async throws -> (before: [String: Value], after: [String: Value], warnings: [String]) {
    try await TestFilm.make(
      "\(folder)/in.mkv",
      "videotestsrc num-buffers=5 ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 "
        + "! \(video) ! h264parse ! matroskamux")
    let result = try await FilmRendering(
      RenderRequest(["\(folder)/in.mkv"], to: "\(folder)/\(name)", scan: ["depth": 2])
    ).run()
    let films = [
      try #require(try await FilmStreams("\(folder)/in.mkv")),
      try #require(try await FilmStreams(result.path)),
    ]
    let caps = try films.map { try #require($0.video.first).format.fields }
    return (caps[0], caps[1], result.warnings)
  }

  @Test(arguments: ["out.mp4", "out.mkv", "out.webm"])
  func untaggedColoursStayUntagged(name: String) async throws {
    let film = try await render(
      "x264enc insert-vui=false ! capssetter caps=video/x-h264,colorimetry=(string)none", to: name)
    #expect(film.before["colorimetry"] == nil)
    #expect(film.after["colorimetry"] == nil)
    let decoded = try await FilmDescription(FilmInput("\(folder)/\(name)"), wantsSound: false)
    #expect(decoded.caps.structures.first?.fields["colorimetry"] == nil)
  }

  /// PAL, full range of HD, HDR, and a matrix alone.
  @Test(
    arguments: ["2:4:8:3", "1:3:5:1", "bt2100-pq", "2:3:0:0"], ["out.mp4", "out.mkv", "out.webm"])
  func taggedColoursAreKept(colorimetry: String, name: String) async throws {
    let film = try await render(
      "capssetter caps=video/x-raw,colorimetry=(string)\(colorimetry) ! x264enc", to: name)
    let before = try #require(film.before["colorimetry"].flatMap { Colorimetry($0.text) })
    let after = try #require(film.after["colorimetry"].flatMap { Colorimetry($0.text) })
    #expect(before.matrix == after.matrix)
    #expect((before.transfer, before.primaries) == (after.transfer, after.primaries))
    // GStreamer 1.22 reads the range at the wrong place of an MP4 file.
    #expect(before.isFullRange == after.isFullRange || name == "out.mp4")
    #expect(before == Colorimetry(colorimetry))
  }

  @Test func theMasteringDisplayAndLightLevelAreKept() async throws {
    let display = "34000:16000:13250:34500:7500:3000:15635:16450:10000000:50"
    let video =
      "capssetter caps=video/x-raw,colorimetry=bt2100-pq,"
      + "mastering-display-info=(string)\(display),content-light-level=(string)1000:400 ! x264enc"
    let film = try await render(video, to: "out.mkv")
    for field in ["mastering-display-info", "content-light-level"] {
      #expect(film.before[field] != nil)
      #expect(film.after[field] == film.before[field])
    }
    let mp4 = try await render(video, to: "out.mp4")
    #expect(mp4.warnings.contains { $0.contains("mastering display") })
  }

  @Test func theOrderOfFieldsIsKeptOrNamed() async throws {
    let video =
      "capssetter caps=video/x-raw,interlace-mode=interleaved,field-order=bottom-field-first "
      + "! x264enc"
    let kept = try await render(video, to: "out.mkv")
    #expect(kept.warnings.isEmpty)
    #expect(kept.after["interlace-mode"] == kept.before["interlace-mode"])
    let lost = try await render(video, to: "out.webm")
    #expect(lost.warnings.contains { $0.contains("order of its fields") })
  }
}
