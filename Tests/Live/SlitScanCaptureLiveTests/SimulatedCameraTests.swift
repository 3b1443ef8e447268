// Tests with a simulated camera, a preloaded library, see Tests/Support/SimulatedCamera/Interposition.c.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import Testing

/// Live: the camera gives frames in real time, in a library that is preloaded.
@Suite(.serialized, .enabled(if: SimulatedCamera.library != nil)) struct SimulatedCameraTests {
  private let folder = TemporaryFolder()

  @Test func aCameraGivesWhatWasAskedForAndIsClosedAfterwards() async throws {
    #expect(
      try await SimulatedCamera.capture("frames") == [
        "640x480", "320x240", "capture.source-failed",
      ])
  }

  @Test func aCameraThatVanishesIsAnError() async throws {
    #expect(
      try await SimulatedCamera.capture(
        "endless", environment: ["SIMULATED_CAMERA_UNPLUG_AFTER": "10"]
      ) == ["capture.source-failed"])
  }

  @Test func framesOfACameraThatGivesOnlyJPEGAreDecoded() async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,width=640,height=480 ! jpegenc "
        + "! filesink location=\(folder)/frame.jpg")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    let camera = ["SIMULATED_CAMERA_JPEG": "\(folder)/frame.jpg"]
    // It has no other size.
    #expect(
      try await SimulatedCamera.capture("frames", environment: camera) == [
        "640x480", "capture.source-failed", "capture.source-failed",
      ])
    let path = "\(folder)/film.mp4"
    let said = try await SimulatedCamera.capture("record", path, environment: camera)
    #expect(said == ["30 frames"])
    #expect(try await DecodedFile(path: path).stream("v").frames == 30)
  }

  @Test func aCameraIsRecorded() async throws {
    let path = "\(folder)/film.mp4"
    let said = try await SimulatedCamera.capture("record", path)
    #expect(said == ["30 frames"])
    let stream = try await DecodedFile(path: path).stream("v")
    #expect(stream.frames == 30)
  }
}

private enum SimulatedCamera {
  static let library = ProcessInfo.processInfo.environment["SLITSCAN_CAMERA"]

  /// The output of Tests/Support/CaptureProgram with the camera.
  static func capture(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> [String] {
    var environment = environment
    environment["LD_PRELOAD"] = library
    return try await CaptureProgram.run([CaptureProgram.path] + arguments, environment)
  }
}
