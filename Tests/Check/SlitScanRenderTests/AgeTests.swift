// Tests of the second file of a rendering: how old each pixel is.

import AwaitedProgram
import Foundation
import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct AgeTests {
  private let folder = TemporaryFolder()

  /// A rendering of ten frames, 40 ms apart, with ages in frames.
  private func request(_ age: String, _ scan: Scan = ["depth": 5]) async throws -> RenderRequest {
    let film = "\(folder)/film.mkv"
    try await TestFilm.brightening(film, frames: 10, bass: 0..<1)
    var scan = scan
    scan.properties["age-unit"] = 40_000_000
    var request = RenderRequest(
      [film], to: "\(folder)/out.mkv", scan: scan, settings: FilmSettings(isLossless: true),
      replacesOutput: true)
    request.ageOutput = "\(folder)/\(age)"
    return request
  }

  /// For each frame, the ages of the first pixels of all rows.
  private func ages(_ name: String) throws -> [[UInt16]] {
    let bytes = try AwaitedProgram.shell(
      "ffmpeg -v error -i \(folder)/\(name) -f rawvideo -pix_fmt gray16le -")
    return stride(from: 0, to: bytes.count, by: 64 * 64 * 2).map { frame in
      (0..<64).map { row in
        let at = frame + row * 64 * 2
        return UInt16(bytes[at + 1]) << 8 | UInt16(bytes[at])
      }
    }
  }

  /// The ages of a map that grows downwards, over 5 frames, in a frame of the film.
  private static func expected(_ frame: Int) -> [UInt16] {
    (0..<64).map { row in UInt16(min(frame, Int((Double(row) + 0.5) / 64 * 4 + 0.5))) }
  }

  @Test(arguments: ["age.mkv", "age%03d.png", "age%03d.tif"])
  func isWrittenBesideTheFilm(name: String) async throws {
    let request = try await request(name)
    let result = try await FilmRendering(request).run()
    #expect(result.frames == 10 && result.hasSound)
    #expect(try ages(name) == (0..<10).map(Self.expected))
    // The film is the one without them.
    let film = try await Decoded(request.output)
    var plain = request
    plain.ageOutput = nil
    _ = try await FilmRendering(plain).run()
    #expect(try await film.difference(from: Decoded(request.output)) == nil)
  }

  @Test func hasTheFramesOfARange() async throws {
    var request = try await request("age.mkv")
    request.range.from = .frame(3)
    request.range.to = .frame(8)
    _ = try await FilmRendering(request).run()
    #expect(try ages("age.mkv") == (3..<8).map(Self.expected))
    #expect(try await Decoded("\(folder)/age.mkv").times == Decoded(request.output).times)
  }

  @Test func hasTheSizeOfACanvasAndFramesThatAreDrained() async throws {
    var request = try await request("age.mkv", ["depth": 5, "drain": true])
    _ = try await FilmRendering(request).run()
    let count = try await Decoded(request.output).frames.count
    #expect(count > 10)
    #expect(try ages("age.mkv").count == count)
    request = try await self.request("age%d.png", ["mode": "strip", "canvas-length": 20])
    _ = try await FilmRendering(request).run()
    let size = try AwaitedProgram.shell("identify -format '%wx%h %z' \(folder)/age1.png")
    #expect(String(decoding: size, as: UTF8.self) == "64x20 16")
  }

  @Test(arguments: ["out.mkv", "age.mp4", "age.png", "age%d.jpg", "missing/age.mkv"])
  func leavesNothingWhereItCannotBeWritten(name: String) async throws {
    let request = try await request(name)
    await #expect(throws: CaptureError.self) { try await FilmRendering(request).run() }
    let files = try folder.files
    #expect(files.filter { !$0.hasPrefix("film.mkv") }.isEmpty)
  }

  @Test func isNotWrittenInParts() async throws {
    var request = try await request("age.mkv")
    request.part = FilmPart(1, of: 2)
    await #expect {
      try await FilmRendering(request).run()
    } throws: { ($0 as? CaptureError)?.message.contains("--segment") == true }
  }
}
