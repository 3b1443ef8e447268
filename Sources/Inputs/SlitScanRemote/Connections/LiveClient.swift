// A live client is the actor of one phone and its WebSocket.

import CSoup
import CWebServer
import FoundationEssentials
import GStreamer
import SlitScanStage

/// A client at the other end of a WebSocket.
///
/// Its moves wait in an ``Inbox``, its news in an ``Outbox``; both are bounded. Moves that take as long as
/// a disk does wait in an inbox of their own, and hold up no others. A client that floods is disconnected,
/// and one that is slow is told less often.
@safe
actor LiveClient {
  /// The longest message, in bytes.
  static let messageLimit = 4096

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe WebThread.shared.asUnownedSerialExecutor()
  }

  private let limits: Limits
  private let clock: any SteadyClock
  private let parameters: Parameters
  private let surface: JSON
  private weak let remote: Remote?
  /// libsoup's, from the handshake to the end.
  private var socket: OpaquePointer?
  private var outbox: Outbox
  private var inboxes: [Pace: Inbox] = [:]
  /// The inboxes of which a move is being done.
  private var busy: Set<Pace> = []
  private var isWriting = false
  private var meter: FrameMeter
  /// The limit until which something has to come.
  private var silence: Deadline
  /// The limit until which the system has to take more to send; nil where it does.
  private var blockage: Deadline?
  private var room: (source: UnsafeMutablePointer<GSource>, wake: CheckedContinuation<Void, Never>)?
  private var watching: Task<Void, Never>?
  private var nonsense = 0
  /// Whether the client shows frames.
  private(set) var looks = false

  /// Moves that wait for a disk or a network hold up only each other.
  private enum Pace { case quick, slow }

  /// - Parameter remote: Performs moves, and is told when the client begins or ends to look at frames.
  init(
    _ update: Update, _ thumbnails: [Thumbnail: Data], _ parameters: Parameters, _ surface: JSON,
    _ limits: Limits, clock: any SteadyClock, of remote: Remote
  ) {
    outbox = Outbox(update, thumbnails: thumbnails)
    self.limits = limits
    self.clock = clock
    meter = FrameMeter(
      messageLimit: Self.messageLimit, secondLimit: limits.bytes, at: clock.now)
    silence = Deadline(in: limits.silence, on: clock)
    self.parameters = parameters
    self.surface = surface
    self.remote = remote
  }

  // MARK: Begin and end

  /// - Parameter message: The address of libsoup's request.
  func begin(_ message: UInt) {
    let calls = unsafe WebSocketCallbacks(frame: onFrame, message: onMessage, closed: onClosed)
    unsafe socket = web_socket_new(
      OpaquePointer(bitPattern: message), guint(Self.messageLimit),
      guint(max(1, limits.ping / .seconds(1))), calls, CallbackContext.retain(self),
      releaseContext)
    silence.restart()
    write()
    watching = Task {
      while (try? await clock.sleep(for: silence.longestTurn)) != nil { watch() }
    }
  }

  /// Disconnects a client that does not seem to be there.
  private func watch() {
    let isSilent = silence.isOver()
    let isBlocked = blockage?.isOver() ?? false
    if isSilent || isBlocked { leave() }
  }

  /// Closes the connection, with a code of RFC 6455.
  func close(_ code: SoupWebsocketCloseCode, _ reason: String = "") {
    guard let socket = unsafe openSocket else { return }
    unsafe soup_websocket_connection_close(socket, gushort(code.rawValue), reason)
  }

  /// Ends the connection without a word.
  func leave() {
    guard let socket = unsafe socket else { return }
    unsafe g_socket_shutdown(web_socket_below(socket), 1, 1, nil)
  }

  fileprivate func end() {
    guard let socket = unsafe socket else { return }
    watching?.cancel()
    endWaitForRoom()
    unsafe g_object_unref(UnsafeMutableRawPointer(socket))
    unsafe self.socket = nil
  }

  private var openSocket: OpaquePointer? {
    guard let socket = unsafe socket,
      unsafe soup_websocket_connection_get_state(socket) == SOUP_WEBSOCKET_STATE_OPEN
    else { return nil }
    return unsafe socket
  }

  // MARK: What it is told

  func tell(_ body: @Sendable (inout Update) -> Void) {
    outbox.note(body)
    write()
  }

  /// Offers a frame, which is sent if the client has shown the last one.
  func show(_ jpeg: Data) {
    outbox.show(jpeg)
    write()
  }

  /// Shows a thumbnail from now on.
  func show(_ thumbnail: Thumbnail, _ jpeg: Data) {
    outbox.show(thumbnail, jpeg)
    write()
  }

  /// Whether it waits for a frame.
  var wantsFrame: Bool { unsafe outbox.wantsFrame && openSocket != nil }

  private func write() {
    guard !isWriting, unsafe socket != nil else { return }
    isWriting = true
    Task {
      await writeAll()
      isWriting = false
    }
  }

  /// Whether the system takes more to send.
  private static func isWritable(_ socket: OpaquePointer) -> Bool {
    unsafe g_socket_condition_check(web_socket_below(socket), G_IO_OUT).rawValue != 0
  }

  private func writeAll() async {
    while let socket = unsafe openSocket {
      // libsoup keeps what the system does not take: so it gets nothing before the system takes more.
      guard unsafe Self.isWritable(socket) else {
        await waitForRoom()
        continue
      }
      guard let item = outbox.next() else { return }
      let (type, data) = encoded(item)
      let bytes = unsafe data.withUnsafeBytes {
        unsafe g_bytes_new($0.baseAddress, gsize($0.count))
      }
      unsafe soup_websocket_connection_send_message(socket, type, bytes)
      unsafe g_bytes_unref(bytes)
      if case .update = item { try? await clock.sleep(for: limits.pace) }
    }
  }

  /// Waits until the system takes more to send, or the connection is over.
  private func waitForRoom() async {
    blockage = Deadline(in: limits.silence, on: clock)
    await withCheckedContinuation { wake in
      guard let socket = unsafe socket else { return wake.resume() }
      let this = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe room = (web_watch(web_socket_below(socket), G_IO_OUT, onRoom, this), wake)
    }
    blockage = nil
  }

  fileprivate func endWaitForRoom() {
    guard let (source, wake) = unsafe room else { return }
    unsafe room = nil
    unsafe g_source_destroy(source)
    unsafe g_source_unref(source)
    wake.resume()
  }

  private func encoded(_ item: Outbox.Item) -> (SoupWebsocketDataType, Data) {
    let json: JSON
    switch item {
    case .here: json = ["here": .bool(true)]
    case .surface: json = ["surface": surface]
    case .update(let update, let isWhole):
      json = .object([isWhole ? "state" : "change": update.json(parameters, at: clock.now)])
    case .frame(let jpeg): return (SOUP_WEBSOCKET_DATA_BINARY, jpeg)
    case .thumbnail(let thumbnail, let jpeg):
      json = [
        "thumbnail": [
          "kind": .text(thumbnail.kind.rawValue), "name": .text(thumbnail.name),
          "jpeg": .text(jpeg.base64EncodedString()),
        ]
      ]
    }
    return (SOUP_WEBSOCKET_DATA_TEXT, json.data)
  }

  // MARK: What it says

  /// - Returns: The code to close with, or 0.
  fileprivate func hear(_ opcode: UInt8, byteCount: Int) -> gint {
    silence.restart()
    let hasRoom =
      unsafe opcode != FrameMeter.ping
      || socket.map { unsafe Self.isWritable($0) } ?? true
    let violation = meter.take(opcode, byteCount: byteCount, at: clock.now, hasRoom: hasRoom)
    return gint(violation?.rawValue ?? 0)
  }

  fileprivate func take(_ text: String) {
    // After a close, nothing counts.
    guard unsafe openSocket != nil else { return }
    do throws(StageError) {
      switch try ClientMessage(text) {
      case .move(let move):
        guard put(move, .quick) else { return }
      case .look(let looks):
        self.looks = looks
        outbox.look(looks)
        Task { await remote?.followLooks() }
      case .seen: outbox.seen()
      case .here: outbox.sayHere()
      }
      nonsense = 0
      write()
    } catch {
      nonsense += 1
      guard nonsense < limits.nonsense else {
        return close(
          SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION, "Too many invalid messages.")
      }
      complain(error)
    }
  }

  private func complain(_ error: StageError) {
    // A client's own text is not sent back at any length.
    let text = String(error.message.prefix(300))
    tell { $0.add(Update.Note(kind: "trouble", text: text)) }
  }

  /// Has a move done after those of its pace that came before.
  ///
  /// - Returns: Whether it could be taken.
  @discardableResult
  private func put(_ move: Move, _ pace: Pace) -> Bool {
    guard inboxes[pace]?.isFull != true else {
      complain(StageError(.badMove, "Too many moves at once; the rest was dropped."))
      return false
    }
    inboxes[pace, default: Inbox()].put(move)
    guard busy.insert(pace).inserted else { return true }
    Task {
      // A client that is gone has said enough.
      while unsafe socket != nil, let move = inboxes[pace]?.next() {
        if case .snapshot = move {
          // Comes with the next whole frame, which may be some time away.
          Task { await performOne(move) }
        } else if pace == .quick, move.isSlow {
          put(move, .slow)
        } else {
          await performOne(move)
        }
      }
      busy.remove(pace)
    }
    return true
  }

  private func performOne(_ move: Move) async {
    do throws(StageError) {
      try await remote?.perform(move)
    } catch {
      complain(error)
    }
  }
}

// MARK: What libsoup calls

private func onFrame(_ opcode: guint8, _ byteCount: gsize, _ data: gpointer?) -> gint {
  unsafe CallbackContext<LiveClient>.object(data)?
    .assumeIsolated { $0.hear(opcode, byteCount: Int(clamping: byteCount)) } ?? 0
}

private func onRoom(
  _ socket: UnsafeMutablePointer<GSocket>?, _ condition: GIOCondition, _ data: gpointer?
) -> gboolean {
  unsafe CallbackContext<LiveClient>.object(data)?.assumeIsolated { $0.endWaitForRoom() }
  return 0
}

private func onMessage(
  _ socket: OpaquePointer?, _ type: gint, _ bytes: OpaquePointer?, _ data: gpointer?
) {
  guard let client = unsafe CallbackContext<LiveClient>.object(data) else { return }
  guard type == gint(SOUP_WEBSOCKET_DATA_TEXT.rawValue) else {
    return client.assumeIsolated {
      $0.close(SOUP_WEBSOCKET_CLOSE_UNSUPPORTED_DATA, "Messages must be text.")
    }
  }
  let text = unsafe text(bytes)
  client.assumeIsolated { $0.take(text) }
}

private func onClosed(_ socket: OpaquePointer?, _ data: gpointer?) {
  unsafe CallbackContext<LiveClient>.object(data)?.assumeIsolated { $0.end() }
}
