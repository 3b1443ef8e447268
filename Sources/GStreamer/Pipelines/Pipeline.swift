// A pipeline runs a set of linked elements.

import CGStreamer

/// A pipeline, as an actor on a thread of its own.
///
/// ```swift
/// let pipeline = try Pipeline("videotestsrc num-buffers=100 ! autovideosink")
/// try await pipeline.play()
/// try await pipeline.waitForEnd()
/// await pipeline.stop()
/// ```
///
/// Calls that may block (state changes, seeks, events) run on that thread, never on one of Swift's
/// cooperative threads and never on a streaming thread. Awaiting a state change suspends until the
/// pipeline says that it is there; nothing polls.
///
/// A pipeline that is released stops, on its own thread. The process does not end before it is down: `exit()` waits for
/// that, some seconds at most.
public actor Pipeline {
  /// The pipeline as an element: its name, its properties, the elements in it.
  public nonisolated let element: Element
  /// The messages of all elements.
  public nonisolated let bus: Bus
  let watch: BusWatch
  var latestChange: UInt64 = 0
  /// The number of streams that were given up.
  package var stopCount: UInt64 = 0
  /// The state that was asked for last.
  var wanted = State.null
  /// Whether it is paused until queues are full.
  var isHalted = false
  var isFollowing = false
  var playback = Playback()
  /// The number of seeks, of which each ends a step.
  var seeks: UInt64 = 0
  var isStepping = false
  /// Whether it pauses while queues of a network source fill up.
  var pausesToBuffer = true
  /// The clock of its limits.
  package nonisolated let limits: any SteadyClock
  private let thread: ControlThread

  /// The name of each pipeline's thread in tools that list threads.
  package static let threadName = ControlThread.name

  /// The thread.
  ///
  /// Other actors may share it, to work on the pipeline without waiting for each other.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// A pipeline of the elements of a launch line, as `gst-launch-1.0` takes it.
  ///
  /// - Throws: ``GStreamerError/Code/syntax``, ``GStreamerError/Code/noSuchElement``,
  ///   ``GStreamerError/Code/noSuchProperty``, ``GStreamerError/Code/link`` and others of the domain
  ///   `parse`.
  public init(_ launchLine: String) throws(GStreamerError) {
    try self.init(launchLine, clock: nil)
  }

  /// A pipeline without elements; ``add(_:)`` puts some in.
  public init() throws(GStreamerError) {
    try self.init(clock: nil)
  }

  /// A pipeline of the elements of a launch line, on a clock that is given.
  ///
  /// - Parameters:
  ///   - clock: What its streams go by; nil for the clock that the elements choose.
  ///   - limits: What its limits go by.
  /// - Throws: As ``init(_:)``.
  package init(
    _ launchLine: String, clock: StreamClock?, limits: any SteadyClock = ContinuousClock()
  ) throws(GStreamerError) {
    try self.init(Self.parse(launchLine), clock, limits)
  }

  /// A pipeline without elements, on a clock that is given.
  package init(
    clock: StreamClock?, limits: any SteadyClock = ContinuousClock()
  ) throws(GStreamerError) {
    try self.init(Self.makeEmpty(), clock, limits)
  }

  private init(
    _ pipeline: ObjectReference, _ clock: StreamClock?, _ limits: any SteadyClock
  ) throws(GStreamerError) {
    clock?.drive(pipeline)
    self.limits = limits
    thread = try ControlThread()
    watch = BusWatch(pipeline)
    element = Element(pipeline)
    bus = Bus(watch)
    watch.call(
      interrupt: { [weak self] in Task { await self?.followInterruptions() } },
      segmentDone: { [weak self] turn in Task { await self?.finishTurn(turn) } })
  }

  isolated deinit {
    _ = unsafe element.withGstElement { unsafe gst_element_set_state($0, GST_STATE_NULL) }
    for endpoint in endpoints(in: element.object) { endpoint.end(.disposed) }
    watch.finish(element.object)
    ControlThread.waitLater(for: element)
  }

  private static func makeEmpty() throws(GStreamerError) -> ObjectReference {
    try Runtime.start()
    guard let pipeline = unsafe gst_pipeline_new(nil) else {
      throw GStreamerError(.outOfMemory, "The system has no memory for a pipeline.")
    }
    return unsafe ObjectReference(retaining: pipeline)
  }

  private static func parse(_ launchLine: String) throws(GStreamerError) -> ObjectReference {
    try Runtime.start()
    let element = try LaunchLine(launchLine).make()
    guard !element.isA(gst_pipeline_get_type()) else { return element }
    // A line of one element is that element.
    let pipeline = try makeEmpty()
    unsafe pipeline.with(GstBin.self) { bin in
      unsafe element.with(GstElement.self) { _ = unsafe gst_bin_add(bin, $0) }
    }
    return pipeline
  }

  /// Blocks until all pipelines that were released are down, as `exit()` does after the cleanup of libraries that were
  /// loaded since the first pipeline was made.
  package static func waitUntilAllAreDown() { ControlThread.waitForAll() }

  /// An element by its name, also in bins of the pipeline.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchElement``.
  public nonisolated func element(named name: String) throws(GStreamerError) -> Element {
    try element.element(named: name)
  }

  /// Does several things on the pipeline's thread, with nothing between them.
  public func run<Result: Sendable, Failure: Error>(
    _ body: @Sendable (isolated Pipeline) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(self)
  }
}
