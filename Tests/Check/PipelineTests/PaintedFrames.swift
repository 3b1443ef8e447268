// Frames that are painted with known bytes at the source and read at the sink.

import CGStreamer

@testable import GStreamer

/// A frame that passed a pad.
struct PassedFrame: Equatable {
  /// Nanoseconds.
  var pts: UInt
  var bytes: [UInt8]

  init(_ buffer: Buffer) throws {
    pts = PassedBuffer(buffer).pts
    let mapping = try buffer.map()
    let span = mapping.bytes
    bytes = (0..<span.byteCount).map { unsafe span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }

  /// The value that all bytes have, nil if they differ.
  var value: UInt8? { Set(bytes).count == 1 ? bytes[0] : nil }
}

typealias FrameRecord = PadRecord<PassedFrame>

extension FrameRecord {
  var frames: [PassedFrame] { passed }
}

/// The bytes to paint into a frame.
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

/// Paints the buffers that pass a pad.
///
/// - Parameter bytes: What a buffer of a time, in nanoseconds, and of a size is to be.
func paint(_ pad: Pad, _ bytes: @escaping @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]) {
  // The overlay's probes do not change buffers.
  unsafe pad.withGstPad { pad in unsafe addProbe(paintBuffer, to: pad, with: Brush(bytes)) }
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

extension Event {
  /// The segment that the event begins, nil if it is another event.
  var segment: GstSegment? {
    unsafe withGstEvent { event in
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { return nil }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      return segment
    }
  }
}

extension TestPipeline {
  /// Paints the buffers of a source, all bytes of each in one value that its time, in nanoseconds,
  /// decides.
  func paint(_ source: String, _ value: @escaping @Sendable (_ pts: UInt) -> UInt8) throws {
    try paintBytes(of: source) { [UInt8](repeating: value($0), count: $1) }
  }

  /// Paints the buffers of a source.
  func paintBytes(
    of source: String, _ bytes: @escaping @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]
  ) throws { PipelineTests.paint(try element(source).pad("src"), bytes) }

  /// Drops the buffers of an element at those times, in nanoseconds, that `drops` says.
  func dropBuffers(of element: String, _ drops: @escaping @Sendable (_ pts: UInt) -> Bool) throws {
    try self.element(element).pad("src").addProbe(.buffer) { item in
      guard case .buffer(let buffer) = item else { return .pass }
      return drops(PassedBuffer(buffer).pts) ? .drop : .pass
    }
  }

  /// Records the frames that slitscan sends from now on.
  func recordFrames() throws -> FrameRecord {
    let record = FrameRecord()
    try scan.pad("src").addProbe(.buffer) { item in
      if case .buffer(let buffer) = item, let frame = try? PassedFrame(buffer) {
        record.append(frame)
      }
      return .pass
    }
    return record
  }

  /// Records the types of the events that slitscan sends downstream from now on.
  func recordEvents() throws -> PadRecord<GstEventType> {
    let record = PadRecord<GstEventType>()
    try scan.pad("src").addProbe(.eventDownstream) { item in
      if case .event(let event) = item {
        record.append(unsafe event.withGstEvent { unsafe $0.pointee.type })
      }
      return .pass
    }
    return record
  }
}
