// Tests of the README's quickstart on the bundled clip.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct QuickstartTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test func theQuickstartLeavesVideosWithSoundAndAStill() async throws {
    let result = try await Command.run("env -u DISPLAY -u WAYLAND_DISPLAY ./examples/quickstart.sh")
    for name in ["displace.mp4", "sweep.mp4"] {
      #expect(result.text.contains("quickstart/\(name)"))
      // One pixel of each frame, in rows of four bytes, and the sound as it is.
      try await Command.run(
        """
        gst-launch-1.0 -q filesrc location=quickstart/\(name) ! decodebin name=d \
          d. ! video/x-raw ! queue ! videoconvert ! videoscale \
            ! video/x-raw,format=GRAY8,width=1,height=1 ! filesink location=\(folder.path)/video \
          d. ! audio/x-raw ! queue ! filesink location=\(folder.path)/audio
        """)
      #expect(try Data(contentsOf: folder.appending(path: "video")).count == 4 * 132)
      #expect(try Data(contentsOf: folder.appending(path: "audio")).count > 1_000_000)
    }
    let still = try Data(contentsOf: Command.root.appending(path: "quickstart/strip.png"))
    #expect(still.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let size = still.dropFirst(16).prefix(8).map { Int($0) }
    // A strip of four columns from each of the clip's 132 frames.
    #expect(size[2] << 8 | size[3] == 528)
    #expect(size[6] << 8 | size[7] == 720)
  }
}
