// Tests of the signal `snapshot`: the last output that was sent, whatever came after it.

import CGStreamer
import CGStreamerCheck
import Testing

@testable import GStreamer

@Suite struct SnapshotTests {
  /// Pushes a frame that is in time.
  ///
  /// - Returns: Its output.
  private func output(of index: Int, from harness: Harness) throws -> PassedFrame {
    #expect(try harness.push(index) == GST_FLOW_OK)
    let buffer = try unsafe #require(harness.pull())
    return try unsafe PassedFrame(Buffer(MiniObject(taking: buffer)))
  }

  /// Makes all frames up to one late, as a sink does that cannot keep up.
  private func beLate(to index: Int, _ harness: Harness) {
    unsafe harness.pushUpstream(
      event: gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2, 1_000_000, UInt(index) * Harness.frame))
  }

  @Test func isTheLastOutputOnceThereIsOne() throws {
    for mode in ["displace", "sweep sweep-duration=100000000", "strip canvas-length=5"] {
      let harness = try Harness(underTest: "depth=16 mode=\(mode)")
      harness.start()
      #expect(try harness.sample(of: "snapshot") == nil)
      for index in 0..<20 {
        let output = try output(of: index, from: harness)
        let snapshot = try #require(try harness.sample(of: "snapshot"))
        #expect(snapshot.frame == output)
        #expect(snapshot.caps.contains("GRAY8"))
      }
    }
  }

  @Test(arguments: [
    ("displace", "angle=90"), ("displace", "freeze=true"), ("displace", "mode=sweep"),
    ("displace freeze=true", "freeze=false"), ("displace feedback=0.5", "feedback=0"),
    ("displace mix=0.5", "mix=0"), ("displace mix=0", "mix=1"),
    ("displace mix=0 freeze=true", "mix=1"),
    ("sweep sweep-duration=640000000", "sweep-duration=100000000"),
    ("sweep sweep-duration=640000000 mix=0.5", "mode=strip"), ("strip", "position=0"),
    ("strip canvas-length=5", "canvas-length=7"), ("strip freeze=true", "mode=displace"),
  ])
  func staysTheLastOutputWhileFramesAreLate(mode: String, change: String) throws {
    let harness = try Harness(underTest: "depth=16 mode=\(mode)")
    harness.start()
    var next = 0
    // Again and again: what leaves between late frames is kept in another way than what leaves in time.
    for (inTime, late) in [(9, 4), (1, 3), (2, 1), (20, 2)] {
      var last: PassedFrame?
      for _ in 0..<inTime {
        last = try output(of: next, from: harness)
        #expect(try harness.sample(of: "snapshot")?.frame == last, "in time, at \(next)")
        next += 1
      }
      beLate(to: next + late - 1, harness)
      let parts = change.split(separator: "=")
      harness.set(String(parts[0]), to: String(parts[1]))
      for _ in 0..<late {
        #expect(try harness.push(next) == GST_FLOW_OK)
        #expect(unsafe harness.pull() == nil)
        #expect(try harness.sample(of: "snapshot")?.frame == last, "late, at \(next)")
        next += 1
      }
    }
  }

  @Test func staysTheLastOutputWhenFramesOfOtherCapsAreLate() throws {
    let harness = try Harness(underTest: "depth=16")
    harness.start()
    let last = try output(of: 0, from: harness)
    let caps = unsafe gst_caps_from_string(
      "video/x-raw,format=GRAY8,width=8,height=32,framerate=25/1")
    unsafe harness.push(event: gst_event_new_caps(caps))
    unsafe gst_caps_unref(caps)
    beLate(to: 1, harness)
    #expect(try harness.push(1) == GST_FLOW_OK)
    #expect(unsafe harness.pull() == nil)
    let snapshot = try #require(try harness.sample(of: "snapshot"))
    #expect(snapshot.frame == last)
    #expect(snapshot.caps.contains("width=(int)16"))
    let output = try output(of: 2, from: harness)
    #expect(try harness.sample(of: "snapshot")?.frame == output)
  }

  @Test func staysInTheFormatThatCameInWhereTheOutputIsConverted() throws {
    let harness = try Harness("depth=16 ! capsfilter caps=video/x-raw,format=RGB")
    harness.start()
    var next = 0
    for (inTime, late) in [(9, 2), (1, 2)] {
      for _ in 0..<inTime {
        #expect(try output(of: next, from: harness).bytes.count == 768)
        next += 1
      }
      let last = try #require(try harness.sample(of: "snapshot"))
      #expect(last.frame.bytes.count == 256)
      beLate(to: next + late - 1, harness)
      for _ in 0..<late {
        #expect(try harness.push(next) == GST_FLOW_OK)
        #expect(try harness.sample(of: "snapshot")?.frame == last.frame, "late, at \(next)")
        next += 1
      }
    }
  }

  @Test func isNoneWhereEveryFrameWasLate() throws {
    let harness = try Harness(underTest: "depth=16")
    harness.start()
    beLate(to: 1, harness)
    for index in 0...1 {
      #expect(try harness.push(index) == GST_FLOW_OK)
      #expect(try harness.sample(of: "snapshot") == nil)
    }
    let output = try output(of: 2, from: harness)
    #expect(try harness.sample(of: "snapshot")?.frame == output)
  }
}
