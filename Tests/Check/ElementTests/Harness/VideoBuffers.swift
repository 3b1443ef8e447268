// Converts planes of bytes to GStreamer's video buffers and back, in every memory arrangement.

import CGStreamer
import ElementUnderTest
import Reference
import SeededGenerator

/// The layout of an input buffer's planes in memory.
enum Arrangement: String, Sendable, CaseIterable {
  /// As GStreamer lays out the caps; the buffer says nothing of it.
  case `default`
  /// With no padding at all.
  case tight
  /// With wide rows, and gaps around the planes.
  case padded
  /// With wide rows, every plane in a memory of its own.
  case scattered
}

func videoInfo(of caps: VideoCaps) throws -> GstVideoInfo {
  guard ElementUnderTest.isRegistered else { throw HarnessError(description: "no GStreamer") }
  let parsed = unsafe gst_caps_from_string(caps.description)
  defer { unsafe gst_caps_unref(parsed) }
  var info = unsafe GstVideoInfo()
  guard unsafe gst_video_info_from_caps(&info, parsed) != 0 else {
    throw HarnessError(description: "no raw video: \(caps.description)")
  }
  return unsafe info
}

/// The number of a fixed-size array of four that C has and Swift sees as a tuple.
func element<Value>(_ index: Int, of tuple: (Value, Value, Value, Value)) -> Value {
  switch index {
  case 0: tuple.0
  case 1: tuple.1
  case 2: tuple.2
  default: tuple.3
  }
}

/// A buffer that holds the frame, the bytes around its samples random.
func videoBuffer(
  of frame: Frame, info: GstVideoInfo, format: FormatDescription, arrangement: Arrangement,
  random: inout SeededGenerator
) throws -> UnsafeMutablePointer<GstBuffer> {
  // glupload of GStreamer 1.22 reads rows of any other length than the caps' from a wrong place.
  let arrangement = ElementUnderTest.isOnGPU ? .default : arrangement
  // What a plane has behind its rows, and what lies before it.
  var offsets: [Int] = []
  var end = 0
  var planes: [Plane] = []
  for number in 0..<format.planeCount {
    let extent = format.extent(ofPlane: number, width: frame.width, height: frame.height)
    let stride: Int
    switch arrangement {
    case .default:
      stride = unsafe Int(element(number, of: info.stride))
      end = unsafe Int(element(number, of: info.offset))
    case .tight: stride = extent.rowBytes
    case .padded:
      stride = extent.rowBytes + Int.random(in: 1...33, using: &random)
      end += Int.random(in: 0...33, using: &random)
    case .scattered: stride = extent.rowBytes + Int.random(in: 1...33, using: &random)
    }
    offsets.append(end)
    planes.append(Plane(stride: stride, bytes: random.bytes(stride * extent.rows)))
    end += stride * extent.rows
  }
  frame.write(into: &planes, format: format)

  let buffer: UnsafeMutablePointer<GstBuffer>
  if arrangement == .scattered {
    unsafe buffer = gst_buffer_new()
    for plane in planes {
      unsafe gst_buffer_append(buffer, gst_buffer_new_memdup(plane.bytes, gsize(plane.bytes.count)))
    }
  } else {
    let size = arrangement == .default ? unsafe Int(info.size) : end
    var bytes = random.bytes(max(size, end))
    for (offset, plane) in zip(offsets, planes) {
      bytes.replaceSubrange(offset..<offset + plane.bytes.count, with: plane.bytes)
    }
    unsafe buffer = gst_buffer_new_memdup(bytes, gsize(bytes.count))
  }

  // Where nothing says how the planes lie, glupload of GStreamer 1.22 reads the chroma of odd sizes from a
  // wrong place.
  if arrangement != .default || ElementUnderTest.isOnGPU {
    // C reads four of each, whatever the number of planes.
    let rest = Array(repeating: 0, count: 4 - planes.count)
    var planeOffsets = (offsets + rest).map { gsize($0) }
    var planeStrides = (planes.map(\.stride) + rest).map { gint($0) }
    unsafe gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, info.finfo.pointee.format, guint(frame.width),
      guint(frame.height), guint(planes.count), &planeOffsets, &planeStrides)
  }
  return unsafe buffer
}

/// A copy of the planes of a buffer, wherever its metadata says that they lie.
func planes(
  of buffer: UnsafeMutablePointer<GstBuffer>, info: inout GstVideoInfo, format: FormatDescription
) throws -> [Plane] {
  var mapped = unsafe GstVideoFrame()
  guard unsafe gst_video_frame_map(&mapped, &info, buffer, GST_MAP_READ) != 0 else {
    throw HarnessError(description: "what came out cannot be read")
  }
  defer { unsafe gst_video_frame_unmap(&mapped) }
  return try (0..<format.planeCount).map { number in
    let extent = unsafe format.extent(
      ofPlane: number, width: Int(info.width), height: Int(info.height))
    let stride = unsafe Int(element(number, of: mapped.info.stride))
    guard let start = unsafe element(number, of: mapped.data) else {
      throw HarnessError(description: "what came out lacks plane \(number)")
    }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: start, count: (extent.rows - 1) * stride + extent.rowBytes)
    return unsafe Plane(stride: stride, bytes: Array(bytes))
  }
}

/// Makes a pad answer the allocation query with a pool whose frames are padded all around.
func offerPaddedBuffers(on pad: UnsafeMutablePointer<GstPad>) {
  unsafe gst_pad_add_probe(
    pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
    { _, info, _ in
      guard let query = unsafe gst_pad_probe_info_get_query(info),
        unsafe query.pointee.type == GST_QUERY_ALLOCATION
      else { return GST_PAD_PROBE_OK }
      unsafe answer(allocation: query)
      return GST_PAD_PROBE_HANDLED
    }, nil, nil)
}

private func answer(allocation query: UnsafeMutablePointer<GstQuery>) {
  var caps: UnsafeMutablePointer<GstCaps>?
  unsafe gst_query_parse_allocation(query, &caps, nil)
  var info = unsafe GstVideoInfo()
  guard unsafe gst_video_info_from_caps(&info, caps) != 0 else { return }

  let pool = unsafe gst_video_buffer_pool_new()
  let config = unsafe gst_buffer_pool_get_config(pool)
  unsafe gst_buffer_pool_config_set_params(config, caps, guint(info.size), 0, 0)
  unsafe gst_buffer_pool_config_add_option(config, "GstBufferPoolOptionVideoMeta")
  unsafe gst_buffer_pool_config_add_option(config, "GstBufferPoolOptionVideoAlignment")
  var alignment = GstVideoAlignment()
  unsafe gst_video_alignment_reset(&alignment)
  alignment.padding_left = 8
  alignment.padding_right = 24
  alignment.padding_top = 4
  alignment.padding_bottom = 8
  unsafe gst_buffer_pool_config_set_video_alignment(config, &alignment)
  unsafe gst_buffer_pool_set_config(pool, config)
  unsafe gst_query_add_allocation_pool(query, pool, guint(info.size), 0, 0)
  unsafe gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
  unsafe gst_object_unref(pool)
}
