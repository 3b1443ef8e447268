// The agenda holds actions that are scheduled for a later time. A value.

/// Scheduled actions; of each kind, only the one scheduled last.
struct Agenda<Action: Sendable>: Sendable {
  /// The earliest first; those of one moment in the order they were put down in.
  private var items: [(moment: ContinuousClock.Instant, kind: String, action: Action)] = []

  var nextMoment: ContinuousClock.Instant? { items.first?.moment }

  /// When an action of a kind is due; nil where none is.
  func moment(of kind: String) -> ContinuousClock.Instant? {
    items.first { $0.kind == kind }?.moment
  }

  mutating func put(_ kind: String, at moment: ContinuousClock.Instant, _ action: Action) {
    remove(kind)
    let index = items.firstIndex { $0.moment > moment } ?? items.endIndex
    items.insert((moment, kind, action), at: index)
  }

  /// Has everything be done later by a time.
  mutating func delay(by time: Duration) {
    for index in items.indices { items[index].moment += time }
  }

  mutating func remove(_ kind: String) { items.removeAll { $0.kind == kind } }

  /// Takes out what is due first; nil where nothing is due.
  mutating func next(by moment: ContinuousClock.Instant) -> Action? {
    guard let first = items.first, first.moment <= moment else { return nil }
    return items.removeFirst().action
  }
}
