// A phone, simulated by a test.

import Foundation
import Testing

@testable import SlitScanRemote

/// The other end of a WebSocket: merges what it is told, as the page does.
final class Phone {
  let wire: Wire
  private var bytes: [UInt8] = []
  /// The controls.
  private(set) var surface: [String: Any] = [:]
  /// The state of the performance.
  private(set) var state: [String: Any] = [:]
  private(set) var notes: [String] = []
  private(set) var images: [Data] = []
  /// The thumbnails by kind and name, all that came.
  private(set) var thumbnails: [String: [Data]] = [:]
  /// The number of updates it got.
  private(set) var updates = 0
  private(set) var wasHere = 0
  /// The close code; nil while it is open, 1006 if the connection ended without one.
  private(set) var closed: Int?
  /// Whether it answers pings and a farewell.
  var answers = true

  private init(_ wire: Wire) { self.wire = wire }

  static func fields(port: UInt16, cookie: String? = nil) -> [String: String] {
    var fields = [
      "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)", "Upgrade": "websocket",
      "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version": "13",
    ]
    fields["Cookie"] = cookie
    return fields
  }

  /// Connects, and waits until it knows all.
  init(to port: UInt16, cookie: String? = nil) async throws {
    let (wire, bytes) = try await Self.connect(to: port, cookie: cookie)
    self.wire = wire
    self.bytes = bytes
    try await wait { !$0.state.isEmpty }
  }

  /// Asks for a WebSocket.
  ///
  /// - Returns: The connection, and what has come after the answer.
  private static func connect(
    to port: UInt16, cookie: String?
  ) async throws -> (wire: Wire, rest: [UInt8]) {
    let fields = Self.fields(port: port, cookie: cookie).map { "\($0.key): \($0.value)\r\n" }
    let wire = try await Wire(to: port)
    try await wire.send("GET /live HTTP/1.1\r\n\(fields.joined())\r\n")
    var bytes: [UInt8] = []
    while true {
      let more = await wire.read()
      try #require(!more.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
      bytes += more
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      // The example of RFC 6455, 1.3.
      try #require(text.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
      return (wire, Array(bytes.dropFirst(text[..<end.upperBound].utf8.count)))
    }
  }

  // MARK: What it says

  static func frame(_ opcode: UInt8, _ payload: [UInt8], final: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var bytes = [(final ? 0x80 : 0) | opcode]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      bytes.append(0x80 | 127)
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
    }
    return bytes + mask + zip(payload, 0...).map { $0 ^ mask[$1 % 4] }
  }

  func say(_ text: String) async throws { try await wire.send(Self.frame(1, Array(text.utf8))) }

  // MARK: What it hears

  func value(_ name: String) -> Any? { (state["values"] as? [String: Any])?[name] }
  func number(_ name: String) -> Double? { value(name) as? Double }

  /// Says something, and listens until what it said before was heard.
  func sayAndWait(_ text: String) async throws {
    let count = wasHere
    try await say(text)
    try await say(#"{"here":true}"#)
    try await wait { $0.wasHere > count }
  }

  /// Listens until something is so.
  func wait(_ isSo: (Phone) -> Bool) async throws {
    while !isSo(self) {
      try #require(closed == nil, "closed with \(closed ?? 0), notes \(notes)")
      await hear()
    }
  }

  /// Listens until it is released.
  func waitForClose() async -> Int {
    while true {
      if let closed { return closed }
      await hear()
    }
  }

  private func hear() async {
    while let (opcode, payload) = takeFrame() { await take(opcode, payload) }
    guard closed == nil else { return }
    let more = await wire.read()
    if more.isEmpty { closed = closed ?? 1006 }
    bytes += more
    while let (opcode, payload) = takeFrame() { await take(opcode, payload) }
  }

  private func takeFrame() -> (UInt8, [UInt8])? {
    guard bytes.count >= 2 else { return nil }
    let width = bytes[1] == 127 ? 8 : bytes[1] == 126 ? 2 : 0
    guard bytes.count >= 2 + width else { return nil }
    let length = width == 0 ? Int(bytes[1]) : bytes[2..<(2 + width)].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 2 + width + length else { return nil }
    let frame = (bytes[0] & 0x0F, Array(bytes[(2 + width)..<(2 + width + length)]))
    bytes.removeFirst(2 + width + length)
    return frame
  }

  private func take(_ opcode: UInt8, _ payload: [UInt8]) async {
    switch opcode {
    case 2: images.append(Data(payload))
    case 8:
      closed = payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1])
      if answers { try? await wire.send(Self.frame(8, payload)) }
    case 9: if answers { try? await wire.send(Self.frame(10, payload)) }
    case 1:
      let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
      if let all = object?["surface"] as? [String: Any] { surface = all }
      if object?["here"] != nil { wasHere += 1 }
      if let thumbnail = object?["thumbnail"] as? [String: String],
        let jpeg = thumbnail["jpeg"].flatMap({ Data(base64Encoded: $0) })
      {
        let key = "\(thumbnail["kind"] ?? "") \(thumbnail["name"] ?? "")"
        thumbnails[key, default: []].append(jpeg)
      }
      guard let news = (object?["state"] ?? object?["change"]) as? [String: Any] else { return }
      if object?["state"] != nil { state = [:] }
      updates += 1
      for (name, value) in news {
        guard let fields = value as? [String: Any], ["values", "places", "drives"].contains(name)
        else {
          state[name] = value
          continue
        }
        state[name] = (state[name] as? [String: Any] ?? [:]).merging(fields) { $1 }
      }
      notes += (news["notes"] as? [[String: String]] ?? []).compactMap { $0["text"] }
    default: break
    }
  }
}
