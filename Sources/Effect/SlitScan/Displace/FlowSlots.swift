// The flow slots say where the field of motion of each frame of history is.

/// A ring of slots for the fields of the newest frames, some of which have none.
///
/// *Levels* are those of ``History``.
package struct FlowSlots {
  /// The number of the frame whose field a slot holds, negative where it holds none.
  private var owners: [Int] = []
  /// From the start of a slot to that of the next.
  private let stride: Int
  /// The start of each level's field; negative where there is none.
  package private(set) var starts: [Int] = []
  /// The number of the newest frame, counted from the first.
  private var newest = 0
  /// The number of the newest frame with a field.
  private var lastOwner = Int.min / 2

  package init(stride: Int) { self.stride = stride }

  /// The slots.
  package var count: Int { owners.count }

  /// Whether no frame that has a slot has a field.
  package var isEmpty: Bool { newest - lastOwner >= owners.count }

  /// Forgets all fields.
  package mutating func forget() {
    for slot in owners.indices { owners[slot] = -1 }
    starts.removeAll(keepingCapacity: true)
    newest = 0
    lastOwner = Int.min / 2
  }

  /// A frame without a field, so far, has become the newest.
  package mutating func advance() {
    newest += 1
    locate()
  }

  /// The slot of the newest frame, where there are any.
  package var newestSlot: Int { newest % max(owners.count, 1) }

  /// The newest frame's field is in its slot.
  package mutating func fillNewest() {
    guard !owners.isEmpty else { return }
    owners[newestSlot] = newest
    lastOwner = newest
    starts[0] = newestSlot * stride
  }

  /// Changes how many slots there are, keeping the fields of the newest frames.
  ///
  /// - Returns: The old and the new slot of each of those.
  package mutating func resize(to newCount: Int) -> [(old: Int, new: Int)] {
    var moves: [(old: Int, new: Int)] = []
    var newOwners = Array(repeating: -1, count: newCount)
    for (slot, owner) in owners.enumerated() where owner >= 0 && owner > newest - newCount {
      moves.append((slot, owner % newCount))
      newOwners[owner % newCount] = owner
    }
    owners = newOwners
    locate()
    return moves
  }

  /// Finds where each level's field is.
  private mutating func locate() {
    starts.removeAll(keepingCapacity: true)
    for level in 0..<min(owners.count, newest + 1) {
      let slot = (newest - level) % owners.count
      starts.append(owners[slot] == newest - level ? slot * stride : -1)
    }
  }
}
