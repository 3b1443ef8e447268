// Tests of video frames: strides, odd sizes, planes at unusual offsets, and buffers with false metadata.

import CGStreamer
import Testing

@testable import GStreamer

@Suite struct VideoFrameTests {
  private static let formats: [VideoFormat] = [.gray8, .gray16, .i420, .nv12, .yuy2, .rgb, .bgra]

  @Test(arguments: formats, [(1, 1), (5, 3), (16, 9), (321, 241)])
  func rowsLieWhereTheFormatSays(format: VideoFormat, size: (Int, Int)) throws {
    let (width, height) = size
    let info = try VideoInfo(format, width: width, height: height)
    var buffer = try WritableBuffer(info)
    try buffer.withVideoFrame(info) { frame in
      for plane in 0..<frame.planeCount {
        for row in 0..<frame.shape(ofPlane: plane).rows {
          var pixels = frame.mutableRow(row, ofPlane: plane)
          for index in pixels.indices {
            pixels[index] = UInt8(truncatingIfNeeded: plane * 77 + row * 31 + index)
          }
        }
      }
    }
    let frame = try VideoFrame(buffer.finish(), info)
    #expect(frame.info.format == format)
    #expect(frame.shape(ofPlane: 0).rows == height)
    for plane in 0..<frame.planeCount {
      let shape = frame.shape(ofPlane: plane)
      #expect(
        frame.bytes(ofPlane: plane).byteCount == shape.stride * (shape.rows - 1) + shape.rowBytes)
      for row in 0..<shape.rows {
        let pixels = frame.row(row, ofPlane: plane)
        #expect(pixels.count == shape.rowBytes)
        for index in [0, pixels.count / 2, pixels.count - 1] {
          #expect(pixels[index] == UInt8(truncatingIfNeeded: plane * 77 + row * 31 + index))
        }
      }
    }
  }

  @Test func oddSizesRoundChromaUp() throws {
    let info = try VideoInfo(.i420, width: 5, height: 3)
    let frame = try VideoFrame(WritableBuffer(info).finish(), info)
    #expect(frame.shape(ofPlane: 0).rowBytes == 5)
    #expect(frame.shape(ofPlane: 1).rowBytes == 3)
    #expect(frame.shape(ofPlane: 1).rows == 2)
    let packed = try VideoInfo(.yuy2, width: 5, height: 3)
    #expect(
      try VideoFrame(WritableBuffer(packed).finish(), packed).shape(ofPlane: 0).rowBytes == 12)
  }

  /// A grey buffer with a `GstVideoMeta` of its own.
  private func buffer(bytes: Int, offset: Int, stride: Int, width: Int, height: Int) throws
    -> Buffer
  {
    var writable = try WritableBuffer(byteCount: bytes)
    try writable.withMutableBytes { memory in
      for index in 0..<memory.byteCount {
        memory.storeBytes(of: UInt8(truncatingIfNeeded: index), toByteOffset: index, as: UInt8.self)
      }
    }
    let buffer = writable.finish()
    unsafe buffer.withGstBuffer { buffer in
      var offsets = (gsize(offset), gsize(0), gsize(0), gsize(0))
      var strides = (gint(stride), gint(0), gint(0), gint(0))
      unsafe withUnsafeMutablePointer(to: &offsets.0) { offsets in
        unsafe withUnsafeMutablePointer(to: &strides.0) { strides in
          _ = unsafe gst_buffer_add_video_meta_full(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, guint(width), guint(height),
            1, offsets, strides)
        }
      }
    }
    return buffer
  }

  @Test func theBuffersOwnStridesGoBeforeThoseOfItsCaps() throws {
    let info = try VideoInfo(.gray8, width: 5, height: 3)
    let buffer = try buffer(bytes: 100, offset: 7, stride: 30, width: 5, height: 3)
    let frame = try VideoFrame(buffer, info)
    #expect(frame.shape(ofPlane: 0) == PlaneShape(stride: 30, rowBytes: 5, rows: 3))
    #expect(frame.row(0, ofPlane: 0)[0] == 7)
    #expect(frame.row(2, ofPlane: 0)[4] == 71)
  }

  @Test func theLastRowMayEndWithItsLastSample() throws {
    let info = try VideoInfo(.gray8, width: 5, height: 3)
    let buffer = try buffer(bytes: 65, offset: 0, stride: 30, width: 5, height: 3)
    let frame = try VideoFrame(buffer, info)
    let bytes = frame.bytes(ofPlane: 0)
    #expect(bytes.byteCount == 65)
  }

  @Test(arguments: [(64, 0, 30), (100, 36, 30), (100, 0, 4), (100, 0, -30)])
  func aBufferThatIsSmallerThanItSaysIsAnError(bytes: Int, offset: Int, stride: Int) throws {
    let info = try VideoInfo(.gray8, width: 5, height: 3)
    let buffer = try buffer(bytes: bytes, offset: offset, stride: stride, width: 5, height: 3)
    #expect { _ = try VideoFrame(buffer, info) } throws: {
      ($0 as? GStreamerError)?.code == .notMappable
    }
  }

  @Test func aBufferWithoutAMetaThatIsTooSmallIsAnError() throws {
    let info = try VideoInfo(.i420, width: 64, height: 64)
    #expect { _ = try VideoFrame(WritableBuffer(byteCount: 64 * 64).finish(), info) } throws: {
      ($0 as? GStreamerError)?.code == .notMappable
    }
  }

  @Test func capsThatAreNoVideoAndSizesThatAreNoneAreErrors() throws {
    #expect(throws: GStreamerError.self) { _ = try VideoInfo(Caps("audio/x-raw")) }
    #expect(throws: GStreamerError.self) { _ = try VideoInfo(Caps("video/x-raw,width=[1,5]")) }
    for (width, height) in [(0, 1), (-1, 1), (1, Int.max), (Int.min, 1)] {
      #expect(throws: GStreamerError.self) { _ = try VideoInfo(.rgb, width: width, height: height) }
    }
    #expect(throws: GStreamerError.self) {
      _ = try VideoInfo(VideoFormat(rawValue: "NONE"), width: 1, height: 1)
    }
    let error = #expect(throws: GStreamerError.self) { _ = try WritableBuffer(byteCount: -1) }
    #expect(error?.code == .outOfRange)
    #expect(error?.message == "A buffer of -1 bytes is impossible; it must have 0 or more.")
    let empty = try WritableBuffer(byteCount: 0).finish()
    let mapping = try empty.map()
    let bytes = mapping.bytes
    #expect(bytes.byteCount == 0)
  }

  /// Formats of all kinds of planes, depths and orders, in the range that they mostly have and in full range.
  private static let blacks: [String] =
    [
      "GRAY8", "GRAY16_BE", "I420", "NV21", "YUY2", "UYVY", "Y41B", "v308", "VUYA", "A420",
      "I420_10LE", "P010_10BE", "v210", "Y212_LE", "Y444_12LE", "AYUV64",
    ].flatMap { ["\($0)", "\($0),colorimetry=(string)1:3:5:1"] }
    + ["RGB", "BGRx", "ARGB", "GBRA", "RGB16", "GBR_10LE", "r210", "RGBA64_BE"]

  @Test(arguments: blacks) func blackIsBlackAndOpaque(format: String) async throws {
    let caps = try Caps("video/x-raw,format=\(format),width=33,height=17,framerate=25/1")
    let info = try VideoInfo(caps)
    var black = try WritableBuffer(info)
    black.presentationTime = .zero
    try black.withVideoFrame(info) { $0.paintBlack() }
    let pipeline = try Pipeline(
      "appsrc name=in format=time ! videoconvert ! video/x-raw,format=RGBA ! "
        + "appsink name=out sync=false")
    let source = try AppSrc(pipeline.element(named: "in"), caps: caps)
    let sink = try AppSink(pipeline.element(named: "out"))
    async let plays: Void = pipeline.play()
    try await source.send(black.finish())
    try await source.finish()
    try await plays
    let sample = try #require(await sink.samples.first { _ in true })
    let frame = try sample.videoFrame()
    var isBlack = true
    for row in 0..<17 {
      let bytes = frame.row(row, ofPlane: 0)
      #expect(bytes.count == 4 * 33)
      // The conversion may be off by a step.
      for index in bytes.indices {
        isBlack = isBlack && (index % 4 == 3 ? bytes[index] == 255 : bytes[index] <= 1)
      }
    }
    #expect(isBlack)
    await pipeline.stop()
  }

  @Test func framesAreMappedAndUnmappedOnce() throws {
    let info = try VideoInfo(.gray8, width: 4, height: 4)
    let buffer = try WritableBuffer(info).finish()
    func references() -> Int32 {
      unsafe buffer.withGstBuffer { unsafe $0.pointee.mini_object.refcount }
    }
    let before = references()
    do {
      let frame = try VideoFrame(buffer, info)
      #expect(frame.planeCount == 1)
      #expect(references() == before + 1)
    }
    #expect(references() == before)
    // Exclusive access is free again only if every mapping is undone.
    var copy = try WritableBuffer(copying: buffer)
    try copy.withVideoFrame(info) { _ in }
    try copy.withVideoFrame(info) { _ in }
  }

  @Test func framesOfAPipelineAreReadAsTheyWereDrawn() async throws {
    let pipeline = try Pipeline(
      "videotestsrc pattern=white num-buffers=1 ! video/x-raw,format=GRAY8,width=7,height=5 ! "
        + "appsink name=out sync=false")
    let sink = try AppSink(pipeline.element(named: "out"))
    try await pipeline.play()
    for try await sample in sink.samples {
      let frame = try sample.videoFrame()
      for row in 0..<5 {
        let pixels = frame.row(row, ofPlane: 0)
        for index in pixels.indices { #expect(pixels[index] > 200) }
      }
    }
  }
}
