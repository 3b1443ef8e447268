// `slitscan bench --peers`: the same picture through what people use today.

import ArgumentParser

extension Bench {
  /// Refuses what is not compared.
  func validatePeers() throws {
    guard peers else { return }
    guard grid.threads.flattened() == [1] else {
      throw ValidationError(
        "--peers compares on one thread, as the peers have no more. Leave --threads out.")
    }
    for size in grid.chosenSizes where size.width % 8 != 0 || size.height % 2 != 0 {
      throw ValidationError(
        "--peers cannot measure \(size): without padding in all programs, a width must be a multiple "
          + "of 8 and a height of 2.")
    }
  }

  /// Compares with every peer that is installed, for each size and depth.
  func runPeers() throws {
    let plugin = try PluginFile.besideCommand()
    var comparisons: [PeerComparison] = []
    for size in grid.chosenSizes {
      for depth in grid.chosenDepths {
        comparisons += try compare(Peer.all(size: size, depth: depth, plugin: plugin), size: size)
      }
    }
    try report.write(comparisons)
  }

  private func compare(_ all: [Peer], size: PictureSize) throws -> [PeerComparison] {
    report.say(Machine.current.summary)
    guard Program.find("gst-launch-1.0") != nil else {
      report.say(
        "skipped all: slitscan runs in gst-launch-1.0, which is not installed; "
          + "apt install gstreamer1.0-tools")
      return []
    }
    let table = Table(columns: [
      .text("peer", all.map(\.name)), .text("slitscan", all.map(\.equivalent)),
      .text("format", all.map(\.format.rawValue)), .number("depth"), .number("peer ms"),
      .number("slitscan ms"), .text("", []),
    ])
    report.say("\(size), one thread; milliseconds that a frame takes, less those of its source")
    report.say("medians of \(effort.runs) alternating runs of a second each")
    report.say("")
    report.say(table.header)
    return try all.compactMap { peer in
      guard peer.requirement.isMet else {
        report.say("\(peer.name): skipped, not installed; apt install \(peer.requirement.packages)")
        return nil
      }
      let comparison = try PeerComparison(of: peer, size: size, effort: effort)
      report.say(table.line(cells(comparison)))
      if verbose {
        report.say("  \(comparison.peerLine)")
        report.say("  \(comparison.slitscanLine)")
      }
      return comparison
    }
  }

  private func cells(_ comparison: PeerComparison) -> [String] {
    let ratio = comparison.ratio
    let digits = ratio < 0.1 ? 4 : ratio < 1 ? 2 : 1
    return [
      comparison.peer, comparison.equivalent, comparison.format.rawValue, "\(comparison.depth)",
      comparison.peerMilliseconds.digits(3), comparison.slitscanMilliseconds.digits(3),
      "slitscan is \(ratio.digits(digits))× as fast",
    ]
  }
}
