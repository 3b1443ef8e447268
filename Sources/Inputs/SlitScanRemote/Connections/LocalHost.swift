// The host names and addresses of this machine.

import LibC

enum LocalHost {
  /// Its name, without a domain.
  static var name: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(text(name).prefix { $0 != "." })
  }

  private static func text(_ characters: [CChar]) -> String {
    String(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether only this machine reaches an address.
  static func isLoopback(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || address.hasPrefix("127.")
  }

  /// The addresses at which others reach one: those of the network in the place of "any".
  static func reachable(_ address: String) -> [String] {
    guard address == "0.0.0.0" || address == "::" else { return [address] }
    let own = networkAddresses()
    return own.isEmpty ? ["127.0.0.1"] : own
  }

  /// The IPv4 addresses of networks that are up, without loopback; cables and radio first, and what
  /// containers and tunnels have made after them.
  private static func networkAddresses() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var addresses: [(isOutside: Bool, digits: String)] = []
    var next = unsafe first
    while let interface = unsafe next {
      unsafe next = interface.pointee.ifa_next
      let flags = unsafe Int32(truncatingIfNeeded: interface.pointee.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        let address = unsafe interface.pointee.ifa_addr,
        unsafe Int32(address.pointee.sa_family) == AF_INET
      else { continue }
      var digits = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let result = unsafe getnameinfo(
        address, socklen_t(MemoryLayout<sockaddr_in>.size), &digits, socklen_t(digits.count), nil,
        0, NI_NUMERICHOST)
      guard result == 0 else { continue }
      let name = unsafe interface.pointee.ifa_name.map { unsafe String(cString: $0) } ?? ""
      addresses.append((name.hasPrefix("e") || name.hasPrefix("w"), text(digits)))
    }
    return addresses.filter(\.isOutside).map(\.digits)
      + addresses.filter { !$0.isOutside }.map(\.digits)
  }
}
