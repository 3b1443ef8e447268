// The pages that people read: where their links lead, and whether their commands work.

import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct DocumentTests {
  @Test func everyLinkLeadsToAFileAndAHeading() async throws {
    let pages = try await Page.all()
    #expect(pages.count > 20)
    for page in pages {
      for link in page.links {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file =
          parts[0].isEmpty
          ? page.file
          : page.file.deletingLastPathComponent().appending(path: String(parts[0])).standardized
        #expect(
          FileManager.default.fileExists(atPath: file.path),
          "\(page.file.path) links to \(link), which is not there")
        guard parts.count == 2, file.pathExtension == "md" else { continue }
        let anchors = try Page(file: file).anchors
        #expect(
          anchors.contains(String(parts[1])),
          "\(page.file.path) links to \(link), and the headings there are \(anchors)")
      }
    }
  }

  @Test(arguments: [
    ("## How fast", ["how-fast"]), ("# `slitscan render` and more", ["slitscan-render-and-more"]),
    ("## A [link](there), and more?\n## Again\n## Again", ["a-link-and-more", "again", "again-1"]),
    ("```\n# no heading\n```\n    # nor this", []),
  ])
  func anchorsAreMadeOfHeadings(text: String, anchors: [String]) {
    #expect(Page(file: Command.root, text: text).anchors == anchors)
  }

  @Test(
    .enabled(if: Command.isPrepared),
    arguments: ["gst/README.md", "Sources/SlitScan/Definitions.md"])
  func aTableDescribesEachMap(page: String) async throws {
    let text = try String(contentsOf: Command.root.appending(path: page), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for map in try await Command.maps() {
      #expect(rows.contains { $0.hasPrefix("| `\(map)`") }, "\(page) does not describe \(map)")
    }
  }

  @Test(.enabled(if: Command.isPrepared), arguments: ["README.md", "gst/README.md"])
  func everyLaunchLineOfAPagePlays(page: String) async throws {
    let lines = try Page(file: Command.root.appending(path: page)).commands
      .filter { $0.hasPrefix("gst-launch-1.0 ") }
    #expect(!lines.isEmpty)
    try await Command.withFolder { folder in
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
        let result = try await Command.run(
          finite, in: folder, environment: Command.softwareGL)
        #expect(result.status == 0, "\(line): \(result.text)")
        #expect(!result.text.contains("WARNING"), "\(line): \(result.text)")
      }
    }
  }

  @Test(
    .enabled(if: Command.isPrepared),
    arguments: [
      "README.md", "Sources/SlitScanCommand/Live.md", "Sources/SlitScanCommand/Render.md",
    ])
  func everyLineOfTheCommandWorks(page: String) async throws {
    let commands = try Page(file: Command.root.appending(path: page)).commands
    let live = try Page(file: Command.root.appending(path: "Sources/SlitScanCommand/Live.md"))
    let lines = commands.filter {
      $0.contains(/(^|\s)slitscan [a-z]/) && !$0.hasPrefix("gst-launch-1.0 ")
    }
    #expect(!lines.isEmpty)
    try await Command.withFolder { folder in
      try FileManager.default.createDirectory(
        at: folder.appending(path: "clips"), withIntermediateDirectories: true)
      try Data("a.mp4\nb.mp4\n".utf8).write(to: folder.appending(path: "show.m3u"))
      for name in ["clip.mp4", "in.mp4", "a.mp4", "b.mp4", "clips/1.mp4"] {
        try FileManager.default.createSymbolicLink(
          at: folder.appending(path: name),
          withDestinationURL: URL(filePath: Command.smallClip))
      }
      let show = live.commands.filter { $0.contains(/^[0-9]+ [a-z]/) }
      try Data(show.joined(separator: "\n").utf8).write(to: folder.appending(path: "show.txt"))
      for line in lines {
        let result = try await Command.run(
          "PATH=$(dirname \(Command.slitscan)):$PATH; set -o pipefail; unset DISPLAY WAYLAND_DISPLAY; "
            + "\(Self.finite(line))", in: folder,
          environment: ["LD_PRELOAD": Command.camera ?? "", "SLITSCAN_CONFIG": ""])
        if Self.opensWindow(line) {
          // What was typed is understood before that.
          #expect(result.text.contains("There is no display"), "\(line): \(result.text)")
        } else {
          #expect(result.status == 0, "\(line): \(result.text)")
        }
      }
    }
  }

  /// Whether a show asks for a window, and does not begin where there is no display.
  private static func opensWindow(_ line: String) -> Bool {
    line.contains(/--output (window|fullscreen)/)
  }

  /// A line whose show has an end, no window, and, where it names no source, the simulated camera.
  private static func finite(_ line: String) -> String {
    guard line.hasPrefix("slitscan live") else { return line }
    return line.replacing(/\s+#.*/, with: "")
      .replacing(/^slitscan live(?= --|$)/, with: "slitscan live /dev/video0")
      + " --duration \(opensWindow(line) ? 60 : 1) --output sink:fakesink"
  }
}

/// A page of Markdown.
private struct Page {
  var file: URL
  /// Lines outside of code, and those of code that is indented.
  private var prose: [Substring] = []
  private(set) var commands: [String] = []

  init(file: URL) throws {
    self.init(file: file, text: try String(contentsOf: file, encoding: .utf8))
  }

  init(file: URL, text: String) {
    self.file = file
    var isFenced = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isFenced.toggle()
      } else if line.hasPrefix("    ") {
        let command = line.trimmingPrefix(#/ +(\$ )?/#)
        if !isFenced { commands.append(String(command)) }
      } else if !isFenced {
        prose.append(line)
      }
    }
  }

  /// The pages that git tracks.
  static func all() async throws -> [Page] {
    let list = try await Command.run("git ls-files '*.md'")
    return try list.text.split(separator: "\n").map {
      try Page(file: Command.root.appending(path: String($0)))
    }
  }

  /// Where links lead that name no other place on the web.
  var links: [String] {
    prose.flatMap { $0.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }
      .filter { !$0.contains(/^[a-z]+:/) }
  }

  /// The headings, as the web pages of Git servers name them.
  var anchors: [String] {
    var counts: [String: Int] = [:]
    return prose.filter { $0.contains(#/^#+ /#) }.map { heading in
      let text = heading.trimmingPrefix(#/#+ /#)
        .replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
      let anchor = text.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .replacing(" ", with: "-")
      let count = counts[anchor, default: 0]
      counts[anchor] = count + 1
      return count == 0 ? anchor : "\(anchor)-\(count)"
    }
  }
}
