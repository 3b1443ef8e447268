// The slit scanner is the actor that owns a scan and runs on the thread that streams the video.

import StreamingThread

/// The effect for one stream of frames, isolated as an actor whose thread is the stream's own.
///
/// The thread that has the frames calls the `nonisolated` functions below. Each makes that thread
/// the actor's for as long as it takes: no hop, no queue, no copy of the frame. Any task may `await`
/// ``report`` or ``snapshot()`` meanwhile:
///
/// ```swift
/// let drawn = try scanner.configure(input: layout, settings: settings)
/// // for every frame, on the streaming thread
/// try scanner.scan(frame, into: &output, time: time, settings: settings)
/// // anywhere else
/// let frame = await scanner.snapshot()
/// ```
///
/// - Important: The streaming thread waits for nothing but an answer that another thread is in the
///   middle of giving. A task that asks while a frame is being made is answered when the frame is
///   done, and blocks no cooperative thread meanwhile. The `nonisolated` functions must not be called
///   from inside the actor.
public actor SlitScanner {
  private nonisolated let executor = StreamingThreadExecutor()
  private var scan = ScanCore(SystemMemory())

  /// The executor: the streaming thread while it is inside, else the thread that asks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A scanner without history.
  public init() {}

  // MARK: The streaming thread

  /// Announces the frames to come, before the first and whenever they change.
  ///
  /// Frames of another layout than before lose history and all memory.
  ///
  /// - Parameters:
  ///   - input: The layout of the frames.
  ///   - settings: The settings of the first frame.
  /// - Returns: The layout of what will be drawn: the same format, and the size that
  ///   ``ScanSettings/outputSize(width:height:)`` gives.
  /// - Throws: ``ScanError`` when such frames cannot be scanned, or the canvas is too large.
  @discardableResult
  public nonisolated func configure(
    input: FrameLayout, settings: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    executor.enter()
    defer { executor.leave() }
    return try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan.configure(input: input, settings: settings)
      }
    }.get()
  }

  /// Takes a frame in and draws the output.
  ///
  /// - Parameters:
  ///   - frame: A frame with the layout announced as input.
  ///   - target: Where to draw, with the layout that ``configure(input:settings:)`` returned.
  ///   - time: Running time of the frame in nanoseconds.
  ///   - settings: What to do with it; changes take effect with this frame.
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory.
  @discardableResult
  public nonisolated func scan(
    _ frame: borrowing FrameSpan, into target: inout MutableFrameSpan, time: UInt64,
    settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    executor.enter()
    defer { executor.leave() }
    return try Self.draw(on: self, frame, &target, Moment(time: time, settings: settings))
  }

  /// Takes a frame in without drawing: for a frame that is too late to be shown but belongs to the
  /// history all the same.
  ///
  /// - Parameters:
  ///   - frame: A frame with the layout announced as input.
  ///   - time: Running time of the frame in nanoseconds.
  ///   - settings: What to do with it; changes take effect with this frame.
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory.
  @discardableResult
  public nonisolated func absorb(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    executor.enter()
    defer { executor.leave() }
    // Not Void: what is of no size has no address of its own, and ThreadSanitizer takes the one that
    // all scanners would give for a variable that they share.
    var nothing = false
    return try Self.absorb(on: self, frame, &nothing, Moment(time: time, settings: settings))
  }

  /// Goes on without a new frame, as if the last one came again, and draws the output.
  ///
  /// Once ``FrameReport/hasCaughtUp`` is true, more of it would change nothing.
  ///
  /// - Parameters:
  ///   - target: Where to draw.
  ///   - time: Running time of the output in nanoseconds.
  ///   - settings: What to do with it.
  /// - Throws: ``ScanError`` when there has been no frame, the planes are too small, or there is no
  ///   memory.
  @discardableResult
  public nonisolated func repeatLast(
    into target: inout MutableFrameSpan, time: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    executor.enter()
    defer { executor.leave() }
    return try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan.repeatLast(time: time, settings: settings)
        try scanner.scan.render(into: &target)
        return scanner.scan.report
      }
    }.get()
  }

  /// Takes the luma of an image as a map, from the next frame on.
  ///
  /// It is what ``ScanSettings/Map/image`` or ``ScanSettings/Map/live`` shows. May be called by any
  /// thread that is not Swift's and may wait.
  ///
  /// - Parameters:
  ///   - image: The image; a copy of its luma is kept.
  ///   - layout: Its layout, of any size.
  ///   - role: What it is for.
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory.
  public nonisolated func setMapImage(
    _ image: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    executor.enter()
    defer { executor.leave() }
    try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan.memory.map.take(image, layout: layout, as: role)
      }
    }.get()
  }

  /// Forgets the image of a map: f is 0 everywhere, until there is another.
  public nonisolated func forgetMapImage(_ role: MapImageRole) {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan.memory.map.forget(role) }
  }

  /// Keeps history that does not fit into memory in a folder, from the next frame on; a change empties the history.
  ///
  /// ``ScanSettings/maxMemory`` limits the memory alone then, and ``ScanSettings/maxDisk`` what is in the folder.
  /// History that cannot be kept there stays in memory; see ``FrameReport/diskFailure``.
  ///
  /// - Parameter folder: The path of a folder on a fast disk, or nil to keep history in memory.
  public nonisolated func setHistoryLocation(_ folder: String?) {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan.setHistoryLocation(folder) }
  }

  /// Draws the last output again, from what is held; for a thread that is not Swift's and may wait.
  ///
  /// - Parameters:
  ///   - target: Where to draw.
  ///   - layout: The layout of `target`, which must be the output's.
  /// - Throws: ``ScanError/Code/notConfigured`` when nothing has been drawn yet, or in another layout.
  public nonisolated func redraw(
    into target: inout MutableFrameSpan, layout: FrameLayout
  ) throws(ScanError) {
    executor.enter()
    defer { executor.leave() }
    try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        guard scanner.scan.outputLayout == layout else { throw .notConfigured }
        try scanner.scan.draw(into: &target)
      }
    }.get()
  }

  /// Draws how old each pixel of the last output is; for the thread that has the frames.
  ///
  /// An age is the time from the frame that the pixel shows to the newest one taken in, in steps of
  /// ``ScanSettings/ageUnit``, at most 65535. Where the effect shows something between frames, so is the age; what is
  /// mixed in or fed back does not count.
  ///
  /// - Parameter target: Where to draw: a frame of ``FrameLayout/gray16(width:height:)``, of the output's size.
  /// - Throws: ``ScanError`` when nothing has been drawn yet, the plane is too small, or there is no memory.
  public nonisolated func drawAges(into target: inout MutableFrameSpan) throws(ScanError) {
    executor.enter()
    defer { executor.leave() }
    _ = try Self.drawAges(on: self, false, &target, false)
  }

  /// Draws a frame of the input that history holds whole, as it came; for a thread that is not Swift's and may wait.
  ///
  /// Frames that feedback was added to are none of the input.
  ///
  /// - Parameters:
  ///   - time: A running time in nanoseconds: the oldest frame that came then or later is drawn.
  ///   - target: Where to draw.
  ///   - layout: The layout of `target`, which must be the input's.
  /// - Returns: When the frame came; nil, and nothing drawn, where there is none.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  public nonisolated func drawInput(
    from time: UInt64, into target: inout MutableFrameSpan, layout: FrameLayout
  ) throws(ScanError) -> UInt64? {
    executor.enter()
    defer { executor.leave() }
    return try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan.drawInput(from: time, into: &target, layout: layout)
      }
    }.get()
  }

  /// The age of the output once history is full; no frame has to have come.
  ///
  /// Only ``FrameReport/meanDelay`` and ``FrameReport/centerDelay`` are filled in. For maps that do not move by
  /// themselves.
  ///
  /// - Parameters:
  ///   - interval: From one frame to the next, in nanoseconds.
  ///   - settings: What will be done with them.
  /// - Throws: ``ScanError`` when the scanner is not configured for these settings or there is no memory.
  public nonisolated func settledReport(
    interval: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    executor.enter()
    defer { executor.leave() }
    return try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan.settledReport(interval: interval, settings: settings)
      }
    }.get()
  }

  /// Forgets all frames; their memory stays for the next ones.
  public nonisolated func forget() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan.forget() }
  }

  /// Forgets all frames and the layout, and gives the memory back.
  public nonisolated func release() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan.release() }
  }

  // MARK: Every frame

  /// The time and the settings of a frame.
  private struct Moment {
    var time: UInt64
    var settings: ScanSettings
  }

  private typealias FrameFunction<Target: ~Copyable & ~Escapable> =
    IsolatedFunction<SlitScanner, FrameSpan, Target, Moment, FrameReport, ScanError>

  private static let draw = FrameFunction<MutableFrameSpan> {
    scanner, frame, target, moment throws(ScanError) in
    try scanner.scan.take(frame, time: moment.time, settings: moment.settings)
    try scanner.scan.render(into: &target)
    return scanner.scan.report
  }

  private static let absorb = FrameFunction<Bool> {
    scanner, frame, _, moment throws(ScanError) in
    try scanner.scan.take(frame, time: moment.time, settings: moment.settings)
    return scanner.scan.report
  }

  private static let drawAges = IsolatedFunction<
    SlitScanner, Bool, MutableFrameSpan, Bool, Bool, ScanError
  > { scanner, _, target, _ throws(ScanError) in
    try scanner.scan.drawAges(into: &target)
    return true
  }

  // MARK: Questions

  /// The state after the last frame.
  public var report: FrameReport { scan.report }

  /// The last output, drawn again; nil before the first frame.
  public func snapshot() -> Snapshot? { Snapshot(of: &scan) }
}
