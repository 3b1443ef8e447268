// Tests of buffers whose size fits their caps, and of buffers whose size does not.

import CGStreamer
import Testing

@testable import GStreamer

@Suite(.serialized) struct BufferLayoutTests {
  private static let rgb = "video/x-raw,format=RGB,width=64,height=64,framerate=1/1"
  private static let stereo =
    "audio/x-raw,format=S16LE,rate=8000,channels=2,layout=interleaved,channel-mask=(bitmask)3"

  /// Sends bytes as what caps say, once with a sample and once with the caps of the source.
  ///
  /// - Returns: Why they were refused, nil where they were not.
  private func refusal(_ byteCount: Int, as description: String) async throws -> GStreamerError? {
    try await refusal(of: WritableBuffer(byteCount: byteCount).finish(), as: description)
  }

  private func refusal(of buffer: Buffer, as description: String) async throws -> GStreamerError? {
    let caps = try Caps(description)
    let pipeline = try Pipeline("appsrc name=in ! fakesink sync=false")
    let source = try AppSrc(pipeline.element(named: "in"), caps: caps)
    async let playing: Void = pipeline.play()
    var errors: [GStreamerError?] = []
    for attempt in 0..<2 {
      do {
        if attempt == 0 {
          try await source.send(buffer)
        } else {
          try await source.send(Sample(buffer, caps: caps))
        }
        errors.append(nil)
      } catch {
        errors.append(error)
      }
    }
    // Nothing of what was refused has come in.
    try await source.finish()
    try await playing
    try await pipeline.waitForEnd()
    #expect(errors[0] == errors[1])
    return errors[0]
  }

  @Test func aHundredBytesAreNoFrame() async throws {
    let error = try await refusal(100, as: Self.rgb)
    #expect(error?.code == .notMappable)
    #expect(error?.message == "A buffer has 100 bytes, but a frame of 64x64 RGB takes 12288.")
    #expect(error?.source == "in")
  }

  @Test(arguments: [
    (12287, rgb, false), (12288, rgb, true), (20000, rgb, true), (0, rgb, false),
    (15, "video/x-raw,format=I420,width=1,height=1", false),
    (16, "video/x-raw,format=I420,width=1,height=1", true),
    (100, stereo, true), (0, stereo, true), (102, stereo, false),
    (7, "audio/x-raw,format=F64LE,rate=8000,channels=1", false),
    (100, "image/jpeg,width=64,height=64", true), (100, "application/x-anything", true),
    (100, "video/x-raw(memory:GLMemory),format=RGBA,width=64,height=64", true),
    (100, "video/x-raw(meta:GstVideoOverlayComposition),format=RGBA,width=64,height=64", false),
    (1025, "video/x-raw,format=RGB8P,width=1,height=1", false),
  ]) func aBufferIsTakenIfItHasWhatItsCapsSay(
    byteCount: Int, caps: String, isTaken: Bool
  ) async throws {
    let error = try await refusal(byteCount, as: caps)
    #expect((error == nil) == isTaken, "\(error as Any)")
    if let error { #expect(error.code == .notMappable) }
  }

  /// A buffer with a `GstVideoMeta` of its own.
  private func buffer(
    bytes: Int, offset: Int, stride: Int, format: GstVideoFormat = GST_VIDEO_FORMAT_GRAY8,
    width: Int = 5
  ) throws -> Buffer {
    let buffer = try WritableBuffer(byteCount: bytes).finish()
    unsafe buffer.withGstBuffer { buffer in
      var offsets: [gsize] = [gsize(bitPattern: offset), 0, 0, 0]
      var strides: [gint] = [gint(stride), 0, 0, 0]
      _ = unsafe gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, format, guint(width), 3, 1, &offsets, &strides)
    }
    return buffer
  }

  @Test(arguments: [
    (65, 0, 30, true), (64, 0, 30, false), (100, 35, 30, true), (100, 36, 30, false),
    (100, 0, 4, false), (100, 0, -30, false), (100, -1, 30, false),
  ]) func theBuffersOwnStridesAndOffsetsCount(
    bytes: Int, offset: Int, stride: Int, isTaken: Bool
  ) async throws {
    let buffer = try buffer(bytes: bytes, offset: offset, stride: stride)
    let error = try await refusal(
      of: buffer, as: "video/x-raw,format=GRAY8,width=5,height=3,framerate=1/1")
    #expect((error == nil) == isTaken, "\(error as Any)")
  }

  @Test(arguments: [(GST_VIDEO_FORMAT_GRAY16_LE, 5), (GST_VIDEO_FORMAT_GRAY8, 4)])
  func aMetaThatIsNotOfItsCapsIsRefusedWhereItIsSentAndWhereItIsRead(
    format: GstVideoFormat, width: Int
  ) async throws {
    let caps = "video/x-raw,format=GRAY8,width=5,height=3,framerate=1/1"
    let buffer = try buffer(bytes: 100, offset: 0, stride: 30, format: format, width: width)
    #expect(try await refusal(of: buffer, as: caps)?.code == .notMappable)
    let sample = Sample(buffer, caps: try Caps(caps))
    let error = #expect(throws: GStreamerError.self) { _ = try sample.videoFrame() }
    #expect(error?.message.contains("Its caps say 5x3 GRAY8") == true)
  }

  /// Half a frame a buffer.
  @Test func aFieldHasHalfTheRows() async throws {
    let caps = try Caps(
      "video/x-raw(format:Interlaced),format=GRAY8,width=4,height=4,interlace-mode=alternate,"
        + "field-order=top-field-first,framerate=1/1")
    let buffer = try WritableBuffer(byteCount: 8).finish()
    #expect(try await refusal(of: buffer, as: caps.description) == nil)
    let frame = try Sample(buffer, caps: caps).videoFrame()
    #expect(frame.shape(ofPlane: 0).rows == 2)
  }

  @Test func otherCapsCountFromTheirFirstBufferOn() async throws {
    let pipeline = try Pipeline("appsrc name=in ! fakesink sync=false")
    let small = try Caps("video/x-raw,format=GRAY8,width=8,height=4,framerate=1/1")
    let large = try Caps("video/x-raw,format=GRAY8,width=8,height=8,framerate=1/1")
    let source = try AppSrc(pipeline.element(named: "in"), caps: small)
    async let playing: Void = pipeline.play()
    let buffer = try WritableBuffer(byteCount: 32).finish()
    try await source.send(buffer)
    try source.element.set("caps", to: large)
    await #expect(throws: GStreamerError.self) { try await source.send(buffer) }
    try await source.send(Sample(buffer, caps: small))
    try await source.send(buffer)
    try await source.finish()
    try await playing
  }
}
