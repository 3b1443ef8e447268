// The inbox holds the moves of a client that were not performed yet. A value.

import SlitScanStage

/// Moves in their order; of several that only move the same parameter, the last.
struct Inbox: Sendable {
  /// The most moves that wait before no more are taken.
  static let limit = 64

  private var moves: [Move] = []

  var count: Int { moves.count }

  var isFull: Bool { moves.count >= Self.limit }

  /// Takes a move in, as the last one; an earlier one of the same parameter goes, if nothing but parameters were
  /// moved since.
  mutating func put(_ move: Move) {
    if let subject = move.subject {
      for index in moves.indices.reversed() {
        guard let other = moves[index].subject else { break }
        if other == subject {
          moves.remove(at: index)
          break
        }
      }
    }
    moves.append(move)
  }

  /// The next move; nil where all are done.
  mutating func next() -> Move? { moves.isEmpty ? nil : moves.removeFirst() }
}
