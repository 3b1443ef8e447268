import SlitScanCapture

@main enum Booth {
  static func main() async throws {
    let session = CaptureSession()
    let watching = Task {
      for await event in session.events { print(event) }
    }
    defer { watching.cancel() }
    var scan = Scan(map: .radial, depth: 45, interpolation: .linear)
    var isRecording = false

    func update() async throws {
      let recordings = try await session.update {
        TestPattern("ball")
        TestTone("ticks", delay: .center)
        scan
        Preview()
        if isRecording { Record(to: "booth.mp4") }
      }
      for recording in recordings {
        print("\(recording.path): \(recording.frames) frames")
      }
    }

    try await update()
    try await Task.sleep(for: .seconds(2))
    isRecording = true
    try await update()
    try await Task.sleep(for: .seconds(1))
    scan = Scan(preset: "Vortex")
    try await update()
    try await Task.sleep(for: .seconds(2))
    try await session.photo().write(to: "booth.png")
    isRecording = false
    try await update()
    await session.stop()
  }
}
