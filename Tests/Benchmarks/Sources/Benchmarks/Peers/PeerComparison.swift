// Measures one peer and slitscan in alternation.

/// The cost of a frame for a peer and slitscan, and a line of `--json`.
struct PeerComparison: Codable {
  var peer: String
  var equivalent: String
  var format: FrameFormat
  var size: FrameSize
  var depth: Int
  /// Milliseconds that the peer adds to a frame: with it less without it, the median of the runs.
  var peerMilliseconds: Double
  /// Milliseconds that slitscan adds to a frame, likewise.
  var slitscanMilliseconds: Double
  /// The median of the runs' ratios of peer to slitscan: how many times as fast slitscan is.
  var ratio: Double
  /// The peer's line, and slitscan's.
  var peerLine: String
  var slitscanLine: String
  var runs: [Run]

  /// Milliseconds of a frame in one run.
  struct Run: Codable {
    var peer: Cost
    var slitscan: Cost

    var ratio: Double { peer.added / slitscan.added }
  }

  /// Milliseconds of a frame with and without an effect.
  struct Cost: Codable {
    var effect: Double
    var source: Double

    /// The time that the effect adds; a microsecond if it cannot be told from nothing.
    var added: Double { max(effect - source, 0.001) }
  }

  /// Runs both, each after the other and beginning with the other one each time.
  init(of peer: Peer, size: FrameSize, effort: Effort) throws {
    self.peer = peer.name
    equivalent = peer.equivalent
    format = peer.format
    self.size = size
    depth = peer.depth
    peerLine = peer.theirs.effect.shellLine
    slitscanLine = peer.ours.effect.shellLine
    let timing = FrameTiming(fill: peer.fill, frames: effort.frames)
    runs = try (0..<effort.runs).map { run in
      if run % 2 == 0 {
        let theirs = try timing.cost(of: peer.theirs)
        return Run(peer: theirs, slitscan: try timing.cost(of: peer.ours))
      }
      let ours = try timing.cost(of: peer.ours)
      return Run(peer: try timing.cost(of: peer.theirs), slitscan: ours)
    }
    peerMilliseconds = runs.map(\.peer.added).median
    slitscanMilliseconds = runs.map(\.slitscan.added).median
    ratio = runs.map(\.ratio).median
  }
}

extension FrameTiming {
  fileprivate func cost(of pair: Peer.Pair) throws -> PeerComparison.Cost {
    let source = try milliseconds(of: pair.source)
    return PeerComparison.Cost(effect: try milliseconds(of: pair.effect), source: source)
  }
}
