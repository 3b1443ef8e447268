// Tests of the property `history-location`: what the element says of the folder, and what it leaves there.

import CGStreamer
import Foundation
import GStreamer
import TemporaryFolder
import Testing

@Suite struct HistoryLocationTests {
  private static let video = "video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1"
  private let folder = TemporaryFolder()

  private func pipeline(_ properties: String) throws -> TestPipeline {
    try TestPipeline(
      "videotestsrc num-buffers=60 pattern=ball ! \(Self.video) ! "
        + "slitscan name=scan \(properties) ! fakesink")
  }

  /// Plays to the end.
  ///
  /// - Returns: The warnings, but those that depend on the machine: its `/tmp` may be in memory, or slow.
  private func warnings(_ pipeline: TestPipeline) throws -> [String] {
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    #expect(pipeline.sent.count == 60)
    return messages.filter { $0.kind == .warning }.map(\.text).filter {
      !$0.contains("is in memory, not on a disk") && !$0.hasPrefix("Frames are late")
    }
  }

  @Test(arguments: [
    ("nowhere", "No such file or directory"), ("file", "Not a directory"),
    ("file/below", "Not a directory"),
  ]) func withoutAFolderHistoryIsInMemory(name: String, reason: String) throws {
    try Data("text".utf8).write(to: URL(filePath: "\(folder)/file"))
    let location = "\(folder)/\(name)"
    let pipeline = try pipeline("depth=30 history-location=\"\(location)\"")
    #expect(
      try warnings(pipeline) == [
        "No history can be kept in \(location): \(reason). The effect continues with history in memory. "
          + "Set history-location to a folder that can be written to."
      ])
    #expect(try pipeline.property("history-frames") == "30")
    #expect(try pipeline.property("disk-bytes") == "0")
  }

  @Test func aFailureIsToldAgainAfterReady() throws {
    let pipeline = try pipeline("depth=30 history-location=\"\(folder)/nowhere\"")
    for _ in 0..<2 {
      let messages = try pipeline.playToEnd()
      #expect(
        messages.filter { $0.kind == .warning && $0.text.hasPrefix("No history can be kept in") }
          .count == 1)
      try pipeline.go(to: GST_STATE_READY)
    }
  }

  /// A kernel's folder, that not even root can write to.
  @Test func aFolderThatCannotBeWrittenToIsNamed() throws {
    let warnings = try warnings(try pipeline("depth=30 history-location=/proc"))
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("No history can be kept in /proc: ") == true)
  }

  @Test func historyBeyondMemoryIsInTheFolderAndNothingIsLeft() throws {
    let pipeline = try pipeline("depth=50 max-memory=800000 history-location=\"file://\(folder)\"")
    #expect(try warnings(pipeline) == [])
    #expect(try pipeline.property("history-frames") == "50")
    #expect(try #require(Int(try pipeline.property("history-bytes"))) <= 800_000)
    #expect(try #require(Int(try pipeline.property("disk-bytes"))) >= 40 * 320 * 240)
    #expect(try pipeline.statistic("disk-bytes-written") > 0)
    #expect(try pipeline.statistic("disk-bytes-read") > 0)
    #expect(try folder.files == [])
    try pipeline.go(to: GST_STATE_READY)
    #expect(try pipeline.property("disk-bytes") == "0")
  }

  @Test func theDiskIsLimitedAndTheStreamGoesOn() throws {
    let pipeline = try pipeline(
      "depth=50 max-memory=800000 max-disk=1600000 history-location=\"\(folder)\"")
    let warnings = try warnings(pipeline)
    let depth = try pipeline.statistic("depth")
    #expect(depth < 50)
    #expect(
      warnings == [
        "Only \(depth) of 50 frames of history fit into max-disk; the effect continues with these. Set a "
          + "smaller depth, or raise max-disk."
      ])
    #expect(try #require(Int(try pipeline.property("disk-bytes"))) <= 1_600_000)
  }
}
