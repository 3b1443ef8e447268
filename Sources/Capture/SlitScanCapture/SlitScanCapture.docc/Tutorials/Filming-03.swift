import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let session = CaptureSession()
    try await session.update { TestPattern("ball") }
    let recorder = try Recorder(to: "film.mp4")
    try await recorder.start()
    for try await frame in await session.frames(delivery: .lossless).prefix(90) {
      try await recorder.append(video: frame)
    }
    let recording = try await recorder.finish()
    print("\(recording.path): \(recording.frames) frames, \(recording.duration)")
    await session.stop()
  }
}
