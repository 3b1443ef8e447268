// An OSC controller made with liblo itself, so that other code than the tested one sends and receives.

import CLiblo
import Foundation

@testable import SlitScanStage

/// What a client has heard; only its actor reaches it.
private final class Heard {
  var lines: [String] = []
}

private func hear(
  _ path: UnsafePointer<CChar>?, _ types: UnsafePointer<CChar>?,
  _ values: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?, _ count: Int32,
  _ message: lo_message?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let path, let types, let context else { return 0 }
  var words = [String(cString: path)]
  for index in 0..<Int(count) {
    let type = types[index]
    let value = values?[index].map { UnsafeRawPointer($0) }
    let text =
      switch (UInt8(bitPattern: type), value) {
      case (UInt8(ascii: "i"), let value?): "\(value.loadUnaligned(as: Int32.self))"
      case (UInt8(ascii: "h"), let value?): "\(value.loadUnaligned(as: Int64.self))"
      case (UInt8(ascii: "f"), let value?): "\(value.loadUnaligned(as: Float.self))"
      case (UInt8(ascii: "s"), let value?):
        String(cString: value.assumingMemoryBound(to: CChar.self))
      default: "?"
      }
    words.append("\(Character(Unicode.Scalar(UInt8(bitPattern: type)))):\(text)")
  }
  Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue().lines.append(
    words.joined(separator: " "))
  return 0
}

/// A port of liblo's, which sends to an input and hears what comes.
actor OSCClient {
  private nonisolated(unsafe) let server: lo_server
  private nonisolated(unsafe) let target: lo_address
  private nonisolated(unsafe) let heard = Heard()

  init(to port: UInt16) throws {
    guard let server = lo_server_new(nil, nil), let target = lo_address_new("127.0.0.1", "\(port)")
    else { throw StageError(.inputFailed, "liblo opens no port.") }
    self.server = server
    self.target = target
    lo_server_add_method(server, nil, nil, hear, Unmanaged.passUnretained(heard).toOpaque())
  }

  deinit {
    lo_server_free(server)
    lo_address_free(target)
  }

  /// The port that it sends from and hears on.
  nonisolated var port: UInt16 { UInt16(lo_server_get_port(server)) }

  func send(_ path: String) { send(path) { _ in } }

  func send(_ path: String, _ add: @Sendable (lo_message) -> Void) {
    guard let message = lo_message_new() else { return }
    add(message)
    lo_send_message_from(target, server, path, message)
    lo_message_free(message)
  }

  func send(_ path: String, _ value: Float) { send(path) { lo_message_add_float($0, value) } }
  func send(_ path: String, whole value: Int32) { send(path) { lo_message_add_int32($0, value) } }
  func send(_ path: String, _ text: String) { send(path) { lo_message_add_string($0, text) } }

  /// A bundle of numbers.
  func send(_ values: [(path: String, value: Float)], at time: OSCTimeTag) {
    var tag = lo_timetag()
    tag.sec = UInt32(time.rawValue >> 32)
    tag.frac = UInt32(truncatingIfNeeded: time.rawValue)
    let bundle = lo_bundle_new(tag)
    for (path, value) in values {
      let message = lo_message_new()
      lo_message_add_float(message, value)
      lo_bundle_add_message(bundle, path, message)
    }
    lo_send_bundle_from(target, server, bundle)
    lo_bundle_free_recursive(bundle)
  }

  /// The next line that is heard, as `/slitscan/gain f:2.5`.
  func next() async throws -> String {
    while heard.lines.isEmpty {
      if lo_server_recv_noblock(server, 0) == 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
    return heard.lines.removeFirst()
  }

  /// The next line for an address; what comes before is not looked at.
  func next(_ path: String) async throws -> String {
    while true {
      let line = try await next()
      if line == path || line.hasPrefix(path + " ") { return line }
    }
  }

  /// Waits until what was sent before is done: a question is answered after it.
  ///
  /// Asks again, as datagrams can be lost.
  func settle() async throws {
    heard.lines = []
    while true {
      send("/slitscan/get", "mode")
      for _ in 0..<100 {
        while lo_server_recv_noblock(server, 0) > 0 {}
        if heard.lines.contains(where: { $0.hasPrefix("/slitscan/mode ") }) {
          heard.lines = []
          return
        }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }
}
