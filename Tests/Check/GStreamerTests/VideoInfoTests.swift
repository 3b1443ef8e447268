// Tests of video layouts that are asked for by name and size.

import GStreamer
import Testing

@Suite struct VideoInfoTests {
  @Test func aFrameRateIsALiteral() throws {
    let info = try VideoInfo(.rgba, width: 4, height: 3, frameRate: 30)
    #expect(info.frameRate == Fraction(30, 1))
    #expect("\(try info.caps())".contains("framerate=(fraction)30/1"))
  }

  @Test(arguments: [(0, 3), (4, -3), (0, -3), (1 << 40, 3)])
  func anImpossibleSizeIsNamed(width: Int, height: Int) {
    let error = #expect(throws: GStreamerError.self) {
      try VideoInfo(.rgba, width: width, height: height)
    }
    #expect(error?.code == .outOfRange)
    #expect(error?.message.hasPrefix("A frame of \(width)x\(height) pixels is impossible") == true)
  }

  @Test func anImpossibleSizeOfCapsIsNamed() throws {
    let caps = try Caps("video/x-raw, format=RGBA, width=0, height=-3, framerate=30/1")
    let error = #expect(throws: GStreamerError.self) { try VideoInfo(caps) }
    #expect(error?.code == .outOfRange)
    #expect(error?.message.hasPrefix("A frame of 0x-3 pixels is impossible") == true)
  }

  @Test func anUnknownFormatIsNamed() {
    let error = #expect(throws: GStreamerError.self) {
      try VideoInfo(VideoFormat(rawValue: "RGBB"), width: 4, height: 3)
    }
    #expect(error?.code == .wrongType)
    #expect(error?.message.contains("RGBB") == true)
  }

  @Test func aColorimetryIsAsCapsHaveIt() throws {
    let pal = try #require(Colorimetry("2:4:8:3"))
    #expect((pal.matrix, pal.transfer, pal.primaries) == (6, 5, 5))
    #expect(pal.isFullRange == false)
    #expect(Colorimetry("1:3:5:1")?.isFullRange == true)
    #expect(Colorimetry("bt709") == Colorimetry("2:3:5:1"))
    #expect(Colorimetry("0:3:0:0")?.isFullRange == nil)
    #expect(Colorimetry("none") == nil)
  }
}
