// Tests of encoding and decoding OSC messages.

import CLiblo
import Foundation
import SeededGenerator
import Testing

@testable import SlitScanStage

@Suite struct OSCMessageTests {
  /// What liblo makes of a message.
  private func bytes(_ path: String, _ add: (lo_message) -> Void) throws -> [UInt8] {
    let message = try #require(lo_message_new())
    defer { lo_message_free(message) }
    add(message)
    var count = 0
    let data = try #require(lo_message_serialise(message, path, nil, &count))
    defer { free(data) }
    return Array(UnsafeRawBufferPointer(start: data, count: count))
  }

  @Test func everyTypeIsRead() throws {
    let bytes = try bytes("/slitscan/gain") {
      lo_message_add_int32($0, -7)
      lo_message_add_int64($0, 1 << 40)
      lo_message_add_float($0, 0.1)
      lo_message_add_double($0, 0.1)
      lo_message_add_string($0, "Größe")
      lo_message_add_symbol($0, "sym")
      lo_message_add_char($0, CChar(bitPattern: UInt8(ascii: "x")))
      lo_message_add_true($0)
      lo_message_add_false($0)
      lo_message_add_nil($0)
      lo_message_add_infinitum($0)
      lo_message_add_timetag($0, lo_timetag(sec: 1, frac: 2))
      lo_message_add_string($0, "")
      lo_message_add_int32($0, 3)
    }
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

  @Test func whatIsWrittenIsWhatLibloWrites() throws {
    let message = OSCMessage(
      "/slitscan/depth", .whole(60), .whole(1 << 40), .number(2.5), .text("a b"), .flag(true),
      .flag(false), .nothing)
    let expected = try bytes("/slitscan/depth") {
      lo_message_add_int32($0, 60)
      lo_message_add_int64($0, 1 << 40)
      lo_message_add_float($0, 2.5)
      lo_message_add_string($0, "a b")
      lo_message_add_true($0)
      lo_message_add_false($0)
      lo_message_add_nil($0)
    }
    #expect(message.bytes == expected)
    #expect(OSCMessage(expected[...]) == message)
  }

  @Test func aBlobIsNotLookedInto() throws {
    let blob = lo_blob_new(5, "12345")
    defer { lo_blob_free(blob) }
    let whole = try bytes("/slitscan/gain") {
      lo_message_add_int32($0, 1)
      lo_message_add_blob($0, blob)
    }
    for part in [whole[...], whole.dropLast(12), whole.prefix(20)] {
      #expect(OSCMessage(part) == OSCMessage("/slitscan/gain", .other("b")))
    }
  }

  @Test func sendersThatLeaveOutTheTypesAreUnderstood() {
    #expect(OSCMessage(Array("/slitscan/tap\0\0\0".utf8)[...]) == OSCMessage("/slitscan/tap"))
    #expect(OSCMessage(Array("/abc\0\0\0\0".utf8)[...]) == OSCMessage("/abc"))
  }

  @Test func whatIsCutOffIsNoMessage() throws {
    let whole = OSCMessage("/slitscan/gain", .number(1), .text("seven"), .whole(3)).bytes
    #expect(OSCMessage(whole[...]) != nil)
    for count in 0..<whole.count {
      let part = OSCMessage(whole.prefix(count))
      // The address alone is one, of an old sender.
      #expect(part == nil || part?.arguments == [], "\(count) bytes")
    }
    #expect(OSCMessage((whole + [0])[...]) == nil)
    #expect(OSCMessage((whole + [0, 0, 0, 0])[...]) == nil)
  }

  @Test func aBundleIsTakenApartInItsOrder() throws {
    let now = OSCTimeTag.now
    let later = now.advanced(by: .seconds(1))
    let messages = (0..<6).map { OSCMessage("/\($0)", .whole(Int64($0))) }
    let bytes = messages.map(\.bytes)
    let packet = OSCPacket.bundle(
      [
        bytes[0], OSCPacket.bundle([bytes[1]], at: .immediately),
        OSCPacket.bundle(
          [bytes[2], OSCPacket.bundle([bytes[3]], at: now)], at: later),
        OSCPacket.bundle([bytes[4]], at: now), bytes[5],
      ], at: now)
    #expect(
      OSCPacket.groups(of: packet) == [
        OSCGroup(time: now, messages: [messages[0], messages[1], messages[4], messages[5]]),
        OSCGroup(time: later, messages: [messages[2], messages[3]]),
      ])
    #expect(OSCPacket.groups(of: OSCPacket.bundle([], at: now)) == [OSCGroup(time: now)])
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

  @Test func momentsAreCountedAcrossTheEndOfTheEra() {
    let last = OSCTimeTag(rawValue: .max)
    #expect(last.advanced(by: .seconds(2)).since(last) == .seconds(2))
    #expect(last.since(last.advanced(by: .seconds(2))) == .seconds(-2))
    let now = OSCTimeTag.now
    #expect(abs(now.advanced(by: .milliseconds(250)).since(now).seconds - 0.25) < 1e-6)
    var tag = lo_timetag()
    lo_timetag_now(&tag)
    #expect(tag.sec >= UInt32(now.rawValue >> 32))
    #expect(tag.sec - UInt32(now.rawValue >> 32) < 60)
  }

  @Test(arguments: 0..<8) func noiseIsReadWithoutHarm(round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("OSC, noise, round \(round): seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let dialect = OSCDialect(knobs: try PaperStage().knobs, presets: ["A", "B"])
    let sender = try #require(OSCEndpoint("127.0.0.1", port: 1))
    var understood = 0
    var refused = 0
    for _ in 0..<4000 {
      let bytes = Noise.datagram(&random)
      guard let groups = OSCPacket.groups(of: bytes) else {
        refused += 1
        continue
      }
      understood += 1
      for message in groups.flatMap(\.messages) {
        _ = try? dialect.requests(message, from: sender)
      }
    }
    #expect(understood > 100)
    #expect(refused > 100)
  }
}

/// Datagrams that are nearly right, or not at all.
enum Noise {
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
