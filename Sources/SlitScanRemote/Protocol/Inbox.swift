// The inbox holds the moves of a client that were not performed yet. A value.

import SlitScanStage

/// Moves in their order, of one fader only the last.
struct Inbox: Sendable {
  /// The most moves that wait before no more are taken.
  static let limit = 64

  private var moves: [Move] = []

  /// Nothing is to be done.
  init() {}

  /// The number of moves that wait.
  var count: Int { moves.count }

  /// Whether no more should be taken.
  var isFull: Bool { moves.count >= Self.limit }

  /// Takes a move in; it replaces an earlier one of the same parameter, if nothing but parameters were moved
  /// since.
  mutating func put(_ move: Move) {
    if let target = move.target {
      for index in moves.indices.reversed() {
        guard let other = moves[index].target else { break }
        if other == target {
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

extension Move {
  /// The parameter, or the crossfader, that this only puts somewhere.
  fileprivate var target: String? {
    switch self {
    case .set(let name, _), .fade(let name, _): name
    case .crossfade: "crossfade"
    default: nil
    }
  }
}
