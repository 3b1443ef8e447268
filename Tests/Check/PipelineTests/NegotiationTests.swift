// Tests of the output caps for given input caps.

import CGStreamer
import Testing

@testable import GStreamer

@Suite struct NegotiationTests {
  private func caps(
    _ input: String, _ properties: String = "", to output: String = "video/x-raw"
  ) throws -> (input: String, output: String) {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=3 ! \(input) ! slitscan name=scan \(properties) ! \(output) ! fakesink"
    )
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos, "\(input) \(properties) \(output): \(messages)")
    return (try pipeline.caps(onPad: "sink"), try pipeline.caps(onPad: "src"))
  }

  @Test func aFormatThatBothTakePassesUntouched() throws {
    for format in ["I420", "YUY2", "BGRx", "P010_10LE", "GRAY8", "ARGB64"] {
      let caps = try caps("video/x-raw,format=\(format),width=60,height=40,framerate=30/1")
      #expect(caps.input == caps.output)
    }
  }

  @Test func downstreamsPreferenceReachesUpstream() throws {
    let caps = try caps("video/x-raw", to: "video/x-raw,format=NV12")
    #expect(caps.input.contains("NV12"))
    #expect(caps.output.contains("NV12"))
  }

  @Test func aFormatThatOnlyOneTakesIsConverted() throws {
    for (input, output) in [
      ("YUY2", "BGRx"), ("I420", "v210"), ("BGRA", "I420"), ("GRAY8", "RGB16"),
      ("P010_10LE", "RGB"), ("AYUV64", "NV12"), ("GRAY16_BE", "GRAY8"),
    ] {
      let caps = try caps(
        "video/x-raw,format=\(input),width=61,height=43", to: "video/x-raw,format=\(output)")
      #expect(caps.input.contains("format=(string)\(input)"))
      #expect(caps.output.contains("format=(string)\(output)"))
      #expect(caps.output.contains("width=(int)61"))
    }
  }

  @Test func theFormatThatLosesLeastIsChosen() throws {
    for (input, candidates, best) in [
      ("YUY2", "GRAY8, I420, BGRx, UYVY", "UYVY"),
      ("AYUV", "I420, Y444, BGRA, Y42B", "BGRA"),
      ("P010_10LE", "NV12, I420_10LE, BGRx", "I420_10LE"),
      ("RGB", "GRAY8, I420, BGRx", "BGRx"),
      ("GRAY8", "I420, GRAY16_LE, BGRx", "GRAY16_LE"),
    ] {
      let caps = try caps(
        "video/x-raw,format=\(input),width=60,height=40",
        to: "capsfilter caps=\"video/x-raw,format={ \(candidates) }\"")
      #expect(caps.output.contains("format=(string)\(best)"), "\(input) to \(candidates)")
    }
  }

  @Test func aStripHasTheSizeOfItsCanvas() throws {
    let input = "video/x-raw,format=I420,width=60,height=40"
    for (properties, width, height) in [
      ("", 60, 40), ("canvas-length=7", 60, 7), ("angle=90 canvas-length=7", 7, 40),
      ("angle=-60 canvas-length=1000", 1000, 40), ("angle=20 canvas-length=1000", 60, 1000),
      ("map=radial angle=90 canvas-length=5", 60, 5), ("map=angular canvas-length=5", 60, 5),
    ] {
      let caps = try caps(input, "mode=strip \(properties)")
      #expect(caps.output.contains("width=(int)\(width)"), "\(properties)")
      #expect(caps.output.contains("height=(int)\(height)"), "\(properties)")
      #expect(caps.input.contains("width=(int)60"))
    }
  }

  @Test func theSizeThatDownstreamWantsReachesUpstream() throws {
    let plain = try caps("video/x-raw", to: "video/x-raw,width=123,height=45")
    #expect(plain.input.contains("width=(int)123"))
    #expect(plain.input.contains("height=(int)45"))
    // Along the canvas, the size is free; across, it is the frame's.
    let strip = try caps(
      "video/x-raw,width=200", "mode=strip angle=90 canvas-length=99",
      to: "video/x-raw,width=99,height=45")
    #expect(strip.input.contains("width=(int)200"))
    #expect(strip.input.contains("height=(int)45"))
  }

  @Test func rateAspectAndColoursGoThrough() throws {
    let caps = try caps(
      "video/x-raw,format=I420,width=60,height=40,framerate=24000/1001,"
        + "pixel-aspect-ratio=4/3,colorimetry=bt2020", to: "video/x-raw,format=Y42B")
    #expect(caps.output.contains("24000/1001"))
    #expect(caps.output.contains("4/3"))
    #expect(caps.output.contains("bt2020"))
  }

  @Test func theAspectOfPixelsIsKeptWhereTheCapsLeaveItOut() throws {
    let pipeline = try TestPipeline(
      """
      videotestsrc num-buffers=3 ! capssetter replace=true \
        caps=video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! \
      slitscan name=scan ! videoscale add-borders=false ! \
      video/x-raw,width=160,height=120,pixel-aspect-ratio=1/1 ! fakesink
      """)
    let messages = try pipeline.playToEnd()
    #expect(messages.last?.kind == .eos, "\(messages)")
    #expect(try pipeline.caps(onPad: "src").contains("pixel-aspect-ratio=(fraction)1/1"))
  }

  @Test func viewsInSeparateMemoryAreRefused() throws {
    let pipeline = try TestPipeline(
      """
      videotestsrc num-buffers=3 ! video/x-raw,width=32,height=32 ! \
      capssetter caps=video/x-raw,multiview-mode=separated,views=2 ! slitscan name=scan ! fakesink
      """)
    let messages = try pipeline.playToEnd()
    let last = try #require(messages.last)
    #expect(last.kind == .error)
    #expect(last.text.contains("glviewconvert"), "\(messages)")
  }

  @Test func alternatingFieldsAreRefused() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=3 ! \"video/x-raw(format:Interlaced),interlace-mode=alternate\" ! "
        + "fakesink videotestsrc ! slitscan name=scan ! fakesink")
    let caps = try unsafe #require(
      gst_caps_from_string(
        "video/x-raw(format:Interlaced),interlace-mode=alternate,format=I420,width=60,height=40,"
          + "framerate=25/1"))
    defer { unsafe gst_caps_unref(caps) }
    let takesCaps = try unsafe pipeline.scan.pad("sink").withGstPad {
      unsafe gst_pad_query_accept_caps($0, caps) != 0
    }
    #expect(!takesCaps)
  }
}
