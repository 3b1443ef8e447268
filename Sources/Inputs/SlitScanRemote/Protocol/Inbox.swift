// The inbox holds the moves of a client that were not performed yet. A value.

import SlitScanStage

/// Moves in their order, of one parameter that is moved only where it is last.
struct Inbox: Sendable {
  /// The most moves that wait before no more are taken.
  static let limit = 64

  private var moves: [Move] = []

  var count: Int { moves.count }

  var isFull: Bool { moves.count >= Self.limit }

  /// Takes a move in; it replaces an earlier one of the same parameter, if nothing but parameters were moved
  /// since.
  mutating func put(_ move: Move) {
    if let subject = move.subject {
      for index in moves.indices.reversed() {
        guard let other = moves[index].subject else { break }
        if other == subject {
          moves[index] = move
          return
        }
      }
    }
    moves.append(move)
  }

  /// The next move; nil where all are done.
  mutating func next() -> Move? { moves.isEmpty ? nil : moves.removeFirst() }
}
