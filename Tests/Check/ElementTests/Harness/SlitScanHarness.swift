// A harness that pushes frames through the element as planes of bytes.

import CGStreamer
import CGStreamerCheck
import ElementUnderTest
import Reference
import SeededGenerator

/// A failure of the harness itself.
struct HarnessError: Error, CustomStringConvertible { let description: String }

/// A video format with a size, as caps name it.
struct VideoCaps: Sendable, Equatable {
  /// The name of a `GstVideoFormat`.
  var format: String
  var width: Int
  var height: Int
  /// Frames a second, 0/1 where that varies.
  var framerate = "30/1"
  /// Further fields of the caps, such as `colorimetry=2:1:7:1`.
  var further: [String] = []

  var description: String {
    ([
      "video/x-raw", "format=\(format)", "width=\(width)", "height=\(height)",
      "framerate=\(framerate)",
    ] + further).joined(separator: ",")
  }

  /// Whether widths must be even: two pixels share a cell, and GStreamer's textures have no room for V of half
  /// a pair.
  var needsWholePairs: Bool {
    ElementUnderTest.isOnGPU && ["YUY2", "UYVY", "Y210", "Y212_LE"].contains(format)
  }

  /// The same, of a width that the element under test can have.
  var forElement: VideoCaps {
    var caps = self
    if needsWholePairs { caps.width += width % 2 }
    return caps
  }
}

/// An output frame of the element.
struct OutputFrame {
  var frame: Frame
  /// Bytes from row to row of each plane.
  var strides: [Int]
  var metadata: BufferMetadata
}

/// A buffer's times and flags.
struct BufferMetadata: Equatable {
  var presentationTime = GstClockTime.max
  var decodingTime = GstClockTime.max
  var duration = GstClockTime.max
  /// `GstBufferFlags`.
  var flags: UInt32 = 0
}

/// The element in a `GstHarness`.
///
/// Everything happens on the thread that calls.
@safe final class SlitScanHarness {
  private let harness: UnsafeMutablePointer<GstHarness>
  /// The element, which may be in a bin that the harness has.
  let element: UnsafeMutablePointer<GstElement>
  private var input: GstVideoInfo
  let format: FormatDescription
  /// The properties that have been set, so that only changes are set.
  private var current: [String: String] = [:]
  /// What feeds the pad `map`, if anything does.
  private var feeder: MapFeeder?
  /// The times of all frames that came out.
  private(set) var times: [UInt64] = []
  /// The pad `age`, if the element has it.
  var ages: UnsafeMutablePointer<GstHarness>?
  /// The bin that the element is in, or itself.
  let whole: UnsafeMutablePointer<GstElement>

  /// An element that is fed frames of these caps, and must give out the same format.
  ///
  /// - Parameters:
  ///   - paddedOutput: whether downstream offers buffers with wide strides and offsets.
  ///   - mapLocation: path of the image for the map `image`.
  ///   - maps: what comes through the pad `map`; nil if the element is not to have that pad.
  ///   - hasAges: whether the element has the pad `age`.
  ///   - description: what the test takes the bytes of the format for, if not for what they are.
  init(
    _ caps: VideoCaps, paddedOutput: Bool = false, mapLocation: String? = nil,
    maps: [MapBuffer]? = nil, hasAges: Bool = false, readAs description: FormatDescription? = nil
  ) throws {
    guard let (whole, element) = unsafe ElementUnderTest.make() else {
      throw HarnessError(description: "no element")
    }
    unsafe self.element = element
    unsafe self.whole = whole
    // Where an image is the map from the start, it is there with the first frame. The start is
    // before there is a harness.
    if let mapLocation {
      for (name, value) in [("map-location", mapLocation), ("map", "image")] {
        current[name] = value
        unsafe gst_util_set_object_arg(
          UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, value)
      }
    }
    unsafe input = try videoInfo(of: caps)
    let formatOfCaps = try unsafe FormatDescription(input)
    format = description ?? formatOfCaps
    unsafe harness = gst_harness_new_with_element(whole, "sink", "src")
    unsafe gst_object_unref(whole)
    if hasAges { try requestAges() }
    if paddedOutput { unsafe offerPaddedBuffers(on: harness.pointee.sinkpad) }
    if let maps {
      unsafe answerNotLive(on: harness.pointee.srcpad)
      feeder = try unsafe MapFeeder(element, in: whole, maps)
    }
    unsafe gst_harness_set_sink_caps_str(harness, "video/x-raw,format=\(caps.format)")
    unsafe gst_harness_set_src_caps_str(harness, caps.description)
  }

  deinit {
    // Before the element is gone.
    feeder = nil
    releaseAges()
    unsafe gst_harness_teardown(harness)
  }

  /// Brings the element's properties to these settings.
  func set(_ settings: Settings) {
    for (name, value, _) in settings.properties where current[name] != value {
      current[name] = value
      unsafe gst_util_set_object_arg(object, name, value)
    }
  }

  /// Emits the action signal `reset`.
  func reset() {
    let type = unsafe g_type_from_name("GstSlitScan")
    var instance = GValue()
    unsafe g_value_init(&instance, type)
    unsafe g_value_set_object(&instance, element)
    unsafe g_signal_emitv(&instance, g_signal_lookup("reset", type), 0, nil)
    unsafe g_value_unset(&instance)
  }

  /// A property's value as text.
  func property(_ name: String) -> String {
    var value = GValue()
    unsafe g_object_get_property(object, name, &value)
    defer { unsafe g_value_unset(&value) }
    guard let text = unsafe gst_value_serialize(&value) else { return "" }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// Range, matrix, transfer and primaries of what goes in, and where its chroma is sampled.
  var inputColors: [UInt32] { unsafe colors(of: input) }

  /// The same of what comes out.
  var outputColors: [UInt32] { get throws { try unsafe colors(of: outputInfo(of: harness)) } }

  /// Sends the element a new segment of time, positions in nanoseconds.
  func pushSegment(start: UInt, base: UInt = 0, rate: Double = 1) {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.start = guint64(start)
    segment.time = guint64(start)
    segment.base = guint64(base)
    segment.rate = rate
    unsafe gst_harness_push_event(harness, gst_event_new_segment(&segment))
  }

  /// Flushes the element, as a seek does, and starts a new segment at 0.
  func flush() {
    unsafe gst_harness_push_event(harness, gst_event_new_flush_start())
    unsafe gst_harness_push_event(harness, gst_event_new_flush_stop(1))
    pushSegment(start: 0)
  }

  /// Changes the caps in midstream to others of the same format.
  func push(caps: VideoCaps) throws {
    unsafe input = try videoInfo(of: caps)
    unsafe gst_harness_set_src_caps_str(harness, caps.description)
  }

  /// Pushes a frame and gives what comes out for it.
  func push(
    _ frame: Frame, arranged arrangement: Arrangement, noise: UInt64, metadata: BufferMetadata
  ) throws -> OutputFrame {
    let outputs = try pushAndPull(frame, arranged: arrangement, noise: noise, metadata: metadata)
    guard let output = outputs.first, outputs.count == 1 else {
      throw HarnessError(description: "\(outputs.count) frames came out for one")
    }
    return output
  }

  /// Pushes a frame of which every sample has this value, and gives what comes out with it: each component's samples.
  @discardableResult
  func push(flat word: UInt16, at time: UInt) throws -> [[[UInt16]]] {
    let (width, height) = unsafe (Int(input.width), Int(input.height))
    let caps = VideoCaps(format: "", width: width, height: height)
    return try pushAndPull(
      .flat(word, caps: caps, format: format), arranged: .default, noise: 0,
      metadata: BufferMetadata(presentationTime: time)
    ).map(\.frame.samples)
  }

  /// Pushes a frame and gives all that comes out with it.
  func pushAndPull(
    _ frame: Frame, arranged arrangement: Arrangement, noise: UInt64, metadata: BufferMetadata
  ) throws -> [OutputFrame] {
    try send(frame, arranged: arrangement, noise: noise, metadata: metadata)
    return try pullAll()
  }

  /// Says from downstream that all up to a time is too late.
  func skip(until time: UInt64) {
    unsafe gst_harness_push_upstream_event(
      harness, gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, 0, GstClockTime(time)))
  }

  /// Ends the stream and gives what comes out after it.
  func end() throws -> [OutputFrame] {
    guard unsafe gst_harness_push_event(harness, gst_event_new_eos()) != 0 else {
      throw HarnessError(description: "the element refuses the end of the stream")
    }
    return try pullAll()
  }

  private func pullAll() throws -> [OutputFrame] {
    var outputs: [OutputFrame] = []
    while let output = try pull() { outputs.append(output) }
    times += outputs.map { UInt64($0.metadata.presentationTime) }
    return outputs
  }

  private func send(
    _ frame: Frame, arranged arrangement: Arrangement, noise: UInt64, metadata: BufferMetadata
  ) throws {
    var random = SeededGenerator(seed: noise)
    let buffer = try unsafe videoBuffer(
      of: frame, info: input, format: format, arrangement: arrangement, random: &random)
    unsafe buffer.pointee.pts = metadata.presentationTime
    unsafe buffer.pointee.dts = metadata.decodingTime
    unsafe buffer.pointee.duration = metadata.duration
    unsafe gst_buffer_set_flags(buffer, GstBufferFlags(rawValue: metadata.flags))

    let flow = unsafe gst_harness_push(harness, buffer)
    if let failure = feeder?.failure { throw HarnessError(description: failure) }
    guard flow == GST_FLOW_OK else {
      throw HarnessError(description: "the element answers \(flow) to a frame")
    }
  }

  /// The next frame that came out, if there is one.
  private func pull() throws -> OutputFrame? {
    guard let output = unsafe gst_harness_try_pull(harness) else { return nil }
    defer { unsafe gst_buffer_unref(output) }
    return try unsafe outputFrame(in: output)
  }

  private var object: UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
  }

  private func colors(of info: GstVideoInfo) -> [UInt32] {
    unsafe [
      info.colorimetry.range.rawValue, info.colorimetry.matrix.rawValue,
      info.colorimetry.transfer.rawValue, info.colorimetry.primaries.rawValue,
      info.chroma_site.rawValue,
    ]
  }

  /// What the caps say of the buffers that come out of this pad or that of the ages.
  func outputInfo(of harness: UnsafeMutablePointer<GstHarness>) throws -> GstVideoInfo {
    guard let caps = unsafe gst_pad_get_current_caps(harness.pointee.sinkpad) else {
      throw HarnessError(description: "a buffer came out without caps")
    }
    defer { unsafe gst_caps_unref(caps) }
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps) != 0 else {
      throw HarnessError(description: "what comes out is no raw video")
    }
    return unsafe info
  }

  private func outputFrame(in buffer: UnsafeMutablePointer<GstBuffer>) throws -> OutputFrame {
    var info = try unsafe outputInfo(of: harness)
    let planes = try unsafe planes(of: buffer, info: &info, format: format)
    let frame = unsafe Frame(
      width: Int(info.width), height: Int(info.height), planes: planes, format: format)
    return unsafe OutputFrame(
      frame: frame, strides: planes.map(\.stride),
      metadata: BufferMetadata(
        presentationTime: buffer.pointee.pts, decodingTime: buffer.pointee.dts,
        duration: buffer.pointee.duration, flags: gst_buffer_get_flags(buffer).rawValue))
  }
}
