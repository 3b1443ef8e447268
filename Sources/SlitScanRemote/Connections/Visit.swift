// One connection, from its first byte to its end.

import FlyingSocks
import Foundation

/// A request that has come whole.
struct Request: Sendable {
  /// How much may follow a head, in bytes: a pairing code.
  static let bodyLimit = 64

  let head: RequestHead
  let body: [UInt8]
  /// Who asks: an address without a port.
  let address: String
}

/// What a request comes to.
enum Reply: Sendable {
  /// An answer, and the end.
  case response(Response)
  /// A client that stays, after this answer.
  case live(Response, LiveClient)
}

/// A connection.
struct Visit: Sendable {
  let socket: AsyncSocket
  let limits: Limits

  /// Who has connected: an address without a port.
  var address: String {
    switch try? socket.socket.remotePeer() {
    case .ip4(let address, _), .ip6(let address, _): address
    default: ""
    }
  }

  /// Reads a request, answers it, and where a client stays, lets it; then closes.
  func run(_ answer: @escaping @Sendable (Request) async -> Reply?) async {
    await converse(answer)
    await Sockets.shared.close(socket)
  }

  private func converse(_ answer: @Sendable (Request) async -> Reply?) async {
    guard let (reading, rest) = try? await readRequest() else {
      if Task.isCancelled { turnAway() }
      return
    }
    switch reading {
    case .success(let request):
      switch await answer(request) {
      case .response(let response): await send(response)
      case .live(let response, let client):
        guard (try? await write(response.encoded)) != nil else { return client.leave() }
        await client.run(on: socket, rest)
        await linger()
      case nil: break
      }
    case .failure(let refusal): await send(refusal.response)
    }
  }

  private struct Refusal: Error {
    let response: Response

    init(_ status: Status, _ sentence: String) { response = .refusal(status, sentence) }
  }

  // MARK: Requests

  /// - Returns: The request or what to answer instead, and what has come after it.
  /// - Throws: Where there is nobody to answer.
  private func readRequest() async throws -> (Result<Request, Refusal>, rest: [UInt8]) {
    let request = try await within(limits.request) { try await readRequestAtLeisure() }
    return request
      ?? (.failure(Refusal(.tooSlow, "The request did not come to its end in time.")), [])
  }

  private func readRequestAtLeisure() async throws -> (Result<Request, Refusal>, rest: [UInt8]) {
    var bytes: [UInt8] = []
    while true {
      switch RequestHead.read(bytes) {
      case .unfinished: bytes += try await socket.read(atMost: 4096)
      case .refused(let status):
        return (.failure(Refusal(status, "The request cannot be read: \(status.phrase).")), [])
      case .head(let head, let end):
        guard let length = head.bodyLength else {
          return (.failure(Refusal(.badRequest, "The request's length cannot be read.")), [])
        }
        guard length <= Request.bodyLimit else {
          return (.failure(Refusal(.bodyTooLong, "The request is too long.")), [])
        }
        while bytes.count < end + length { bytes += try await socket.read(atMost: 4096) }
        let body = Array(bytes[end..<(end + length)])
        let request = Request(head: head, body: body, address: address)
        return (.success(request), Array(bytes[(end + length)...]))
      }
    }
  }

  // MARK: Answers

  private func write(_ data: Data) async throws {
    let isSent: Void? = try await within(limits.silence) { try await socket.write(data) }
    if isSent == nil { throw CancellationError() }
  }

  private func send(_ response: Response) async {
    guard (try? await write(response.encoded)) != nil else { return }
    await linger()
  }

  /// Lets the other side read what was sent: where something unread has come, a close takes it away.
  private func linger() async {
    _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    _ = try? await within(.seconds(1)) {
      for _ in 0..<16 { _ = try await socket.read(atMost: 4096) }
    }
  }

  /// Turns somebody away without waiting for anything.
  private func turnAway() {
    let response = Response.refusal(.full, "Too many are connected. Try again later.")
    _ = try? socket.socket.write(response.encoded)
    _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    _ = try? socket.socket.read(atMost: 4096)
  }
}
