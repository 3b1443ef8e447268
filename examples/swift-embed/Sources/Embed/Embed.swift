// Captures from a camera, and shows, records and photographs the slit-scanned video.

import Foundation
import GStreamer
import SlitScanCapture

@main struct Embed {
  static func main() async {
    guard let folder = CommandLine.arguments.dropFirst().first else {
      fail("Usage: Embed FOLDER", status: EX_USAGE)
    }
    let session = CaptureSession()
    let events = session.events
    let watching = Task { await keepOpen(session, events) }
    do {
      try await play(session, folder)
    } catch {
      await session.stop()
      fail("\(error)")
    }
    await session.stop()
    watching.cancel()
  }

  /// Prints what happens by itself, such as a disk that is full, and opens a camera again that was pulled out.
  static func keepOpen(
    _ session: CaptureSession, _ events: AsyncStream<CaptureEvent>,
    on clock: any SteadyClock = ContinuousClock()
  ) async {
    for await event in events {
      print(event)
      guard case .sourceFailed = event else { continue }
      repeat {
        guard (try? await clock.sleep(for: .seconds(5))) != nil else { return }
      } while (try? await session.restart()) == nil
    }
  }

  /// Prints a line to standard error and ends the program.
  static func fail(_ line: String, status: Int32 = EXIT_FAILURE) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    exit(status)
  }

  static func play(_ session: CaptureSession, _ folder: String) async throws {
    let hasCamera = try await !Camera.devices().isEmpty
    var scan = Scan(map: .radial, depth: 45, interpolation: .linear)
    var isRecording = false

    // What is wanted, said anew whenever it changes; only what differs is done.
    func update() async throws {
      let recordings = try await session.update {
        if hasCamera { Camera() } else { TestPattern("ball") }
        // Late by as much as the middle of the picture, so that lips and voice agree.
        if hasCamera { Microphone(delay: .center) } else { TestTone("ticks", delay: .center) }
        scan
        Preview()
        if isRecording { Record(to: "\(folder)/embed.mp4") }
      }
      for recording in recordings {
        print("\(recording.path): \(recording.frames) frames, \(recording.duration)")
      }
    }

    try await update()
    try await Task.sleep(for: .seconds(1))
    isRecording = true
    try await update()
    try await Task.sleep(for: .seconds(2))

    // Between two frames, in the window as in the file.
    scan = ["map": "linear", "angle": 90, "depth": 45, "interpolation": "linear"]
    try await update()
    try await Task.sleep(for: .seconds(2))
    try await session.photo().write(to: "\(folder)/embed.png")
    print("\(folder)/embed.png")

    isRecording = false
    try await update()
  }
}
