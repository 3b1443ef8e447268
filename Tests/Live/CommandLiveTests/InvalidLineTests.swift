// Tests that invalid command lines get a clear error and no crash. Live: gst-launch-1.0 is another program, and
// hangs now and then.

import CommandUnderTest
import Foundation
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct InvalidLineTests {
  @Test(arguments: [
    (
      "videotestsrc num-buffers=5 ! slitscan mode=strip canvas-length=1000000000 ! fakesink",
      "Set the canvas length to at most"
    ),
    ("filesrc location=README.md ! slitscan ! fakesink", "Put decodebin"),
    ("filesrc location=README.md ! decodebin ! slitscan ! fakesink", "ERROR"),
    ("videotestsrc num-buffers=5 ! slitscan mode=nonsense ! fakesink", "could not set property"),
    (
      "videotestsrc num-buffers=5 ! video/x-raw,format=v210 ! slitscan ! fakesink",
      "can't handle caps"
    ),
    ("audiotestsrc num-buffers=5 ! slitscan ! fakesink", "could not link"),
  ])
  func invalidLinesAreRefusedWithASentence(line: String, sentence: String) async throws {
    try await Command.run(failing: line, saying: sentence)
  }

  @Test(arguments: [
    "mode=strip canvas-length=0", "depth=100000 max-memory=1", "angle=nan", "depth=0", "gain=1e300",
    "angle=1000",
    "mode=strip slit-width=65536", "mode=strip canvas-length=2000 max-memory=1",
    "mode=sweep sweep-duration=1", "max-memory=1",
  ])
  func validPropertiesArePlayed(properties: String) async throws {
    let result = try await Command.run(
      "gst-launch-1.0 videotestsrc num-buffers=5 ! slitscan \(properties) ! fakesink")
    #expect(result.text.contains("Got EOS"))
  }

  @Test(arguments: [1, 2, 3], ["displace", "sweep", "strip"])
  func theSmallestFramesArePlayed(side: Int, mode: String) async throws {
    try await Command.run(
      "gst-launch-1.0 videotestsrc num-buffers=5 ! video/x-raw,width=\(side),height=1 ! "
        + "slitscan mode=\(mode) ! fakesink")
  }
}
