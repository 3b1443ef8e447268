// Who may come in, without a door.

import Testing

@testable import SlitScanRemote

@Suite struct AccessTests {
  private let start = ContinuousClock.now

  @Test(arguments: [
    ("127.0.0.1:8420", true), ("127.0.0.1", true), ("localhost:8420", true), ("LOCALHOST", true),
    ("[::1]:8420", true), ("evil.example:8420", false), ("127.0.0.1.evil.example", false),
    ("127.0.0.1:x", false), ("127.0.0.1@evil.example", false), ("192.168.1.2", false),
    ("desk.local", false), ("", false), ("[::1", false), ("127.0.0.256", false), ("127.1", false),
  ]) func onlyThisMachineIsCalledThisMachine(host: String, isAllowed: Bool) {
    let doorkeeper = Doorkeeper(isLoopback: true, machine: "desk")
    #expect(doorkeeper.allows(host: host) == isAllowed)
  }

  @Test(arguments: [
    ("192.168.1.2:8420", true), ("desk:8420", true), ("Desk.local:8420", true),
    ("[fe80::1]:8420", true), ("evil.example:8420", false), ("1.2.3.4.evil.example", false),
    ("[evil.example]", false), ("1.2.3", false), ("desk.evil.example", false),
  ]) func inANetworkAddressesInDigitsAndOwnNamesAreAllowed(host: String, isAllowed: Bool) {
    let doorkeeper = Doorkeeper(isLoopback: false, machine: "desk")
    #expect(doorkeeper.allows(host: host) == isAllowed)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8420", true), ("http://localhost:8420", false),
    ("http://127.0.0.1:9000", false), ("https://127.0.0.1:8420", false), ("null", false),
    ("http://evil.example", false),
  ]) func onlyThePageItselfIsTheOrigin(origin: String, isAllowed: Bool) {
    let doorkeeper = Doorkeeper(isLoopback: true, machine: "desk")
    #expect(doorkeeper.allows(origin: origin, host: "127.0.0.1:8420") == isAllowed)
    #expect(!doorkeeper.allows(origin: nil, host: "127.0.0.1:8420"))
    #expect(!doorkeeper.allows(origin: origin, host: nil))
  }

  @Test func theRightCodeGivesATokenAndNoOtherDoes() {
    var pairing = Pairing()
    #expect(pairing.code.count == 6)
    guard case .paired(let token) = pairing.pair(with: pairing.code, from: "a", at: start) else {
      Issue.record("not paired")
      return
    }
    #expect(token.count == 64)
    #expect(pairing.knows(token))
    #expect(!pairing.knows(nil))
    #expect(!pairing.knows(""))
    #expect(!pairing.knows(String(token.dropLast())))
    for _ in 0..<Pairing.tokenLimit { _ = pairing.pair(with: pairing.code, from: "a", at: start) }
    #expect(!pairing.knows(token))
  }

  @Test func whoGuessesWaitsAndOthersDoNot() {
    var pairing = Pairing()
    for _ in 0..<Pairing.freeAttempts {
      #expect(pairing.pair(with: "no", from: "a", at: start) == .wrong)
    }
    // Not even the right one is looked at.
    guard case .wait(let first) = pairing.pair(with: pairing.code, from: "a", at: start) else {
      Issue.record("no wait")
      return
    }
    #expect(first > .zero)
    #expect(pairing.pair(with: "no", from: "a", at: start + first) == .wrong)
    guard case .wait(let second) = pairing.pair(with: "no", from: "a", at: start + first) else {
      Issue.record("no wait")
      return
    }
    #expect(second > first)
    guard case .paired = pairing.pair(with: pairing.code, from: "b", at: start) else {
      Issue.record("another address has to wait")
      return
    }
  }

  @Test func manyAddressesGuessNoFaster() {
    var pairing = Pairing()
    var looked = 0
    for second in 0..<600 {
      for guess in 0..<10 {
        let moment = start + .seconds(second)
        let answer = pairing.pair(with: "no", from: "\(second)-\(guess)", at: moment)
        if answer == .wrong { looked += 1 }
      }
    }
    #expect(looked <= 11 * Pairing.attemptsInAMinute)
    #expect(looked > 0)
  }
}
