// Tests of the README's first command: a camera, slitscan, a window.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared)) struct CameraTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Runs a line with the simulated camera, after setting up a screen of 640×480 pixels of which
  /// `shot.rgb` is taken when history is full, and few frames are missing in it.
  private func shoot(_ line: String, in folder: URL) async throws -> Screen {
    let camera = try #require(Command.camera)
    let script = """
      # number ROW: the frame number in a row of cells; see Screen.frameNumber.
      number() {
        od -An -v -tu1 -w3 -j $((((4 * $1 + 2) * 640 + 2) * 3)) -N 135 shot.rgb |
          awk 'NR % 4 == 1 { bit = ($2 > 127) != bit; number = 2 * number + bit } END { print number + 0 }'
      }
      LD_PRELOAD=\(camera) \(line) >log 2>&1 & player=$!
      for i in $(seq 300); do
        sleep 0.2
        import -window root -depth 8 shot.rgb
        newest=$(number 0)
        [ $newest -lt 240 ] || [ $((newest - $(number 119))) -gt 170 ] || break
      done
      kill $player
      wait $player || true
      """
    let result = try await Command.play(
      script: script, in: folder, under: "with-display.sh", environment: ["SCREEN": "640x480"])
    let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
    #expect(!log.contains("ERROR"), "\(log) \(result.text)")
    return Screen(bytes: try Data(contentsOf: folder.appending(path: "shot.rgb")))
  }

  @Test func aLaunchLineShowsASlitScannedCamera() async throws {
    let screen = try await shoot("gst-launch-1.0 v4l2src ! slitscan ! autovideosink", in: folder)
    try expectRowsGrowOlder(screen)
  }

  @Test func aCameraAndAWindowOfOtherFormatsAgreeThroughSlitscan() async throws {
    let screen = try await shoot(
      "gst-launch-1.0 v4l2src ! video/x-raw,format=YUY2 ! slitscan ! video/x-raw,format=BGRx ! "
        + "ximagesink", in: folder)
    try expectRowsGrowOlder(screen)
  }

  /// With a linear map of the default depth, every row is as much older than the first one as its
  /// place says; more, where the camera had to leave frames out.
  private func expectRowsGrowOlder(_ screen: Screen) throws {
    func level(ofCellRow row: Int) -> Int {
      let middle = Double(row * Screen.cell + Screen.cell / 2) + 0.5
      return Int((middle / 480 * 119).rounded())
    }
    let newest = screen.frameNumber(ofCellRow: 0)
    #expect(newest >= 119)
    var previous = 0
    for row in 0..<120 {
      let age = newest - screen.frameNumber(ofCellRow: row)
      let expected = level(ofCellRow: row) - level(ofCellRow: 0)
      #expect(age >= previous, "row \(row) is newer than the one above")
      #expect(expected...(expected + 60) ~= age, "row \(row) is \(age) frames old")
      previous = age
    }
  }

  @Test func aCameraThatVanishesIsAnErrorAndNoCrash() async throws {
    let camera = try #require(Command.camera)
    let result = try await Command.run(
      "LD_PRELOAD=\(camera) gst-launch-1.0 v4l2src ! slitscan ! fakesink", status: 1,
      environment: ["SIMULATED_CAMERA_UNPLUG_AFTER": "20"])
    #expect(result.text.contains("ERROR"))
  }
}

/// A frame of a screen of 640×480 pixels, three bytes each, with the camera's scene on it.
private struct Screen {
  let bytes: Data

  /// Pixels of a cell of the scene.
  static let cell = 4

  /// The frame number in the code at the left edge: 12 cells, the highest bit first, a Gray code.
  ///
  /// See Tests/Support/SimulatedCamera/TestScene.h.
  func frameNumber(ofCellRow row: Int) -> Int {
    var gray = 0
    for bit in 0..<12 {
      let x = bit * Self.cell + Self.cell / 2
      let y = row * Self.cell + Self.cell / 2
      gray = gray << 1 | (green(x: x, y: y) > 127 ? 1 : 0)
    }
    var number = gray
    while gray > 0 {
      gray >>= 1
      number ^= gray
    }
    return number
  }

  private func green(x: Int, y: Int) -> UInt8 {
    let index = bytes.startIndex + (y * 640 + x) * 3 + 1
    return bytes.indices.contains(index) ? bytes[index] : 0
  }
}
