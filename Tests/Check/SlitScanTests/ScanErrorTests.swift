// Tests of what errors say, to programs that have no element.

import Testing

@testable import SlitScan

@Suite struct ScanErrorTests {
  @Test func kindsOfErrorsHaveNames() {
    #expect("\(ScanError.Code.frameTooSmall)" == "frame-too-small")
    #expect("\(ScanError.Code(rawValue: 77))" == "77")
  }

  @Test func errorsNameNothingThatOnlyTheElementHas() throws {
    let layout = try FrameLayout.i420(width: 8, height: 4)
    var strip = ScanSettings().with(\.mode, .strip).with(\.angle, 90)
    strip.canvasLength = FrameLayout.longestSide
    var bytes = [UInt8](repeating: 0, count: 48)
    let scanner = SlitScanner()
    let mistakes: [() throws -> Void] = [
      { _ = try FrameLayout.rgba(width: 0, height: 1) },
      { _ = try FrameLayout(width: 1, height: 1, isBigEndian: false, components: []) },
      { try scanner.configure(input: layout, settings: strip.with(\.canvasLength, .max)) },
      { try scanner.configure(input: .gray8(width: 1, height: 1 << 24), settings: strip) },
      { _ = try scanner.scan(pixels: bytes, layout: layout, settings: ScanSettings()) },
      { _ = try FrameSpan(bytes.span, layout: layout, strides: [9, 9, 9]) },
      { _ = try FrameSpan(bytes.span, layout: layout, offsets: [0]) },
      { _ = try MutableFrameSpan(bytes.mutableSpan, layout: layout, offsets: [0, 0, 0]) },
      {
        try FrameSpan(bytes.span.bytes, RawSpan(), RawSpan(), RawSpan(), strides: [8, 0, 0, 0])
          .check(against: layout)
      },
      { throw ScanError.refused(1, for: "a copy of a frame") },
    ]
    for mistake in mistakes {
      let error = #expect(throws: ScanError.self, performing: mistake)
      let text = error?.description ?? ""
      for word in ["element", "videoconvert", "slitscan", "GStreamer", "caps", "canvas-", "max-"] {
        #expect(!text.contains(word), "\(text)")
      }
      #expect(text.hasSuffix("."), "\(text)")
    }
  }
}
