// The pages that people read: where their links lead, and whether their commands work.

import CommandUnderTest
import Foundation
import SlitScanCapture
import Testing

struct DocumentTests {
  @Test func everyLinkLeadsToAFileAndAHeading() throws {
    let pages = try Page.all()
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

  @Test(arguments: ["gst/README.md", "Sources/Effect/Definitions.md"])
  func aTableDescribesEachMap(page: String) throws {
    let text = try String(contentsOf: Command.root.appending(path: page), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for map in try maps() {
      #expect(rows.contains { $0.hasPrefix("| `\(map)`") }, "\(page) does not describe \(map)")
    }
  }

  @Test func aPageDescribesEachProperty() throws {
    let pages = try ["gst/README.md", "Sources/Effect/Definitions.md"].map {
      try String(contentsOf: Command.root.appending(path: $0), encoding: .utf8)
    }.joined()
    for property in try ValidatedScan.makeElement().properties where !property.isInherited {
      #expect(
        pages.contains("`\(property.name)`") || pages.contains("`\(property.name)="),
        "no page describes \(property.name)")
    }
  }
}
