import SlitScanCapture

@main enum Booth {
  static func main() async throws {
    let session = CaptureSession()
    try await session.update {
      TestPattern("ball")
      Scan(map: .radial, depth: 45, interpolation: .linear)
      Preview()
    }
    try await Task.sleep(for: .seconds(2))
    await session.stop()
  }
}
