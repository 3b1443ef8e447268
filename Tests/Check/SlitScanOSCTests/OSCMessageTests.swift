// Tests of encoding and decoding OSC messages.

import Foundation
import SeededGenerator
import Testing

@testable import SlitScanOSC
@testable import SlitScanStage

@Suite struct OSCMessageTests {
  // What liblo 0.31 makes of messages, in hexadecimal numbers.
  private static let everyType = """
    2f736c69 74736361 6e2f6761 696e0000 2c696866 64735363 54464e49 74736900 fffffff9 00000100
    00000000 3dcccccd 3fb99999 9999999a 4772c3b6 c39f6500 73796d00 00000078 00000001 00000002
    00000000 00000003
    """
  private static let everyTypeOfOurs = """
    2f736c69 74736361 6e2f6465 70746800 2c696866 7354464e 00000000 0000003c 00000100 00000000
    40200000 61206200
    """
  private static let blob = """
    2f736c69 74736361 6e2f6761 696e0000 2c696200 00000001 00000005 31323334 35000000
    """

  private static let bundle = """
    2362756e 646c6500 01020304 05060708 0000001c 2f736c69 74736361 6e2f6365 6e746572 2d780000
    2c660000 3e800000 0000002c 2362756e 646c6500 00000000 00000001 00000018 2f736c69 74736361
    6e2f6465 70746800 2c690000 0000003c
    """

  private func bytes(_ numbers: String) throws -> [UInt8] {
    try numbers.split(whereSeparator: \.isWhitespace).flatMap { word in
      try withUnsafeBytes(of: #require(UInt32(word, radix: 16)).bigEndian) { Array($0) }
    }
  }

  @Test func everyTypeIsRead() throws {
    let bytes = try bytes(Self.everyType)
    #expect(
      OSCMessage(bytes[...])
        == OSCMessage(
          "/slitscan/gain",
          [
            .whole(-7), .whole(1 << 40), .number(0.1), .number(0.1), .text("Größe"), .text("sym"),
            .text("x"), .flag(true), .flag(false), .nothing, .impulse, .other("t"), .text(""),
            .whole(3),
          ]))
  }

  @Test func messagesAreEncodedAsByLiblo() throws {
    let message = OSCMessage(
      "/slitscan/depth", .whole(60), .whole(1 << 40), .number(2.5), .text("a b"), .flag(true),
      .flag(false), .nothing)
    let expected = try bytes(Self.everyTypeOfOurs)
    #expect(message.bytes == expected)
    #expect(OSCMessage(expected[...]) == message)
  }

  @Test func textsEndWithTheirFirstZero() {
    #expect(
      OSCMessage("/a\0b", .text("c\0d"), .text("four")).bytes
        == Array("/a\0\0,ss\0c\0\0\0four\0\0\0\0".utf8))
  }

  @Test func theBytesOfABlobAreSkipped() throws {
    let whole = try bytes(Self.blob)
    for part in [whole[...], whole.dropLast(12), whole.prefix(20)] {
      #expect(OSCMessage(part) == OSCMessage("/slitscan/gain", .other("b")))
    }
  }

  @Test func sendersThatLeaveOutTheTypesAreUnderstood() {
    #expect(OSCMessage(Array("/slitscan/tap\0\0\0".utf8)[...]) == OSCMessage("/slitscan/tap"))
    #expect(OSCMessage(Array("/abc\0\0\0\0".utf8)[...]) == OSCMessage("/abc"))
  }

  @Test func truncatedMessagesAreRefused() throws {
    let whole = OSCMessage("/slitscan/gain", .number(1), .text("seven"), .whole(3)).bytes
    #expect(OSCMessage(whole[...]) != nil)
    for count in 0..<whole.count {
      let part = OSCMessage(whole.prefix(count))
      // The address alone is one, of an old sender.
      #expect(part == nil || part?.arguments == [], "\(count) bytes")
    }
    #expect(OSCMessage((whole + [0])[...]) == nil)
    #expect(OSCMessage((whole + [0, 0, 0, 0])[...]) == nil)
    // What fills an address, the types and a text up to four bytes are zeros.
    for place in [15, 23, 35] {
      var wrong = whole
      wrong[place] = 1
      #expect(OSCMessage(wrong[...]) == nil, "byte \(place)")
    }
  }

  @Test func aBundleIsTakenApartInItsOrder() throws {
    let now = OSCTimeTag.now
    let later = now.advanced(by: .seconds(1))
    let messages = (0..<6).map { OSCMessage("/\($0)", .whole(Int64($0))) }
    let bytes = messages.map(\.bytes)
    let packet = OSCPacket.bundle(
      [
        bytes[0], OSCPacket.bundle([bytes[1]], at: .immediately),
        OSCPacket.bundle([bytes[2], OSCPacket.bundle([bytes[3]], at: now)], at: later),
        OSCPacket.bundle([bytes[4]], at: now), bytes[5],
      ], at: now)
    #expect(
      OSCPacket.groups(of: packet) == [
        OSCGroup(time: now, messages: [messages[0], messages[1], messages[4], messages[5]]),
        OSCGroup(time: later, messages: [messages[2], messages[3]]),
      ])
    #expect(OSCPacket.groups(of: OSCPacket.bundle([], at: now)) == [OSCGroup(time: now)])
  }

  @Test func aBundleIsReadAndWrittenAsLibloDoes() throws {
    let time = OSCTimeTag(rawValue: 0x0102_0304_0506_0708)
    let messages = [
      OSCMessage("/slitscan/center-x", .number(0.25)), OSCMessage("/slitscan/depth", .whole(60)),
    ]
    let inner = OSCPacket.bundle([messages[1].bytes], at: .immediately)
    let expected = try bytes(Self.bundle)
    #expect(OSCPacket.bundle([messages[0].bytes, inner], at: time) == expected)
    #expect(OSCPacket.groups(of: expected) == [OSCGroup(time: time, messages: messages)])
  }

  @Test func aBundleThatIsMalformedSomewhereIsNone() {
    let message = OSCMessage("/slitscan/gain", .number(1)).bytes
    let bundle = OSCPacket.bundle([message, message], at: .immediately)
    #expect(OSCPacket.groups(of: bundle)?.first?.messages.count == 2)
    for count in 1..<bundle.count {
      let groups = OSCPacket.groups(of: Array(bundle.prefix(count)))
      // Cut between two elements, it is whole.
      let isWhole = count == 16 || count == 16 + 4 + message.count
      #expect((groups != nil) == isWhole, "\(count) bytes")
    }
    for size: UInt8 in [0, 1, 255] {
      var wrong = bundle
      wrong[19] = size
      #expect(OSCPacket.groups(of: wrong) == nil, "an element of \(size) bytes")
    }
    var wrong = bundle
    wrong.replaceSubrange(16..<20, with: [255, 255, 255, 255])
    #expect(OSCPacket.groups(of: wrong) == nil)
  }

  @Test func bundlesLieOnlySoDeepInEachOther() {
    var bytes = OSCMessage("/a").bytes
    for depth in 1...3000 {
      bytes = OSCPacket.bundle([bytes], at: .immediately)
      #expect((OSCPacket.groups(of: bytes) != nil) == (depth <= OSCPacket.depth))
      if depth == OSCPacket.depth + 2 { break }
    }
    while bytes.count < 60_000 { bytes = OSCPacket.bundle([bytes], at: .immediately) }
    #expect(OSCPacket.groups(of: bytes) == nil)
  }

  @Test func manyMessagesGoIntoSmallDatagrams() throws {
    let messages = (0..<500).map { OSCMessage("/slitscan/property-\($0)", .whole(Int64($0))) }
    let datagrams = OSCPacket.datagrams(of: messages)
    #expect(datagrams.allSatisfy { $0.count <= OSCPacket.length + 20 })
    #expect(datagrams.count < 50)
    let groups = try datagrams.map { try #require(OSCPacket.groups(of: $0)) }
    #expect(groups.joined().flatMap(\.messages) == messages)
    #expect(OSCPacket.datagrams(of: [messages[0]]) == [messages[0].bytes])
    #expect(OSCPacket.datagrams(of: []).isEmpty)
  }

  @Test func momentsAreCountedAcrossTheEndOfTheEra() throws {
    let last = OSCTimeTag(rawValue: .max)
    #expect(last.advanced(by: .seconds(2)).since(last) == .seconds(2))
    #expect(last.since(last.advanced(by: .seconds(2))) == .seconds(-2))
    let now = OSCTimeTag.now
    #expect(abs(now.advanced(by: .milliseconds(250)).since(now).seconds - 0.25) < 1e-6)
    var parts = DateComponents()
    (parts.calendar, parts.timeZone) = (Calendar(identifier: .gregorian), .gmt)
    (parts.year, parts.month, parts.day) = (1900, 1, 1)
    let seconds = Int(Date().timeIntervalSince(try #require(parts.date)))
    #expect(seconds - Int(now.rawValue >> 32) >= 0)
    #expect(seconds - Int(now.rawValue >> 32) < 60)
  }

  @Test(arguments: 0..<8) func noiseIsReadWithoutHarm(round: Int) throws {
    var random = SeededGenerator(for: "OSC, noise, round \(round)")
    let dialect = OSCDialect(parameters: try InMemoryStage().parameters, presets: ["A", "B"])
    let sender = try #require(OSCEndpoint("127.0.0.1", port: 1))
    var understood = 0
    var refused = 0
    for _ in 0..<4000 {
      let bytes = RandomDatagrams.datagram(&random)
      guard let groups = OSCPacket.groups(of: bytes) else {
        refused += 1
        continue
      }
      understood += 1
      for message in groups.flatMap(\.messages) { _ = try? dialect.requests(message, from: sender) }
    }
    #expect(understood > 100 && refused > 100, "\(TestSeed.advice)")
  }
}

/// Datagrams that are nearly right, or not at all.
enum RandomDatagrams {
  private static let addresses = [
    "/slitscan/gain", "/slitscan/*", "/slitscan/{gain,offset}/fade", "/slitscan/[a-z]*", "/slit*/{",
    "/slitscan/preset", "/slitscan/get", "/slitscan/move", "/slitscan/depth/drive", "//", "/",
    "/slitscan/[", "/slitscan/[!", "/slitscan/{}", "/slitscan/tempo", "/slitscan/quantize",
  ]

  static func datagram(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let count = Int.random(in: 0..<200, using: &random)
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1:
      let elements = (0..<Int.random(in: 0..<5, using: &random)).map { _ in message(&random) }
      bytes = OSCPacket.bundle(elements, at: OSCTimeTag(rawValue: random.next()))
    default: bytes = message(&random)
    }
    for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  private static func message(_ random: inout SeededGenerator) -> [UInt8] {
    let arguments = (0..<Int.random(in: 0..<4, using: &random)).map { _ -> OSCArgument in
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .whole(Int64(bitPattern: random.next()))
      case 1: .number(Double(bitPattern: random.next()))
      case 2: .text(String(UInt32.random(in: 0...9999, using: &random)))
      case 3: .flag(Bool.random(using: &random))
      case 4: .number(Double.random(in: -2...2, using: &random))
      default: .nothing
      }
    }
    let address = addresses.randomElement(using: &random) ?? "/"
    return OSCMessage(address, arguments).bytes
  }
}
