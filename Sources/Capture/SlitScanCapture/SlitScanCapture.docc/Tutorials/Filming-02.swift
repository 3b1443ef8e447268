import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let session = CaptureSession()
    try await session.update { TestPattern("ball") }
    for try await frame in await session.frames(delivery: .lossless).prefix(90) {
      print(frame.runningTime ?? .zero)
    }
    await session.stop()
  }
}
