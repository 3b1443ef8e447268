// Tests of `slitscan render` and `slitscan photo` on films that are damaged or only look it, and on paths that are
// not files.

import CommandUnderTest
import Foundation
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared))
struct DamagedFilmTests {
  private func slitscan(_ line: String, in folder: URL) async throws -> CommandResult {
    try await Command.run("\(Command.slitscan) \(line)", in: folder)
  }

  /// Makes a film of 60 frames with ffmpeg.
  private func make(_ options: String, _ name: String, in folder: URL) async throws -> URL {
    let result = try await Command.run(
      "ffmpeg -v error -f lavfi -i testsrc2=size=160x120:rate=30:duration=2 \(options) \(name)",
      in: folder)
    #expect(result.status == 0, "\(result.text)")
    return folder.appending(path: name)
  }

  private func frameCount(_ name: String, in folder: URL) async throws -> Int? {
    let result = try await Command.run(
      "ffprobe -v quiet -count_frames -select_streams v -show_entries stream=nb_read_frames "
        + "-of csv=p=0 \(name)", in: folder)
    return Int(result.text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// What the last line of JSON says.
  private func result(_ text: String) throws -> [String: Any] {
    let line = try #require(text.split(separator: "\n").last)
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    (name: "in.mp4", options: "-c:v libx264 -g 30", isCut: false, words: "could not be decoded"),
    ("in.mkv", "-c:v libx264 -g 30", false, "could not be read"),
    ("in.mp4", "-c:v libx264 -movflags +faststart", true, "the file ends after"),
    ("in.mkv", "-c:v libx264", true, "the file ends after"),
    ("in.webm", "-c:v libvpx -deadline realtime", true, "the file ends after"),
    ("in.avi", "-c:v mpeg4", true, "the file ends after"),
  ])
  func framesThatCannotBeReadAreCounted(
    film: (name: String, options: String, isCut: Bool, words: String)
  ) async throws {
    try await Command.withFolder { folder in
      let file = try await make(film.options, film.name, in: folder)
      var bytes = try Data(contentsOf: file)
      if film.isCut {
        bytes = bytes.prefix(bytes.count / 2)
      } else {
        let middle = bytes.count * 2 / 5..<bytes.count / 2
        // Whatever has a length there is longer than the file.
        bytes.replaceSubrange(middle, with: Data(repeating: 0x7F, count: middle.count))
      }
      try bytes.write(to: file)
      let render = try await slitscan("render \(film.name) -o out.mkv --json", in: folder)
      #expect(render.status == 2, "\(render.text)")
      let said = try result(render.text)
      let read = try #require(said["frames"] as? Int)
      #expect(said["complete"] as? Bool == false)
      #expect(read > 0 && read < 60)
      // Where the index at the end of an AVI file is missing, its duration is that of what is left.
      if film.name != "in.avi" {
        #expect(abs((said["lost-frames"] as? Int ?? 0) + read - 60) <= 1, "\(said)")
      }
      #expect("\(said["warnings"] ?? "")".contains(film.words), "\(said)")
      #expect(try await frameCount("out.mkv", in: folder) == read)

      let photo = try await slitscan("photo \(film.name) -o out.png", in: folder)
      #expect(photo.status == 2, "\(photo.text)")
      #expect(photo.text.contains("out.png: incomplete, \(read)x120"), "\(photo.text)")
      #expect(photo.text.contains("Warning: \(film.name): "), "\(photo.text)")
      let allowed = try await slitscan(
        "render \(film.name) -o out.mkv --force --allow-damaged", in: folder)
      #expect(allowed.status == 0, "\(allowed.text)")
      #expect(allowed.text.contains("out.mkv: incomplete, \(read) frames"), "\(allowed.text)")
    }
  }

  /// Films that have less than a careless count expects.
  @Test(arguments: [
    ("vfr.mp4", "-vf select='not(mod(n\\,3))' -fps_mode vfr -c:v libx264"),
    ("vfr.mkv", "-vf select='not(mod(n\\,3))' -fps_mode vfr -c:v libx264"),
    ("long-sound.mkv", "-f lavfi -i sine=d=5 -c:v libx264 -c:a aac"),
    ("fragments.mp4", "-c:v libx264 -movflags frag_keyframe+empty_moov"),
    ("stream.mkv", "-c:v libx264 -f matroska - | cat >"),
    ("alternate.webm", "-c:v libvpx -auto-alt-ref 1 -lag-in-frames 16 -b:v 200k"),
    ("interlaced.ts", "-c:v libx264 -x264-params interlaced=1"),
    ("packed.avi", "-c:v mpeg4 -bf 2"),
    ("odd.gif", "-r 10"),
    ("one.png", "-frames:v 1"),
  ])
  func wholeFilmsAreReportedAsComplete(name: String, options: String) async throws {
    try await Command.withFolder { folder in
      _ = try await make(options, name, in: folder)
      let render = try await slitscan("render \(name) -o out.mkv --json", in: folder)
      #expect(render.status == 0, "\(render.text)")
      let said = try result(render.text)
      #expect(said["complete"] as? Bool == true && said["lost-frames"] == nil, "\(said)")
      // A transport stream has no table: its first or last frame may be one to one program only.
      guard !name.hasSuffix(".ts") else { return }
      #expect(try await frameCount(name, in: folder) == said["frames"] as? Int)
    }
  }

  @Test func formatChangesAreReported() async throws {
    try await Command.withFolder { folder in
      for (name, format) in [("odd.mkv", "yuv420p"), ("fine.mkv", "yuv444p")] {
        let made = try await Command.run(
          "ffmpeg -v error -f lavfi -i color=red:size=64x48:rate=25:duration=0.4 "
            + "-vf scale=\(name == "odd.mkv" ? "63:47" : "64:48"),format=\(format) -c:v ffv1 \(name)",
          in: folder)
        #expect(made.status == 0, "\(made.text)")
      }
      let odd = try await slitscan("render odd.mkv -o odd.mp4", in: folder)
      #expect(odd.status == 0, "\(odd.text)")
      #expect(odd.text.contains("Frames of 63x47 pixels are written as 62x46"), "\(odd.text)")
      let kept = try await slitscan("render odd.mkv -o odd.webm", in: folder)
      #expect(kept.status == 0 && !kept.text.contains("Warning"), "\(kept.text)")
      let size = try await Command.run(
        "ffprobe -v error -show_entries stream=width,height -of csv=p=0 odd.webm", in: folder)
      #expect(size.text.hasPrefix("63,47"), "\(size.text)")
      let fine = try await slitscan("render fine.mkv -o fine.mp4", in: folder)
      #expect(fine.text.contains("Frames in Y444 are written in I420"), "\(fine.text)")
      let lossless = try await slitscan("render fine.mkv -o lossless.mkv --lossless", in: folder)
      #expect(lossless.status == 0 && !lossless.text.contains("Warning"), "\(lossless.text)")
    }
  }

  @Test(arguments: ["render", "photo"])
  func anAnimationThatHasNoEndIsEnded(command: String) async throws {
    try await Command.withFolder { folder in
      _ = try await make("-r 10", "in.gif", in: folder)
      let output = command == "render" ? "out.mkv" : "out.png"
      let made = try await slitscan("\(command) in.gif -o \(output)", in: folder)
      #expect(made.status == 0, "\(made.text)")
      let count = try #require(try await frameCount("in.gif", in: folder))
      #expect(made.text.contains(" \(count) frames, "), "\(made.text)")
    }
  }

  /// Frames divided by the time that is shown are the rate that is shown.
  @Test func theFiguresOfAResultAgree() async throws {
    try await Command.withFolder { folder in
      for count in [1, 60] {
        _ = try await make("-c:v libx264 -frames:v \(count)", "\(count).mp4", in: folder)
        let result = try await slitscan("render \(count).mp4 -o out.mkv --force", in: folder)
        let line = try #require(result.text.split(separator: "\n").last)
        let words = line.split { " (,".contains($0) }
        #expect(words.contains(count == 1 ? "frame" : "frames"), "\(line)")
        let place = try #require(words.firstIndex(of: "in"))
        let time = try #require(Double(words[place + 1]))
        let rate = Double(count) / time
        let shown = String(format: rate < 10 ? "%.1f" : "%.0f", rate)
        #expect(words[place + 3] == shown, "\(line)")
      }
    }
  }
}
