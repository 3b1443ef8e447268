// Tests of the map from an image file in a running stream.

import CGStreamer
import Foundation
import GStreamer
import Testing

@Suite struct ImageMapTests {
  /// A folder of image files that goes with this object.
  private final class Images {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "slitscan-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A PGM of one grey.
    func image(_ name: String, of value: UInt8) throws -> String {
      let path = folder.appending(path: name)
      try (Data("P5\n16 16\n255\n".utf8) + Data(repeating: value, count: 256)).write(to: path)
      return path.path
    }

    /// A file of text.
    func text(_ name: String) throws -> String {
      let path = folder.appending(path: name)
      try Data("This is no image.\n".utf8).write(to: path)
      return path.path
    }
  }

  /// A numbered video whose map is a file.
  private func numbered(
    _ location: String, frames: Int = -1
  ) throws -> (TestPipeline, FrameRecord) {
    let (pipeline, record) = try Numbered.pipeline(frames: frames)
    try pipeline.set("map", "image")
    try pipeline.set("map-location", location)
    return (pipeline, record)
  }

  @Test func theImageIsTheMapFromTheFirstFrameOn() throws {
    let images = try Images()
    let white = try images.image("white.pgm", of: 255)
    let (pipeline, record) = try numbered(white, frames: 20)
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    let loaded = messages.filter { $0.text == "slitscan-map-loaded" }
    #expect(loaded.count == 1)
    #expect(
      loaded.first?.structure?.get("location", as: String.self)?.contains("white.pgm") == true)
    record.expectDelays(count: 20) { _ in 10 }
  }

  @Test func aNewImageTakesEffectWhilePlaying() throws {
    let images = try Images()
    let white = try images.image("white.pgm", of: 255)
    let black = try images.image("black.pgm", of: 0)
    let (pipeline, record) = try numbered(white)
    try pipeline.go(to: GST_STATE_PLAYING)
    for (location, delay) in [(black, 0), (white, 10), ("", 0), (white, 10)] {
      try pipeline.set("map-location", location)
      record.wait { $0.count > 11 && $0.last?.delay == delay }
    }
  }

  @Test func aFileWithoutAnImageIsAWarningAndTheOldMapStays() throws {
    let images = try Images()
    let white = try images.image("white.pgm", of: 255)
    let wrong = [
      try images.text("text.png"), images.folder.appending(path: "missing.png").path,
      images.folder.path,
    ]
    let (pipeline, record) = try numbered(white)
    try pipeline.go(to: GST_STATE_PLAYING)
    for location in wrong {
      try pipeline.set("map-location", location)
      let warning = try pipeline.nextMessage(.warning)
      #expect(warning.source?.name == "scan")
      #expect(warning.text.contains(location))
      record.wait(forMore: 12)
      #expect(record.lastDelay == 10)
    }
  }

  @Test func aStreamWithoutItsImageStartsAllTheSame() throws {
    let images = try Images()
    let missing = images.folder.appending(path: "missing.png").path
    let (pipeline, record) = try numbered(missing, frames: 20)
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    #expect(messages.filter { $0.kind == .warning }.count == 1)
    record.expectDelays(count: 20) { _ in 0 }
  }

  @Test func theFileIsReadAnewWithEveryStart() throws {
    let images = try Images()
    let (pipeline, record) = try numbered(try images.image("map.pgm", of: 255), frames: 20)
    for (value, delay) in [(UInt8(255), 10), (0, 0), (255, 10)] {
      _ = try images.image("map.pgm", of: value)
      #expect(try pipeline.playToEnd().last?.kind == .eos)
      #expect(record.lastDelay == delay)
      try pipeline.go(to: GST_STATE_READY)
    }
  }
}
