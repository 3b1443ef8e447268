// Tests of `slitscan photo`: strips equal to the element's, and a scale beside them.

import CommandUnderTest
import Foundation
import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

struct PhotoCommandTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// The pixels of the last frame of a launch line, three bytes each, where rows are multiples of four bytes.
  private func pixels(_ line: String) async throws -> [UInt8] {
    // Registers the element.
    _ = try ValidatedScan.makeElement()
    let pipeline = try Pipeline("\(line) ! video/x-raw,format=RGB ! appsink name=frames sync=false")
    let sink = try AppSink(pipeline.element(named: "frames"))
    async let plays: Void = pipeline.play()
    var last: Sample?
    for try await sample in sink.samples { last = sample }
    try await plays
    await pipeline.stop()
    return try #require(try last?.buffer?.copiedBytes())
  }

  private func pixels(of name: String, in folder: URL) async throws -> [UInt8] {
    try await pixels(
      "filesrc location=\(folder.appending(path: name).path) ! pngdec ! videoconvert")
  }

  /// The strip that the element draws on a canvas of its full length.
  @Test(arguments: [
    ("", "angle=90 position=0.5 slit-width=1 canvas-length=48"),
    ("--slit-width 5 --position 0.27", "angle=90 position=0.27 slit-width=5 canvas-length=240"),
    ("--slit-width 3 --direction down", "angle=0 position=0.5 slit-width=3 canvas-length=144"),
    (
      "--set map=radial --position 0.3 --slit-width 2",
      "map=radial position=0.3 slit-width=2 canvas-length=96"
    ),
    ("--slit-width 100", "angle=90 slit-width=100 canvas-length=4800"),
  ])
  func aStripIsWhatTheElementDraws(options: String, properties: String) async throws {
    try await slitscan("photo CLIP -o strip.png \(options)", in: folder)
    let film = try await sharedFilm.value
    let drawn = try await pixels(
      "filesrc location=\(film) ! matroskademux ! avdec_h264 ! videoconvert "
        + "! video/x-raw,format=RGB ! slitscan mode=strip \(properties)")
    let isSame = try await pixels(of: "strip.png", in: folder) == drawn
    #expect(isSame)
  }

  @Test(arguments: ["right", "down"])
  func aScaleIsBesideTheStripAndLeavesItAsItIs(direction: String) async throws {
    let (width, height) = direction == "right" ? (192, 64) : (96, 192)
    let (across, below) = direction == "right" ? (0, 30) : (84, 0)
    for (name, scale) in [("plain", ""), ("scaled", "--scale")] {
      try await slitscan(
        "photo CLIP -o \(name).png --slit-width 4 --direction \(direction) \(scale)",
        in: folder)
    }
    let plain = try await pixels(of: "plain.png", in: folder)
    let scaled = try await pixels(of: "scaled.png", in: folder)
    let (row, scaledRow) = (3 * width, 3 * (width + across))
    #expect(plain.count == row * height)
    #expect(scaled.count == scaledRow * (height + below))
    let isSame = (0..<height).allSatisfy { y in
      plain[y * row..<(y + 1) * row] == scaled[y * scaledRow..<y * scaledRow + row]
    }
    #expect(isSame)
    // A second of 25 frames of four lines: its mark is bright, and the pixels beside it are not.
    func red(_ x: Int, _ y: Int) -> UInt8 { scaled[y * scaledRow + 3 * x] }
    #expect(direction == "right" ? red(100, 66) > 153 : red(98, 100) > 153)
    #expect(direction == "right" ? red(97, 66) < 77 : red(98, 97) < 77)
  }
}
