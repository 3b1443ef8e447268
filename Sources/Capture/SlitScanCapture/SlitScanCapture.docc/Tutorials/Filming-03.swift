import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let camera = TestPatternSource("ball", count: 90)
    let recorder = try Recorder(to: "film.mp4")
    try await recorder.start()
    for try await frame in try await camera.frames() {
      try await recorder.append(video: frame)
    }
    let recording = try await recorder.finish()
    print("\(recording.path): \(recording.frames) frames, \(recording.duration)")
  }
}
