// Tests of image sequences as films: their names, their times and all bits of their pixels.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite struct ImageSequenceTests {
  private let folder = TemporaryFolder()

  @discardableResult
  private func ffmpeg(_ arguments: String) throws -> [UInt8] {
    try AwaitedProgram.shell("ffmpeg -v error -y \(arguments)", in: folder.path)
  }

  /// Makes images that differ, of 16x12 pixels.
  private func make(_ names: String, _ count: Int, size: String = "16x12", _ options: String = "")
    throws
  {
    try ffmpeg(
      "-f lavfi -i testsrc2=s=\(size):r=25,noise=alls=30:allf=t -frames:v \(count) \(options) \(names)"
    )
  }

  private func film(_ arguments: String..., rate: Fraction? = nil) throws -> FilmInput {
    let inputs = try FilmInput.all(arguments.map { "\(folder)/\($0)" }, frameRate: rate)
    try #require(inputs.count == 1)
    return inputs[0]
  }

  private func frames(_ film: FilmInput, from start: ClockTime? = nil) async throws -> [FilmFrame] {
    try await FilmFrames(film, from: start).read { reader in
      var frames: [FilmFrame] = []
      while let frame = try await reader.next() { frames.append(frame) }
      return frames
    }
  }

  private func refusal(_ arguments: String...) async -> String {
    let error = await #expect(throws: CaptureError.self) {
      let inputs = try FilmInput.all(arguments.map { "\(folder)/\($0)" }, frameRate: nil)
      for input in inputs { _ = try await frames(input) }
    }
    return (error?.message ?? "").replacing("\(folder)/", with: "")
  }

  // MARK: Pixels

  /// The pixel format that ffmpeg writes as PNG, the format of the frame, and what ffmpeg calls that with the alpha at the end.
  @Test(arguments: [
    ("gray", "GRAY8", "gray"), ("monob", "GRAY8", "gray"), ("rgb24", "RGB", "rgb24"),
    ("pal8", "RGB", "rgb24"), ("ya8", "RGBA", "rgba"), ("rgba", "RGBA", "rgba"),
    ("gray16be", "GRAY16_LE", "gray16le"), ("rgb48be", "ARGB64_LE", "rgba64le"),
    ("ya16be", "ARGB64_LE", "rgba64le"), ("rgba64be", "ARGB64_LE", "rgba64le"),
  ])
  func allBitsOfPNGAreRead(kind: String, format: String, raw: String) async throws {
    let hasAlpha = kind.contains("ya") || kind.contains("rgba")
    let alpha = hasAlpha ? ",geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='999*X'" : ""
    try make("f%d.png", 3, "-vf \"format=rgba64le\(alpha)\" -pix_fmt \(kind)")
    var samples = try ffmpeg("-i f%d.png -f rawvideo -pix_fmt \(raw) -")
    if raw == "rgba64le" {
      for pixel in stride(from: 0, to: samples.count, by: 8) {
        samples.replaceSubrange(
          pixel..<pixel + 8, with: samples[pixel + 6..<pixel + 8] + samples[pixel..<pixel + 6])
      }
    }
    let frames = try await frames(film("f%d.png"))
    #expect(try frames.map { try VideoInfo($0.caps).format.rawValue } == [format, format, format])
    #expect(try frames.flatMap { try $0.buffer.copiedBytes() } == samples)
  }

  /// Programs that write PNG leave out what an image does not need: each may have another format.
  @Test func formatHoldsAllImages() async throws {
    try make("1.png", 1, "-pix_fmt gray")
    try make("2.png", 1, "-pix_fmt rgba64be")
    try make("3.png", 1, "-pix_fmt pal8")
    let frames = try await frames(film("."))
    #expect(
      try frames.map { try VideoInfo($0.caps).format.rawValue }
        == Array(repeating: "ARGB64_LE", count: 3))
    let grey = try ffmpeg("-i 1.png -f rawvideo -pix_fmt gray -")
    let first = Array(try frames[0].buffer.copiedBytes().prefix(8))
    #expect(first == [255, 255] + [UInt8](repeating: grey[0], count: 6))
  }

  @Test(arguments: [
    ("f%d.jpg", "-pix_fmt yuvj420p -q:v 2", "I420"), ("f%d.tif", "-pix_fmt rgb24", "RGB"),
    ("f%d.tiff", "-pix_fmt gray16le", "GRAY16_LE"), ("f%d.bmp", "", "BGR"),
    ("f%d.exr", "-pix_fmt gbrpf32le", "ARGB64"),
  ])
  func otherKindsAreRead(names: String, options: String, format: String) async throws {
    try make(names, 3, size: "64x48", options)
    let frames = try await frames(film(names, rate: Fraction(24000, 1001)))
    #expect(try frames.map { try VideoInfo($0.caps).format.rawValue } == [format, format, format])
    #expect(frames.map(\.time.nanoseconds) == [0, 41_708_333, 83_416_666])
    #expect(Set(try frames.map { try $0.buffer.copiedBytes() }).count == 3)
  }

  // MARK: Names

  @Test func namesAreInTheOrderOfTheirNumbers() async throws {
    try make("shot.%d.png", 12)
    _ = try folder.write("Thumbs.db", [1])
    let names = (1...12).map { "\(folder)/shot.\($0).png" }
    for argument in [".", "shot.%d.png", "shot.*.png", "shot.?*.png"] {
      #expect(
        try film(argument).images?.files.map { $0.replacing("/./", with: "/") } == names,
        "\(argument)")
    }
    let list = try FilmInput.all(names, frameRate: nil)
    #expect(list.count == 1 && list[0].images?.files == names)
    #expect(list[0].images?.notes.count == 1)
    let shuffled = try FilmInput.all(names.sorted(), frameRate: 24)
    #expect(shuffled[0].images?.notes.contains { $0.contains("not in the order") } == true)
  }

  @Test func framesFromATimeOnAreRead() async throws {
    try make("f%03d.png", 8, "-start_number 98")
    let film = try film("f%03d.png", rate: 10)
    #expect(film.images?.firstNumber == 98)
    let all = try await frames(film)
    let last = try await frames(film, from: .milliseconds(500))
    #expect(last.map(\.time) == [500, 600, 700].map { .milliseconds($0) })
    #expect(
      try last.map { try $0.buffer.copiedBytes() }
        == all.suffix(3).map { try $0.buffer.copiedBytes() })
  }

  /// Sequences and films can follow each other.
  @Test func listsEndAtFilms() async throws {
    try make("f%d.png", 4)
    try make("film.mkv", 2)
    let arguments = ["f1.png", "f2.png", "film.mkv", "f3.png", "f4.png"].map { "\(folder)/\($0)" }
    let inputs = try FilmInput.all(arguments, frameRate: nil)
    #expect(inputs.map(\.files.count) == [2, 1, 2])
    #expect(throws: CaptureError.self) { try FilmInput.all([arguments[2]], frameRate: 24) }
  }

  @Test func gapsAreNamed() async throws {
    try make("f%02d.png", 6)
    for number in [3, 4] { try FileManager.default.removeItem(atPath: "\(folder)/f0\(number).png") }
    #expect(
      await refusal("f%02d.png").contains(
        "f03.png is missing, of f01.png to f06.png: 2 images in all."))
    #expect(
      try film(".").images?.notes.contains {
        $0.contains("2 numbers are missing, the first between 02 and 05.")
      } == true)
  }

  @Test func badImagesAreNamed() async throws {
    #expect(await refusal("f%d.png").contains("no file of this pattern"))
    #expect(await refusal("*.png").contains("No file matches"))
    #expect(await refusal(".").contains("empty"))
    try make("f%d.png", 5)
    for size in ["8x8", "16x12"] {
      try make("f3.png", 1, size: size, "-pix_fmt rgb24")
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/f3.png"))
      if size == "8x8" {
        #expect(await refusal("f%d.png").contains("f3.png has 8x8 pixels, and f1.png has 16x12."))
      }
      _ = try folder.write("f3.png", bytes.prefix(bytes.count - 20))
      #expect(await refusal("f%d.png").hasPrefix("f3.png"))
    }
    _ = try folder.write("f3.png", "text".utf8)
    #expect(await refusal("f%d.png").contains("f3.png: This is a text file"))
    try make("f3.png", 1, "-c:v mjpeg -f image2")
    #expect(await refusal(".").contains("f3.png is JPEG, and ./f1.png is PNG."))
  }

  @Test func badImagesOfOtherKindsAreNamed() async throws {
    try make("f%d.jpg", 4, size: "64x48", "-pix_fmt yuvj420p")
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/f3.jpg"))
    _ = try folder.write("f3.jpg", bytes.prefix(bytes.count / 2))
    #expect(await refusal("f%d.jpg").contains("f3.jpg: The JPEG image is cut short."))
    try make("f3.jpg", 1, size: "32x32", "-pix_fmt yuvj420p")
    #expect(await refusal("f%d.jpg").contains("f3.jpg has 32x32 pixels"))
    try make("f%d.tif", 1, "-pix_fmt rgb48le")
    #expect(
      await refusal("f%d.tif").contains(
        "f1.tif: GStreamer cannot decode TIFF images with 16, 16, 16 bits."))
  }

  // MARK: Films

  @Test func sequencesAreFilms() async throws {
    try make("f%d.jpg", 9, size: "64x48", "-pix_fmt yuvj420p")
    var request = RenderRequest(
      ["\(folder)/f%d.jpg"], to: "\(folder)/whole.mkv", scan: ["depth": 4],
      settings: FilmSettings(isLossless: true))
    let result = try await FilmRendering(request).run()
    #expect(
      result.warnings.count == 1 && result.warnings[0].contains("9 images at 25 frames a second."))
    request.frameRate = 24
    request.replacesOutput = true
    #expect(try await FilmRendering(request).run().warnings.isEmpty)
    let parts = try await request.renderParts(3, in: folder.path)
    _ = try await FilmJoining(parts, to: "\(folder)/joined.mkv").run()
    let (whole, joined) = (
      try await Decoded("\(folder)/whole.mkv"), try await Decoded("\(folder)/joined.mkv")
    )
    #expect(whole.frames.count == 9)
    #expect(joined.difference(from: whole) == nil)
    var strip = StripRequest("\(folder)/f%d.jpg", to: "\(folder)/strip.png")
    strip.frameRate = 10
    let photo = try await StripPhotographing(strip).run()
    #expect(photo.width == 9 && photo.end == .milliseconds(800))
  }
}
