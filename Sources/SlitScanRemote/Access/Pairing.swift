// Who may play along from other machines. A value.

/// A code that the performer tells, and the tokens of those who knew it.
struct Pairing: Sendable {
  /// Six digits.
  let code: String

  /// How many wrong codes an address has before it has to wait.
  static let freeAttempts = 3
  /// How long an address waits at most.
  static let longestWait = Duration.seconds(64)
  /// How many wrong codes all addresses together have in a minute: a million codes take a month.
  static let attemptsInAMinute = 20
  /// How many addresses are told apart.
  static let addressLimit = 256
  /// How many can be paired; the first of them goes then.
  static let tokenLimit = 64

  /// What came of a code.
  enum Answer: Sendable, Equatable {
    /// Right: the token proves it from now on.
    case paired(token: String)
    /// Wrong.
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
  private var minute: (start: ContinuousClock.Instant, wrong: Int)?

  /// A new code.
  init() {
    var random = SystemRandomNumberGenerator()
    code = (0..<6).map { _ in "\(UInt8.random(in: 0...9, using: &random))" }.joined()
  }

  /// Somebody gives a code.
  mutating func pair(
    with code: String, from address: String, at now: ContinuousClock.Instant
  ) -> Answer {
    // Those who cannot be told apart any more wait together.
    let address = attempts[address] != nil || attempts.count < Self.addressLimit ? address : ""
    var own = attempts[address] ?? Attempts(notBefore: now)
    guard own.notBefore <= now else { return .wait(own.notBefore - now) }
    var minute =
      minute.flatMap { now - $0.start < .seconds(60) ? $0 : nil } ?? (start: now, wrong: 0)
    guard minute.wrong < Self.attemptsInAMinute else {
      return .wait(minute.start + .seconds(60) - now)
    }
    guard code == self.code else {
      own.wrong = min(own.wrong + 1, 100)
      if own.wrong >= Self.freeAttempts {
        let doublings = min(own.wrong - Self.freeAttempts, 6)
        own.notBefore = now + min(.seconds(1 << doublings), Self.longestWait)
      }
      attempts[address] = own
      minute.wrong += 1
      self.minute = minute
      return .wrong
    }
    attempts[address] = nil
    let token = Self.makeToken()
    tokens.append(token)
    if tokens.count > Self.tokenLimit { tokens.removeFirst() }
    return .paired(token: token)
  }

  /// Whether a token is one of those that were given.
  func knows(_ token: String?) -> Bool { token.map(tokens.contains) ?? false }

  /// 256 random bits.
  private static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in
      let byte = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
      return byte.count < 2 ? "0\(byte)" : byte
    }.joined()
  }
}
