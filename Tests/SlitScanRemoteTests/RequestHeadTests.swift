// Heads of requests, as bytes that nobody vouches for.

import Foundation
import SeededGenerator
import Testing

@testable import SlitScanRemote

@Suite struct RequestHeadTests {
  private func read(_ text: String) -> RequestHead.Reading { RequestHead.read(Array(text.utf8)) }

  @Test func aHeadIsReadAndWhatFollowsIsNot() throws {
    let text = "GET /live?x=1 HTTP/1.1\r\nHost: a:1\r\nCookie: b=2; slitscan-1=abc\r\n\r\nrest"
    guard case .head(let head, let end) = read(text) else {
      Issue.record("no head")
      return
    }
    #expect(head.method == "GET")
    #expect(head.path == "/live")
    #expect(head.fields["host"] == "a:1")
    #expect(head.cookie("slitscan-1") == "abc")
    #expect(head.cookie("slitscan") == nil)
    #expect(head.bodyLength == 0)
    #expect(text.utf8.count - end == 4)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\n folded: a\r\n\r\n",
    "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: a\r\n\r\n",
    "GET / HTTP/1.1\r\na b: c\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n", "GET /\r\n\r\n",
    "GET  / HTTP/1.1\r\n\r\n", "\r\n\r\n", "GET / HTTP/1.1\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nHost: ä\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n",
  ]) func whatIsNoHeadIsRefused(text: String) {
    #expect(read(text) == .refused(.badRequest))
  }

  @Test func lengthsHaveLimits() {
    #expect(read("GET / HTTP/2\r\n\r\n") == .refused(.versionNotSupported))
    let long = String(repeating: "a", count: RequestHead.limit)
    #expect(read(String(long.dropLast())) == .unfinished)
    #expect(read(long) == .refused(.headTooLong))
    #expect(read("GET /\(long) HTTP/1.1\r\n\r\n") == .refused(.headTooLong))
    let fields = (0...RequestHead.fieldLimit).map { "f\($0): a\r\n" }.joined()
    #expect(read("GET / HTTP/1.1\r\n\(fields)\r\n") == .refused(.headTooLong))
  }

  @Test(
    arguments: [
      ("Content-Length: 6", 6), ("Content-Length: -1", nil), ("Content-Length: 99999999999", nil),
      ("Content-Length: 1e3", nil), ("Content-Length:", nil), ("Transfer-Encoding: chunked", nil),
      ("Content-Length: ٣", nil),
    ] as [(String, Int?)]) func bodiesSayHowLongTheyAre(field: String, length: Int?)
  {
    switch read("POST /pair HTTP/1.1\r\n\(field)\r\n\r\n") {
    case .head(let head, _): #expect(head.bodyLength == length)
    case let other: #expect(other == .refused(.badRequest) && length == nil)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func randomBytesAndEverySplitOfThemAreReadAlike(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "GET", "POST", " ", "/", "?", " HTTP/1.1", "\r\n", "\r", "\n", "Host", ":", "a", "\t",
      "\r\n\r\n",
    ]
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        if Int.random(in: 0..<10, using: &random) == 0 {
          bytes.append(UInt8.random(in: .min ... .max, using: &random))
        } else {
          bytes += parts[Int.random(in: 0..<parts.count, using: &random)].utf8
        }
      }
      let whole = RequestHead.read(bytes)
      let first = (0...bytes.count).lazy.map { RequestHead.read(Array(bytes.prefix($0))) }
        .first { $0 != .unfinished }
      #expect(first == whole || whole == .unfinished && first == nil, "\(bytes)")
    }
  }
}
