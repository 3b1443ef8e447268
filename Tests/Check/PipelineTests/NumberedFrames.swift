// Numbered frames with a map of whole-frame delays: each output pixel tells how old it is.
//
// Every byte of a frame is the frame's number. A map is of one luma L, in the range 0…255; with a
// depth of 11 it is a delay of L/255·10 frames, to the nearest (Sources/Effect/Definitions.md).

import CGStreamer
import ElementUnderTest
import GStreamer
import TestClock
import Testing

/// The numbered frames and their map.
enum Numbered {
  /// Nanoseconds of a frame, at 25 frames a second.
  static let frame: UInt = 40_000_000
  static let caps = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1,colorimetry=1:4:5:1"
  /// The caps of a map of the same rate, of 16 bytes.
  static let mapCaps =
    "video/x-raw,format=GRAY8,width=4,height=4,framerate=25/1,colorimetry=1:4:5:1"
  static let scan = "slitscan name=scan map=live depth=11 ! fakesink"

  /// The number of the frame of a time in nanoseconds, as its bytes say it.
  static func byte(at pts: UInt) -> UInt8 { UInt8(pts / frame % 256) }

  /// The luma that asks for a delay in frames.
  static func luma(ofDelay frames: Int) -> UInt8 { UInt8((255 * frames + 5) / 10) }

  /// The delay in frames that a luma asks for.
  static func delay(ofLuma luma: UInt8) -> Int {
    let delay: Double = Double(luma) * 10 / 255
    return Int((delay + 0.5).rounded(.down))
  }

  /// A pipeline whose frames are numbered; `line` is the rest of it.
  static func pipeline(
    _ line: String = "", frames: Int = -1, isLive: Bool = false, clock: TestClock? = nil,
    limits: TestClock? = ElementUnderTest.standing
  ) throws -> (TestPipeline, FrameRecord) {
    let pipeline = try TestPipeline(
      "videotestsrc name=video num-buffers=\(frames) is-live=\(isLive) ! \(caps) ! \(scan) "
        + line, clock: clock, limits: limits)
    try pipeline.paint("video") { byte(at: $0) }
    return (pipeline, try pipeline.recordFrames())
  }

  /// A pipeline in which a tee feeds both, frame n being a map of luma n.
  ///
  /// - Parameter branches: Those of the tee `t`.
  static func teedPipeline(
    _ branches: String, frames: Int = -1, limits: TestClock = ElementUnderTest.standing
  ) throws -> (TestPipeline, FrameRecord) {
    let pipeline = try TestPipeline(
      "videotestsrc name=video num-buffers=\(frames) ! \(caps) ! tee name=t \(branches)",
      limits: limits)
    try pipeline.paint("video") { byte(at: $0) }
    return (pipeline, try pipeline.recordFrames())
  }
}

extension PassedFrame {
  /// How old a frame of the numbered frames shows, in frames.
  var delay: Int? { value.map { Int(Numbered.byte(at: pts) &- $0) } }
}

extension FrameRecord {
  var lastDelay: Int? { frames.last?.delay }

  /// Waits until the last frame is so old.
  func wait(forDelay delay: Int) { wait { $0.last?.delay == delay } }

  /// Expects `count` frames, as old as `delay` says of their numbers, or as old as there was
  /// something.
  func expectDelays(count: Int, _ delay: (Int) -> Int) {
    let frames = self.frames
    #expect(frames.count == count)
    for (index, frame) in frames.enumerated() {
      #expect(frame.pts == UInt(index) * Numbered.frame)
      #expect(frame.delay == min(delay(index), index), "frame \(index)")
    }
  }
}

extension TestPipeline {
  /// Plays to the end, which must not be an error, and gives the warnings.
  @discardableResult
  func expectToPlay() throws -> [Message] {
    try start()
    return try expectEnd()
  }

  /// Waits for the end of the stream, which must not be an error, and gives the warnings.
  @discardableResult
  func expectEnd() throws -> [Message] {
    let messages = try messagesToEnd()
    #expect(messages.last?.kind == .eos, "\(String(describing: messages.last))")
    return messages.filter { $0.kind == .warning }
  }
}
