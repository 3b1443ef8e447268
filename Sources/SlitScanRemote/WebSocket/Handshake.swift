// How a connection becomes a WebSocket.

import FlyingFox
import Foundation

/// The answer to a request for a WebSocket: FlyingFox checks the request and computes the answer.
enum Handshake {
  /// The answer, with the status ``Status/switchingProtocols`` where it is one.
  static func answer(to head: RequestHead) async -> Response {
    var fields = HTTPHeaders()
    for name in ["host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version"] {
      if let value = head.fields[name] { fields.addValue(value, for: HTTPHeader(name)) }
    }
    let request = HTTPRequest(
      method: .GET, version: .http11, target: .init(path: "/live", query: ""), headers: fields,
      body: HTTPBodySequence())
    let response = try? await WebSocketHTTPHandler(handler: NoFrames()).handleRequest(request)
    guard let response, response.statusCode == .switchingProtocols,
      let accept = response.headers[.webSocketAccept]
    else { return .refusal(.badRequest, "This is where a WebSocket is, version 13.") }
    return Response(
      status: .switchingProtocols,
      fields: [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept),
      ])
  }

  /// FlyingFox wants somebody for the frames; it is not asked to read any.
  private struct NoFrames: WSHandler {
    func makeFrames(
      for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> { AsyncStream { nil } }
  }
}
