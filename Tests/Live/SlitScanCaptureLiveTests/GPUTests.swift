// Tests of captures of several sources whose effect runs on the GPU.

import Footage
import GStreamer
import LibC
import Testing

@testable import SlitScanCapture

/// Live: as SourceMixerTests.
@Suite(.enabled(if: hasGL, "glslitscan is not built")) struct GPUTests {
  @Test func severalSourcesAndTheirMapOutliveTheGPU() async throws {
    let request = VideoRequest(width: 64, height: 48, frameRate: 30)
    let capture = CapturePipeline(
      SourceMixer(count: 2, request), scan: ["map": "live", "depth": 8], gpu: .on)
    let frames = await capture.frames()
    try await capture.start()
    try await capture.openInput(0, TestPatternSource("white", request))
    // So often that some frames of the map come while the GPU is given up.
    let mapRequest = VideoRequest(width: 64, height: 48, frameRate: 1000)
    try await capture.openInput(1, TestPatternSource("gradient", mapRequest))
    try await capture.setMapInput(1)
    var reader = frames.makeAsyncIterator()
    func next() async throws -> Sample {
      let state = await capture.state
      return try #require(try await reader.next(), "The frames have ended: \(state)")
    }
    func seeWhite() async throws {
      while true {
        let frame = try await next().videoFrame()
        if frame.row(24, ofPlane: 0)[2] > 200 { return }
      }
    }
    try await seeWhite()
    await capture.stream?.scan.fail("The GPU was reset.")
    while await capture.stream?.scan.factoryName != "slitscan" { _ = try await next() }
    for _ in 0..<10 { _ = try await next() }
    try await seeWhite()
    // The map's frames come, by a thread of their own.
    while try await capture.stream?.scan.pad("map").caps == nil { _ = try await next() }
    #expect(await capture.state == .running)
    await capture.stop()
  }

  /// The driver's threads and its cleanup at the exit met in one process of twenty.
  @Test(arguments: 0..<20) func aProcessEndsAfterASearchThatFailed(round: Int) async {
    await #expect(processExitsWith: .success) {
      for (name, value) in [
        ("MESA_GLES_VERSION_OVERRIDE", "2.0"), ("GST_GL_API", "gles2"), ("GST_GL_PLATFORM", "egl"),
        ("GST_GL_WINDOW", "egl-device"),
      ] { setenv(name, value, 1) }
      try #require(hasGL)
      let error = await #expect(throws: CaptureError.self) { try await GPU.find() }
      #expect(error?.code == .noGPU)
    }
  }
}
