// A client connection, byte by byte.

import Foundation
import Synchronization
import Testing

/// A connection to a remote, which closes with its last reference.
final class Wire: Sendable {
  private let socket: Int32
  private let isOpen = Atomic(true)

  /// An error of the system.
  private struct Failure: Error { let number = errno }

  /// - Parameter address: The client's own address; nil for any.
  init(to port: UInt16, from address: String? = nil) async throws {
    socket = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Failure() }
    if let address { try Self.call(bind, socket, address, 0) }
    try Self.call(connect, socket, "127.0.0.1", port)
    // Has been connected once it can be written to.
    _ = try await writing { Glibc.send(socket, nil, 0, Int32(MSG_NOSIGNAL)) }
  }

  deinit { close() }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ socket: Int32,
    _ address: String, _ port: UInt16
  ) throws {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr(address)
    place.sin_port = port.bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(socket, $0, size) }
    }
    guard result == 0 || errno == EINPROGRESS else { throw Failure() }
  }

  private func writing(_ call: () -> Int) async throws -> Int {
    try await finished(call) { DispatchSource.makeWriteSource(fileDescriptor: socket) }
  }

  /// Calls the system once it does not have to wait.
  private func finished(
    _ call: () -> Int, _ readiness: () -> any DispatchSourceProtocol
  ) async throws -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EAGAIN || errno == EINTR else { throw Failure() }
      await withCheckedContinuation { continuation in
        let source = readiness()
        source.setEventHandler { source.cancel() }
        source.setCancelHandler { continuation.resume() }
        source.resume()
      }
    }
  }

  func send(_ bytes: some Sequence<UInt8>) async throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = try await writing {
        rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
      rest.removeFirst(count)
    }
  }

  func send(_ text: String) async throws { try await send(text.utf8) }

  /// Some bytes, none at the end.
  func read() async -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try? await finished({ recv(socket, &bytes, bytes.count, 0) }) {
      DispatchSource.makeReadSource(fileDescriptor: socket)
    }
    return Array(bytes.prefix(count ?? 0))
  }

  /// All there is until the other side closes.
  func readAll() async -> String {
    var bytes: [UInt8] = []
    while true {
      let more = await read()
      if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += more
    }
  }

  func close() { if isOpen.exchange(false, ordering: .relaxed) { _ = Glibc.close(socket) } }

  // MARK: HTTP

  /// The answer of a remote.
  struct Answer: Sendable {
    let text: String

    /// 0 where there was no answer.
    var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var body: String {
      text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first.map { "\($0)" } ?? ""
    }

    func field(_ name: String) -> String? {
      text.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Asks for something, as `POST /pair`, and waits for the end; what begins with the path is a `GET`.
  static func ask(
    _ request: String, _ fields: [String: String] = [:], body: String = "",
    of port: UInt16, from address: String? = nil
  ) async throws -> Answer {
    let wire = try await Wire(to: port, from: address)
    defer { wire.close() }
    var lines = ["\(request.hasPrefix("/") ? "GET \(request)" : request) HTTP/1.1"]
    var fields = fields
    if fields["Host"] == nil { fields["Host"] = "127.0.0.1:\(port)" }
    if !body.isEmpty { fields["Content-Length"] = "\(body.utf8.count)" }
    lines += fields.map { "\($0.key): \($0.value)" }
    // What is refused may be refused before all of it is read.
    try? await wire.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return Answer(text: await wire.readAll())
  }
}
