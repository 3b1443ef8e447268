// An appsrc sends buffers from Swift into a pipeline.

import CGStreamer
import CGStreamerApp

/// An appsrc: the element through which Swift sends buffers into a pipeline.
///
/// ```swift
/// let pipeline = try Pipeline("appsrc name=in ! videoconvert ! autovideosink")
/// let source = try AppSrc(pipeline.element(named: "in"), caps: info.caps())
/// try await pipeline.play()
/// try await source.send(buffer.finish())
/// try await source.finish()
/// ```
///
/// A reference to the element: copies are the same source. Times are the sender's to set; with the
/// property `do-timestamp`, the source sets them to when a buffer came.
public struct AppSrc: Sendable {
  /// The element, to be put in a pipeline, linked and set.
  public let element: Element
  private let outlet: SampleOutlet

  /// A new appsrc.
  ///
  /// - Parameters:
  ///   - name: Its name in the pipeline, nil for one that GStreamer gives.
  ///   - caps: What is going to be sent; nil where ``send(_:isolation:)-(Sample,_)`` brings its own.
  ///   - queue: How many buffers wait in it before senders do.
  ///   - isLive: Whether buffers come as time goes by, as from a camera.
  /// - Throws: ``GStreamerError/Code/noSuchElement`` where GStreamer's base plugins are missing.
  public init(
    name: String? = nil, caps: Caps? = nil, queue: Int = 4, isLive: Bool = false
  ) throws(GStreamerError) {
    let element = try Element("appsrc", name: name)
    try element.set("is-live", to: isLive)
    try self.init(element, caps: caps, queue: queue)
  }

  /// An appsrc that is there already, as one of a launch line.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where the element is no appsrc.
  public init(_ element: Element, caps: Caps? = nil, queue: Int = 4) throws(GStreamerError) {
    guard element.object.isA(gst_app_src_get_type()) else {
      throw GStreamerError(.wrongType, "The element is not an appsrc.", source: element.name)
    }
    self.element = element
    outlet = endpoint(of: element) {
      let outlet = SampleOutlet()
      unsafe element.object.with(GstAppSrc.self) { unsafe gst_app_src_set_emit_signals($0, 0) }
      outlet.listen(to: element.object)
      return outlet
    }
    try element.set("format", to: "time")
    try element.set("block", to: false)
    try element.set("max-bytes", to: 0)
    try element.set("max-time", to: 0)
    try element.set("max-buffers", to: max(1, queue))
    // Asks for more while there is still something to stream.
    try element.set("min-percent", to: 50)
    if let caps { try element.set("caps", to: caps) }
  }

  /// Sends a buffer, and returns once the source has taken it: at once while its queue has room,
  /// else when the pipeline has used some.
  ///
  /// Before the pipeline plays or pauses, this waits for it.
  ///
  /// Buffers go in the order in which one task, or the tasks of one actor, send them.
  ///
  /// - Throws: ``GStreamerError/Code/cancelled`` where the task is cancelled;
  ///   ``GStreamerError/Code/ended`` after ``finish(isolation:)``; ``GStreamerError/Code/stopped`` when the pipeline stops or is gone; the error of an element
  ///   that failed; ``GStreamerError/Code/notMappable`` where raw video has fewer bytes than its caps
  ///   and its `GstVideoMeta` say, or raw sound is no whole number of frames. The buffer is then not
  ///   sent.
  public func send(
    _ buffer: Buffer, isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    unsafe try buffer.withGstBuffer { (buffer) throws(GStreamerError) in
      unsafe try outlet.check(buffer, caps: nil, for: element.object)
    }
    unsafe try await outlet.send(to: element.object) { source in
      unsafe buffer.withGstBuffer { buffer in
        // The source takes over a reference.
        unsafe gst_app_src_push_buffer(source, gst_buffer_ref(buffer))
      }
    }
  }

  /// Sends a sample's buffer, as its caps, if they are others than before.
  ///
  /// - Throws: As ``send(_:isolation:)-(Buffer,_)``.
  public func send(
    _ sample: Sample, isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    unsafe try sample.withGstSample { (sample) throws(GStreamerError) in
      guard let buffer = unsafe gst_sample_get_buffer(sample) else { return }
      unsafe try outlet.check(buffer, caps: gst_sample_get_caps(sample), for: element.object)
    }
    unsafe try await outlet.send(to: element.object) { source in
      unsafe sample.withGstSample { unsafe gst_app_src_push_sample(source, $0) }
    }
  }

  /// Ends the stream after what was sent.
  ///
  /// Nothing can be sent then until the pipeline stops.
  ///
  /// - Throws: As ``send(_:isolation:)-(Buffer,_)``.
  public func finish(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    unsafe try await outlet.send(to: element.object) { source in
      let flow = unsafe gst_app_src_end_of_stream(source)
      // Not after the wait that may follow: the pipeline may play another stream by then.
      if flow == GST_FLOW_OK { outlet.end(.eos) }
      return flow
    }
  }
}
