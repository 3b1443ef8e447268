// Tests that the commands of the pages work. Live: shows play in real time, with the simulated camera.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct PageCommandTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test(arguments: ["README.md", "gst/README.md"])
  func everyLaunchLineOfAPagePlays(page: String) async throws {
    let lines = try Page(file: Command.root.appending(path: page)).commands
      .filter { $0.hasPrefix("gst-launch-1.0 ") }
    #expect(!lines.isEmpty)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "examples"),
      withDestinationURL: Command.root.appending(path: "examples"))
    for line in lines {
      // Neither a camera nor a window, and an end.
      let finite =
        line
        .replacing("is-live=true", with: "num-buffers=20")
        .replacing("v4l2src", with: "videotestsrc num-buffers=20")
        .replacing("autovideosink", with: "fakesink")
      let result = try await Command.run(finite, in: folder, environment: Command.softwareGL)
      #expect(!result.text.contains("WARNING"), "\(line): \(result.text)")
    }
  }

  @Test(arguments: [
    "README.md", "Sources/Command/Live.md", "Sources/Command/Render.md",
  ])
  func everyLineOfTheCommandWorks(page: String) async throws {
    let commands = try Page(file: Command.root.appending(path: page)).commands
    let live = try Page(file: Command.root.appending(path: "Sources/Command/Live.md"))
    let lines = commands.filter {
      $0.contains(/(^|\s)slitscan [a-z]/) && !$0.hasPrefix("gst-launch-1.0 ")
    }
    #expect(!lines.isEmpty)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "clips"), withIntermediateDirectories: true)
    try Data("a.mp4\nb.mp4\n".utf8).write(to: folder.appending(path: "show.m3u"))
    for name in ["clip.mp4", "in.mp4", "a.mp4", "b.mp4", "clips/1.mp4"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name),
        withDestinationURL: URL(filePath: Command.smallClip))
    }
    try await makeFilms()
    let show = live.commands.filter { $0.contains(/^[0-9]+ [a-z]/) }
    try Data(show.joined(separator: "\n").utf8).write(to: folder.appending(path: "show.txt"))
    for line in lines {
      let result = try await Command.run(
        "PATH=$(dirname \(Command.slitscan)):$PATH; set -o pipefail; unset DISPLAY WAYLAND_DISPLAY; "
          + "\(Self.finite(line))",
        // What was typed is understood before that.
        status: Self.opensWindow(line) ? 1 : 0, in: folder,
        environment: ["LD_PRELOAD": Command.camera ?? "", "SLITSCAN_CONFIG": ""])
      #expect(
        !Self.opensWindow(line) || result.text.contains("There is no display"),
        "\(line): \(result.text)")
    }
  }

  /// The films and images that pages name.
  private func makeFilms() async throws {
    try Data("0 set depth 30\n".utf8).write(to: folder.appending(path: "film.txt"))
    for name in ["turn.mp4", "race.mp4", "film.mkv"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name), withDestinationURL: URL(filePath: Command.smallClip))
    }
    _ = try await Command.run(
      "mkdir shot day frames && ffmpeg -v error -i in.mp4 -frames:v 8 shot.%04d.png "
        + "&& cp shot.*.png shot && cp shot.*.png day && cp shot.0001.png map.png "
        + "&& ffmpeg -v error -stream_loop 2 -i in.mp4 -c copy day.mp4", in: folder)
  }

  /// Whether a show asks for a window, and does not begin where there is no display.
  private static func opensWindow(_ line: String) -> Bool {
    line.contains(/--output (window|fullscreen)/)
  }

  /// A line whose show has an end, no window, and, where it names no source, the simulated camera.
  ///
  /// Films replace those that earlier lines have written.
  private static func finite(_ line: String) -> String {
    guard !line.contains(/^slitscan (render|photo)/) else { return line + " --force" }
    guard line.hasPrefix("slitscan live") else { return line }
    return line.replacing(/\s+#.*/, with: "")
      .replacing(/^slitscan live(?= --|$)/, with: "slitscan live /dev/video0")
      + " --duration \(opensWindow(line) ? 60 : 1) --output sink:fakesink"
  }
}
