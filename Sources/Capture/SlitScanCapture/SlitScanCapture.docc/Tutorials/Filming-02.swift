import GStreamer
import SlitScanCapture

@main enum Film {
  static func main() async throws {
    let camera = TestPatternSource("ball", count: 90)
    for try await frame in try await camera.frames() {
      print(frame.runningTime ?? .zero)
    }
  }
}
