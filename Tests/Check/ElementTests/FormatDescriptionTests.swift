// Tests of the descriptions of video formats against GStreamer's own pack functions.

import CGStreamer
import Reference
import SeededGenerator
import Testing

@Suite("Format description") struct FormatDescriptionTests {
  @Test("finds every component where GStreamer packs it", arguments: Formats.all)
  func agreesWithPacking(format: String) throws {
    try agreesWithPacking(VideoCaps(format: format, width: 16, height: 8))
    // Where the width is odd, GStreamer 1.22 packs the last U and V of these the wrong way round,
    // other than all before it.
    guard format != "NV61", format != "VYUY" else { return }
    try agreesWithPacking(VideoCaps(format: format, width: 17, height: 8))
  }

  private func agreesWithPacking(_ caps: VideoCaps) throws {
    var info = try unsafe videoInfo(of: caps)
    let format = try unsafe FormatDescription(info)
    var random = SeededGenerator(for: "pack \(caps.description)")
    let unpacked = UnpackedFrame(width: caps.width, height: caps.height, random: &random)
    let planes = try unsafe unpacked.packed(&info, format: format)
    let frame = Frame(width: caps.width, height: caps.height, planes: planes, format: format)

    for (number, component) in format.components.enumerated() {
      let columns = component.columns(ofWidth: caps.width)
      for (index, word) in frame.samples[number].enumerated() {
        let value = unpacked.value(
          component: number, x: index % columns * component.columnsPerSample,
          y: index / columns * component.rowsPerSample)
        try #require(
          word == (value >> (16 - component.depth)) << component.shift,
          "component \(number), sample \(index)")
      }
    }
  }

  @Test("reads back the samples that it writes, and nothing else changes", arguments: Formats.all)
  func writesWhatItReads(format: String) throws {
    let caps = VideoCaps(format: format, width: 17, height: 5)
    let format = try unsafe FormatDescription(videoInfo(of: caps))
    var random = SeededGenerator(for: "write \(caps.description)")
    let blank = (0..<format.planeCount).map { number in
      let extent = format.extent(ofPlane: number, width: caps.width, height: caps.height)
      return Plane(
        stride: extent.rowBytes + 3, bytes: random.bytes((extent.rowBytes + 3) * extent.rows))
    }
    var written = blank
    let frame = Frame.noise(
      width: caps.width, height: caps.height, format: format, seed: random.next())
    frame.write(into: &written, format: format)
    let read = Frame(width: caps.width, height: caps.height, planes: written, format: format)
    #expect(read.samples == frame.samples)

    // The same samples written over again change nothing: every sample has bytes of its own.
    var again = written
    read.write(into: &again, format: format)
    #expect(again.map(\.bytes) == written.map(\.bytes))
  }
}

/// A frame as GStreamer's pack functions take it: 16 bits a component, alpha first.
///
/// Blocks of 4×4 pixels are of one colour, so that chroma is the same wherever it is sampled.
private struct UnpackedFrame {
  let width: Int
  private let height: Int
  /// Alpha and three components a pixel.
  private var values: [UInt16]

  init(width: Int, height: Int, random: inout SeededGenerator) {
    self.width = width
    self.height = height
    let blocks = (width + 3) / 4
    let colors = (0..<4 * blocks * ((height + 3) / 4)).map { _ in
      UInt16.random(in: 0...UInt16.max, using: &random)
    }
    values = (0..<4 * width * height).map { index in
      let (x, y) = (index / 4 % width, index / 4 / width)
      return colors[(y / 4 * blocks + x / 4) * 4 + index % 4]
    }
  }

  /// The value of a component, numbered as GStreamer does: alpha is the fourth.
  func value(component: Int, x: Int, y: Int) -> UInt16 {
    values[(y * width + x) * 4 + (component + 1) % 4]
  }

  /// The planes that the pack function of the format makes of it.
  func packed(_ info: inout GstVideoInfo, format: FormatDescription) throws -> [Plane] {
    let unpackedFormat = unsafe info.finfo.pointee.unpack_format
    let isWide =
      unpackedFormat == GST_VIDEO_FORMAT_AYUV64 || unpackedFormat == GST_VIDEO_FORMAT_ARGB64
    guard let pack = unsafe info.finfo.pointee.pack_func,
      let buffer = unsafe gst_buffer_new_allocate(nil, info.size + 64, nil)
    else { throw HarnessError(description: "cannot pack") }
    defer { unsafe gst_buffer_unref(buffer) }

    var frame = unsafe GstVideoFrame()
    guard unsafe gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE) != 0 else {
      throw HarnessError(description: "cannot map what was allocated")
    }
    for y in 0..<height {
      // One line; pack functions may look a little past its end.
      let line = Array(values[4 * width * y..<4 * width * (y + 1)]) + Array(repeating: 0, count: 16)
      let narrow = line.map { UInt8($0 >> 8) }
      unsafe (isWide ? line.withUnsafeBytes(packLine) : narrow.withUnsafeBytes(packLine))

      func packLine(_ line: UnsafeRawBufferPointer) {
        let start = unsafe UnsafeMutableRawPointer(mutating: line.baseAddress)
        var data = unsafe [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
        let strides = unsafe [
          info.stride.0, info.stride.1, info.stride.2, info.stride.3,
        ]
        unsafe pack(
          info.finfo, GST_VIDEO_PACK_FLAG_NONE, start, 0, &data, strides,
          GST_VIDEO_CHROMA_SITE_UNKNOWN, gint(y), gint(width))
      }
    }
    unsafe gst_video_frame_unmap(&frame)
    return try unsafe planes(of: buffer, info: &info, format: format)
  }
}
