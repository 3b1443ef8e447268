// Tests of --dry-run: it says what comes out then, and writes nothing.

import CommandUnderTest
import Foundation
import TemporaryFolder
import TestFilm
import Testing

struct DryRunTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test(arguments: [
    "out.mp4 --set depth=9", "out.mkv --lossless --segment 2/3 --set depth=30",
    "out.webm --from 0.4 --to 40f --set now=0.5",
    "out.mkv --codec ffv1 --no-sound --set mode=strip",
  ])
  func aForecastIsWhatComesOut(line: String) async throws {
    let said = try fields(try await slitscan("render CLIP -o \(line) --dry-run --json", in: folder))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(said["event"] as? String == "forecast")
    let made = try fields(try await slitscan("render CLIP -o \(line) --json", in: folder))
    #expect(said["frames"] as? Int == made["frames"] as? Int)
    #expect(said["pre-roll"] as? Int == made["pre-roll"] as? Int)
    let name = String(line.prefix { $0 != " " })
    let streams = try await Command.run(
      "ffprobe -v error -show_entries stream=codec_name,width,height,channels -of csv=p=0 \(name)",
      in: folder
    ).text.split(separator: "\n")
    let names = [
      "h264": "h264", "vp9": "vp9", "ffv1": "ffv1", "aac": "aac", "opus": "opus",
      "pcm": "pcm_f32le",
    ]
    let video = try #require((said["codec"] as? String).flatMap { names[$0] })
    let (width, height) = (
      try #require(said["width"] as? Int), try #require(said["height"] as? Int)
    )
    let sound = try #require(said["sound"] as? [[String: Any]]).map { track in
      "\(names[track["codec"] as? String ?? ""] ?? ""),\(track["channels"] ?? "")"
    }
    #expect(streams.map(String.init) == ["\(video),\(width),\(height)"] + sound)
    #expect((said["seconds"] as? Double ?? 0) > 0)
  }

  @Test(arguments: [
    "", "--scale --title Final --slit-width 3", "--direction up --scale --from 10f",
  ])
  func aForecastOfAPhotographIsItsSize(options: String) async throws {
    let said = try fields(
      try await slitscan("photo CLIP -o out.png --dry-run --json \(options)", in: folder))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let made = try fields(try await slitscan("photo CLIP -o out.png --json \(options)", in: folder))
    for field in ["width", "height", "frames"] {
      #expect(said[field] as? Int == made[field] as? Int, "\(field)")
    }
  }

  @Test func historyThatDoesNotFitIsNamed() async throws {
    let said = try await slitscan(
      "render CLIP -o out.mp4 --dry-run --set depth=200 --set max-memory=100000", in: folder)
    #expect(said.contains("History: 200 frames") && said.contains("not enough memory"), "\(said)")
    let located = try await slitscan(
      "render CLIP -o out.mp4 --dry-run --set depth=200 --set max-memory=100000 --history-location .",
      in: folder)
    #expect(located.contains("for which there is room in ."), "\(located)")
    let refused = try await slitscan(
      "render CLIP -o none/out.mp4 --dry-run", status: 1, in: folder)
    #expect(refused.contains("Check that the folder exists"))
  }
}
