// The web server accepts HTTP and WebSocket connections by libsoup.

import CSoup
import CWebServer
import GStreamer
import SlitScanStage

/// A socket that listens, and a server of libsoup for the connections that come of it.
///
/// - Important: Only for the thread of ``WebThread``, as all that is libsoup's.
@safe
final class WebServer {
  /// The port, also where any was asked for.
  let port: UInt16

  private let listener: UnsafeMutablePointer<GSocket>
  private let soup: UnsafeMutablePointer<SoupServer>
  private weak let remote: Remote?
  private let clock: any SteadyClock
  private var waiting: UnsafeMutablePointer<GSource>?
  private var visits: [UInt64: Visit] = [:]

  @safe
  private struct Visit {
    let socket: UnsafeMutablePointer<GSocket>
    let address: String
    var isAnswered = false
  }

  // MARK: Connections

  /// - Parameters:
  ///   - address: An address in digits, or `localhost`.
  ///   - remote: Hears of visits, and answers.
  /// - Throws: ``StageError/Code/inputFailed``.
  init(
    on address: String, port: UInt16, for remote: Remote, clock: any SteadyClock
  ) throws(StageError) {
    let digits = address == "localhost" ? "127.0.0.1" : address
    var error: UnsafeMutablePointer<GError>?
    guard let listener = unsafe web_listen(digits, port, &error) else {
      defer { unsafe g_clear_error(&error) }
      throw unsafe Self.explain(error, address, port)
    }
    unsafe self.listener = listener
    unsafe self.port = web_port(listener)
    unsafe soup = web_server_new()
    self.remote = remote
    self.clock = clock
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe soup_server_add_early_handler(soup, nil, onHead, this, nil)
    unsafe soup_server_add_handler(soup, nil, onRequest, this, nil)
    watch()
  }

  deinit {
    stopWatching()
    unsafe soup_server_remove_handler(soup, nil)
    unsafe soup_server_disconnect(soup)
    unsafe g_object_unref(soup)
    unsafe g_object_unref(listener)
    for visit in visits.values { unsafe g_object_unref(visit.socket) }
  }

  private static func explain(
    _ error: UnsafeMutablePointer<GError>?, _ address: String, _ port: UInt16
  ) -> StageError {
    let code = unsafe error.map { unsafe GIOErrorEnum(UInt32($0.pointee.code)) }
    let sentence =
      switch code {
      case G_IO_ERROR_INVALID_ARGUMENT:
        "\(address) is not an IP address. Use digits, such as 127.0.0.1 or 0.0.0.0."
      case G_IO_ERROR_ADDRESS_IN_USE:
        "Port \(port) is in use. Choose another one, or 0 for any free one."
      case G_IO_ERROR_PERMISSION_DENIED:
        "Port \(port) is reserved for the system. Choose one from 1024 on."
      // GLib has no code of its own for it.
      case G_IO_ERROR_FAILED: "This machine has no address \(address)."
      default:
        "The remote cannot listen on \(address), port \(port): "
          + (unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "") + "."
      }
    return StageError(.inputFailed, sentence)
  }

  /// Waits for connections.
  func watch() {
    guard unsafe waiting == nil, unsafe g_socket_is_closed(listener) == 0 else { return }
    unsafe waiting = web_watch(
      listener, G_IO_IN, onConnection, Unmanaged.passUnretained(self).toOpaque())
  }

  private func stopWatching() {
    guard let source = unsafe waiting else { return }
    unsafe g_source_destroy(source)
    unsafe g_source_unref(source)
    unsafe waiting = nil
  }

  fileprivate func accept() {
    guard let remote, let socket = unsafe web_accept(listener) else {
      // The client disconnected before accept, or there are too many open files: both pass.
      stopWatching()
      Task { [remote, clock] in
        try? await clock.sleep(for: .milliseconds(100))
        await remote?.listenAgain()
      }
      return
    }
    let address = unsafe web_address(socket)
    defer { unsafe g_free(address) }
    let digits = unsafe address.map { unsafe String(cString: $0) } ?? ""
    let number = remote.assumeIsolated { $0.admit(from: digits) }
    unsafe visits[number] = Visit(socket: socket, address: digits)
    let farewell = unsafe CallbackContext.retain(ConnectionEnd(number, remote))
    unsafe web_serve(soup, socket, UInt(number), farewell, releaseContext)
  }

  /// Stops listening, and closes the connections of all that are no clients.
  func close(butFor clients: some Collection<UInt64>) {
    stopWatching()
    unsafe g_socket_close(listener, nil)
    for number in visits.keys where !clients.contains(number) {
      turnAway(number, .refusal(SOUP_STATUS_SERVICE_UNAVAILABLE, "slitscan stops."))
    }
  }

  /// Ends a connection, with an answer where there was none.
  func turnAway(_ number: UInt64, _ response: Response) {
    guard let visit = visits[number] else { return }
    visits[number]?.isAnswered = true
    unsafe web_turn_away(visit.socket, visit.isAnswered ? "" : response.text)
  }

  func forget(_ number: UInt64) {
    guard let visit = visits.removeValue(forKey: number) else { return }
    unsafe g_object_unref(visit.socket)
  }

  // MARK: Requests

  /// Refuses what is longer than anything that is asked here, before it is read.
  fileprivate func check(_ message: OpaquePointer) {
    let headers = unsafe soup_server_message_get_request_headers(message)
    let length = unsafe soup_message_headers_get_content_length(headers)
    let refusal: Response
    switch unsafe soup_message_headers_get_encoding(headers) {
    case SOUP_ENCODING_NONE: return
    // libsoup takes -1 for a length, and reads until there is no more.
    case SOUP_ENCODING_CONTENT_LENGTH where length >= 0:
      guard length > Request.bodyLimit else { return }
      refusal = .refusal(SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "The request is too long.")
    default:
      refusal = .refusal(SOUP_STATUS_BAD_REQUEST, "The length of the request is invalid.")
    }
    let body = unsafe soup_server_message_get_request_body(message)
    unsafe soup_message_body_set_accumulate(body, 0)
    turnAway(UInt64(unsafe web_number(message)), refusal)
  }

  fileprivate func answer(_ message: OpaquePointer, _ path: UnsafePointer<CChar>) {
    let number = UInt64(unsafe web_number(message))
    guard let remote, let visit = visits[number], !visit.isAnswered else {
      // Has an answer, which libsoup did not send.
      return unsafe soup_server_message_set_status(message, 503, nil)
    }
    visits[number]?.isAnswered = true
    let headers = unsafe soup_server_message_get_request_headers(message)
    let field = { (name: String) in
      unsafe soup_message_headers_get_list(headers, name).map { unsafe String(cString: $0) }
    }
    let body = unsafe soup_message_body_flatten(soup_server_message_get_request_body(message))
    defer { unsafe g_bytes_unref(body) }
    let request = unsafe Request(
      method: String(cString: soup_server_message_get_method(message)),
      path: String(cString: path), host: field("Host"), origin: field("Origin"),
      cookies: field("Cookie"), body: text(body),
      isHandshake: soup_websocket_server_check_handshake(message, nil, nil, nil, nil) != 0,
      address: visit.address)
    switch remote.assumeIsolated({ $0.answer(request, number) }) {
    case .response(let response): unsafe respond(message, response)
    case .live(let client):
      _ = unsafe web_upgrade(message, onUpgrade, CallbackContext.retain(client), releaseContext)
    }
  }

  private func respond(_ message: OpaquePointer, _ response: Response) {
    let headers = unsafe soup_server_message_get_response_headers(message)
    for (name, value) in response.fields + Response.always {
      unsafe soup_message_headers_append(headers, name, value)
    }
    unsafe soup_server_message_set_status(message, response.status.rawValue, nil)
    guard !response.body.isEmpty else { return }
    unsafe soup_server_message_set_response(
      message, response.type, SOUP_MEMORY_COPY, response.body, gsize(response.body.utf8.count))
  }
}

/// Reports that nothing of a connection is left.
private final class ConnectionEnd: Sendable {
  private let number: UInt64
  private weak let remote: Remote?

  init(_ number: UInt64, _ remote: Remote?) {
    self.number = number
    self.remote = remote
  }

  deinit {
    Task { [number, remote] in await remote?.end(number) }
  }
}

func text(_ bytes: OpaquePointer?) -> String {
  var count: gsize = 0
  let start = unsafe g_bytes_get_data(bytes, &count)
  return unsafe String(
    decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
}

// MARK: What libsoup calls

private func server(_ data: gpointer?) -> WebServer? {
  unsafe data.map { unsafe Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
}

private func onConnection(
  _ listener: UnsafeMutablePointer<GSocket>?, _ condition: GIOCondition, _ data: gpointer?
) -> gboolean {
  unsafe server(data)?.accept()
  return 1
}

private func onHead(
  _ soup: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?,
  _ path: UnsafePointer<CChar>?, _ query: OpaquePointer?, _ data: gpointer?
) {
  guard let message = unsafe message else { return }
  unsafe server(data)?.check(message)
}

private func onRequest(
  _ soup: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?,
  _ path: UnsafePointer<CChar>?, _ query: OpaquePointer?, _ data: gpointer?
) {
  guard let message = unsafe message, let path = unsafe path else { return }
  unsafe server(data)?.answer(message, path)
}

private func onUpgrade(_ message: OpaquePointer?, _ data: gpointer?) {
  // As a number: no pointer goes into an actor.
  let message = UInt(bitPattern: message)
  unsafe CallbackContext<LiveClient>.object(data)?.assumeIsolated { $0.begin(message) }
}
