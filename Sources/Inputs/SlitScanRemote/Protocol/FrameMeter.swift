// The frame meter limits what a client may send by its WebSocket. A value.

import CSoup

/// Counts the bytes of a client's frames before messages are put together of them.
struct FrameMeter: Sendable {
  /// The opcode of RFC 6455 for a ping; those from 8 on are no parts of messages.
  static let ping: UInt8 = 9

  private let messageLimit: Int
  private let secondLimit: Int
  private var messageBytes = 0
  private var second: ContinuousClock.Instant
  private var secondBytes = 0

  /// - Parameters:
  ///   - messageLimit: The most bytes of a message, however many frames it has.
  ///   - secondLimit: The most bytes of a second, with what frames have before their content.
  init(messageLimit: Int, secondLimit: Int, at now: ContinuousClock.Instant) {
    self.messageLimit = messageLimit
    self.secondLimit = secondLimit
    second = now
  }

  /// - Parameter hasRoom: Whether an answer could be sent at once.
  /// - Returns: The code to close with, if the frame is too much.
  mutating func take(
    _ opcode: UInt8, byteCount: Int, at now: ContinuousClock.Instant, hasRoom: Bool
  ) -> SoupWebsocketCloseCode? {
    if now - second > .seconds(1) {
      second = now
      secondBytes = 0
    }
    secondBytes += byteCount + 6
    guard secondBytes <= secondLimit, hasRoom || opcode != Self.ping else {
      return SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION
    }
    guard opcode < 8 else { return nil }
    messageBytes = (opcode == 0 ? messageBytes : 0) + byteCount
    return messageBytes > messageLimit ? SOUP_WEBSOCKET_CLOSE_TOO_BIG : nil
  }
}
