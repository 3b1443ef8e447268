// A program that captures from a camera, for tests that simulate one.

import GStreamer
import SlitScanCapture

/// Says in lines of text what came of it.
@main struct CaptureProgram {
  private static let camera = Camera.Choice.path("/dev/video0")

  static func main() async {
    switch CommandLine.arguments.dropFirst().first {
    case "frames":
      await say { try await take(640, 480) }
      // That it can be opened again shows that it was closed.
      await say { try await take(320, 240) }
      await say { try await take(77, 33) }
    case "endless": await say { try await take(640, 480, .max) }
    case "record": await say { try await record(CommandLine.arguments[2], camera) }
    case "found": await say { try await takeWhatIsFound(CommandLine.arguments[2]) }
    default: print("Usage: CaptureProgram frames | endless | record FILE | found FILE")
    }
  }

  private static func say(_ body: @Sendable () async throws -> String) async {
    do {
      print(try await body())
    } catch let error as CaptureError {
      print(error.code)
    } catch {
      print(error)
    }
  }

  private static func take(
    _ width: Int, _ height: Int, _ wanted: Int = 5, from camera: Camera.Choice = camera
  ) async throws -> String {
    let source = CameraSource(camera, VideoRequest(width: width, height: height))
    var count = 0
    let frames = try await source.frames(delivery: .latest(2))
    for try await frame in frames {
      guard let caps = frame.caps else { continue }
      let info = try VideoInfo(caps)
      guard info.width == width, info.height == height else { return "another size" }
      count += 1
      if count == wanted { break }
    }
    await frames.stop()
    return "\(width)x\(height)"
  }

  /// Prints which API found each camera, and takes some frames of each, and more of the first.
  private static func takeWhatIsFound(_ path: String) async throws -> String {
    let cameras = try await Camera.devices()
    for camera in cameras {
      print("\(camera.name): \(camera.backend)")
      for (width, height) in [(320, 240), (640, 480)] {
        await say { try await take(width, height, from: .device(camera)) }
      }
    }
    return try await record(path, .first)
  }

  private static func record(_ path: String, _ camera: Camera.Choice) async throws -> String {
    let recorder = try Recorder(to: path)
    try await recorder.start()
    var count = 0
    for try await frame in try await CameraSource(camera).frames() {
      try await recorder.append(video: frame)
      count += 1
      if count == 30 { break }
    }
    return "\(try await recorder.finish().frames) frames"
  }
}
