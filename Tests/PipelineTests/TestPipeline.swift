// A pipeline from a launch line, watched from outside: what flows, what the bus says.

import CGStreamer
import Glibc
import ElementUnderTest
import StreamingThread

/// Why a test could not be done.
struct PipelineError: Error, CustomStringConvertible {
  let description: String
}

/// What is remembered of a buffer that passed a pad.
struct PassedBuffer: Equatable {
  /// Nanoseconds.
  var pts: UInt
  var duration: UInt
  var isDiscont: Bool
  var size: Int
}

/// What is remembered of a message on the bus.
struct BusMessage {
  var type: GstMessageType
  /// The error's or warning's sentence, or the name of the message's structure.
  var text: String
  /// The whole structure.
  var details: String
  /// The name of the element that posted it.
  var source: String
}

/// The buffers that pass a pad.
private final class PadRecord: Sendable {
  let buffers = Lock([PassedBuffer]())
}

private func recordBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info,
    let buffer = unsafe gst_pad_probe_info_get_buffer(info)
  else { return GST_PAD_PROBE_OK }
  let record = unsafe Unmanaged<PadRecord>.fromOpaque(data).takeUnretainedValue()
  let passed = unsafe PassedBuffer(
    pts: buffer.pointee.pts, duration: buffer.pointee.duration,
    isDiscont: gst_buffer_get_flags(buffer).rawValue & GST_BUFFER_FLAG_DISCONT.rawValue != 0,
    size: Int(gst_buffer_get_size(buffer)))
  record.buffers.withLock { $0.append(passed) }
  return GST_PAD_PROBE_OK
}

/// A pipeline from a launch line, whose slitscan must be called `scan`, other elements as asked for.
@safe final class TestPipeline {
  let pipeline: UnsafeMutablePointer<GstElement>
  private let output = PadRecord()
  private let input = PadRecord()

  init(_ line: String) throws {
    guard ElementUnderTest.isRegistered else { throw PipelineError(description: "no GStreamer") }
    var error: UnsafeMutablePointer<GError>?
    guard let pipeline = unsafe gst_parse_launch("pipeline. ( \(line) )", &error) else {
      let message = unsafe String(cString: error?.pointee.message ?? strdup("?"))
      unsafe g_clear_error(&error)
      throw PipelineError(description: message)
    }
    unsafe g_clear_error(&error)
    unsafe self.pipeline = pipeline
    try record(pad: "src", in: output)
    try record(pad: "sink", in: input)
  }

  deinit {
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe gst_object_unref(pipeline)
  }

  private func record(pad name: String, in record: PadRecord) throws {
    let scan = try unsafe element("scan")
    defer { unsafe gst_object_unref(scan) }
    guard let pad = unsafe gst_element_get_static_pad(scan, name) else {
      throw PipelineError(description: "no pad \(name)")
    }
    defer { unsafe gst_object_unref(pad) }
    _ = unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER, recordBuffer, Unmanaged.passRetained(record).toOpaque(),
      { data in if let data = unsafe data { unsafe Unmanaged<PadRecord>.fromOpaque(data).release() }
      }
    )
  }

  /// An element by its name; the caller owns the reference.
  func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
    let bin = unsafe UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    guard let element = unsafe gst_bin_get_by_name(bin, name) else {
      throw PipelineError(description: "no element \(name)")
    }
    return unsafe element
  }

  // MARK: States

  /// Changes the state and waits until that is done.
  func go(to state: GstState) throws {
    if unsafe gst_element_set_state(pipeline, state) == GST_STATE_CHANGE_FAILURE {
      throw PipelineError(description: "the state change is refused")
    }
    let reached = unsafe gst_element_get_state(pipeline, nil, nil, 20 * 1_000_000_000)
    guard reached != GST_STATE_CHANGE_FAILURE, reached != GST_STATE_CHANGE_ASYNC else {
      throw PipelineError(description: "the state change ended with \(reached)")
    }
  }

  /// Starts playing and returns at once.
  func start() throws {
    if unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE {
      throw PipelineError(description: "the state change is refused")
    }
  }

  /// Plays until the stream ends.
  ///
  /// - Returns: The messages that came, the last of which is the end or an error.
  func playToEnd() throws -> [BusMessage] {
    try start()
    return try messagesToEnd()
  }

  /// Seeks, flushing, to a time in nanoseconds.
  func seek(to time: Int) throws {
    let flags = GstSeekFlags(
      rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    guard unsafe gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, time) != 0 else {
      throw PipelineError(description: "the seek is refused")
    }
    _ = unsafe gst_element_get_state(pipeline, nil, nil, 20 * 1_000_000_000)
  }

  /// Seeks to a part of the stream, from and to times in nanoseconds.
  func seek(
    from start: Int, to end: Int, rate: Double = 1,
    flags: [GstSeekFlags] = [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_ACCURATE]
  ) throws {
    let flags = GstSeekFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue })
    guard
      unsafe gst_element_seek(
        pipeline, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_SET, end)
        != 0
    else { throw PipelineError(description: "the seek is refused") }
    _ = unsafe gst_element_get_state(pipeline, nil, nil, 20 * 1_000_000_000)
  }

  /// Where the pipeline is, in nanoseconds.
  func position() throws -> Int {
    var position: gint64 = -1
    guard unsafe gst_element_query_position(pipeline, GST_FORMAT_TIME, &position) != 0 else {
      throw PipelineError(description: "no position")
    }
    return Int(position)
  }

  /// How long the pipeline says that it plays, in nanoseconds.
  func duration() throws -> Int {
    var duration: gint64 = -1
    guard unsafe gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0 else {
      throw PipelineError(description: "no duration")
    }
    return Int(duration)
  }

  /// Ends the stream as an application does.
  func endStream() {
    unsafe gst_element_send_event(pipeline, gst_event_new_eos())
  }

  /// Waits until `condition` holds, for at most half a minute.
  func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try condition() { return }
      usleep(5000)
    }
    throw PipelineError(description: "waited in vain for \(what)")
  }

  // MARK: Bus

  /// The messages up to the end of the stream or an error.
  func messagesToEnd() throws -> [BusMessage] {
    var messages: [BusMessage] = []
    while let message = nextMessage(within: 30) {
      messages.append(message)
      if message.type == GST_MESSAGE_EOS || message.type == GST_MESSAGE_ERROR { return messages }
    }
    throw PipelineError(description: "the stream does not end")
  }

  /// The next message, nil if none comes within some seconds.
  func nextMessage(within seconds: UInt) -> BusMessage? {
    guard let bus = unsafe gst_element_get_bus(pipeline) else { return nil }
    defer { unsafe gst_object_unref(bus) }
    guard let message = unsafe gst_bus_timed_pop(bus, seconds * 1_000_000_000) else { return nil }
    defer { unsafe gst_message_unref(message) }
    let type = unsafe message.pointee.type
    let structure = unsafe gst_message_get_structure(message)
    var text = ""
    var details = ""
    if let structure = unsafe structure {
      text = unsafe String(cString: gst_structure_get_name(structure))
      if let string = unsafe gst_structure_to_string(structure) {
        details = unsafe String(cString: string)
        unsafe g_free(string)
      }
    }
    var error: UnsafeMutablePointer<GError>?
    if type == GST_MESSAGE_ERROR { unsafe gst_message_parse_error(message, &error, nil) }
    if type == GST_MESSAGE_WARNING { unsafe gst_message_parse_warning(message, &error, nil) }
    if let sentence = unsafe error?.pointee.message { text = unsafe String(cString: sentence) }
    unsafe g_clear_error(&error)
    let source = unsafe message.pointee.src.flatMap { unsafe gst_object_get_name($0) }
    defer { unsafe g_free(source) }
    return BusMessage(
      type: type, text: text, details: details,
      source: unsafe source.map { unsafe String(cString: $0) } ?? "")
  }

  // MARK: What flowed

  /// The buffers that slitscan sent.
  var sent: [PassedBuffer] { output.buffers.withLock { $0 } }

  /// The buffers that slitscan got.
  var received: [PassedBuffer] { input.buffers.withLock { $0 } }

  /// The caps that are on a pad of slitscan.
  func caps(onPad name: String) throws -> String {
    let scan = try unsafe element("scan")
    defer { unsafe gst_object_unref(scan) }
    guard let pad = unsafe gst_element_get_static_pad(scan, name) else { return "" }
    defer { unsafe gst_object_unref(pad) }
    guard let caps = unsafe gst_pad_get_current_caps(pad) else { return "" }
    defer { unsafe gst_caps_unref(caps) }
    guard let string = unsafe gst_caps_to_string(caps) else { return "" }
    defer { unsafe g_free(string) }
    return unsafe String(cString: string)
  }

  // MARK: Properties

  /// Sets a property of an element from text.
  func set(_ name: String, _ value: String, of element: String = "scan") throws {
    let target = try unsafe self.element(element)
    defer { unsafe gst_object_unref(target) }
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(target).assumingMemoryBound(to: GObject.self), name, value)
  }

  /// A property of slitscan as text.
  func property(_ name: String) throws -> String {
    let scan = try unsafe element("scan")
    defer { unsafe gst_object_unref(scan) }
    var value = GValue()
    unsafe g_object_get_property(
      UnsafeMutableRawPointer(scan).assumingMemoryBound(to: GObject.self), name, &value)
    defer { unsafe g_value_unset(&value) }
    guard let text = unsafe gst_value_serialize(&value) else { return "" }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// A number of the structure `stats`.
  func statistic(_ name: String) throws -> Int {
    let scan = try unsafe element("scan")
    defer { unsafe gst_object_unref(scan) }
    var value = GValue()
    unsafe g_object_get_property(
      UnsafeMutableRawPointer(scan).assumingMemoryBound(to: GObject.self), "stats", &value)
    defer { unsafe g_value_unset(&value) }
    let structure = unsafe gst_value_get_structure(&value)
    var wide: guint64 = 0
    if unsafe gst_structure_get_uint64(structure, name, &wide) != 0 { return Int(wide) }
    var narrow: guint = 0
    if unsafe gst_structure_get_uint(structure, name, &narrow) != 0 { return Int(narrow) }
    throw PipelineError(description: "no statistic \(name)")
  }
}
