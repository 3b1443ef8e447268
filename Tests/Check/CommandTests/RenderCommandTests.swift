// Tests of `slitscan render`, `slitscan join` and lists, and of what every command refuses.

import AwaitedProgram
import CommandUnderTest
import Foundation
import LibC
import TemporaryFolder
import TestFilm
import Testing

struct RenderCommandTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Each frame is brighter than the one before, and history darker than the present.
  @Test func propertiesFollowTheSoundOfTheFilm() async throws {
    try await TestFilm.brightening(folder.appending(path: "in.mkv").path, frames: 75, bass: 1..<2)
    try Data("0 drive mix band 20 150 0 1\n".utf8).write(to: folder.appending(path: "show.txt"))
    let options = "--set depth=30 --replay show.txt --lossless"
    let made = try await slitscan("render in.mkv -o whole.mkv \(options)", in: folder)
    let result = /whole\.mkv: 75 frames, with sound, in [0-9.:]+( s)? \([0-9.]+ a second\)/
    #expect(made.contains(result) && !made.contains("Warning"), "\(made)")
    let whole = try await decoded("whole.mkv", in: folder)
    let behind = whole.behind()
    #expect(behind.count == 75)
    // In silence the frame as it is, with the bass the effect, and then less and less of it.
    #expect(behind.prefix(26).allSatisfy { abs($0) < 1 }, "\(behind)")
    #expect(behind[27...50].allSatisfy { $0 > 20 }, "\(behind)")
    #expect(zip(behind[51...], behind[52...]).allSatisfy { $0 >= $1 }, "\(behind)")
    #expect(behind[60] < 10 && behind[74] < 1, "\(behind)")
    for part in 1...3 {
      try await slitscan("render in.mkv -o \(part).mkv \(options) --segment \(part)/3", in: folder)
    }
    try await slitscan("join 1.mkv 2.mkv 3.mkv -o joined.mkv", in: folder)
    #expect(try await decoded("joined.mkv", in: folder).difference(from: whole) == nil)
    // Also where it is not to be heard.
    try await slitscan("render in.mkv -o mute.mkv \(options) --no-sound", in: folder)
    let isSame = try await decoded("mute.mkv", in: folder).frames == whole.frames
    #expect(isSame)
    let said = try await slitscan("render mute.mkv -o out.mkv \(options)", in: folder)
    let move = "0.000 drive mix band 20.0 150.0 0.0 1.0"
    #expect(said.contains("Warning: \(move): There is no sound for mix to follow."), "\(said)")
  }

  @Test func movesThatCannotBeRenderedAreReported() async throws {
    try Data("0.5 snapshot a.png\n1 set depth -3\n".utf8).write(
      to: folder.appending(path: "show.txt"))
    let result = try await slitscan("render CLIP -o out.mkv --replay show.txt --json", in: folder)
    #expect(result.contains("0.500 snapshot a.png: Stills"), "\(result)")
    let missing = try await slitscan("render CLIP -o no.mkv --replay no", status: 64, in: folder)
    #expect(missing.contains("no cannot be read"), "\(missing)")
  }

  @Test(arguments: [
    "--preset Vortex", "--set depth=20 --set map=radial --set interpolation=linear",
    "--set mode=sweep --set sweep-loop=loop --set sweep-duration=500000000 --set angle=90",
    "--set mode=strip --set angle=90 --set slit-width=8",
    "--set depth=10 --set feedback=0.5",
  ])
  func segmentsThatAreJoinedAreTheWholeFilm(options: String) async throws {
    try await slitscan("render CLIP -o whole.mkv --lossless \(options)", in: folder)
    for part in 1...3 {
      let result = try await slitscan(
        "render CLIP -o \(part).mkv --lossless \(options) --segment \(part)/3", in: folder)
      #expect(result.contains("\(part).mkv: 16 frames"), "\(result)")
    }
    try await slitscan("join 3.mkv 1.mkv 2.mkv -o joined.mkv", in: folder)
    let film = try await decoded("whole.mkv", in: folder)
    #expect(film.frames.count == 48 && !film.sound.isEmpty)
    #expect(try await decoded("joined.mkv", in: folder).difference(from: film) == nil)
  }

  @Test func theSoundOfTheFilmIsKept() async throws {
    for (options, hasSound) in [("", true), ("--no-sound", false)] {
      let result = try await slitscan(
        "render CLIP -o out.mp4 --force --preset Ripples --json \(options)", in: folder)
      let said = try fields(result)
      #expect(said["event"] as? String == "result")
      #expect(said["frames"] as? Int == 48)
      #expect(said["sound"] as? Bool == hasSound)
      #expect(result.contains(#""event":"progress""#))
      let bytes = try Data(contentsOf: folder.appending(path: "out.mp4"))
      #expect(bytes.range(of: Data("avc1".utf8)) != nil)
      #expect((bytes.range(of: Data("mp4a".utf8)) != nil) == hasSound)
      let film = try await decoded("out.mp4", in: folder)
      #expect(film.times.count == 48 && abs((film.times.last?.seconds ?? 0) - 1.88) < 0.01)
      // Two channels of four bytes a sample.
      let heard = Double(film.sound.count) / 8 / 44_100
      #expect(hasSound ? abs(heard - 1.92) < 0.1 : heard == 0)
    }
  }

  @Test func filmsComeFromAddressesAndGoToStandardOutput() async throws {
    let film = URL(filePath: try await sharedFilm.value)
    let place = folder.appending(path: "a film.mkv")
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: film)
    let photo = try await slitscan("photo \(place.absoluteString) -o file.png", in: folder)
    #expect(photo.contains("file.png: 48x64"), "\(photo)")
    let line = [Command.slitscan, "render", "a film.mkv", "-o", "-", "--container", "mkv"]
    let piped = try await AwaitedProgram(line, in: folder.path).end()
    #expect(piped.status == 0)
    try piped.output.write(to: folder.appending(path: "piped.mkv"))
    #expect(try await decoded("piped.mkv", in: folder).frames.count == 48)
  }

  // MARK: What is there

  @Test(arguments: ["mkfifo out", "mkfifo pipe; ln -s pipe out"], ["", "--force"])
  func aPipeGetsTheFilmAndStays(script: String, force: String) async throws {
    let film = try await sharedFilm.value
    try await Command.run(
      """
      \(script); cat out >got.mkv &
      \(Command.slitscan) render '\(film)' -o out --container mkv \(force) || exit 3
      wait
      [ -p out ] || exit 4
      """, in: folder)
    #expect(try await decoded("got.mkv", in: folder).frames.count == 48)
  }

  @Test(.enabled(if: getuid() == 0, "only root makes devices"))
  func aDeviceStaysADevice() async throws {
    let film = try await sharedFilm.value
    let result = try await Command.run(
      """
      mknod null c 1 3 && mknod full c 1 7 || exit 2
      \(Command.slitscan) render '\(film)' -o null --container mkv --force || exit 3
      \(Command.slitscan) render '\(film)' -o full --container webm --force && exit 4
      [ -c null ] && [ -c full ]
      """, in: folder)
    #expect(result.text.contains("The disk is full"), "\(result.text)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == ["full", "null"])
  }

  @Test func aLinkStaysALinkAndStandardOutputIsContinued() async throws {
    let film = try await sharedFilm.value
    try await Command.run(
      """
      mkdir other; echo before >other/film.mkv; ln -s other/film.mkv out.mkv
      \(Command.slitscan) render '\(film)' -o out.mkv --force || exit 3
      [ -L out.mkv ] || exit 4
      printf before >all.mkv
      \(Command.slitscan) render '\(film)' -o - --container mkv >>all.mkv || exit 5
      [ "$(head -c 6 all.mkv)" = before ] && tail -c +7 all.mkv >rest.mkv
      """, in: folder)
    for name in ["other/film.mkv", "rest.mkv"] {
      #expect(try await decoded(name, in: folder).frames.count == 48)
    }
  }

  @Test(arguments: [
    ("render CLIP -o pipe.mp4 --force", 64, "MP4 cannot be written into a pipe or device"),
    ("photo CLIP -o pipe.png --force", 64, "takes no PNG file"),
    ("render pipe.mp4 -o out.mkv", 1, "pipe.mp4 is a pipe or a device"),
    ("render CLIP pipe.mp4 -o out.mkv --replay show.txt", 1, "pipe.mp4 is a pipe or a device"),
    ("photo pipe.mp4 -o out.png", 1, "pipe.mp4 is a pipe or a device"),
    ("join pipe.mp4 -o out.mkv", 1, "pipe.mp4 is a pipe or a device"),
  ])
  func aPipeThatCannotBeUsedIsRefused(line: String, status: Int32, words: String) async throws {
    try Data("0 drive mix band 20 150 0 1\n".utf8).write(to: folder.appending(path: "show.txt"))
    let names = ["pipe.mp4", "pipe.png"]
    for name in names { try #require(mkfifo(folder.appending(path: name).path, 0o600) == 0) }
    let result = try await slitscan(line, status: status, in: folder)
    #expect(result.contains(words), "\(result)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == names + ["show.txt"])
  }

  @Test(arguments: [
    "render CLIP -o $'out\\xff.mkv'", "render $'in\\xff.mkv' -o out.mkv",
    "live pattern:ball --moves $'show\\xff.txt'", "photo CLIP --output=$'out\\xff.png'",
  ])
  func aNameThatIsNotUTF8IsRefused(line: String) async throws {
    let words = line.replacing("CLIP", with: try await sharedFilm.value)
    let result = try await Command.run("\(Command.slitscan) \(words)", status: 64, in: folder)
    #expect(result.text.contains("\u{FFFD}"), "\(result.text)")
    #expect(result.text.contains("is not UTF-8"), "\(result.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: [
    ("render", 64, "Missing expected argument"),
    ("render CLIP", 64, "--output"),
    ("render CLIP -o out.avi", 64, "Use .mp4, .mov, .mkv or .webm"),
    ("render CLIP -o there.mkv", 64, "exists already"),
    ("render CLIP -o out.mkv --preset Nix", 64, "There is no preset Nix. There are: Clockwork"),
    ("render CLIP -o out.mkv --set depht=3", 64, "There is no property depht"),
    ("render CLIP -o out.mkv --set depth", 64, "property=value"),
    (
      "render CLIP -o out.mkv --set depth=0", 64,
      "The property depth must be a whole number from 1 to 1000000, not 0"
    ),
    ("render CLIP -o out.mkv --segment 5/4", 64, "'5/4'"),
    ("render CLIP -o out.mp4 --segment 1/4", 64, "Use .mkv"),
    ("render CLIP -o out.mkv --bit-rate fast", 64, "'fast'"),
    ("render CLIP -o out.webm --codec h264", 64, "Use VP8 or VP9 or AV1"),
    ("render nothing.mp4 -o out.mkv", 1, "nothing.mp4: The file does not exist"),
    ("render there.mkv -o out.mkv", 1, "there.mkv: This is a text file"),
    ("photo . -o out.png", 1, "There are no images in this folder"),
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
    (
      "render CLIP -o out.mkv --set mode=strip --set max-memory=1", 1,
      "Error: There is memory for only 1 of the 64 lines of the canvas"
    ),
    ("photo CLIP -o out.png --set max-memory=1", 1, "lines of the canvas"),
    ("render CLIP -o out.mkv --history-location none", 1, "none: the folder does not exist"),
    ("live CLIP --output sink:fakesink --history-location no", 1, "no: the folder does not exist"),
    (
      "render CLIP -o out.mkv --history-location . --set history-location=.", 1,
      "--history-location and --set history-location say the same"
    ),
    (
      "render CLIP -o out.mkv --set depth=60 --set max-memory=20000 --set max-disk=200000 "
        + "--history-location .", 1, "There is room in history-location for only"
    ),
    ("live CLIP --output sink:fakesink --set depth=abc", 64, "depth must be a whole number"),
    ("render CLIP -o /proc/out.mkv", 1, "cannot be created"),
    ("render CLIP -o out.mkv --set map=image --set map-location=/nothing.png", 1, "/nothing.png"),
    ("render CLIP -o out.mkv --set map=image", 1, "map=image has no image file"),
    ("photo CLIP -o out.png --set map=image", 1, "map=image has no image file"),
    ("photo CLIP -o out.png --set map-location=/nothing.png", 1, "There is no file /nothing.png"),
    ("photo CLIP -o out.png --set map=image --set map-location=.", 1, "is a folder"),
    ("photo CLIP -o out.png --set map=image --set map-location=/dev/zero", 1, "is a device"),
    ("photo CLIP -o out.png --set map=image --set map-location=there.mkv", 1, "is not a PNG"),
    ("photo CLIP -o out.png --set map=live", 64, "needs a second video"),
    ("join there.mkv -o out.mkv", 1, "there.mkv"),
    ("join CLIP -o out.mkv", 1, "is not a part made by"),
    ("photo CLIP -o out.jpg", 64, "Use the extension .png"),
    ("photo nothing.mp4 -o out.png", 1, "nothing.mp4: The file does not exist"),
    (
      "photo CLIP -o out.png --slit-width 0", 64,
      "slit-width must be a whole number from 1 to 65536, not 0"
    ),
    ("photo CLIP -o out.png --direction north", 64, "'north'"),
    ("presets Nix", 64, "There is no preset Nix"),
    ("bench --size 64", 64, "'64' is invalid for '--size"),
    ("bench --size 0x48", 64, "'0x48' is invalid"), ("bench --map nonsense", 64, "linear, radial"),
    ("bench --set depth=nonsense", 64, "whole number"), ("bench --preset nonsense", 64, "Vortex"),
    ("bench --map live", 64, "needs a second video"),
    ("bench --map image", 64, "--set map-location=FILE"),
    ("bench --map image --set map-location=/nothing.png", 1, "There is no file /nothing.png"),
    ("bench --format nonsense", 64, "`gst-inspect-1.0 slitscan` lists the formats"),
    ("bench --format v210", 64, "`gst-inspect-1.0 slitscan` lists the formats"),
  ])
  func invalidLinesAreRefusedWithASentence(
    line: String, status: Int32, words: String
  ) async throws {
    try "no film".write(
      to: folder.appending(path: "there.mkv"), atomically: true, encoding: .utf8)
    let result = try await slitscan(line, status: status, in: folder)
    #expect(result.contains(words), "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["there.mkv"])
  }

  @Test func theAddressesOfOSCAreListed() async throws {
    #expect(try await slitscan("osc").contains("/slitscan/gain"))
    let surface = try await slitscan("osc --open-stage-control")
    _ = try JSONSerialization.jsonObject(with: Data(surface.utf8))
  }

  @Test func presetsSayWhatTheySet() async throws {
    let all = try await slitscan("presets")
    let file = Command.root.appending(path: "gst/presets/GstSlitScan.prs")
    let names = try String(contentsOf: file, encoding: .utf8).matches(of: /\n\[([^_\n]+)\]/)
    let lines = all.split(separator: "\n")
    #expect(lines.count == names.count)
    for name in names { #expect(lines.contains { $0.hasPrefix(name.1) }, "\(name.1)") }
    #expect(all.contains("Spiral arms that pull older frames outwards"))
    let one = try await slitscan("presets Vortex")
    #expect(one.contains("map=spiral"))
    #expect(!one.contains("motion-decay"))
    let json = try await Command.run([Command.slitscan, "presets", "Rolling Rows", "--json"])
    #expect(
      json.text
        == """
        {"name":"Rolling Rows","properties":{"depth":40,"interpolation":"linear"},\
        "summary":"Every row is a little older than the one above"}

        """)
  }
}
