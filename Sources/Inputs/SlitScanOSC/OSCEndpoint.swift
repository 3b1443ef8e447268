// An OSC endpoint is the IP address and port of a sender or receiver.

import LibC
import SlitScanStage

/// An address and a port, as numbers; names of hosts are never looked up.
struct OSCEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The address of IPv6, in two halves; one of IPv4 as `::ffff:a.b.c.d`.
  private let high: UInt64
  private let low: UInt64
  /// Which interface, where the address does not say.
  private let scope: UInt32
  let port: UInt16

  private static let mappedIPv4: UInt64 = 0xFFFF << 32

  private init(high: UInt64, low: UInt64, scope: UInt32, port: UInt16) {
    self.high = high
    self.low = low
    self.scope = scope
    self.port = port
  }

  /// An address of IPv4 or IPv6 in figures, or `localhost`; nil for everything else.
  init?(_ host: String, port: UInt16) {
    let host = host == "localhost" ? "127.0.0.1" : host
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, host, &four) == 1 {
      self.init(four, port: port)
    } else if unsafe inet_pton(AF_INET6, host, &six) == 1 {
      self.init(six, scope: 0, port: port)
    } else {
      return nil
    }
  }

  private init(_ address: in_addr, port: UInt16) {
    let low = Self.mappedIPv4 | UInt64(UInt32(bigEndian: address.s_addr))
    self.init(high: 0, low: low, scope: 0, port: port)
  }

  private init(_ address: in6_addr, scope: UInt32, port: UInt16) {
    let (high, low) = unsafe withUnsafeBytes(of: address) { bytes in
      unsafe (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(high: high, low: low, scope: scope, port: port)
  }

  func at(port: UInt16) -> OSCEndpoint {
    OSCEndpoint(high: high, low: low, scope: scope, port: port)
  }

  func sharesHost(with other: OSCEndpoint) -> Bool { at(port: 0) == other.at(port: 0) }

  var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mappedIPv4 }

  /// Whether it is this machine, by an address that no other can have.
  var isLoopback: Bool {
    isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1
  }

  var origin: Origin { isLoopback ? .here : .elsewhere }

  /// As `127.0.0.1:9000`.
  var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }

  /// As `127.0.0.1`.
  var host: String {
    if isIPv4 {
      return [24, 16, 8, 0].map { "\((low >> $0) & 0xFF)" }.joined(separator: ".")
    }
    var address = sixAddress
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else {
      return "?"
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private var sixAddress: in6_addr {
    var address = in6_addr()
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return address
  }

  // MARK: What the system calls take

  /// The endpoint that a system call says, and its result; nil where it fails, or says no address of IP.
  static func said(
    by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int
  ) -> (endpoint: OSCEndpoint, result: Int)? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
    }
    guard result >= 0, let endpoint = OSCEndpoint(storage) else { return nil }
    return (endpoint, result)
  }

  private init?(_ storage: sockaddr_storage) {
    var storage = storage
    switch Int32(storage.ss_family) {
    case AF_INET:
      let address = unsafe withUnsafeBytes(of: &storage) { bytes in
        unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      }
      self.init(address.sin_addr, port: UInt16(bigEndian: address.sin_port))
    case AF_INET6:
      let address = unsafe withUnsafeBytes(of: &storage) { bytes in
        unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
      }
      self.init(
        address.sin6_addr, scope: address.sin6_scope_id, port: UInt16(bigEndian: address.sin6_port))
    default: return nil
    }
  }

  /// Gives a system call the address, for a socket of a family.
  func withAddress<Result>(
    for family: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
      return unsafe Self.rebound(&address, body)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = sixAddress
    address.sin6_scope_id = scope
    return unsafe Self.rebound(&address, body)
  }

  private static func rebound<Address, Result>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe body(pointer, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
