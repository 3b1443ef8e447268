// Strangers are connections that have not shown a token; their number is limited by address. A value.

/// The connections that may give way to others: all but the paired phones that play along.
///
/// When there are too many, the address with the most of them loses its oldest one. So whoever opens many
/// connections and says nothing takes them from himself, and a request that is sent at once is answered.
struct Strangers: Sendable {
  private let limit: Int
  /// In the order in which they came.
  private var connections: [(number: UInt64, address: String)] = []

  /// - Parameter limit: How many there are at most.
  init(limit: Int) { self.limit = limit }

  /// Adds a connection.
  ///
  /// - Returns: The one that has to go instead, if there are too many.
  mutating func add(_ number: UInt64, from address: String) -> UInt64? {
    connections.append((number, address))
    guard connections.count > limit else { return nil }
    var counts: [String: Int] = [:]
    for connection in connections { counts[connection.address, default: 0] += 1 }
    let most = counts.values.max()
    guard let oldest = connections.firstIndex(where: { counts[$0.address] == most }) else {
      return nil
    }
    return connections.remove(at: oldest).number
  }

  /// Removes a connection that is over, or is a paired phone's.
  mutating func remove(_ number: UInt64) { connections.removeAll { $0.number == number } }
}
