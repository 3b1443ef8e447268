// WebSocket frames, as bytes that nobody vouches for.

import FlyingFox
import Foundation
import SeededGenerator
import Testing

@testable import SlitScanRemote

@Suite struct FrameReaderTests {
  private func text(_ text: String, _ opcode: UInt8 = 1, final: Bool = true) -> [UInt8] {
    Phone.frame(opcode, Array(text.utf8), final: final)
  }

  @Test func messagesComeWholeHoweverTheyAreCut() throws {
    let bytes =
      text("a") + text("Grüße") + text("one ", final: false) + Phone.frame(9, [1, 2])
      + text("two ", 0, final: false) + text("three", 0) + Phone.frame(10, [])
      + text(String(repeating: "x", count: 300)) + Phone.frame(8, [])
    let wanted: [ClientFrame] = [
      .text("a"), .text("Grüße"), .ping([1, 2]), .text("one two three"), .pong,
      .text(String(repeating: "x", count: 300)), .close,
    ]
    for size in [1, 2, 3, 7, 64, bytes.count] {
      var reader = FrameReader()
      var frames: [ClientFrame] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        frames += try reader.take(Array(bytes[start...].prefix(size)))
      }
      #expect(frames == wanted)
      #expect(reader.held == 0)
    }
  }

  @Test(
    arguments: [
      ([0x81, 0x01, 0x41], WSCloseCode.protocolError),
      ([0xC1, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x80, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x82, 0x80, 0, 0, 0, 0], .unsupportedData),
      ([0x83, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x09, 0x80, 0, 0, 0, 0], .protocolError),
      ([0x89, 0xFE, 0, 126], .protocolError),
      ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooBig),
      ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooBig),
      ([0x81, 0xFE, 0x10, 0x01], .messageTooBig),
      ([0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], .invalidFramePayload),
      ([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80], .protocolError),
    ] as [([UInt8], WSCloseCode)]) func whatIsWrongSaysHow(bytes: [UInt8], code: WSCloseCode)
  {
    var reader = FrameReader()
    let violation = #expect(throws: Violation.self) { _ = try reader.take(bytes) }
    #expect(violation?.code.code == code.code)
    #expect(violation?.code.reason.isEmpty == false)
  }

  @Test func aMessageInPartsIsNoLongerThanOneInOne() throws {
    var reader = FrameReader()
    let part = String(repeating: "x", count: FrameReader.limit / 2)
    #expect(try reader.take(text(part, final: false)).isEmpty)
    #expect(try reader.take(text(part, 0, final: false)).isEmpty)
    let violation = #expect(throws: Violation.self) { _ = try reader.take(text("x", 0)) }
    #expect(violation == .tooLong)
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func randomBytesHoldNoMemory(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var reader = FrameReader()
      do {
        for _ in 0..<50 {
          var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
            UInt8.random(in: .min ... .max, using: &random)
          }
          // Most begin as frames do.
          if bytes.count > 2, Bool.random(using: &random) {
            bytes[0] = [0x81, 0x01, 0x80, 0x00, 0x89, 0x8A][Int.random(in: 0..<6, using: &random)]
            bytes[1] |= 0x80
          }
          _ = try reader.take(bytes)
          #expect(reader.held <= 2 * FrameReader.limit + 14)
        }
      } catch {}
    }
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 70000]) func whatIsSentSaysHowLongItIs(
    count: Int
  ) {
    let bytes = Array(WSFrame(.binary, Data(count: count)).encoded)
    let header = count <= 125 ? 2 : count <= 65535 ? 4 : 10
    #expect(bytes.count == header + count)
    #expect(bytes[0] == 0x82)
    let length =
      header == 2 ? Int(bytes[1]) : bytes[2..<header].reduce(0) { $0 << 8 | Int($1) }
    #expect(length == count)
  }
}
