// Tests of glslitscan with the system's tools, in Mesa's software GL.

import Foundation
import Testing

@Suite(
  .timeLimit(.minutes(15)), .enabled(if: Command.hasGLPlugin, "the plugin of the GPU is not built"))
struct GLTests {
  @Test func theElementHasThePropertiesOfTheOther() async throws {
    let result = try await Command.run(
      """
      for element in slitscan glslitscan; do
        gst-inspect-1.0 $element | sed -n '/^Element Properties/,$p' | sed s/glslitscan0/slitscan0/ >$element.txt || exit 1
      done
      diff slitscan.txt glslitscan.txt && grep -c component-spread slitscan.txt
      """, in: FileManager.default.temporaryDirectory)
    #expect(result.status == 0, "\(result.text)")
  }

  @Test func aForgottenUploadIsNoMap() async throws {
    let result = try await Command.run(
      "gst-launch-1.0 videotestsrc num-buffers=5 ! glslitscan ! fakesink",
      environment: Command.softwareGL, seconds: 60)
    #expect(result.status == 1)
    #expect(result.text.contains("could not link"), "\(result.text)")
  }

  @Test func anOldOpenGLIsRefusedWithASentence() async throws {
    var software = Command.softwareGL
    software["MESA_GL_VERSION_OVERRIDE"] = "2.1"
    let line =
      "gst-launch-1.0 videotestsrc num-buffers=5 ! glupload ! glslitscan ! gldownload ! fakesink"
    var result = try await Command.run(line, environment: software, seconds: 60)
    // As in NonsenseTests: it may wait for ever after an error before the first frame.
    for _ in 0..<5 where result.status != 1 {
      result = try await Command.run(line, environment: software, seconds: 60)
    }
    #expect(result.status == 1)
    #expect(result.text.contains("OpenGL 3.3"), "\(result.text)")
    #expect(result.text.contains("Use slitscan instead"), "\(result.text)")
  }

  @Test(arguments: ["opengl3", "gles2"])
  func pipelinesSideBySideDrawWhatTheProcessorDraws(api: String) async throws {
    var software = Command.softwareGL
    software["GST_GL_API"] = api
    let caps = "video/x-raw,format=I420,width=16,height=8"
    let source = "videotestsrc num-buffers=20 pattern=snow ! \(caps)"
    let result = try await Command.withFolder { folder in
      try await Command.run(
        """
        gst-launch-1.0 -q \
          \(source) ! slitscan depth=8 ! filesink location=processor.raw \
          \(source) ! glupload ! glslitscan depth=8 ! gldownload ! \(caps) ! filesink location=one.raw \
          \(source) ! glupload ! glslitscan depth=8 ! gldownload ! \(caps) ! filesink location=two.raw \
          || exit 1
        cmp processor.raw one.raw && cmp processor.raw two.raw && stat -c %s one.raw
        """, in: folder, environment: software, seconds: 120)
    }
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.hasSuffix("\(20 * 16 * 8 * 3 / 2)\n"), "\(result.text)")
  }

  /// They differ in few pixels, and there by one step.
  @Test(arguments: ["Vortex", "Smear", "Prism", "Unrolled"])
  func presetsAreDrawnAsOnTheProcessor(preset: String) async throws {
    let start = """
      gst-launch-1.0 -q filesrc location=\(Command.smallClip) ! qtdemux ! decodebin ! videoconvert \
        ! video/x-raw,format=I420 ! identity eos-after=60
      """
    let end = "videoconvert ! video/x-raw,format=RGB ! pngenc ! multifilesink"
    let result = try await Command.withFolder { folder in
      try await Command.run(
        """
        \(start) ! slitscan @preset=\(preset) ! \(end) location=processor.png || exit 1
        \(start) ! glupload ! glslitscan @preset=\(preset) ! gldownload ! \(end) location=gpu.png \
          || exit 1
        compare -metric PSNR processor.png gpu.png null:
        """, in: folder, environment: Command.softwareGL, seconds: 120)
    }
    let decibels = result.text.split { $0.isWhitespace }.last.flatMap { Double($0) }
    #expect((decibels ?? 0) > 60, "\(result.text)")
  }

  @Test func aWindowShowsTheFrames() async throws {
    let result = try await Command.withFolder { folder in
      try await Command.run(
        """
        xvfb-run -a -s "-noreset -screen 0 320x240x24" bash -c '
          gst-launch-1.0 -q videotestsrc is-live=true pattern=red \
            ! video/x-raw,width=320,height=240,framerate=30/1 \
            ! glupload ! glslitscan depth=8 ! glimagesink &
          player=$!
          for attempt in $(seq 60); do
            sleep 0.5
            import -window root window.png || exit 1
            colors=$(convert window.png -crop 1x1+160+120 \
              -format "%[fx:int(255*r)] %[fx:int(255*b)]" info:)
            [ "$colors" = "0 0" ] || break
          done
          kill -INT $player
          wait $player
          echo "$colors"'
        """, in: folder, seconds: 120)
    }
    #expect(result.status == 0, "\(result.text)")
    let numbers = result.text.split { $0.isWhitespace }.suffix(2).compactMap { Int($0) }
    #expect(numbers.count == 2 && numbers[0] > 200 && numbers[1] < 50, "\(result.text)")
  }
}
