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

  /// A bar of one column that goes right by two columns a frame: its front comes first, and is bright.
  @Test(arguments: [("left", "right"), ("right", "left"), ("up", "down"), ("down", "up")])
  func objectsThatMoveAgainstTheDirectionLookAsTheyAre(direction: String, motion: String)
    async throws
  {
    let (isAcross, isForward) = (
      motion == "left" || motion == "right", motion == "right" || motion == "down"
    )
    // Brightness rises from the rear to the front of an object of 32 pixels.
    let axis = isAcross ? "X" : "Y"
    let place = isForward ? "(\(axis)-2*N+32)" : "(64-\(axis)-2*N+32-1)"
    let line =
      "ffmpeg -v error -f lavfi -i \"color=black:s=64x64:r=25:d=2,format=gray,"
      + "geq=lum='if(between(\(place),0,31),64+\(place)*6,0)'\" -c:v ffv1 in.mkv"
    try await Command.run(line, in: folder)
    try await slitscan(
      "photo in.mkv -o out.png --slit-width 2 --direction \(direction)", in: folder)
    let pixels = try await pixels(of: "out.png", in: folder)
    let (width, height) = isAcross ? (100, 64) : (64, 100)
    #expect(pixels.count == 3 * width * height)
    let profile = (0..<100).map { pixels[3 * (isAcross ? 32 * width + $0 : $0 * width + 32)] }
    let object = profile.filter { $0 > 32 }
    #expect(object.count == 32)
    // As it is in the film: the front where it goes to.
    #expect(
      zip(object, object.dropFirst()).allSatisfy { isForward ? $0 < $1 : $0 > $1 }, "\(profile)")
  }

  @Test func aPhotographBetweenPointsIsAPartOfTheWhole() async throws {
    for map in ["linear", "motion"] {
      let options = "--slit-width 3 --set map=\(map)"
      try await slitscan("photo CLIP -o whole-\(map).png \(options)", in: folder)
      try await slitscan("photo CLIP -o part-\(map).png \(options) --from 1 --to 45f", in: folder)
      let whole = try await pixels(of: "whole-\(map).png", in: folder)
      let part = try await pixels(of: "part-\(map).png", in: folder)
      // Rightwards for the linear map, and downwards for the other.
      let isAcross = map == "linear"
      let rows = isAcross ? 64 : 60
      let columns = isAcross ? 75..<135 : 0..<96
      let expected = (0..<rows).flatMap { row -> ArraySlice<UInt8> in
        let start = 3 * (isAcross ? row * 144 : (75 + row) * 96)
        return whole[start + 3 * columns.lowerBound..<start + 3 * columns.upperBound]
      }
      #expect(part == expected, "\(map)")
    }
  }

  /// 16 bits of grey, and 8 bits with alpha.
  @Test(arguments: [
    ("gray16le", "gray16be", 2), ("gray", "gray", 1), ("rgba", "rgba", 4),
    ("gbrp10le", "rgb48be", 6),
  ])
  func bitsAndAlphaAreKept(input: String, output: String, size: Int) async throws {
    let look =
      input.hasPrefix("gray")
      ? "geq=lum='(X*1021+Y*97+N*13)*3'" : "geq=r='X*3':g='Y*5':b='N*7':a='X+Y'"
    let source =
      "color=black:s=64x48:r=25:d=0.4,format=\(input.hasPrefix("gray") ? input : "rgba"),\(look)"
    try await Command.run(
      """
      ffmpeg -v error -f lavfi -i "\(source)" -pix_fmt \(input) -c:v ffv1 in.mkv
      ffmpeg -v error -i in.mkv -vf crop=1:48:32:0,tile=10x1 -pix_fmt \(output) -f rawvideo drawn
      """, in: folder)
    try await slitscan("photo in.mkv -o out.png", in: folder)
    let line =
      "ffprobe -v error -show_entries stream=pix_fmt -of csv=p=0 out.png && "
      + "ffmpeg -v error -i out.png -f rawvideo -pix_fmt \(output) raw"
    #expect(try await Command.run(line, in: folder).text == "\(output)\n")
    let drawn = try Data(contentsOf: folder.appending(path: "drawn"))
    let raw = try Data(contentsOf: folder.appending(path: "raw"))
    #expect(drawn.count == 10 * 48 * size)
    #expect(raw == drawn)
  }

  @Test func aTitleIsBelowThePhotographInAsManyRowsAsItTakes() async throws {
    let options = "--scale --start-time 14:03:27.50"
    try await slitscan("photo CLIP -o plain.png \(options)", in: folder)
    try await slitscan("photo CLIP -o titled.png --title Final \(options)", in: folder)
    let plain = try await pixels(of: "plain.png", in: folder)
    let titled = try await pixels(of: "titled.png", in: folder)
    #expect(titled.starts(with: plain))
    let rows = titled.dropFirst(plain.count)
    #expect(rows.count > 3 * 48 * 40 && rows.contains { $0 > 150 })
    let refused = try await slitscan("photo CLIP -o no.png --start-time 0", status: 64, in: folder)
    #expect(refused.contains("Add one of them"))
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
