// Frames of a stage, each of which comes as the test asks for it.

import Foundation
import GStreamer
import SlitScanCapture
import Testing
import TestClock

@testable import SlitScanStage

/// The frames of a stage whose clock goes on only while one is asked for; none is left out.
struct ClockedFrames {
  private let clock: TestClock
  private let stage: CaptureStage
  private let frames: ScannedFrames
  private var reader: ScannedFrames.Iterator

  init(of stage: CaptureStage, on clock: TestClock) async {
    self.clock = clock
    self.stage = stage
    frames = await stage.capture.frames(delivery: .latest(1_000_000))
    reader = frames.makeAsyncIterator()
  }

  mutating func next() async throws -> Sample {
    var reader = reader
    let sample = try await clock.run { try await reader.next() }
    self.reader = reader
    return try #require(sample)
  }

  /// The first frame for which something is so.
  mutating func first(where isSo: (Sample) throws -> Bool) async throws -> Sample {
    while true {
      let sample = try await next()
      if try isSo(sample) { return sample }
    }
  }

  /// The first frame that reaches the effect from now on.
  mutating func fresh() async throws -> Sample {
    let newest = await stage.capture.streamTime
    return try await first { ($0.buffer?.presentationTime ?? .zero) > newest }
  }

  /// Lets frames pass.
  mutating func skip(_ count: Int) async throws { for _ in 0..<count { _ = try await next() } }
}

extension Sample {
  /// Luma in the middle of the first, the middle and the last row.
  func rows() throws -> [UInt8] {
    let frame = try videoFrame()
    #expect(frame.info.width == 64 && frame.info.height == 48)
    return [0, 24, 47].map { frame.row($0, ofPlane: 0)[32] }
  }

  /// The samples of the first plane, row by row.
  func luma() throws -> [UInt8] {
    let frame = try videoFrame()
    var samples: [UInt8] = []
    for number in 0..<frame.info.height {
      let row = frame.row(number, ofPlane: 0)
      for index in row.indices { samples.append(row[index]) }
    }
    return samples
  }
}

/// Writes a clip of one of videotestsrc's patterns, then puts it in its place.
func makeClip(
  _ path: String, _ pattern: String, frames: Int = 20,
  format: String = "I420,width=64,height=48,framerate=30/1", encoder: String = "avenc_ffv1"
) async throws {
  let pipeline = try Pipeline(
    "videotestsrc num-buffers=\(frames) pattern=\(pattern) ! video/x-raw,format=\(format) ! "
      + "\(encoder) ! matroskamux ! filesink location=\"\(path).new\"")
  try await pipeline.play()
  try await pipeline.waitForEnd()
  await pipeline.stop()
  try #require(rename(path + ".new", path) == 0)
}

extension AsyncStream<Change>.Iterator {
  /// The next sentence of the news.
  mutating func nextSentence() async -> String {
    while let change = await next() {
      switch change {
      case .warning(let text), .notice(let text): return text
      default: continue
      }
    }
    return ""
  }
}
