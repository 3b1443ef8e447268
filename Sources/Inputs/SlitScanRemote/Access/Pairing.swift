// Pairing admits clients on other machines by a code and a token. A value.

/// The pairing code that the performer gives away, and the tokens of the clients that knew it.
struct Pairing: Sendable {
  /// Six digits.
  let code: String

  /// The wrong codes that an address has before it has to wait.
  static let freeAttempts = 3
  /// The first wait of an address; each further wrong code doubles it.
  static let firstWait = Duration.seconds(1)
  /// The longest wait of an address.
  static let longestWait = Duration.seconds(3600)
  /// The time from when an address may guess again until it may be forgotten.
  static let memory = Duration.seconds(86_400)
  /// The number of addresses that are told apart.
  ///
  /// All together try fewer than 40,000 of a million codes in a day, fewer than 15,000 of them in the first
  /// hour. While there is room, no client waits for the guesses of others. Where as many addresses
  /// have guessed within a day, all further ones wait together, also one that knows the code.
  static let addressLimit = 1024
  /// The most that can be paired; the first of them goes then.
  static let tokenLimit = 64

  enum Answer: Sendable, Equatable {
    /// Right: the token proves it from now on.
    case paired(token: String)
    case wrong
    /// Not looked at; may be tried again after that time.
    case wait(Duration)
  }

  private struct Attempts {
    var wrong = 0
    var notBefore: ContinuousClock.Instant
  }

  private var tokens: [String] = []
  private var attempts: [String: Attempts] = [:]

  /// - Parameter code: The code; nil for a new one.
  init(code: String? = nil) {
    self.code = code ?? (0..<6).map { _ in "\(UInt8.random(in: 0...9))" }.joined()
  }

  /// Whether something can be a code: six digits.
  static func isCode(_ text: String) -> Bool {
    text.unicodeScalars.count == 6 && text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
  }

  mutating func pair(
    with code: String, from address: String, at now: ContinuousClock.Instant
  ) -> Answer {
    if attempts[address] == nil, attempts.count >= Self.addressLimit {
      attempts = attempts.filter { now - $0.value.notBefore < Self.memory }
    }
    // Clients that cannot be told apart any more wait together.
    let address = attempts[address] != nil || attempts.count < Self.addressLimit ? address : ""
    var own = attempts[address] ?? Attempts(notBefore: now)
    guard own.notBefore <= now else { return .wait(own.notBefore - now) }
    guard code == self.code else {
      own.wrong = min(own.wrong + 1, 100)
      if own.wrong >= Self.freeAttempts {
        let factor = 1 << min(own.wrong - Self.freeAttempts, 12)
        own.notBefore = now + min(Self.firstWait * factor, Self.longestWait)
      }
      attempts[address] = own
      return .wrong
    }
    attempts[address] = nil
    let token = Self.makeToken()
    tokens.append(token)
    if tokens.count > Self.tokenLimit { tokens.removeFirst() }
    return .paired(token: token)
  }

  func knows(_ token: String?) -> Bool { token.map(tokens.contains) ?? false }

  /// 256 random bits.
  private static func makeToken() -> String {
    (0..<32).map { _ in
      let byte = String(UInt8.random(in: .min ... .max), radix: 16)
      return byte.count < 2 ? "0\(byte)" : byte
    }.joined()
  }
}
