// What is answered.

import Foundation

/// How a request ended.
struct Status: Sendable, Hashable {
  let code: Int
  let phrase: String

  static let switchingProtocols = Status(code: 101, phrase: "Switching Protocols")
  static let ok = Status(code: 200, phrase: "OK")
  static let noContent = Status(code: 204, phrase: "No Content")
  static let badRequest = Status(code: 400, phrase: "Bad Request")
  static let notPaired = Status(code: 401, phrase: "Unauthorized")
  static let forbidden = Status(code: 403, phrase: "Forbidden")
  static let notFound = Status(code: 404, phrase: "Not Found")
  static let methodNotAllowed = Status(code: 405, phrase: "Method Not Allowed")
  static let tooSlow = Status(code: 408, phrase: "Request Timeout")
  static let bodyTooLong = Status(code: 413, phrase: "Content Too Large")
  static let tooManyRequests = Status(code: 429, phrase: "Too Many Requests")
  static let headTooLong = Status(code: 431, phrase: "Request Header Fields Too Large")
  static let full = Status(code: 503, phrase: "Service Unavailable")
  static let versionNotSupported = Status(code: 505, phrase: "HTTP Version Not Supported")
}

/// An answer with all of its body; the connection ends after it.
struct Response: Sendable {
  let status: Status
  var fields: [(name: String, value: String)] = []
  var body = Data()

  /// An answer in a sentence, for people who look.
  static func refusal(_ status: Status, _ sentence: String) -> Response {
    Response(
      status: status, fields: [("Content-Type", "text/plain; charset=utf-8")],
      body: Data("\(sentence)\n".utf8))
  }

  /// The bytes to be sent.
  var encoded: Data {
    var lines = ["HTTP/1.1 \(status.code) \(status.phrase)"]
    lines += fields.map { "\($0.name): \($0.value)" }
    lines += Self.always.map { "\($0.name): \($0.value)" }
    if status != .switchingProtocols {
      if status != .noContent { lines.append("Content-Length: \(body.count)") }
      lines.append("Connection: close")
    }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Nothing is kept, guessed, framed or told to other sites.
  private static let always: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
