// A request of HTTP and the reply to it.

import CSoup
import SlitScanStage

/// A request that has come whole.
struct Request: Sendable {
  /// The longest body after a head, in bytes: a pairing code.
  static let bodyLimit = 64

  var method = "GET"
  /// Where, without what comes after a `?`.
  var path = "/"
  /// Fields that were sent twice have both values, with a comma between them.
  var host: String?
  var origin: String?
  var cookies: String?
  var body = ""
  /// Whether it asks properly for a WebSocket.
  var isHandshake = false
  /// The address of the client, without a port.
  var address = ""

  func cookie(_ name: String) -> String? {
    for pair in (cookies ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
        .map(\.trimmingSpaces)
      if parts.count == 2, parts[0] == name { return parts[1] }
    }
    return nil
  }
}

enum Reply: Sendable {
  /// An answer, and the end.
  case response(Response)
  /// A client that stays.
  case live(LiveClient)
}

/// An answer with all of its body; the connection ends after it.
struct Response: Sendable {
  let status: SoupStatus
  var fields: [(name: String, value: String)] = []
  var type = "text/plain; charset=utf-8"
  var body = ""

  /// An answer in a sentence, for a person with a browser.
  static func refusal(_ status: SoupStatus, _ sentence: String) -> Response {
    Response(status: status, body: "\(sentence)\n")
  }

  /// Nothing is kept, guessed, framed or told to other sites.
  static let always: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Connection", "close"),
  ]

  /// All of it, for where libsoup answers nothing.
  var text: String {
    let fields =
      Self.always + [("Content-Type", type), ("Content-Length", "\(body.utf8.count)")]
    let phrase = unsafe String(cString: soup_status_get_phrase(status.rawValue))
    return "HTTP/1.1 \(status.rawValue) \(phrase)\r\n"
      + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n" + body
  }
}

extension SoupStatus {
  /// libsoup has no name for it.
  static let tooManyRequests = SoupStatus(429)
}
