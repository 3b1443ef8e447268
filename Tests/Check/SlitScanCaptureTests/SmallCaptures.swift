// Captures of small frames, and what tests look at in them.

import Footage
import GStreamer
import Testing

@testable import SlitScanCapture

extension VideoRequest {
  static let small = VideoRequest(width: 64, height: 48, frameRate: 30)
}

func smallPattern(
  _ name: String = "ball", count: Int? = nil, isLive: Bool = false
) -> TestPatternSource {
  TestPatternSource(name, .small, count: count, isLive: isLive)
}

extension Sample {
  /// The first sample of a frame.
  func level() throws -> UInt8 {
    let frame = try videoFrame()
    return frame.row(0, ofPlane: 0)[0]
  }

  /// All samples of a frame, without padding between rows.
  func bytes() throws -> [UInt8] {
    let frame = try videoFrame()
    var bytes: [UInt8] = []
    for plane in 0..<frame.planeCount {
      for row in 0..<frame.shape(ofPlane: plane).rows {
        let samples = frame.row(row, ofPlane: plane)
        for index in samples.indices { bytes.append(samples[index]) }
      }
    }
    return bytes
  }
}

extension ScannedFrames {
  /// The numbers of so many frames, which their times tell.
  func numbers(_ count: Int) async throws -> [Int] {
    var numbers: [Int] = []
    for try await frame in self {
      let time = frame.runningTime ?? frame.buffer?.presentationTime
      numbers.append(Int(((time?.seconds ?? -1) * 30).rounded()))
      if numbers.count == count { break }
    }
    return numbers
  }
}

/// Starts a capture, and expects that none of so many frames is lost while `body` runs.
@discardableResult
func expectFrames<Result>(
  _ count: Int, of capture: CapturePipeline, isolation: isolated (any Actor)? = #isolation,
  while body: () async throws -> Result
) async throws -> Result {
  let frames = await capture.frames(delivery: .lossless)
  try await capture.start()
  let watching = Task { try await frames.numbers(count) }
  let result = try await body()
  #expect(try await watching.value == Array(0..<count))
  return result
}

/// Sound that a program has or makes.
actor InMemorySound: SoundSource {
  private let source: InMemorySource

  init(_ source: InMemorySource) { self.source = source }

  func makeSoundElement() async throws(CaptureError) -> Element { try await source.makeElement() }
}

/// A live source whose frames come when the test wants them: no clock, so no machine is too slow for it.
actor HandDrivenCamera: FrameSource {
  private let frames: AppSrc

  init() throws { frames = try AppSrc(isLive: true) }

  func makeElement() -> Element { frames.element }

  func deliver(_ frame: Sample) async throws { try await frames.send(frame) }

  func end() async throws { try await frames.finish() }

  /// Starts a capture, and returns once all that read its frames have the first one.
  func start(_ capture: CapturePipeline) async throws {
    let events = capture.events
    async let start: Void = capture.start()
    try await deliver(Footage().frame(0))
    try await start
    for await case .firstFrame in events { break }
  }
}
