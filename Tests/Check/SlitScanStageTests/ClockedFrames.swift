// Frames of a stage, each of which comes as the test asks for it.

import Foundation
import GStreamer
import SlitScanCapture
import Testing
import TestClock

@testable import SlitScanStage

/// The frames of a stage whose clock goes on only while one is asked for that has not come; none is left out.
struct ClockedFrames {
  /// Frames that have come, and have not been asked for.
  ///
  /// While the clock goes on, several may come: the next ones are those, or the stage would be ever farther ahead.
  private actor Arrivals {
    private var samples: [Sample] = []
    private var hasEnded = false
    private var waiter: CheckedContinuation<Void, Never>?

    func add(_ sample: Sample) {
      samples.append(sample)
      wake()
    }

    func end() {
      hasEnded = true
      wake()
    }

    private func wake() {
      waiter?.resume()
      waiter = nil
    }

    func take() -> Sample? { samples.isEmpty ? nil : samples.removeFirst() }

    /// Returns once there is a frame, or there will be none.
    func wait() async {
      guard samples.isEmpty, !hasEnded else { return }
      await withCheckedContinuation { waiter = $0 }
    }
  }

  private let clock: TestClock
  private let stage: CaptureStage
  private let arrivals = Arrivals()

  init(of stage: CaptureStage, on clock: TestClock) async {
    self.clock = clock
    self.stage = stage
    let frames = await stage.capture.frames(delivery: .latest(1_000_000))
    Task { [arrivals] in
      do { for try await sample in frames { await arrivals.add(sample) } } catch {}
      await arrivals.end()
    }
  }

  func next() async throws -> Sample {
    if let sample = await arrivals.take() { return sample }
    await clock.run { await arrivals.wait() }
    return try #require(await arrivals.take())
  }

  /// The first frame for which something is so.
  func first(where isSo: (Sample) throws -> Bool) async throws -> Sample {
    while true {
      let sample = try await next()
      if try isSo(sample) { return sample }
    }
  }

  /// The first frame that reaches the effect from now on.
  func fresh() async throws -> Sample {
    let newest = await stage.capture.streamTime
    return try await first { ($0.buffer?.presentationTime ?? .zero) > newest }
  }

  /// Lets frames pass.
  func skip(_ count: Int) async throws { for _ in 0..<count { _ = try await next() } }
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
