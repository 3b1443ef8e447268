// Tests of the peers: their command lines, and the counting of their frames.

import Foundation
import Testing

@testable import Benchmarks

struct PeerTests {
  @Test func linesAreCountedHoweverTheyArrive() {
    var counter = FrameCounter(.lines(containing: "chain"))
    for piece in ["a chain\nno", "thing\nanother ch", "ain\n", "chain"] {
      counter.consume(Data(piece.utf8))
    }
    #expect(counter.count == 2)
  }

  @Test func theLastNumberCounts() {
    var counter = FrameCounter(.number(after: "frame="))
    counter.consume(Data("frame=1\nfps=3\nframe=12\nframe=".utf8))
    #expect(counter.count == 12)
    counter.consume(Data("345\n".utf8))
    #expect(counter.count == 345)
  }

  @Test func aLineCanBeTypedAgain() {
    let program = Program(
      name: "echo", arguments: ["plain-1.0", "two words", "it's", "!", ""],
      environment: ["B": "2", "A": "a b"], counting: .number(after: ""))
    #expect(program.shellLine == "A='a b' B=2 echo plain-1.0 'two words' 'it'\\''s' ! ''")
  }

  /// Lines about ten times as fast as they are counted to be when there is nothing else to do.
  @Test func aProgramIsTimedAndEnded() throws {
    let program = Program(
      name: "bash", arguments: ["-c", "for ((i = 1; ; i++)); do echo frame=$i; sleep 0.01; done"],
      counting: .number(after: "frame="))
    // So long that half a second in which this test does not run is no large part of it.
    let timing = FrameTiming(fill: 3, frames: 5, duration: .seconds(2))
    let milliseconds = try timing.milliseconds(of: program)
    #expect(milliseconds >= 9)
  }

  @Test func aProgramThatStopsIsAnError() throws {
    let program = Program(
      name: "bash", arguments: ["-c", "echo frame=1; echo 'no such effect' >&2; exit 1"],
      counting: .number(after: "frame="))
    let timing = FrameTiming(fill: 3, frames: 5)
    let error = #expect(throws: BenchmarkError.self) { try timing.milliseconds(of: program) }
    #expect(error?.description.contains("no such effect") == true)
  }

  @Test func stripsCoverTheFrameInWholeRowsOfChroma() throws {
    let plugin = PluginFile(checked: "/nowhere")
    let peer = try #require(
      Peer.ffmpeg(
        size: FrameSize(width: 1920, height: 1080), depth: 120, plugin: plugin
      ).first)
    let line = peer.theirs.effect.shellLine
    let heights = line.matches(of: /crop=iw:(\d+):0:(\d+)/).map { (Int($0.1), Int($0.2)) }
    #expect(heights.count == 120)
    #expect(heights.compactMap(\.0).reduce(0, +) == 1080)
    #expect(heights.compactMap(\.1).allSatisfy { $0 % 2 == 0 })
    #expect(line.contains("tpad=start=119"))
    #expect(line.contains("vstack=inputs=120"))
  }
}
