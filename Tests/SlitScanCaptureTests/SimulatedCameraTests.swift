// A camera that is simulated by a library to preload, see Tests/SimulatedCamera/Interposition.c.

import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: SimulatedCamera.library != nil))
struct SimulatedCameraTests {
  @Test func aCameraGivesWhatWasAskedForAndIsClosedAfterwards() async throws {
    #expect(
      try await SimulatedCamera.capture("frames") == [
        "640x480", "320x240", "capture.source-failed",
      ])
  }

  @Test func aCameraThatVanishesIsAnError() async throws {
    #expect(
      try await SimulatedCamera.capture("endless", unplugAfter: 10) == ["capture.source-failed"])
  }

  @Test func aCameraIsRecorded() async throws {
    try await withFolder { folder in
      let path = "\(folder)/film.mp4"
      let said = try await SimulatedCamera.capture("record", path)
      #expect(said == ["30 frames"])
      let stream = try await DecodedFile(path: path).stream("v")
      #expect(stream.frames == 30)
    }
  }
}

private enum SimulatedCamera {
  static let library = ProcessInfo.processInfo.environment["SLITSCAN_CAMERA"]

  /// The lines that Tests/CaptureProgram, which lies beside the tests, prints with the camera.
  static func capture(_ arguments: String..., unplugAfter frames: Int? = nil) async throws
    -> [String]
  {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "CaptureProgram")
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    variables["LD_PRELOAD"] = library
    if let frames { variables["SIMULATED_CAMERA_UNPLUG_AFTER"] = "\(frames)" }
    process.environment = variables
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try await Task.detached { try output.fileHandleForReading.readToEnd() ?? Data() }
      .value
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
