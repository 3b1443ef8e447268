// The depth limit decides how deep a history becomes where memory does not suffice. A value, tested without
// memory.

/// The depth that settings ask for, and what limits it.
package struct DepthLimit {
  /// The frames that the longest delay asks for.
  package private(set) var wanted = 0
  /// The last of those, which are older than the longest delay.
  private var exposed = 0
  /// The frames that are to be kept in any case.
  private var reserve = 0
  /// The frames there can be.
  private var made = 0
  /// The reason for that.
  private var reason = FrameReport.HistoryLimit.maxMemory
  /// The depth that the system has refused last.
  private var refusedDepth: Int?

  /// Nothing is asked for yet.
  package init() {}

  /// Makes a history as deep as is wanted, and memory allows.
  ///
  /// Memory that is held is kept where more is refused, and what was refused is not asked for again with every
  /// frame. Where history is new, it takes half of what there is: maps need memory, too.
  ///
  /// - Parameters:
  ///   - wanted: The frames that the longest delay and the shutter ask for.
  ///   - exposed: The number of those that are older than the longest delay.
  ///   - reserve: The frames that are to be kept in any case.
  ///   - fitting: The frames that they allow.
  ///   - reason: The memory or disk that these fit into.
  ///   - depth: The frames that fit so far.
  ///   - isThere: Whether there would be memory for so many frames.
  ///   - setDepth: Makes room for so many frames; false if memory is refused, and all is as before then.
  /// - Returns: The new depth; 0 if there is no memory for a single frame.
  package mutating func makeRoom(
    for wanted: Int, exposed: Int, reserve: Int, fitting: Int,
    within reason: FrameReport.HistoryLimit = .maxMemory, depth: Int, isThere: (Int) -> Bool,
    setDepth: (Int) -> Bool
  ) -> Int {
    let allowed = min(max(wanted, reserve), max(1, fitting))
    made = makeRoom(for: allowed, depth: depth, isThere: isThere, setDepth: setDepth)
    self.wanted = wanted
    self.exposed = exposed
    self.reserve = reserve
    self.reason = made < allowed ? .memory : reason
    return made
  }

  /// The frames that the longest delay can reach back to, the current one included.
  package var shown: Int { max(held - exposed, 1) }

  /// The older frames that a shutter can show.
  package var beyond: Int { made < wanted ? min(exposed, max(made - 1, 0)) : exposed }

  /// The frames that both can show.
  package var held: Int { min(wanted, made) }

  private mutating func makeRoom(
    for allowed: Int, depth: Int, isThere: (Int) -> Bool, setDepth: (Int) -> Bool
  ) -> Int {
    guard allowed != refusedDepth || depth == 0 else { return depth }
    refusedDepth = nil
    guard !setDepth(allowed) else { return allowed }
    refusedDepth = allowed
    var less = allowed / 2
    while less > depth {
      if depth > 0 || isThere(2 * less), setDepth(less) { return less }
      less /= 2
    }
    if depth > 0 { return depth }
    return setDepth(1) ? 1 : 0
  }

  /// Puts the depth into a report.
  package func describe(in report: inout FrameReport) {
    report.wantedDepth = wanted
    report.limitedDepth = made < wanted ? made : nil
    report.wantedHistory = max(wanted, reserve)
    report.limitedHistory = made < report.wantedHistory ? made : nil
    report.historyLimit = reason
  }
}
