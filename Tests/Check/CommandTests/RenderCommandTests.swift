// Tests of `slitscan render` and `slitscan join` on the bundled clip.

import CommandUnderTest
import Foundation
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared))
struct RenderCommandTests {
  private static let presets = [
    "GST_PRESET_PATH": Command.root.appending(path: "gst/presets").path
  ]

  private func slitscan(_ line: String, in folder: URL) async throws -> CommandResult {
    try await Command.run(
      "\(Command.slitscan) \(line)", in: folder, environment: Self.presets)
  }

  private func files(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// A sum for each frame, or for all sound, as ffmpeg decodes them.
  private func decoded(_ stream: String, _ file: String, in folder: URL) async throws -> String {
    let format = stream == "v" ? "-fps_mode passthrough -f framehash" : "-f hash"
    let result = try await Command.run(
      "ffmpeg -v error -i \(file) -map 0:\(stream) \(format) -", in: folder)
    #expect(result.status == 0, "\(result.text)")
    // Sums alone: times are looked at by themselves.
    return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { String($0.split(separator: ",").last ?? "") }.joined(separator: "\n")
  }

  private func times(_ file: String, in folder: URL) async throws -> String {
    try await Command.run(
      "ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv \(file)", in: folder
    ).text
  }

  /// The mean luma of each frame of a film of 64x64 pixels.
  private func brightness(_ file: String, in folder: URL) async throws -> [Double] {
    let result = try await Command.run(
      "ffmpeg -v error -y -i \(file) -pix_fmt yuv420p -f rawvideo raw", in: folder)
    #expect(result.status == 0, "\(result.text)")
    let bytes = try Data(contentsOf: folder.appending(path: "raw"))
    return stride(from: 0, to: bytes.count, by: 64 * 96).map { start in
      let sum = bytes[start..<start + 64 * 64].reduce(0) { $0 + Int($1) }
      return Double(sum) / (64 * 64)
    }
  }

  /// Each frame is brighter than the one before, and history darker than the present.
  @Test func propertiesFollowTheSoundOfTheFilm() async throws {
    try await Command.withFolder { folder in
      let made = try await Command.run(
        """
        ffmpeg -v error -f lavfi -i "color=s=64x64:r=25:d=3,geq=lum='16+2*N':cb=128:cr=128" \
        -f lavfi -i "aevalsrc='if(between(t,1,2),0.5*sin(2*PI*80*t),0)':s=44100:d=3" \
        -pix_fmt yuv420p -c:v libx264 -qp 0 -c:a flac in.mkv
        """, in: folder)
      #expect(made.status == 0, "\(made.text)")
      try Data("0 drive mix band 20 150 0 1\n".utf8).write(to: folder.appending(path: "show.txt"))
      func render(_ input: String, _ output: String, _ options: String = "") async throws -> String
      {
        let result = try await slitscan(
          "render \(input) -o \(output) --set depth=30 --replay show.txt --lossless \(options)",
          in: folder)
        #expect(result.status == 0, "\(result.text)")
        return result.text
      }
      #expect(try await !render("in.mkv", "whole.mkv").contains("Warning"))
      let frames = try await brightness("whole.mkv", in: folder)
      #expect(frames.count == 75)
      let behind = frames.enumerated().map { 16 + 2 * Double($0.offset) - $0.element }
      // In silence the frame as it is, with the bass the effect, and then less and less of it.
      #expect(behind.prefix(26).allSatisfy { abs($0) < 1 }, "\(behind)")
      #expect(behind[27...50].allSatisfy { $0 > 20 }, "\(behind)")
      #expect(zip(behind[51...], behind[52...]).allSatisfy { $0 >= $1 }, "\(behind)")
      #expect(behind[60] < 10 && behind[74] < 1, "\(behind)")

      let whole = try await decoded("v", "whole.mkv", in: folder)
      for part in 1...3 { _ = try await render("in.mkv", "\(part).mkv", "--segment \(part)/3") }
      let joined = try await slitscan("join 1.mkv 2.mkv 3.mkv -o joined.mkv", in: folder)
      #expect(joined.status == 0, "\(joined.text)")
      #expect(try await decoded("v", "joined.mkv", in: folder) == whole)
      // Also where it is not to be heard.
      _ = try await render("in.mkv", "mute.mkv", "--no-sound")
      #expect(try await decoded("v", "mute.mkv", in: folder) == whole)
      let said = try await render("mute.mkv", "out.mkv")
      #expect(
        said.contains(
          "Warning: 0.000 drive mix band 20.0 150.0 0.0 1.0: There is no sound for mix to follow."),
        "\(said)")
    }
  }

  @Test func movesThatCannotBeRenderedAreReported() async throws {
    try await Command.withFolder { folder in
      try Data("1 snapshot a.png\n2 set depth -3\n".utf8).write(
        to: folder.appending(path: "show.txt"))
      let result = try await slitscan(
        "render \(Command.smallClip) -o out.mkv --replay show.txt --json", in: folder)
      #expect(result.status == 0, "\(result.text)")
      #expect(result.text.contains("1.000 snapshot a.png: Stills"), "\(result.text)")
      let missing = try await slitscan(
        "render \(Command.smallClip) -o no.mkv --replay none", in: folder)
      #expect(missing.status == 64 && missing.text.contains("none"), "\(missing.text)")
    }
  }

  @Test(arguments: [
    "--preset Vortex", "--set depth=20 --set map=radial --set interpolation=linear",
    "--set mode=sweep --set sweep-loop=loop --set sweep-duration=2000000000 --set angle=90",
    "--set mode=strip --set angle=90 --set slit-width=8",
    "--set depth=10 --set feedback=0.5",
  ])
  func segmentsThatAreJoinedAreTheWholeFilm(options: String) async throws {
    try await Command.withFolder { folder in
      let whole = try await slitscan(
        "render \(Command.smallClip) -o whole.mkv --lossless \(options)", in: folder)
      #expect(whole.status == 0, "\(whole.text)")
      for part in 1...3 {
        let result = try await slitscan(
          "render \(Command.smallClip) -o \(part).mkv --lossless \(options) --segment \(part)/3",
          in: folder)
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text.contains("\(part).mkv: 44 frames"), "\(result.text)")
      }
      let joined = try await slitscan("join 3.mkv 1.mkv 2.mkv -o joined.mkv", in: folder)
      #expect(joined.status == 0, "\(joined.text)")
      let frames = try await decoded("v", "joined.mkv", in: folder)
      #expect(frames.split(separator: "\n").count == 132)
      #expect(try await frames == decoded("v", "whole.mkv", in: folder))
      #expect(
        try await decoded("a", "joined.mkv", in: folder) == decoded("a", "whole.mkv", in: folder))
      #expect(try await times("joined.mkv", in: folder) == times("whole.mkv", in: folder))
    }
  }

  @Test func theSoundOfTheFilmIsKept() async throws {
    try await Command.withFolder { folder in
      for (options, hasSound) in [("", true), ("--no-sound", false)] {
        let result = try await slitscan(
          "render \(Command.smallClip) -o out.mp4 --force --preset Ripples --json \(options)",
          in: folder)
        #expect(result.status == 0, "\(result.text)")
        let line = try #require(result.text.split(separator: "\n").last)
        let said = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(said["event"] as? String == "result")
        #expect(said["frames"] as? Int == 132)
        #expect(said["sound"] as? Bool == hasSound)
        #expect(result.text.contains(#""event":"progress""#))
        let probe = try await Command.run(
          "ffprobe -v error -show_entries stream=codec_name,duration -of csv=p=0 out.mp4",
          in: folder)
        let streams = probe.text.split(separator: "\n").map { $0.split(separator: ",") }
        #expect(streams.map { String($0[0]) } == (hasSound ? ["h264", "aac"] : ["h264"]))
        for stream in streams { #expect(abs((Double(stream[1]) ?? 0) - 5.28) < 0.1) }
      }
    }
  }

  @Test(arguments: [
    ("render", 64, "Missing expected argument"),
    ("render CLIP", 64, "--output"),
    ("render CLIP -o out.avi", 64, "Use .mp4, .mkv or .webm"),
    ("render CLIP -o there.mkv", 64, "exists already"),
    ("render CLIP -o out.mkv --preset Nix", 64, "There is no preset Nix. There are: Clockwork"),
    ("render CLIP -o out.mkv --set depht=3", 64, "There is no property depht"),
    ("render CLIP -o out.mkv --set depth", 64, "property=value"),
    (
      "render CLIP -o out.mkv --set depth=0", 64,
      "The property depth must be a whole number from 1 to 100000, not 0"
    ),
    ("render CLIP -o out.mkv --segment 5/4", 64, "'5/4'"),
    ("render CLIP -o out.mp4 --segment 1/4", 64, "Use .mkv"),
    ("render CLIP -o out.mkv --bit-rate fast", 64, "'fast'"),
    ("render CLIP -o out.webm --codec h264", 64, "Use VP9 or VP8"),
    ("render nothing.mp4 -o out.mkv", 1, "nothing.mp4: The file does not exist"),
    ("render there.mkv -o out.mkv", 1, "there.mkv: This is a text file"),
    ("photo . -o out.png", 1, "This is a folder"),
    ("render /dev/null -o out.mkv", 1, "/dev/null"),
    ("render no:///where.mkv -o out.mkv", 1, "No element that reads such addresses is installed"),
    ("render CLIP -o -", 64, "--container mkv"),
    ("render CLIP -o - --container mp4", 64, "cannot be written to standard output"),
    (
      "render CLIP -o - --container mkv --json", 64, "--json and -o - both write to standard output"
    ),
    (
      "render CLIP -o out.mkv --set mode=strip --set canvas-length=2000000000", 64,
      "too large to encode. Set a smaller canvas-length"
    ),
    ("render CLIP -o /proc/out.mkv", 1, "cannot be created"),
    ("render CLIP -o out.mkv --set map=image --set map-location=/nothing.png", 1, "/nothing.png"),
    ("join there.mkv -o out.mkv", 1, "there.mkv"),
    ("join CLIP -o out.mkv", 1, "is not a part made by"),
    ("photo CLIP -o out.jpg", 64, "Use the extension .png"),
    ("photo nothing.mp4 -o out.png", 1, "nothing.mp4: The file does not exist"),
    (
      "photo CLIP -o out.png --slit-width 0", 64,
      "slit-width must be a whole number from 1 to 65536, not 0"
    ),
    ("photo CLIP -o out.png --direction up", 64, "'up'"),
    ("presets Nix", 64, "There is no preset Nix"),
  ])
  func nonsenseIsRefusedWithASentence(line: String, status: Int32, words: String) async throws {
    try await Command.withFolder { folder in
      try "no film".write(
        to: folder.appending(path: "there.mkv"), atomically: true, encoding: .utf8)
      let result = try await slitscan(
        line.replacingOccurrences(of: "CLIP", with: Command.smallClip), in: folder)
      #expect(result.status == status, "\(result.text)")
      #expect(result.text.contains(words), "\(result.text)")
      #expect(try files(folder) == ["there.mkv"])
    }
  }

  @Test func presetsSayWhatTheySet() async throws {
    let folder = FileManager.default.temporaryDirectory
    let all = try await slitscan("presets", in: folder)
    #expect(all.status == 0, "\(all.text)")
    #expect(all.text.split(separator: "\n").count == 20)
    #expect(all.text.contains("Spiral arms that pull older frames outwards"))
    let one = try await slitscan("presets Vortex", in: folder)
    #expect(one.text.contains("map=spiral"))
    #expect(!one.text.contains("motion-decay"))
    let json = try await slitscan("presets 'Rolling Rows' --json", in: folder)
    #expect(
      json.text
        == """
        {"name":"Rolling Rows","properties":{"depth":40,"interpolation":"linear"},\
        "summary":"Every row is a little older than the one above"}

        """)
  }
}
