import SlitScanCapture

@main enum Booth {
  static func main() async throws {
    let session = CaptureSession()
    var scan = Scan(map: .radial, depth: 45, interpolation: .linear)

    func update() async throws {
      try await session.update {
        TestPattern("ball")
        scan
        Preview()
      }
    }

    try await update()
    try await Task.sleep(for: .seconds(2))
    scan = Scan(preset: "Vortex")
    try await update()
    try await Task.sleep(for: .seconds(2))
    await session.stop()
  }
}
