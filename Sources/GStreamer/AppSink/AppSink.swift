// An appsink reads the samples of a pipeline in Swift.

import CGStreamer
import CGStreamerApp

/// An appsink: the element through which Swift reads the samples of a pipeline.
///
/// ```swift
/// let pipeline = try Pipeline("videotestsrc ! video/x-raw,format=GRAY8 ! appsink name=out")
/// let sink = try AppSink(pipeline.element(named: "out"), delivery: .latest(1))
/// try await pipeline.play()
/// for try await sample in sink.samples {
///   let frame = try sample.videoFrame()
///   print(frame.row(0, ofPlane: 0)[0])
/// }
/// ```
///
/// A reference to the element: copies are the same sink. Until reading begins, a lossless sink holds
/// up the stream once its queue is full, and one of ``Delivery/latest(_:)`` keeps the newest samples.
public struct AppSink: Sendable {
  /// The element, to be put in a pipeline, linked and set.
  public let element: Element
  private let intake: SampleIntake

  /// A new appsink.
  ///
  /// - Parameters:
  ///   - name: Its name in the pipeline, nil for one that GStreamer gives.
  ///   - caps: What it takes, nil for anything.
  ///   - delivery: What happens when samples come faster than they are taken.
  ///   - isSynchronized: Whether samples come when they are due by the pipeline's clock, or as fast as
  ///     they can.
  /// - Throws: ``GStreamerError/Code/noSuchElement`` where GStreamer's base plugins are missing.
  public init(
    name: String? = nil, caps: Caps? = nil, delivery: Delivery = .lossless,
    isSynchronized: Bool = true
  ) throws(GStreamerError) {
    let element = try Element("appsink", name: name)
    try element.set("sync", to: isSynchronized)
    if let caps { try element.set("caps", to: caps) }
    try self.init(element, delivery: delivery)
  }

  /// An appsink that is there already, as one of a launch line.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where the element is no appsink,
  ///   ``GStreamerError/Code/busy`` where it is used already, with another delivery.
  public init(_ element: Element, delivery: Delivery = .lossless) throws(GStreamerError) {
    guard element.object.isA(gst_app_sink_get_type()) else {
      throw GStreamerError(.wrongType, "The element is not an appsink.", source: element.name)
    }
    self.element = element
    intake = endpoint(of: element) { Self.attach(to: element, delivery) }
    guard intake.delivery == delivery else {
      throw GStreamerError(
        .busy, "The sink delivers \(intake.delivery) already, not \(delivery).",
        source: element.name)
    }
  }

  /// The samples of the stream, for one reader.
  ///
  /// They come in order, and each once. The sequence ends at the end of the stream, when the pipeline
  /// stops, when it is gone, or when the reading task is cancelled; it throws the error of an element
  /// that fails. Samples that arrive after the reader is gone are dropped and counted, until reading
  /// begins again.
  ///
  /// A reader that was left by `break` is gone, but in top-level code, where Swift keeps the loop's
  /// iterator: a lossless sink holds up the stream there, until another reader takes over or
  /// ``stopReading()`` is called.
  public var samples: Samples { Samples(element: element.object, intake: intake) }

  /// Ends the reading of ``samples``, as if the reader were gone.
  ///
  /// Its sequence ends. Queued and new samples are dropped and counted, until reading begins again.
  /// Does nothing if reading has not begun yet.
  public func stopReading() { intake.stopReading(element.object) }

  /// Whether a reader waits for a sample.
  var isAwaited: Bool { intake.isAwaited }

  /// The samples dropped so far: because newer ones came, or because the reader was gone.
  ///
  /// Those that a seek flushes away do not count.
  public var dropped: UInt64 { intake.dropped }

  private static func attach(to element: Element, _ delivery: Delivery) -> SampleIntake {
    let intake = SampleIntake(delivery)
    unsafe element.object.with(GstAppSink.self) { sink in
      unsafe gst_app_sink_set_emit_signals(sink, 0)
      unsafe gst_app_sink_set_drop(sink, 0)
      // In GStreamer 1.22, an end that waits for a reader in a pipeline that is paused blocks its way to
      // PLAYING. The queue says when it has been read, see Pipeline.waitForEnd().
      unsafe gst_app_sink_set_wait_on_eos(sink, 0)
      // The newest are counted, not queued, see SampleQueueState.
      unsafe gst_app_sink_set_max_buffers(sink, delivery.queueLength)
    }
    // It would hold on to a frame.
    try? element.set("enable-last-sample", to: false)
    intake.listen(to: element.object)
    _ = try? element.pad("sink").addProbe(.eventFlush) { item in
      if case .event(let event) = item, event.kind == .flushStop { intake.flush() }
      return .pass
    }
    return intake
  }
}

extension Delivery {
  /// The length of the appsink's queue at which it blocks; 0 for no limit.
  fileprivate var queueLength: guint {
    switch self {
    case .lossless(let queue): guint(clamping: max(1, queue))
    case .latest: 0
    }
  }
}

/// The policy by which an ``AppSink`` hands over or drops samples.
public enum Delivery: Sendable, Hashable {
  /// Every sample is handed over. Once `queue` of them wait, the streaming thread does, too: put a
  /// `queue` element before the sink where others must not be held up by that.
  case lossless(queue: Int)
  /// The newest samples are handed over; where more than so many wait, the oldest are dropped, and
  /// counted in ``AppSink/dropped``. Nothing is ever held up.
  case latest(Int)

  /// Every sample, with a queue of four.
  public static let lossless = Delivery.lossless(queue: 4)
}
