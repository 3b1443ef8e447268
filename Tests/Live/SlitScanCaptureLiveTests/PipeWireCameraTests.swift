// Tests of a PipeWire camera: its own video test source, see Tests/Support/PipeWireCamera/with-camera.sh.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import Testing

/// Live: it runs PipeWire, WirePlumber and a D-Bus daemon.
@Suite(

  .enabled(
    if: PipeWire.isInstalled,
    "PipeWire is not installed: apt install pipewire wireplumber gstreamer1.0-pipewire"))
struct PipeWireCameraTests {
  private let folder = TemporaryFolder()

  @Test func aCameraOfPipeWireIsFoundOpenedClosedAndRecorded() async throws {
    let path = "\(folder)/film.mkv"
    let said = try await CaptureProgram.run([
      PipeWire.script, "stdbuf", "-oL", CaptureProgram.path, "found", path,
    ])
    #expect(said == ["Test Camera: pipeWire", "320x240", "640x480", "30 frames"])
    #expect(try await DecodedFile(path: path).stream("v").frames == 30)
  }
}

private enum PipeWire {
  static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Support/PipeWireCamera/with-camera.sh").standardized.path

  static var isInstalled: Bool {
    Element.isInstalled("pipewiresrc")
      && ["pipewire", "pw-cli", "wireplumber"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
      }
  }
}
