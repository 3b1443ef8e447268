// A controller: sends to an input, and hears what comes.

@testable import SlitScanOSC
@testable import SlitScanStage

/// A port that sends to an input and hears what comes.
///
/// It reads and writes with the code that is tested; `OSCMessageTests` and
/// `OSCLiveTests.programsOfOthersSendAndHear` hold that against other code. Of datagrams within this machine none
/// is lost as long as they fit into the system's buffer, which takes some hundred: ``settle()`` between more.
final class OSCClient: Sendable {
  /// Something that has come.
  private enum Received: Sendable {
    /// A message, as `/slitscan/gain f:2.5`.
    case line(String)
    /// The answer to what ``settle()`` asks.
    case answer
  }

  /// The addresses that ``settle()`` asks for: together, and alone, they are in no other datagram.
  private static let question: Set = ["/slitscan/edge", "/slitscan/mode"]

  private let socket: OSCSocket
  private let target: OSCEndpoint
  private let heard: AsyncStream<Received>

  init(to port: UInt16) throws {
    guard let target = OSCEndpoint("127.0.0.1", port: port) else {
      throw StageError(.inputFailed, "There is no port \(port).")
    }
    self.target = target
    socket = try OSCSocket(bind: "127.0.0.1", port: 0)
    let (heard, pen) = AsyncStream.makeStream(of: Received.self)
    self.heard = heard
    try socket.receive { bytes, _ in
      let messages = (OSCPacket.groups(of: bytes) ?? []).flatMap(\.messages)
      if Set(messages.map(\.address)) == Self.question {
        pen.yield(.answer)
      } else {
        for message in messages { pen.yield(.line(Self.line(message))) }
      }
    }
  }

  private static func line(_ message: OSCMessage) -> String {
    let words = message.arguments.map { argument in
      switch argument {
      case .whole(let number): "i:\(number)"
      case .number(let number): "f:\(number)"
      case .text(let text): "s:\(text)"
      default: "?"
      }
    }
    return ([message.address] + words).joined(separator: " ")
  }

  /// The port that it sends from and hears on.
  var port: UInt16 { socket.endpoint.port }

  func send(_ path: String, _ arguments: OSCArgument...) {
    _ = socket.send(OSCMessage(path, arguments).bytes, to: target)
  }

  func send(_ path: String, _ value: Float) { send(path, .number(Double(value))) }
  func send(_ path: String, whole value: Int32) { send(path, .whole(Int64(value))) }
  func send(_ path: String, _ text: String) { send(path, .text(text)) }

  /// A bundle of numbers.
  func send(_ values: [(path: String, value: Float)], at time: OSCTimeTag) {
    let messages = values.map { OSCMessage($0.path, .number(Double($0.value))).bytes }
    _ = socket.send(OSCPacket.bundle(messages, at: time), to: target)
  }

  func next() async throws -> String {
    for await case .line(let line) in heard { return line }
    throw CancellationError()
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
  /// Forgets what was heard before the answer.
  func settle() async throws {
    send("/slitscan/get", "{edge,mode}")
    for await case .answer in heard { return }
    throw CancellationError()
  }
}

extension OSCTimeTag {
  /// Some time later.
  func advanced(by duration: Duration) -> OSCTimeTag {
    let steps = duration.seconds * 4_294_967_296
    guard let steps = Int64(exactly: steps.rounded()) else { return self }
    return OSCTimeTag(rawValue: rawValue &+ UInt64(bitPattern: steps))
  }
}
