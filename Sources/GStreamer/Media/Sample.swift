// A sample is a buffer with the caps, segment and times that it needs to be interpreted.

import CGStreamer

/// A buffer, its caps and its segment: what ``AppSink/samples`` gives.
///
/// Copying one adds a reference, not bytes.
public struct Sample: Sendable, Equatable {
  let object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// A sample of one's own.
  public init(_ buffer: Buffer, caps: Caps) {
    object = unsafe buffer.withGstBuffer { buffer in
      unsafe caps.withGstCaps { caps in
        unsafe MiniObject(taking: UnsafeMutableRawPointer(gst_sample_new(buffer, caps, nil, nil)))
      }
    }
  }

  /// The buffer, nil if the sample has none.
  public var buffer: Buffer? {
    unsafe withGstSample { sample in
      unsafe gst_sample_get_buffer(sample).map { unsafe Buffer(MiniObject(retaining: $0)) }
    }
  }

  /// The caps of the buffer, nil if unknown.
  public var caps: Caps? {
    unsafe withGstSample { sample in
      unsafe gst_sample_get_caps(sample).map { unsafe Caps(MiniObject(retaining: $0)) }
    }
  }

  /// When the buffer is shown, counted from when the pipeline began to play; nil if it does not say,
  /// or lies outside its segment.
  public var runningTime: ClockTime? {
    unsafe time { unsafe gst_segment_to_running_time($0, GST_FORMAT_TIME, $1) }
  }

  /// The buffer's time in its source, as a file, wherever that is played from; nil if it does
  /// not say, or lies outside its segment.
  public var streamTime: ClockTime? {
    unsafe time { unsafe gst_segment_to_stream_time($0, GST_FORMAT_TIME, $1) }
  }

  /// The time by which this sample was placed too early in its source, as the next one tells; 0 where it was right.
  ///
  /// `matroskademux` begins with the first timestamp that it reads, of whichever stream, and corrects that when it finds
  /// an earlier one.
  package func lag(behind next: Sample) -> ClockTime {
    guard let own = origin, let corrected = next.origin, own.time == corrected.time else {
      return .zero
    }
    return own.start - corrected.start
  }

  /// The start of its segment, and that in its source.
  private var origin: (start: ClockTime, time: ClockTime)? {
    unsafe withGstSample { sample -> (ClockTime, ClockTime)? in
      guard let segment = unsafe gst_sample_get_segment(sample),
        unsafe segment.pointee.format == GST_FORMAT_TIME,
        let start = unsafe ClockTime(gstClockTime: segment.pointee.start),
        let time = unsafe ClockTime(gstClockTime: segment.pointee.time)
      else { return nil }
      return (start, time)
    }
  }

  /// The part of the buffer that lies in its segment: when that begins in its source, how much of the buffer comes
  /// before it, and how long it is; nil where there is none, or the buffer does not say.
  package var shown: (time: ClockTime, lead: ClockTime, duration: ClockTime)? {
    unsafe withGstSample { sample -> (ClockTime, ClockTime, ClockTime)? in
      guard let buffer = unsafe gst_sample_get_buffer(sample),
        let segment = unsafe gst_sample_get_segment(sample),
        unsafe segment.pointee.format == GST_FORMAT_TIME,
        let start = unsafe ClockTime(gstClockTime: buffer.pointee.pts),
        let duration = unsafe ClockTime(gstClockTime: buffer.pointee.duration)
      else { return nil }
      var (first, end) = (guint64(0), guint64(0))
      guard
        unsafe gst_segment_clip(
          segment, GST_FORMAT_TIME, guint64(start.nanoseconds),
          guint64((start + duration).nanoseconds), &first, &end) != 0,
        let time = unsafe ClockTime(
          gstClockTime: gst_segment_to_stream_time(segment, GST_FORMAT_TIME, first))
      else { return nil }
      let begin = ClockTime(nanoseconds: UInt64(first))
      return (time, begin - start, ClockTime(nanoseconds: UInt64(end)) - begin)
    }
  }

  private func time(
    by convert: (UnsafePointer<GstSegment>, GstClockTime) -> GstClockTime
  ) -> ClockTime? {
    unsafe withGstSample { sample in
      guard let buffer = unsafe gst_sample_get_buffer(sample),
        let segment = unsafe gst_sample_get_segment(sample),
        unsafe segment.pointee.format == GST_FORMAT_TIME
      else { return nil }
      return unsafe ClockTime(gstClockTime: convert(segment, buffer.pointee.pts))
    }
  }

  /// The pixels, for reading.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where the sample is not raw video,
  ///   ``GStreamerError/Code/notMappable`` where its memory cannot be read or is too small.
  public func videoFrame() throws(GStreamerError) -> VideoFrame {
    guard let buffer, let caps else {
      throw GStreamerError(.wrongType, "The sample has no buffer or no caps.")
    }
    return try VideoFrame(buffer, VideoInfo(caps))
  }

  /// Whether both are the same sample.
  public static func == (left: Sample, right: Sample) -> Bool {
    left.object.isSame(as: right.object)
  }

  func withGstSample<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try object.withPointer { (pointer) throws(Failure) in
      unsafe try body(OpaquePointer(pointer))
    }
  }
}
