// Tests of the element's errors and warnings.

import CGStreamer
import CGStreamerCheck
import GStreamer
import TemporaryFolder
import Testing

@Suite struct ErrorMessageTests {
  private static let video = "video/x-raw,format=I420,width=320,height=240,framerate=25/1"

  @Test(arguments: [
    (properties: "depth=50", depth: 10, remedy: "a smaller depth"),
    (properties: "depth=4 reserve=50", depth: 4, remedy: "a smaller reserve"),
  ])
  func historyBeyondMemoryIsLimitedAndTheStreamGoesOn(
    properties: String, depth: Int, remedy: String
  ) throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=60 ! \(Self.video) ! "
        + "slitscan name=scan \(properties) max-memory=1200000 ! fakesink")
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    let warnings = messages.filter { $0.kind == .warning }
    #expect(warnings.count == 1)
    #expect(warnings.first?.text.hasPrefix("Only 10 of 50 frames of history fit") == true)
    #expect(warnings.first?.text.contains(remedy) == true)
    let notices = messages.filter { $0.text == "slitscan-depth-limited" }
    #expect(notices.count == 1)
    #expect(notices.first?.structure?.get("depth") == 10)
    #expect(notices.first?.structure?.get("wanted") == 50)
    #expect(pipeline.sent.count == 60)
    #expect(try pipeline.property("history-frames") == "10")
    #expect(try #require(Int(try pipeline.property("history-bytes"))) <= 1_200_000)
    #expect(try pipeline.statistic("depth") == depth)
  }

  @Test func aCanvasTooLargeIsAnErrorWithAWayOut() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=3 ! \(Self.video) ! slitscan name=scan mode=strip angle=90 "
        + "canvas-length=1000000000 ! fakesink")
    let messages = try pipeline.playToEnd()
    let error = try #require(messages.first { $0.kind == .error })
    #expect(error.source?.name == "scan")
    #expect(error.text.contains("Set the canvas length to at most"))
  }

  @Test(arguments: [(maximum: 9600, lines: 15), (maximum: 1, lines: 1)])
  func aCanvasBeyondMemoryIsLimitedAndTheStreamGoesOn(maximum: Int, lines: Int) throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=60 ! \(Self.video) ! "
        + "slitscan name=scan mode=strip map=radial max-memory=\(maximum) ! fakesink")
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    let warnings = messages.filter { $0.kind == .warning }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.text.hasPrefix("Only \(lines) of the 240 lines of the canvas fit") == true)
    let notices = messages.filter { $0.text == "slitscan-canvas-limited" }
    #expect(notices.count == 1)
    #expect(notices.first?.structure?.get("lines") == lines)
    #expect(pipeline.sent.count == 60)
    #expect(try pipeline.statistic("lines") == lines)
    #expect(try pipeline.statistic("wanted-lines") == 240)
  }

  @Test func inputOtherThanVideoIsAnErrorWithAWayOut() throws {
    let pipeline = try TestPipeline(
      "fakesrc num-buffers=3 sizetype=fixed sizemax=100 ! slitscan name=scan ! fakesink")
    let messages = try pipeline.playToEnd()
    let error = try #require(messages.first { $0.kind == .error })
    #expect(error.source?.name == "scan")
    #expect(error.text.contains("decodebin"))
  }

  @Test func aBufferSmallerThanItsCapsIsAnErrorThatSaysSo() throws {
    for properties in ["", "mix=0", "mode=strip"] {
      let pipeline = try TestPipeline(
        "fakesrc num-buffers=3 sizetype=fixed sizemax=100 ! capsfilter "
          + "caps=video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1 ! "
          + "slitscan name=scan \(properties) ! fakesink")
      let messages = try pipeline.playToEnd()
      let errors = messages.filter { $0.kind == .error && $0.source?.name == "scan" }
      #expect(errors.count == 1)
      #expect(errors.first?.text.contains("it has 100 bytes") == true)
      #expect(errors.first?.text.contains("320x240 pixels of GRAY8 need 76800") == true)
      #expect(pipeline.sent.isEmpty)
    }
  }

  @Test func memoryThatTheSystemRefusesIsAnErrorOrALimit() throws {
    // As much as a frame can be, with a limit that would allow it a hundred times over.
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=2 pattern=black ! video/x-raw,format=GRAY8,width=512,height=512 ! "
        + "slitscan name=scan depth=100000 max-memory=9007199254740992 ! fakesink")
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos)
    #expect(pipeline.sent.count == 2)
  }

  @Test func numbersThatAreNoneAreIgnored() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=3 ! \(Self.video) ! slitscan name=scan angle=30 ! fakesink")
    for name in [
      "angle", "center-x", "gain", "offset", "position", "motion-threshold", "motion-decay",
      "map-smoothing", "mix", "feedback", "feedback-zoom", "feedback-rotation", "feedback-x",
      "feedback-y", "component-spread", "line-width",
    ] {
      let before = try pipeline.property(name)
      var value = GValue()
      unsafe g_value_init(&value, GType(15 << 2))  // G_TYPE_DOUBLE
      unsafe g_value_set_double(&value, .nan)
      unsafe pipeline.scan.withGstElement { scan in
        unsafe g_object_set_property(
          UnsafeMutableRawPointer(scan).assumingMemoryBound(to: GObject.self), name, &value)
      }
      unsafe g_value_unset(&value)
      #expect(try pipeline.property(name) == before)
    }
    #expect(try pipeline.playToEnd().last?.kind == .eos)
  }

  /// The warnings with some frames.
  private func warnings(of harness: Harness) throws -> [String] {
    for index in 0..<3 { #expect(try harness.push(index) == GST_FLOW_OK) }
    return harness.popWarnings()
  }

  @Test func anImageMapWithoutAFileIsOneWarning() throws {
    let folder = TemporaryFolder()
    let file = try folder.write("map.pgm", ImageKind.pgm8.bytes(levels: [0, 30_000]))
    let harness = try Harness("map=image")
    harness.start()
    func said() throws -> [String] { try self.warnings(of: harness) }
    let warnings = try said()
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("Set map-location to a") == true, "\(warnings)")
    #expect(try said().isEmpty)
    harness.set("map-location", to: file)
    #expect(try said().isEmpty)
    harness.set("map-location", to: "")
    #expect(try said() == warnings)
    harness.set("map", to: "radial")
    #expect(try said().isEmpty)
    harness.set("map", to: "image")
    #expect(try said() == warnings)
    #expect(try said().isEmpty)
  }

  @Test func aLiveMapWithoutALinkedPadIsOneWarning() throws {
    let harness = try Harness("map=live")
    let scan = unsafe harness.element
    harness.start()
    func said() throws -> [String] { try self.warnings(of: harness) }
    let warnings = try said()
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("Link one to the pad map") == true, "\(warnings)")
    let map = try unsafe #require(gst_element_request_pad_simple(scan, "map"))
    let peer = try unsafe #require(gst_pad_new("peer", GST_PAD_SRC))
    defer {
      unsafe gst_object_unref(peer)
      unsafe gst_element_release_request_pad(scan, map)
      unsafe gst_object_unref(map)
    }
    #expect(try said().isEmpty)
    #expect(unsafe gst_pad_link(peer, map) == GST_PAD_LINK_OK)
    #expect(try said().isEmpty)
    unsafe gst_pad_unlink(peer, map)
    #expect(try said() == warnings)
    #expect(try said().isEmpty)
  }
}
