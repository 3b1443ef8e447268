// Tests of the frames of files that say how to turn them, against those that ffmpeg shows.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import TestClock
import Testing
import OrientedVideo

@testable import SlitScanCapture

@Suite(.serialized) struct OrientationTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder)/film.mp4" }

  private func bytes(_ frames: [Sample]) throws -> [UInt8] { try frames.flatMap { try $0.bytes() } }

  private func frames(_ source: any FrameSource, atMost count: Int = .max) async throws -> [Sample]
  {
    let clock = TestClock.running()
    defer { clock.stop() }
    var frames: [Sample] = []
    for try await frame in try await source.frames(clock: clock.clock) {
      frames.append(frame)
      if frames.count == count { break }
    }
    return frames
  }

  /// Compares without printing all of it.
  private func expectSame(_ bytes: [UInt8], _ expected: [UInt8]) {
    let (count, expectedCount) = (bytes.count, expected.count)
    #expect(count == expectedCount && count > 0)
    let isSame = bytes == expected
    #expect(isSame)
  }

  @Test(arguments: VideoOrientation.allCases)
  func theFramesOfAFileComeUpright(turn: VideoOrientation) async throws {
    try await OrientedVideo.write(path, turn)
    let frames = try await frames(FileSource(path))
    #expect(frames.count == 5)
    let isSideways = [.clockwise, .counterclockwise, .diagonal].contains(turn)
    let size = isSideways ? [64, 96] : [96, 64]
    #expect(try frames.allSatisfy { try frameSize($0) == size })
    expectSame(try bytes(frames), try await DecodedFile(path: path).frames(as: "yuv420p"))
  }

  /// Also those that videoflip does not take, as the first one.
  @Test(arguments: [
    ("Y42B", "yuv422p"), ("I420_10LE", "yuv420p10le"), ("I422_10LE", "yuv422p10le"),
    ("Y444", "yuv444p"),
  ])
  func framesThatAreUprightKeepTheirFormat(format: String, name: String) async throws {
    try await OrientedVideo.write(path, .none, format: format)
    let frames = try await frames(FileSource(path))
    #expect(frames.first?.caps?.structures.first?.get("format", as: String.self) == format)
    expectSame(try bytes(frames), try await DecodedFile(path: path).frames(as: name))
  }

  @Test func deepFramesAreTurnedAsTheyAre() async throws {
    try await OrientedVideo.write(path, .clockwise, format: "I420_10LE")
    let frames = try await frames(FileSource(path))
    expectSame(try bytes(frames), try await DecodedFile(path: path).frames(as: "yuv420p10le"))
  }

  @Test func framesThatVideoflipDoesNotTakeAreConvertedToBeTurned() async throws {
    try await OrientedVideo.write(path, .clockwise, format: "Y42B")
    let frames = try await frames(FileSource(path))
    let format = frames.first?.caps?.structures.first?.get("format", as: String.self)
    // Luma, which no conversion between formats of luma and chroma changes.
    try #require(format == "AYUV")
    let luma = try bytes(frames).enumerated().filter { $0.offset % 4 == 1 }.map(\.element)
    let whole = try await DecodedFile(path: path).frames(as: "yuv444p")
    let plane = 96 * 64
    expectSame(luma, (0..<frames.count).flatMap { whole[$0 * 3 * plane..<($0 * 3 + 1) * plane] })
  }

  /// Where caps do not say what samples mean, it follows from the height, and becomes another at 577.
  @Test(arguments: [VideoOrientation.clockwise, .diagonal, .half])
  func framesThatAreTurnedKeepTheirColours(turn: VideoOrientation) async throws {
    try await OrientedVideo.write(path, turn, frames: 3, size: (640, 360), pattern: "red")
    let recorder = try await Recorder.started(to: "\(folder)/out.mkv")
    for frame in try await frames(FileSource(path)) { try await recorder.append(video: frame) }
    try await recorder.finish()
    let colours = [
      try await DecodedFile(path: path).meanColour(),
      try await DecodedFile(path: "\(folder)/out.mkv").meanColour(),
    ]
    for (colour, other) in zip(colours[0], colours[1]) {
      #expect(abs(Int(colour) - Int(other)) <= 2, "\(colours)")
    }
  }

  /// As an output of a person's own does that turns all frames by their tag.
  @Test func framesThatWereTurnedDoNotSayThatTheyAreToBe() async throws {
    try await OrientedVideo.write(path, .clockwise)
    let frames = try await frames(TurningSource(FileSource(path)))
    expectSame(try bytes(frames), try await DecodedFile(path: path).frames(as: "yuv420p"))
  }

  /// A source, and an element that does what the tag of its frames says.
  private actor TurningSource: FrameSource {
    private let source: FileSource

    init(_ source: FileSource) { self.source = source }

    func makeElement() async throws(CaptureError) -> Element {
      let element = try await source.makeElement()
      do throws(GStreamerError) {
        let flip = try Element("videoflip")
        try flip.set("video-direction", to: "auto")
        return try Element(chaining: [element, flip])
      } catch {
        throw explain(error)
      }
    }
  }

  @Test func aTurnedFileThatIsPlayedAgainIsUprightAgain() async throws {
    try await OrientedVideo.write(path, .clockwise)
    let pipeline = try Pipeline()
    let (sizes, continuation) = AsyncStream.makeStream(of: [Int].self)
    let source = FileSource(path)
    let (film, sink) = (try await source.makeElement(), try Element("fakesink"))
    try sink.pad("sink").addProbe(.buffer) { item, pad in
      let info = try? pad.caps.map(VideoInfo.init)
      continuation.yield([info?.width ?? 0, info?.height ?? 0])
      return .pass
    }
    try await pipeline.add(film, sink)
    try await pipeline.link(film, sink)
    for _ in 0..<2 {
      try await pipeline.play()
      try await pipeline.waitForEnd()
      await pipeline.stop()
    }
    continuation.finish()
    var seen: [[Int]] = []
    for await size in sizes { seen.append(size) }
    let expected = [[Int]](repeating: [64, 96], count: 10)
    #expect(seen == expected)
  }

  @Test func clipsOfAPlaylistAndStreamsComeUpright() async throws {
    try await OrientedVideo.write(path, .counterclockwise)
    let first = try await DecodedFile(path: path).frames(as: "yuv420p").prefix(96 * 64 * 3 / 2)
    let sources: [any FrameSource] = [
      PlaylistSource({ [path] }, clock: ManualClock()), StreamSource("file://\(path)"),
    ]
    for source in sources {
      expectSame(try bytes(try await frames(source, atMost: 1)), Array(first))
    }
  }
}
