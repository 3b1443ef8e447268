// Tests of the signal `input-frame`: the input of the last seconds, read out of the history.

import CGStreamer
import ElementUnderTest
import Foundation
import Testing

@Suite struct InputFrameTests {
  private static let onProcessor = ElementUnderTest.name == "slitscan"

  /// Pushes frames, and drops what comes out.
  private func push(_ frames: Range<Int>, into harness: Harness) throws {
    for index in frames {
      #expect(try harness.push(index) == GST_FLOW_OK)
      if let output = unsafe harness.pull() { unsafe gst_buffer_unref(output) }
    }
  }

  /// The numbers of the frames that can be read, the oldest first; each must be as it came.
  private func numbers(in harness: Harness) throws -> [Int] {
    var numbers: [Int] = []
    var from: UInt = 0
    while let sample = try harness.sample(of: "input-frame", from: from) {
      let number = Int(sample.frame.bytes[0])
      #expect(sample.frame.bytes == Array(repeating: UInt8(number), count: 256))
      #expect(sample.frame.pts == UInt(number) * Harness.frame)
      #expect(sample.caps.contains("GRAY8") && sample.caps.contains("framerate=(fraction)25/1"))
      numbers.append(number)
      from = sample.frame.pts + 1
    }
    return numbers
  }

  @Test(arguments: [
    "depth=8 history=whole", "depth=3 reserve=8", "mode=sweep depth=3 reserve=8",
    "mode=strip depth=3 reserve=8",
    "depth=8 history=whole mix=0", "depth=8 history=whole interpolation=motion",
  ])
  func isTheInputAsItCame(properties: String) throws {
    let harness = try Harness(underTest: properties)
    #expect(try numbers(in: harness) == [])
    harness.start()
    #expect(try numbers(in: harness) == [])
    for frames in [0..<3, 3..<20, 20..<21, 21..<90] {
      try push(frames, into: harness)
      #expect(try numbers(in: harness) == Array(max(0, frames.upperBound - 8)..<frames.upperBound))
    }
  }

  @Test func isTheInputWhereHistoryIsOnDisk() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let harness = try Harness("depth=40 history=whole history-location=\(folder)")
    harness.start()
    try push(0..<90, into: harness)
    #expect(try numbers(in: harness) == Array(50..<90))
  }

  @Test(arguments: ["", " history-location=/tmp"])
  func isWholeWhereHistoryIsThinnedOut(location: String) throws {
    // The left half of the frame shows the newest frame only.
    let harness = try Harness(
      underTest: "depth=16 reserve=4 angle=90 gain=8 offset=-6\(Self.onProcessor ? location : "")")
    harness.start()
    try push(0..<100, into: harness)
    // The GPU has all frames whole.
    #expect(try numbers(in: harness) == Array((Self.onProcessor ? 96 : 84)..<100))
    harness.set("angle", to: "45")
    try push(100..<103, into: harness)
    #expect(try numbers(in: harness) == Array((Self.onProcessor ? 96 : 87)..<103))
  }

  @Test func isNoneWithoutAHistory() throws {
    let harness = try Harness(underTest: "mode=sweep")
    harness.start()
    try push(0..<5, into: harness)
    #expect(try numbers(in: harness) == [])
  }

  @Test func hasNothingFedBack() throws {
    let harness = try Harness(underTest: "depth=8 history=whole feedback=0.5")
    harness.start()
    try push(0..<20, into: harness)
    #expect(try numbers(in: harness) == [])
    harness.set("feedback", to: "0")
    try push(20..<23, into: harness)
    #expect(try numbers(in: harness) == Array(20..<23))
  }

  @Test func leavesTheOutputAsItIs() throws {
    let harness = try Harness(underTest: "depth=16 now=0.5 mix=0.5")
    let other = try Harness(underTest: "depth=16 now=0.5 mix=0.5")
    harness.start()
    other.start()
    for index in 0..<60 {
      try harness.push(index)
      try other.push(index)
      _ = try harness.sample(of: "input-frame", from: UInt(max(0, index - 9)) * Harness.frame)
      #expect(harness.pullRows() == other.pullRows())
    }
  }
}
