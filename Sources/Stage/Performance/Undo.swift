// The undo history of a performance. A value.

/// The states before the last changes, and those that were undone.
struct Undo<State: Sendable>: Sendable {
  static var limit: Int { 200 }
  /// Moves of one parameter that follow each other faster than this are one change.
  static var pause: Duration { .seconds(1) }

  private var before: [State] = []
  private var after: [State] = []
  private var last: (reason: String, moment: ContinuousClock.Instant)?

  /// - Parameters:
  ///   - state: What was before it.
  ///   - reason: The parameter that was moved; nil for a change that stands by itself.
  mutating func remember(
    _ state: State, because reason: String?, at moment: ContinuousClock.Instant
  ) {
    let isSoon = last.map { moment - $0.moment < Self.pause } ?? false
    let goesOn = reason != nil && last?.reason == reason && isSoon
    last = reason.map { ($0, moment) }
    after = []
    guard !goesOn else { return }
    before.append(state)
    if before.count > Self.limit { before.removeFirst() }
  }

  mutating func change(_ body: (inout State) -> Void) {
    for index in before.indices { body(&before[index]) }
    for index in after.indices { body(&after[index]) }
  }

  /// - Returns: What was before; nil where nothing was.
  mutating func undo(_ now: State) -> State? {
    guard let state = before.popLast() else { return nil }
    after.append(now)
    last = nil
    return state
  }

  mutating func redo(_ now: State) -> State? {
    guard let state = after.popLast() else { return nil }
    before.append(now)
    last = nil
    return state
  }
}
