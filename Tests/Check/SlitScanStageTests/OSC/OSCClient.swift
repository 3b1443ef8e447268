// A controller: sends to an input, and hears what comes.

import Foundation
import StreamingThread

@testable import SlitScanStage

/// A port that sends to an input and hears what comes.
///
/// It reads and writes with the code that is tested; `OSCMessageTests` and
/// `OSCInputTests.programsOfOthersSendAndHear` hold that against other code.
actor OSCClient {
  /// What has come.
  private final class Heard: Sendable {
    private struct State {
      /// The messages, as `/slitscan/gain f:2.5`.
      var lines: [String] = []
      /// The number of the last question.
      var question = 0
      var isAnswered = true
    }

    /// The properties that are asked for, together as nobody else is told of them.
    ///
    /// One question is not like the next, for which a late answer to it would else be taken.
    private static let questions = [["mode", "edge"], ["mode", "interpolation"]]

    private let state = Lock(State())

    /// Whether the last question has been answered.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// The properties to ask for.
    func ask() -> [String] {
      state.withLock { state in
        state.question += 1
        state.isAnswered = false
        return Self.questions[state.question % Self.questions.count]
      }
    }

    /// The next message.
    func next() -> String? {
      state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
    }

    /// Takes the messages of a datagram.
    func take(_ messages: [OSCMessage]) {
      let addresses = Set(messages.map(\.address))
      let question = Self.questions.firstIndex { names in
        addresses == Set(names.map { "/slitscan/\($0)" })
      }
      state.withLock { state in
        guard let question else {
          state.lines += messages.map(OSCClient.line)
          return
        }
        // A question that was asked twice is answered twice.
        guard !state.isAnswered, question == state.question % Self.questions.count else { return }
        state.isAnswered = true
        state.lines = []
      }
    }
  }

  private let socket: OSCSocket
  private let target: OSCEndpoint
  private let heard = Heard()

  init(to port: UInt16) throws {
    guard let target = OSCEndpoint("127.0.0.1", port: port) else {
      throw StageError(.inputFailed, "There is no port \(port).")
    }
    self.target = target
    socket = try OSCSocket(bind: "127.0.0.1", port: 0)
    try socket.receive { [heard] bytes, _ in
      heard.take((OSCPacket.groups(of: bytes) ?? []).flatMap(\.messages))
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
  nonisolated var port: UInt16 { socket.endpoint.port }

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

  /// The next line that is heard.
  func next() async throws -> String {
    while true {
      if let line = heard.next() { return line }
      try await Task.sleep(for: .milliseconds(2))
    }
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
  /// Forgets what was heard before the answer. Asks again, as datagrams can be lost.
  func settle() async throws {
    let question = heard.ask()
    while true {
      send("/slitscan/get", "{\(question.joined(separator: ","))}")
      for _ in 0..<100 {
        if heard.isAnswered { return }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
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
