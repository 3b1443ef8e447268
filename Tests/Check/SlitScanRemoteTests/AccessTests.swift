// Tests of access control, without a server.

import Testing

@testable import SlitScanRemote

@Suite final class AccessTests {
  private var pairing = Pairing()
  private let start = ContinuousClock.now

  @Test(arguments: [
    ("127.0.0.1:8420", true), ("127.0.0.1", true), ("localhost:8420", true), ("LOCALHOST", true),
    ("[::1]:8420", true), ("evil.example:8420", false), ("127.0.0.1.evil.example", false),
    ("127.0.0.1:x", false), ("127.0.0.1@evil.example", false), ("192.168.1.2", false),
    ("desk.local", false), ("", false), ("[::1", false), ("127.0.0.256", false), ("127.1", false),
  ]) func onlyThisMachineIsCalledThisMachine(host: String, isAllowed: Bool) {
    let accessControl = AccessControl(isLoopback: true, machine: "desk")
    #expect(accessControl.allows(host: host) == isAllowed)
  }

  @Test(arguments: [
    ("192.168.1.2:8420", true), ("desk:8420", true), ("Desk.local:8420", true),
    ("[fe80::1]:8420", true), ("evil.example:8420", false), ("1.2.3.4.evil.example", false),
    ("[evil.example]", false), ("[:::]", false), ("[1.2.3.4]", false), ("1.2.3", false),
    ("desk.evil.example", false),
  ]) func inANetworkAddressesInDigitsAndOwnNamesAreAllowed(host: String, isAllowed: Bool) {
    let accessControl = AccessControl(isLoopback: false, machine: "desk")
    #expect(accessControl.allows(host: host) == isAllowed)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8420", true), ("http://localhost:8420", false),
    ("http://127.0.0.1:9000", false), ("https://127.0.0.1:8420", false), ("null", false),
    ("http://evil.example", false),
  ]) func onlyThePageItselfIsTheOrigin(origin: String, isAllowed: Bool) {
    let accessControl = AccessControl(isLoopback: true, machine: "desk")
    #expect(accessControl.allows(origin: origin, host: "127.0.0.1:8420") == isAllowed)
    #expect(!accessControl.allows(origin: nil, host: "127.0.0.1:8420"))
    #expect(!accessControl.allows(origin: origin, host: nil))
  }

  @Test func theRightCodeGivesATokenAndNoOtherDoes() {
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

  @Test func guessersWaitAndOthersDoNot() {
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

  @Test func manyGuessingAddressesLockOutNoOtherClient() {
    var wrong = 0
    let addresses = (0..<Pairing.addressLimit - 1).map { "\($0)" }
    for moment in [0, 10, 100, 1000, 3000] {
      for address in addresses {
        for _ in 0..<4 {
          let answer = pairing.pair(with: "no", from: address, at: start + .seconds(moment))
          if answer == .wrong { wrong += 1 }
        }
      }
    }
    // Three, and then one each time: each has to wait longer than for all that it has waited.
    #expect(wrong == 7 * addresses.count)
    guard case .paired = pairing.pair(with: pairing.code, from: "b", at: start) else {
      Issue.record("another address has to wait")
      return
    }
  }

  @Test func addressesThatCannotBeToldApartWaitTogether() {
    for number in 0..<Pairing.addressLimit {
      #expect(pairing.pair(with: "no", from: "\(number)", at: start) == .wrong)
    }
    let answers = (0..<100).map { pairing.pair(with: "no", from: "more \($0)", at: start) }
    #expect(answers.filter { $0 == .wrong }.count == Pairing.freeAttempts)
    // Later clients wait for as long as the others do.
    let later = (0..<100).map {
      pairing.pair(with: "no", from: "later \($0)", at: start + .seconds(7200))
    }
    #expect(later.filter { $0 == .wrong }.count == 1)
    // In two days, all of that is forgotten.
    #expect(pairing.pair(with: "no", from: "new", at: start + .seconds(172_800)) == .wrong)
  }

  @Test func inADayFewCodesAreTried() {
    var moments: [Int] = []
    for moment in 0..<86_400 {
      // Three in the first second, the others each in its own.
      for _ in 0..<Pairing.freeAttempts {
        let answer = pairing.pair(with: "no", from: "a", at: start + .seconds(moment))
        guard answer == .wrong else { break }
        moments.append(moment)
      }
    }
    // Of all addresses that are told apart, and of all others together.
    let addresses = Pairing.addressLimit + 1
    #expect(moments.count * addresses < 40_000)
    #expect(moments.count { $0 < 3600 } * addresses < 15_000)
  }

  @Test func theAddressWithTheMostConnectionsLosesItsOldest() {
    var unpairedClients = UnpairedClients(limit: 4)
    #expect(unpairedClients.add(1, from: "phone") == nil)
    for number in 2...4 { #expect(unpairedClients.add(UInt64(number), from: "flood") == nil) }
    #expect(unpairedClients.add(5, from: "flood") == 2)
    #expect(unpairedClients.add(6, from: "other") == 3)
    unpairedClients.remove(5)
    #expect(unpairedClients.add(7, from: "new") == nil)
    // Where all have as many, the oldest client goes.
    #expect(unpairedClients.add(8, from: "newer") == 1)
  }

  @Test func aCodeThatIsGivenIsTheCode() {
    #expect(Pairing(code: "012345").code == "012345")
    for code in ["", "12345", "1234567", "12345a", "１２３４５６"] { #expect(!Pairing.isCode(code)) }
    #expect(Pairing.isCode(Pairing().code))
  }
}
