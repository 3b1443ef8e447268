// Connections as a client has them, byte by byte.

import FlyingSocks
import Foundation
import Testing

/// A connection to a remote.
struct Wire: Sendable {
  let socket: AsyncSocket

  private static let pool = Task { () throws -> any AsyncSocketPool in
    let pool: any AsyncSocketPool = SocketPool.make()
    try await pool.prepare()
    Task.detached { try await pool.run() }
    return pool
  }

  /// - Parameter address: The client's own address; nil for any.
  init(to port: UInt16, from address: String? = nil) async throws {
    let pool = try await Self.pool.value
    let plain = try Socket(domain: AF_INET, type: .stream)
    socket = try AsyncSocket(socket: plain, pool: pool)
    do {
      if let address { try plain.bind(to: sockaddr_in.inet(ip4: address, port: 0)) }
      try await socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    } catch {
      try? socket.close()
      throw error
    }
  }

  func send(_ bytes: some Sequence<UInt8>) async throws { try await socket.write(Data(bytes)) }

  func send(_ text: String) async throws { try await send(text.utf8) }

  /// Some bytes, none at the end.
  func read() async -> [UInt8] { (try? await socket.read(atMost: 4096)) ?? [] }

  /// All there is until the other side closes.
  func readAll() async -> String {
    var bytes: [UInt8] = []
    while true {
      let more = await read()
      if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += more
    }
  }

  func close() { try? socket.close() }

  // MARK: HTTP

  /// What a remote answers.
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
