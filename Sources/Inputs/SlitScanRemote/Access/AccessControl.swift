// The accessControl checks the Host and Origin of a request against other sites' pages. A value.

import CSoup

/// Knows the names under which the remote is reached.
///
/// A page of another site can have a browser send requests here: to its own name, which it lets point
/// here ("DNS rebinding"), or across sites. The first has the wrong `Host`, the second the wrong
/// `Origin`; a browser tells both truly, and no page can change them.
struct AccessControl: Sendable, Equatable {
  /// Whether only this machine can connect.
  let isLoopback: Bool
  /// The names of this machine, in small letters.
  let names: Set<String>

  init(isLoopback: Bool, machine: String) {
    self.isLoopback = isLoopback
    let name = machine.lowercased()
    names = isLoopback || name.isEmpty ? ["localhost"] : ["localhost", name, "\(name).local"]
  }

  /// Whether a `Host` is one of ours: an address in digits, which no other site can have point here, or
  /// a name of this machine.
  func allows(host: String?) -> Bool {
    guard let host, let name = Self.name(in: host) else { return false }
    if names.contains(name) { return true }
    return Self.isAddress(name) && (!isLoopback || name == "[::1]" || name.hasPrefix("127."))
  }

  /// Whether an `Origin` is the page that this remote served itself.
  func allows(origin: String?, host: String?) -> Bool {
    guard let origin, let host else { return false }
    return allows(host: host) && origin.lowercased() == "http://\(host.lowercased())"
  }

  /// A host without its port, in small letters; nil for what is none.
  private static func name(in host: String) -> String? {
    let host = host.lowercased()
    let end: String.Index
    if host.first == "[" {
      guard let bracket = host.firstIndex(of: "]") else { return nil }
      end = host.index(after: bracket)
    } else {
      end = host.firstIndex(of: ":") ?? host.endIndex
    }
    let port = host[end...]
    guard port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil else { return nil }
    return String(host[..<end])
  }

  /// An address of version 6 is in brackets.
  private static func isAddress(_ name: String) -> Bool {
    guard name.hasPrefix("[") else { return unsafe g_hostname_is_ip_address(name) != 0 }
    return unsafe name.hasSuffix("]") && name.contains(":")
      && g_hostname_is_ip_address(String(name.dropFirst().dropLast())) != 0
  }
}

/// The connections that may give way to others: all but the paired phones that play along.
///
/// When there are too many, the address with the most of them loses its oldest one. So a client that opens many
/// connections and says nothing displaces its own, and a request that is sent at once is answered.
struct UnpairedClients: Sendable {
  private let limit: Int
  /// In the order in which they came.
  private var connections: [(number: UInt64, address: String)] = []

  init(limit: Int) { self.limit = limit }

  /// - Returns: The connection that has to go instead, if there are too many.
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
