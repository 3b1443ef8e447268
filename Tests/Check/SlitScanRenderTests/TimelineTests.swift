// Tests of rendered shows: each change is with its frame.

import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct TimelineTests {
  private let folder = TemporaryFolder()

  private static let scan: Scan = ["depth": 20, "history": "whole", "map": "linear"]

  /// Changes at times of frames, between them, and before all.
  private static var timeline: ScanTimeline {
    var timeline = ScanTimeline()
    timeline.add(.set(["gain": 2.0]), after: nil)
    timeline.add(.set(["map": "radial", "edge": "mirror"]), after: .milliseconds(400))
    timeline.add(
      .move(
        "angle",
        .wave(.saw, period: .milliseconds(700), start: .milliseconds(410), from: 0, to: 300)),
      after: .milliseconds(410))
    timeline.add(.set(["map": "linear"]), after: .milliseconds(900))
    timeline.add(.move("angle", nil), after: .milliseconds(1500))
    timeline.add(.set(["mix": 0.5]), after: .milliseconds(1999))
    return timeline
  }

  /// The same, one frame after the other, by hand.
  private func played(_ film: String) async throws -> [[UInt8]] {
    let caps = try await FilmDescription(FilmInput(film), wantsSound: false).caps
    var reader = try await FilmFrames(FilmInput(film))
    let element = try ValidatedScan.makeElement()
    try ValidatedScan(Self.scan).apply(to: element)
    let source = try AppSrc(caps: caps)
    let sink = try AppSink(isSynchronized: false)
    let pipeline = try Pipeline()
    try await pipeline.add(source.element, element, sink.element)
    try await pipeline.link(source.element, element, sink.element)
    var samples = sink.samples.makeAsyncIterator()
    async let plays: Void = pipeline.play()
    var frames: [[UInt8]] = []
    while let frame = try await reader.next() {
      let milliseconds = frame.time.nanoseconds / 1_000_000
      // Everything at once that is due; what is set again is no change.
      try element.set("gain", to: 2.0)
      if milliseconds > 400, milliseconds <= 900 { try element.set("map", to: "radial") }
      if milliseconds > 400 { try element.set("edge", to: "mirror") }
      if milliseconds > 900 { try element.set("map", to: "linear") }
      if milliseconds > 410, milliseconds <= 1500 {
        let place = (Double(milliseconds) - 410).truncatingRemainder(dividingBy: 700) / 700
        try element.set("angle", to: place * 300)
      }
      if milliseconds > 1999 { try element.set("mix", to: 0.5) }
      try await source.send(frame.buffer.moved(to: frame.time, duration: .milliseconds(40)))
      let buffer = try #require(try await samples.next()?.buffer)
      frames.append(try buffer.copiedBytes())
    }
    try await plays
    await pipeline.stop()
    await reader.close()
    return frames
  }

  private func request(_ name: String) -> RenderRequest {
    var request = RenderRequest(
      ["\(folder)/in.mkv"], to: "\(folder)/\(name)", scan: Self.scan,
      settings: FilmSettings(isLossless: true), keepsSound: false)
    request.timeline = Self.timeline
    return request
  }

  @Test func everythingHappensWithItsFrame() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 70, hasSound: false)
    _ = try await FilmRendering(request("out.mkv")).run()
    let expected = try await played("\(folder)/in.mkv")
    let rendered = try await Decoded("\(folder)/out.mkv").frames
    #expect(rendered.count == expected.count)
    for (number, (one, other)) in zip(rendered, expected).enumerated() {
      let isSame = one == other
      #expect(isSame, "frame \(number)")
    }
  }

  @Test func aFilmHasOneSizeWhateverTheCanvasHas() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 30, hasSound: false)
    var request = request("out.mkv")
    request.settings.isLossless = false
    request.timeline = ScanTimeline()
    request.timeline.add(.set(["mode": "strip"]), after: nil)
    request.timeline.add(.set(["canvas-length": 100]), after: .milliseconds(400))
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 30)
    #expect(result.warnings.contains { $0.contains("the size of the first frame") })
    let sizes = Set(try await Decoded("\(folder)/out.mkv").frames.map(\.count))
    #expect(sizes.count == 1)
  }

  /// Images that are the map and a formula of the same values, changed with the same frame, give the same film;
  /// with images that change with each frame, too, and in parts.
  @Test func imagesThatAreTheMapComeWithTheirFrames() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 60, hasSound: true)
    @Sendable func value(_ time: ClockTime) -> UInt8 {
      let milliseconds = time.nanoseconds / 1_000_000
      guard milliseconds > 800 else { return milliseconds > 400 ? 255 : 0 }
      return UInt8(milliseconds / 40 % 20 * 12)
    }
    var drawn = request("drawn.mkv")
    drawn.keepsSound = true
    drawn.timeline = ScanTimeline()
    drawn.timeline.add(.set(["map": "live"]), after: nil)
    drawn.timeline.mapImages = MapImageSequence(content: "ramp") { _ in
      { time in time == .zero ? nil : try MapImage(width: 1, height: 1, gray8: [value(time)]) }
    }
    _ = try await FilmRendering(drawn).run()
    var formula = request("formula.mkv")
    formula.timeline = ScanTimeline()
    formula.timeline.add(.set(["gain": 0.0]), after: nil)
    for number in 0..<60 {
      let time = ClockTime.milliseconds(UInt64(number) * 40)
      let offset = Double(value(time)) / 255
      let before = number == 0 ? nil : ClockTime.milliseconds(UInt64(number) * 40 - 1)
      formula.timeline.add(.set(["offset": .double(offset)]), after: before)
    }
    _ = try await FilmRendering(formula).run()
    let wanted = try await Decoded("\(folder)/formula.mkv").frames
    let frames = try await Decoded("\(folder)/drawn.mkv").frames
    #expect(frames.count == 60)
    for (number, (one, other)) in zip(frames, wanted).enumerated() {
      let isSame = one == other
      #expect(isSame, "frame \(number)")
    }
    let parts = try await drawn.renderParts(2, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    let isSame = try await Decoded("\(folder)/joined.mkv").frames == frames
    #expect(isSame)
    // A part with other images is none of this film.
    var other = drawn
    other.output = parts[1]
    other.part = FilmPart(2, of: 2)
    other.replacesOutput = true
    other.timeline.mapImages = MapImageSequence(content: "black") { _ in { _ in nil } }
    _ = try await FilmRendering(other).run()
    await #expect(throws: CaptureError.self) {
      _ = try await FilmJoining(parts, to: "\(folder)/no.mkv").run()
    }
  }

  @Test func partsOfAShowAreTheShow() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 60, hasSound: false)
    var whole = request("whole.mkv")
    // From one part into the next, and once more in the last.
    for (time, isBlack) in [(700, true), (900, false), (2000, true), (2100, false)] {
      whole.timeline.add(.black(isBlack), after: .milliseconds(UInt64(time)))
    }
    _ = try await FilmRendering(whole).run()
    let parts = try await whole.renderParts(3, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    let (joined, shown) = (
      try await Decoded("\(folder)/joined.mkv"), try await Decoded(whole.output)
    )
    #expect(joined.difference(from: shown) == nil)
    var range = whole
    range.output = "\(folder)/range.mkv"
    range.range = FilmRange(from: .frame(15), to: .frame(55))
    _ = try await FilmRendering(range).run()
    let isSame = try await Decoded(range.output).frames.elementsEqual(shown.frames[15..<55])
    #expect(isSame)
    // A part of another show is none of this one.
    var other = whole
    other.output = parts[1]
    other.part = FilmPart(2, of: 3)
    other.replacesOutput = true
    other.timeline.add(.set(["gain": 3.0]), after: .seconds(2))
    _ = try await FilmRendering(other).run()
    await #expect(throws: CaptureError.self) {
      _ = try await FilmJoining(parts, to: "\(folder)/no.mkv").run()
    }
  }

  @Test func blackIsBlackAndGoes() async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 30, hasSound: false)
    var request = request("out.mkv")
    request.timeline = ScanTimeline()
    request.timeline.add(.black(true), after: .milliseconds(390))
    request.timeline.add(.black(false), after: .milliseconds(800))
    _ = try await FilmRendering(request).run()
    let film = try await Decoded(request.output)
    #expect(film.frames.count == 30)
    for (bytes, time) in zip(film.frames, film.times) {
      let isBlack = bytes.prefix(96 * 64).allSatisfy { $0 == 16 }
      let milliseconds = time.nanoseconds / 1_000_000
      #expect(isBlack == (milliseconds > 390 && milliseconds <= 800), "\(time)")
    }
  }
}
