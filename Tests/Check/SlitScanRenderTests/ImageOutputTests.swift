// Tests of films that are written as images: every bit, the numbers of the files, and nothing by halves.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite struct ImageOutputTests {
  private let folder = TemporaryFolder()

  @discardableResult
  private func run(_ command: String) throws -> [UInt8] {
    try AwaitedProgram.shell(command, in: folder.path)
  }

  /// Makes five images that differ, numbered from 98 on.
  private func makeImages(_ options: String = "") throws {
    try run(
      "ffmpeg -v error -f lavfi -i testsrc2=s=32x24:r=25,noise=alls=30:allf=t -frames:v 5 -start_number 98 \(options) "
        + "in%03d.png")
  }

  private func request(_ input: String, to output: String, _ scan: Scan = ["depth": 1])
    -> RenderRequest
  {
    RenderRequest(["\(folder)/\(input)"], to: "\(folder)/\(output)", scan: scan)
  }

  private func files(_ suffix: String) throws -> [String] {
    try folder.files.filter { $0.hasSuffix(suffix) }
  }

  /// The pixel format of an image, and the samples of several.
  private func samples(_ names: String) throws -> (format: String, bytes: [UInt8]) {
    let start = "-start_number 98 -i \(names)"
    let format = try run(
      "ffprobe -v error -start_number 98 -show_entries stream=pix_fmt -of csv=p=0 -i \(names)")
    return (
      String(decoding: format, as: UTF8.self),
      try run("ffmpeg -v error \(start) -f rawvideo -pix_fmt rgba64le -")
    )
  }

  @Test(arguments: ["gray", "rgb24", "rgba", "gray16be", "rgb48be", "rgba64be"])
  func pngKeepsEverySample(format: String) async throws {
    let alpha =
      format.contains("rgba")
      ? "format=rgba64le,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='999*X'" : "null"
    try makeImages("-vf \"\(alpha)\" -pix_fmt \(format)")
    let result = try await FilmRendering(request("in%03d.png", to: "out%03d.png")).run()
    #expect(result.warnings.allSatisfy { $0.contains("25 frames a second") })
    #expect(
      try files(".png").filter { $0.hasPrefix("out") }
        == (98...102).map { "out\(String("00\($0)".suffix(3))).png" })
    let (before, after) = (try samples("in%03d.png"), try samples("out%03d.png"))
    #expect(after.format == before.format)
    #expect(after.bytes == before.bytes)
  }

  @Test func partsAreTheImagesOfTheWhole() async throws {
    try makeImages()
    var request = request("in%03d.png", to: "whole%d.png", ["depth": 3])
    _ = try await FilmRendering(request).run()
    request.output = "\(folder)/part%d.png"
    for number in 1...2 {
      request.part = FilmPart(number, of: 2)
      _ = try await FilmRendering(request).run()
    }
    #expect(try files(".png").filter { $0.hasPrefix("part") }.count == 5)
    for number in 98...102 { try run("cmp whole\(number).png part\(number).png") }
    request.part = nil
    request.range = FilmRange(from: .frame(2), to: .frame(4))
    request.output = "\(folder)/some%d.png"
    _ = try await FilmRendering(request).run()
    #expect(try files(".png").filter { $0.hasPrefix("some") } == ["some100.png", "some101.png"])
    try run("cmp whole100.png some100.png")
  }

  /// Numbers begin at 1, and what images do not hold is said.
  @Test(arguments: [("o%d.jpg", 95), ("o%d.png", nil), ("o%d.tif", nil)])
  func filmsBecomeImages(names: String, quality: Int?) async throws {
    try await TestFilm.noise("\(folder)/in.mkv", frames: 3, pattern: "gradient")
    var request = request("in.mkv", to: names)
    request.settings.quality = quality
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 3 && !result.hasSound)
    #expect(result.warnings.contains { $0.contains("Images have no sound") })
    let suffix = String(names.suffix(4))
    #expect(try files(suffix) == (1...3).map { "o\($0)\(suffix)" })
    let size = try (1...3).reduce(0) { sum, number in
      sum + (try Data(contentsOf: URL(filePath: "\(folder)/o\(number)\(suffix)")).count)
    }
    #expect(result.byteCount == size)
    // As ffmpeg has the film: colours have neither another matrix nor another range.
    let difference = try run(
      "ffmpeg -v error -i \(names) -i in.mkv -lavfi \"[0]format=yuv420p[a];[1]format=yuv420p[b];[a][b]psnr=stats_file=-\" -f null -"
    )
    let luma = String(decoding: difference, as: UTF8.self).matches(of: /psnr_y:([0-9.]+|inf)/)
    #expect(luma.count == 3 && luma.allSatisfy { Double($0.1).map { $0 > 38 } ?? true })
  }

  @Test func bitsThatAreLostAreNamed() async throws {
    try makeImages("-pix_fmt rgb48be")
    let result = try await FilmRendering(request("in%03d.png", to: "o%d.tif")).run()
    #expect(
      result.warnings.contains("Samples of 16 bits were written with 8. PNG images keep all of it.")
    )
    #expect(!result.warnings.contains { $0.contains("opacity") })
  }

  @Test func imagesThatAreThereStay() async throws {
    try makeImages()
    _ = try folder.write("out100.png", "mine".utf8)
    var request = request("in%03d.png", to: "out%d.png")
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(
      error?.code == .fileExists && error?.message.contains("out100.png exists already") == true)
    #expect(try files("").count == 6)
    request.replacesOutput = true
    _ = try await FilmRendering(request).run()
    #expect(try files("").filter { $0.hasPrefix("out") }.count == 5)
    request.output = "\(folder)/in%03d.png"
    let same = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(same?.message.contains("is an input") == true)
  }

  /// The folder of a process that was killed is removed by the next one, and that of one that works is not.
  @Test func nothingIsLeftOfImagesThatFail() async throws {
    try makeImages()
    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/in101.png"))
    _ = try folder.write("in101.png", bytes.prefix(bytes.count / 2))
    let killed = "\(folder)/out%d.png.1234.part"
    try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: false)
    try Data([1]).write(to: URL(filePath: "\(killed)/out98.png"))
    await #expect(throws: CaptureError.self) {
      try await FilmRendering(request("in%03d.png", to: "out%d.png")).run()
    }
    #expect(try files("") == (98...102).map { "in\(String("00\($0)".suffix(3))).png" })
  }

  @Test(arguments: [
    ("o%d.exr", FilmSettings(), "cannot be written. Use .png"),
    ("o%d.png", FilmSettings(codec: .h264), "Leave out --codec."),
    ("o%d.png", FilmSettings(quality: 50), "Leave out --quality."),
    ("o%d.jpg", FilmSettings(quality: 101), "from 0 to 100"),
    ("o%d.jpg", FilmSettings(isLossless: true), "Leave out --lossless."),
    ("o.png", FilmSettings(), "a pattern such as out.%04d.png"),
    ("none/o%d.png", FilmSettings(), "cannot be created"),
  ])
  func badRequestsAreRefused(output: String, settings: FilmSettings, words: String) async throws {
    try makeImages()
    var request = request("in%03d.png", to: output)
    request.settings = settings
    let error = await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(try files("").count == 5)
  }
}
