// Attempts at what a machine that is busy does not show: all frames of a live source.

import GStreamer
import Testing

/// The result of the first of ten attempts in which no frame is missing.
///
/// A live show leaves out frames where the machine is busy, as it must; how a change looks from frame to frame is
/// seen where it has not.
func firstCompleteAttempt<Result>(_ attempt: () async throws -> Result?) async throws -> Result {
  for _ in 0..<9 {
    if let result = try await attempt() { return result }
  }
  return try #require(try await attempt(), "Frames were missing ten times.")
}

/// The times of frames, and whether any are missing.
///
/// The first frame of a source that takes the place of another comes sooner than the next frame of that would.
struct FrameTimes {
  private let frameRate: Double
  private var last: Double?
  /// Whether none is missing.
  private(set) var areComplete = true

  init(frameRate: Double) { self.frameRate = frameRate }

  /// Adds the time of the next frame.
  mutating func add(_ sample: Sample) throws {
    let time = try #require(sample.buffer?.presentationTime).seconds
    if let last, ((time - last) * frameRate).rounded() > 1 { areComplete = false }
    last = time
  }
}
