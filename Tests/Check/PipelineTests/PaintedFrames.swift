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

/// Paints the buffers that pass a pad.
///
/// - Parameter bytes: What a buffer of a time, in nanoseconds, and of a size is to be.
func paint(_ pad: Pad, _ bytes: @escaping @Sendable (_ pts: UInt, _ count: Int) -> [UInt8]) {
  pad.addProbe(.buffer) { item in
    guard case .buffer(let buffer) = item else { return .pass }
    do throws(GStreamerError) {
      var painted = try WritableBuffer(copying: buffer)
      let values = bytes(PassedBuffer(buffer).pts, painted.byteCount)
      try painted.withMutableBytes { span in
        for (index, value) in values.enumerated() {
          span.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
        }
      }
      return .replace(painted.finish())
    } catch {
      return .drop
    }
  }
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
