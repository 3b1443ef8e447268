// Tests of `slitscan photo`: strips equal to the element's, and longer than memory.

import CommandUnderTest
import Foundation
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared))
struct PhotoCommandTests {
  /// The pixels of a frame, three bytes each.
  private func pixels(_ file: String, in folder: URL) async throws -> Data {
    let result = try await Command.run("convert \(file) -depth 8 rgb:\(file).rgb", in: folder)
    #expect(result.status == 0, "\(result.text)")
    return try Data(contentsOf: folder.appending(path: "\(file).rgb"))
  }

  /// The strip that the element draws on a canvas of its full length.
  @Test(arguments: [
    ("", "angle=90 position=0.5 slit-width=1 canvas-length=132"),
    ("--slit-width 5 --position 0.27", "angle=90 position=0.27 slit-width=5 canvas-length=660"),
    ("--slit-width 3 --direction down", "angle=0 position=0.5 slit-width=3 canvas-length=396"),
    (
      "--set map=radial --position 0.3 --slit-width 2",
      "map=radial position=0.3 slit-width=2 canvas-length=264"
    ),
    ("--slit-width 100", "angle=90 slit-width=100 canvas-length=13200"),
  ])
  func aStripIsWhatTheElementDraws(options: String, properties: String) async throws {
    try await Command.withFolder { folder in
      let photo = try await Command.run(
        "\(Command.slitscan) photo \(Command.smallClip) -o strip.png \(options)", in: folder)
      #expect(photo.status == 0, "\(photo.text)")
      // Each frame in place of the one before, as it lies in memory.
      let element = try await Command.run(
        """
        gst-launch-1.0 -q filesrc location=\(Command.smallClip) ! decodebin ! videoconvert \
        ! video/x-raw,format=RGB ! slitscan mode=strip \(properties) \
        ! multifilesink location=element.rgb max-files=1
        """, in: folder)
      #expect(element.status == 0, "\(element.text)")
      let drawn = try Data(contentsOf: folder.appending(path: "element.rgb"))
      let isSame = try await pixels("strip.png", in: folder) == drawn
      #expect(isSame)
    }
  }

  @Test(arguments: ["right", "down"])
  func aScaleIsBesideTheStripAndLeavesItAsItIs(direction: String) async throws {
    try await Command.withFolder { folder in
      for (name, scale) in [("plain", ""), ("scaled", "--scale")] {
        let photo = try await Command.run(
          """
          \(Command.slitscan) photo \(Command.smallClip) -o \(name).png --slit-width 4 \
          --direction \(direction) \(scale)
          """, in: folder)
        #expect(photo.status == 0, "\(photo.text)")
      }
      let (width, height) = direction == "right" ? (528, 180) : (320, 528)
      let (across, below) = direction == "right" ? (0, 30) : (84, 0)
      let cut = try await Command.run(
        """
        convert scaled.png -crop \(width)x\(height)+0+0 +repage cut.png
        identify -format '%wx%h ' plain.png scaled.png
        # A second of 25 frames of four lines: its mark is bright, and the pixels beside it are not.
        convert scaled.png -depth 8 -format \
        '%[fx:p{\(direction == "right" ? "100,182" : "322,100")}.r>0.6] \
        %[fx:p{\(direction == "right" ? "97,182" : "322,97")}.r<0.3]' info:
        """, in: folder)
      #expect(
        cut.text == "\(width)x\(height) \(width + across)x\(height + below) 1 1", "\(cut.text)")
      let isSame = try await pixels("cut.png", in: folder) == pixels("plain.png", in: folder)
      #expect(isSame)
    }
  }
}
