// What this machine is called in its network.

import Foundation

/// Names and addresses of this machine.
enum Machine {
  /// Its name, without a domain.
  static var name: String {
    String(ProcessInfo.processInfo.hostName.prefix { $0 != "." })
  }

  /// Whether only this machine reaches an address.
  static func isLoopback(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || address.hasPrefix("127.")
  }

  /// Where others reach an address: those of the network in the place of "any".
  static func reachable(_ address: String) -> [String] {
    guard address == "0.0.0.0" || address == "::" else { return [address] }
    let own = networkAddresses()
    return own.isEmpty ? ["127.0.0.1"] : own
  }

  /// The IPv4 addresses of networks that are up, without loopback.
  private static func networkAddresses() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var addresses: [String] = []
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
      addresses.append(String(decoding: digits.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    return addresses
  }
}
