// Tests of glslitscan with the system's tools, in Mesa's software GL. Live: programs of others, and shows in real time.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.enabled(if: Command.hasGLPlugin, "the plugin of the GPU is not built")) struct GLTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test func theElementHasThePropertiesOfTheOther() async throws {
    try await Command.run(
      """
      for element in slitscan glslitscan; do
        gst-inspect-1.0 $element | sed -n '/^Element Properties/,$p' | sed s/glslitscan0/slitscan0/ >$element.txt || exit 1
      done
      diff slitscan.txt glslitscan.txt && grep -c component-spread slitscan.txt
      """, in: folder)
  }

  /// GStreamer remembers which plugins have no elements.
  @Test func theElementIsThereOnceTheOtherPluginIs() async throws {
    try await Command.run(
      """
      plugins=$GST_PLUGIN_PATH
      export GST_PLUGIN_PATH=$PWD/plugins GST_REGISTRY=$PWD/registry.bin
      mkdir plugins
      cp $plugins/libgstslitscangl.so plugins
      gst-inspect-1.0 glslitscan && exit 1
      cp $plugins/libgstslitscan.so plugins
      gst-inspect-1.0 glslitscan | grep max-memory
      """, in: folder)
  }

  @Test func aForgottenUploadIsNoMap() async throws {
    let result = try await Command.run(
      "gst-launch-1.0 videotestsrc num-buffers=5 ! glslitscan ! fakesink",
      status: 1, environment: Command.softwareGL)
    #expect(result.text.contains("could not link"), "\(result.text)")
  }

  @Test func anOldOpenGLIsRefusedWithASentence() async throws {
    var software = Command.softwareGL
    software["MESA_GL_VERSION_OVERRIDE"] = "2.1"
    let line = "videotestsrc num-buffers=5 ! glupload ! glslitscan ! gldownload ! fakesink"
    let result = try await Command.run(failing: line, saying: "OpenGL 3.3", environment: software)
    #expect(result.text.contains("Use slitscan instead"), "\(result.text)")
  }

  /// A canvas, or frames, that no texture can hold: llvmpipe's have 16384 pixels.
  @Test(arguments: [
    "videotestsrc num-buffers=2 ! glupload ! glslitscan mode=strip canvas-length=30000",
    "videotestsrc num-buffers=2 ! video/x-raw,width=32700,height=4 ! glupload ! glslitscan",
  ])
  func aSizeThatNoTextureHasIsRefusedWithASentence(start: String) async throws {
    try await Command.run(
      failing: "\(start) ! fakesink", saying: "This GPU takes frames of up to ",
      environment: Command.softwareGL)
  }

  /// More frames than the driver has memory for: it goes on with those that it gives.
  @Test func aLackOfTextureMemoryShortensHistory() async throws {
    let result = try await Command.run(
      """
      gst-launch-1.0 videotestsrc num-buffers=20 ! video/x-raw,format=I420,width=1920,height=1080 \
        ! glupload ! glslitscan depth=100000 max-memory=1000000000000 ! fakesink
      """, environment: Command.softwareGL)
    #expect(result.text.contains("of 100000 frames of history fit into"), "\(result.text)")
  }

  @Test(arguments: ["opengl3", "gles2"])
  func pipelinesSideBySideDrawWhatTheProcessorDraws(api: String) async throws {
    var software = Command.softwareGL
    software["GST_GL_API"] = api
    let caps = "video/x-raw,format=I420,width=16,height=8"
    let source = "videotestsrc num-buffers=20 pattern=snow ! \(caps)"
    let result = try await Command.run(
      """
      gst-launch-1.0 -q \
        \(source) ! slitscan depth=8 ! filesink location=processor.raw \
        \(source) ! glupload ! glslitscan depth=8 ! gldownload ! \(caps) ! filesink location=one.raw \
        \(source) ! glupload ! glslitscan depth=8 ! gldownload ! \(caps) ! filesink location=two.raw \
        || exit 1
      cmp processor.raw one.raw && cmp processor.raw two.raw && stat -c %s one.raw
      """, in: folder, environment: software)
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
    let result = try await Command.run(
      """
      \(start) ! slitscan @preset=\(preset) ! \(end) location=processor.png || exit 1
      \(start) ! glupload ! glslitscan @preset=\(preset) ! gldownload ! \(end) location=gpu.png \
        || exit 1
      compare -metric PSNR processor.png gpu.png null: || true
      """, in: folder, environment: Command.softwareGL)
    let decibels = result.text.split { $0.isWhitespace }.last.flatMap { Double($0) }
    #expect((decibels ?? 0) > 60, "\(result.text)")
  }

  // MARK: The command

  /// A show without a window.
  private static let show = "pattern:smpte --size 160x120 --output sink:fakesink"
  /// One that does not begin; if it does, it has an end.
  private static let failingShow = "\(Command.slitscan) live \(show) --duration 60s"

  @Test func aShowOnTheGPUMakesTheStillThatTheProcessorMakes() async throws {
    try Data("1 snapshot\n".utf8).write(to: folder.appending(path: "moves.txt"))
    for gpu in ["on", "off"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: gpu), withIntermediateDirectories: true)
      try await Command.play(
        "\(Self.show) --set map=radial --gpu \(gpu) --folder \(gpu) --replay moves.txt",
        until: "grep -q '^still' said.txt", in: folder, environment: Command.softwareGL)
    }
    let result = try await Command.run("compare -metric AE on/*.png off/*.png null:", in: folder)
    #expect(result.text.hasSuffix("0"), "\(result.text)")
  }

  /// A thread of OpenGL that ended while the process did crashed one show in five.
  @Test func showsOfSeveralSourcesEndWell() async throws {
    try await Command.run(
      """
      for attempt in $(seq 10); do
        \(Command.slitscan) live \(Command.smallClip) pattern:smpte --size 160x120 --gpu on \
          --output sink:fakesink --duration 1s </dev/null || exit 1
      done
      """, environment: Command.softwareGL)
  }

  @Test func theBenchComparesWithACopy() async throws {
    let bench =
      "\(Command.slitscan) bench --gpu --size 64x48 --map radial --map random --set depth=4"
    let result = try await Command.run("\(bench) --json", environment: Command.softwareGL)
    let lines = try result.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      lines.map { line in ["what", "map", "interpolation"].map { line[$0] as? String } } == [
        ["copy", nil, nil], ["glvideoflip", nil, nil],
        ["scan", "radial", "nearest"], ["scan", "random", "nearest"],
        ["scan", "radial", "linear"], ["scan", "random", "linear"],
      ])
    let first = try #require(lines.first)
    let copy = try #require(first["milliseconds"] as? Double)
    for line in lines {
      let time = try #require(line["milliseconds"] as? Double)
      #expect(time > 0)
      #expect(abs(try #require(line["times-copy"] as? Double) / (time / copy) - 1) < 1e-6)
    }
    let text = try await Command.run(bench, environment: Command.softwareGL)
    #expect(text.text.contains(try #require(first["renderer"] as? String)))
    #expect(text.text.contains("which is software") == (first["software"] as? Bool))
    // Without a display, and without words of libraries.
    let none = try await Command.run(
      "env -u DISPLAY -u WAYLAND_DISPLAY -u GST_GL_WINDOW \(bench)", status: 1)
    #expect(none.text.hasPrefix("Error: The effect cannot run on the GPU: there is no display."))
  }

  @Test func withoutTheElementTheMessageNamesThePackage() async throws {
    var environment = Command.softwareGL
    environment["GST_PLUGIN_PATH"] = "/nowhere"
    environment["GST_REGISTRY"] = "/tmp/slitscan-\(UUID().uuidString)"
    let result = try await Command.run(
      "\(Self.failingShow) --gpu on; status=$?; rm -f $GST_REGISTRY; exit $status",
      status: 1, environment: environment)
    #expect(result.text.contains("Install the package gstreamer1.0-slitscan-gl."), "\(result.text)")
  }

  @Test(arguments: [
    "MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLES_VERSION_OVERRIDE=2.0 GST_GL_API=gles2",
    "GST_GL_WINDOW= GST_GL_PLATFORM= DISPLAY=:9999",
    // What crashes GStreamer, and what crashes Mesa.
    "GST_GL_WINDOW=x11 GST_GL_PLATFORM= DISPLAY=", "GST_GL_WINDOW=x11 DISPLAY=:9999",
    "GALLIUM_DRIVER=virpipe",
  ])
  func whereTheGPUCannotBeUsedOnFailsAndAutoGoesOn(environment: String) async throws {
    let variables = environment.split(separator: " ").map { assignment -> (String, String) in
      let end = assignment.firstIndex(of: "=") ?? assignment.endIndex
      return (String(assignment[..<end]), String(assignment[end...].dropFirst()))
    }
    let software = Command.softwareGL.merging(variables) { $1 }
    let on = try await Command.run("\(Self.failingShow) --gpu on", status: 1, environment: software)
    #expect(on.text.contains("The effect cannot run on the GPU: "), "\(on.text)")
    // A slow machine may drop some frames, and not all.
    try Data("1 blackout on\n".utf8).write(to: folder.appending(path: "moves.txt"))
    let auto = try await Command.play(
      "\(Self.show) --replay moves.txt", until: "grep -q '^black' said.txt", in: folder,
      environment: software)
    #expect(auto.text.contains(/\n[1-9]\d* frames in .*, \d+ dropped\n/), "\(auto.text)")
    let devices = try await Command.run("\(Command.slitscan) devices", environment: software)
    #expect(devices.text.contains("GPU: none. The effect cannot run"), "\(devices.text)")
  }

  /// Shell that has the red and the blue of a window in `color`, once it is not black.
  private static let color = """
    color() {
      import -window $1 window.png || return
      color=$(convert window.png -crop 1x1+160+120 -format '%[fx:int(255*r)] %[fx:int(255*b)]' info:)
      [ "$color" != "0 0" ]
    }
    """

  @Test func aWindowShowsTheFrames() async throws {
    let result = try await Command.play(
      script: """
        gst-launch-1.0 -q videotestsrc is-live=true pattern=red \
          ! video/x-raw,width=320,height=240,framerate=30/1 \
          ! glupload ! glslitscan depth=8 ! glimagesink >said.txt 2>&1 & show=$!
        \(Self.color)
        until_true 'color root'
        end; echo "$color"
        """, in: folder, under: "with-display.sh", environment: ["SCREEN": "320x240"])
    #expect(result.text.contains("ended with 0"), "\(result.text)")
    let numbers = result.text.split { $0.isWhitespace }.suffix(2).compactMap { Int($0) }
    #expect(numbers.count == 2 && numbers[0] > 200 && numbers[1] < 50, "\(result.text)")
  }

  /// The window of a show on the GPU shows its frames; destroyed, it takes neither show nor recording along.
  @Test func aWindowThatIsDestroyedLeavesTheShowAndItsRecording() async throws {
    let result = try await Command.play(
      script: """
        printf '0 record on film.mkv\\n' >moves.txt
        \(Command.slitscan) live pattern:red --size 320x240 --gpu on --replay moves.txt \
          --output window --output sink:fakesink </dev/null >said.txt 2>&1 & show=$!
        \(Self.color)
        until_true 'id=$(xdotool search --name slitscan | head -1); [ -n "$id" ] && color $id'
        frames() {
          ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 film.mkv |
            tr -cd 0-9
        }
        xdotool windowclose "$id"
        before=$(frames)
        until_true '[ $(($(frames) - before)) -gt 200 ]'
        end
        echo "frames $(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 film.mkv)"
        echo "$color"
        """, in: folder, under: "with-display.sh", environment: ["SCREEN": "640x480"])
    #expect(result.text.contains("ended with 0"), "\(result.text)")
    let numbers = result.text.split { $0.isWhitespace }.suffix(2).compactMap { Int($0) }
    #expect(numbers.count == 2 && numbers[0] > 200 && numbers[1] < 50, "\(result.text)")
    let frames = result.text.split(separator: "frames ").last.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    #expect((frames ?? 0) > 200, "\(result.text)")
  }
}
