// A page of the documentation: its links, its headings, and the commands that it shows.

import Foundation

/// A page of Markdown.
package struct Page {
  package var file: URL
  /// Lines outside of code, and those of code that is indented.
  private var prose: [Substring] = []
  package private(set) var commands: [String] = []

  package init(file: URL) throws {
    self.init(file: file, text: try String(contentsOf: file, encoding: .utf8))
  }

  package init(file: URL, text: String) {
    self.file = file
    var isFenced = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isFenced.toggle()
      } else if line.hasPrefix("    ") {
        let command = line.trimmingPrefix(#/ +(\$ )?/#)
        if !isFenced {
          // A command goes on in the next line.
          if let begun = commands.last, begun.hasSuffix("\\") {
            commands[commands.count - 1] = String(begun.dropLast()) + String(command)
          } else {
            commands.append(String(command))
          }
        }
      } else if !isFenced {
        prose.append(line)
      }
    }
  }

  /// The pages outside of hidden folders, and those for contributors.
  package static func all() throws -> [Page] {
    try [Command.root, Command.root.appending(path: ".github")].flatMap { folder in
      FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)?.allObjects ?? []
    }.compactMap { $0 as? URL }.filter { $0.pathExtension == "md" }.map(Page.init(file:))
  }

  /// Where links lead that name no other place on the web.
  package var links: [String] {
    prose.flatMap { $0.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }
      .filter { !$0.contains(/^[a-z]+:/) }
  }

  /// The headings, as the web pages of Git servers name them.
  package var anchors: [String] {
    var counts: [String: Int] = [:]
    return prose.filter { $0.contains(#/^#+ /#) }.map { heading in
      let text = heading.trimmingPrefix(#/#+ /#).replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
      let anchor = text.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .replacing(" ", with: "-")
      let count = counts[anchor, default: 0]
      counts[anchor] = count + 1
      return count == 0 ? anchor : "\(anchor)-\(count)"
    }
  }
}
