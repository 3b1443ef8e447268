// Pictures that say which they are: painted where they come from, read where they arrive.

import CGStreamer
import StreamingThread

/// A picture that passed a pad.
struct PassedPicture {
  /// Nanoseconds.
  var pts: UInt
  var bytes: [UInt8]

  /// The value that all bytes have, nil if they differ.
  var value: UInt8? { Set(bytes).count == 1 ? bytes[0] : nil }
}

/// The pictures that passed a pad.
final class PictureRecord: Sendable {
  fileprivate let passed = Lock([PassedPicture]())

  var pictures: [PassedPicture] { passed.withLock { $0 } }
}

/// What the bytes of a picture are.
private final class Brush: Sendable {
  let bytes: @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]

  init(_ bytes: @escaping @Sendable (UInt, Int) -> [UInt8]) { self.bytes = bytes }
}

private func paintBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info, let passing = unsafe info.pointee.data,
    let writable = unsafe gst_mini_object_make_writable(
      passing.assumingMemoryBound(to: GstMiniObject.self))
  else { return GST_PAD_PROBE_OK }
  // The buffer that came was given up for the writable one.
  unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
  let buffer = unsafe UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstBuffer.self)
  let brush = unsafe Unmanaged<Brush>.fromOpaque(data).takeUnretainedValue()
  let bytes = unsafe brush.bytes(buffer.pointee.pts, Int(gst_buffer_get_size(buffer)))
  unsafe gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
  return GST_PAD_PROBE_OK
}

/// Which buffers do not pass, by their times in nanoseconds.
private final class Sieve: Sendable {
  let drops: @Sendable (_ pts: UInt) -> Bool

  init(_ drops: @escaping @Sendable (UInt) -> Bool) { self.drops = drops }
}

private func siftBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info,
    let buffer = unsafe gst_pad_probe_info_get_buffer(info)
  else { return GST_PAD_PROBE_OK }
  let sieve = unsafe Unmanaged<Sieve>.fromOpaque(data).takeUnretainedValue()
  return unsafe sieve.drops(buffer.pointee.pts) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
}

private func recordPicture(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info,
    let buffer = unsafe gst_pad_probe_info_get_buffer(info)
  else { return GST_PAD_PROBE_OK }
  var bytes = [UInt8](repeating: 0, count: Int(unsafe gst_buffer_get_size(buffer)))
  _ = unsafe gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
  let picture = unsafe PassedPicture(pts: buffer.pointee.pts, bytes: bytes)
  unsafe Unmanaged<PictureRecord>.fromOpaque(data).takeUnretainedValue()
    .passed.withLock { $0.append(picture) }
  return GST_PAD_PROBE_OK
}

/// The types of the events that passed a pad.
final class EventRecord: Sendable {
  fileprivate let passed = Lock([GstEventType]())

  var types: [GstEventType] { passed.withLock { $0 } }
}

private func recordEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info,
    let event = unsafe gst_pad_probe_info_get_event(info)
  else { return GST_PAD_PROBE_OK }
  let type = unsafe event.pointee.type
  unsafe Unmanaged<EventRecord>.fromOpaque(data).takeUnretainedValue()
    .passed.withLock { $0.append(type) }
  return GST_PAD_PROBE_OK
}

/// Adds a probe, of buffers if nothing else is said, that keeps an object as long as it is there.
func addProbe(
  _ probe: GstPadProbeCallback, to pad: UnsafeMutablePointer<GstPad>, with object: AnyObject,
  of type: GstPadProbeType = GST_PAD_PROBE_TYPE_BUFFER
) {
  unsafe gst_pad_add_probe(
    pad, type, probe, Unmanaged.passRetained(object).toOpaque(),
    { data in if let data = unsafe data { unsafe Unmanaged<AnyObject>.fromOpaque(data).release() } }
  )
}

/// Paints the buffers that pass a pad.
///
/// - Parameter bytes: What a buffer of a time, in nanoseconds, and of a size is to be.
func paint(
  _ pad: UnsafeMutablePointer<GstPad>,
  _ bytes: @escaping @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]
) {
  unsafe addProbe(paintBuffer, to: pad, with: Brush(bytes))
}

extension TestPipeline {
  /// Does something with a pad of an element that is there all the time.
  private func withPad<Result>(
    _ name: String, of element: String, _ body: (UnsafeMutablePointer<GstPad>) -> Result
  ) throws -> Result {
    let owner = try unsafe self.element(element)
    defer { unsafe gst_object_unref(owner) }
    guard let pad = unsafe gst_element_get_static_pad(owner, name) else {
      throw PipelineError(description: "no pad \(name) of \(element)")
    }
    defer { unsafe gst_object_unref(pad) }
    return unsafe body(pad)
  }

  /// Paints the buffers of a source, all bytes of each in one value that its time, in nanoseconds,
  /// decides.
  func paint(_ source: String, _ value: @escaping @Sendable (_ pts: UInt) -> UInt8) throws {
    try paintBytes(of: source) { [UInt8](repeating: value($0), count: $1) }
  }

  /// Paints the buffers of a source.
  func paintBytes(
    of source: String, _ bytes: @escaping @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]
  ) throws {
    try unsafe withPad("src", of: source) {
      unsafe PipelineTests.paint($0, bytes)
    }
  }

  /// Drops the buffers of an element at those times, in nanoseconds, that `drops` says.
  func dropBuffers(
    of element: String, _ drops: @escaping @Sendable (_ pts: UInt) -> Bool
  ) throws {
    try unsafe withPad("src", of: element) {
      unsafe addProbe(siftBuffer, to: $0, with: Sieve(drops))
    }
  }

  /// Records the pictures that slitscan sends from now on.
  func recordPictures() throws -> PictureRecord {
    let record = PictureRecord()
    try unsafe withPad("src", of: "scan") {
      unsafe addProbe(recordPicture, to: $0, with: record)
    }
    return record
  }

  /// Records the events that slitscan sends downstream from now on.
  func recordEvents() throws -> EventRecord {
    let record = EventRecord()
    try unsafe withPad("src", of: "scan") {
      unsafe addProbe(recordEvent, to: $0, with: record, of: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    }
    return record
  }
}
