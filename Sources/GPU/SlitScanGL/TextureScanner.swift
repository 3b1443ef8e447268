// The texture scanner is the actor that owns a scan on the GPU and runs on the context's thread.

import SlitScan
import StreamingThread

/// The effect for one stream of frames in textures, isolated as an actor whose thread is that of an OpenGL
/// context.
///
/// The thread calls the `nonisolated` functions below with the context current, as that of a stream calls
/// those of `SlitScanner`.
actor TextureScanner {
  private nonisolated let executor = StreamingThreadExecutor()
  private let gl: GL
  private var scan: ScanCore<TextureMemory>?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A scanner without history, for a `GstGLContext`.
  ///
  /// - Parameter context: Its address: a pointer would be bound to the caller's isolation.
  /// - Throws: ``ScanError`` where the context is too old.
  init(context: UInt) throws(ScanError) {
    guard let context = unsafe UnsafeMutableRawPointer(bitPattern: context) else {
      throw .notConfigured
    }
    let gl = try unsafe GL(context)
    self.gl = gl
    scan = ScanCore(TextureMemory(gl))
  }

  /// Deletes all textures and programs; everything fails afterwards.
  nonisolated func close() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { scanner in
      scanner.scan = nil
      scanner.gl.close()
    }
  }

  // MARK: Every frame

  /// The work on a frame.
  fileprivate struct Moment {
    /// nil where the last frame comes again.
    var source: FrameTextures?
    /// nil where nothing is drawn.
    var target: FrameTextures?
    var time: UInt64
    var settings: ScanSettings
  }

  /// Takes a frame in and draws the output, if there is a target.
  nonisolated func scan(
    _ frame: FrameTextures, into target: FrameTextures?, time: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    try pass(Moment(source: frame, target: target, time: time, settings: settings))
  }

  /// Goes on without a new frame, as if the last one came again, and draws the output.
  nonisolated func repeatLast(
    into target: FrameTextures, time: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    try pass(Moment(source: nil, target: target, time: time, settings: settings))
  }

  private nonisolated func pass(_ moment: Moment) throws(ScanError) -> FrameReport {
    executor.enter()
    defer { executor.leave() }
    // Not Void, see `SlitScanner.absorb`.
    var nothing = false
    return try Self.pass(on: self, false, &nothing, moment)
  }

  private static let pass = IsolatedFunction<
    TextureScanner, Bool, Bool, Moment, FrameReport, ScanError
  > { scanner, _, _, moment throws(ScanError) in
    guard let report = try scanner.scan?.pass(moment, scanner.gl) else { throw .notConfigured }
    return report
  }

  // MARK: Now and then

  /// Announces the frames to come; says what will be drawn.
  nonisolated func configure(
    input: FrameLayout, settings: ScanSettings
  ) throws(ScanError) -> FrameLayout {
    try attempt { scan throws(ScanError) in try scan.configure(input: input, settings: settings) }
  }

  /// Takes an image in textures as a map.
  nonisolated func setMapImage(
    _ image: FrameTextures, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try attempt { scan throws(ScanError) in
      try scan.memory.map.take(image, layout: layout, as: role)
    }
  }

  /// Takes an image in system memory as a map.
  nonisolated func setMapImage(
    _ image: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    executor.enter()
    defer { executor.leave() }
    try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        try scanner.scan?.memory.map.take(image, layout: layout, as: role) ?? ()
      }
    }.get()
  }

  /// Forgets the image of a map.
  nonisolated func forgetMapImage(_ role: MapImageRole) {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan?.memory.map.forget(role) }
  }

  /// Draws the last output again, if it has this layout.
  nonisolated func redraw(
    into target: FrameTextures, layout: FrameLayout
  ) throws(ScanError) {
    try attempt { scan throws(ScanError) in
      guard scan.outputLayout == layout else { throw .notConfigured }
      var target = target
      try scan.draw(into: &target)
    }
  }

  /// Draws how old each pixel of the last output is.
  nonisolated func drawAges(into target: inout MutableFrameSpan) throws(ScanError) {
    executor.enter()
    defer { executor.leave() }
    _ = try Self.drawAges(on: self, false, &target, false)
  }

  private static let drawAges = IsolatedFunction<
    TextureScanner, Bool, MutableFrameSpan, Bool, Bool, ScanError
  > { scanner, _, target, _ throws(ScanError) in
    try scanner.scan?.drawAges(into: &target, scanner.gl)
    return true
  }

  /// Draws the oldest frame of the input that history holds and that came at a time or later; nil if there is none.
  nonisolated func drawInput(
    from time: UInt64, into target: FrameTextures, layout: FrameLayout
  ) throws(ScanError) -> UInt64? {
    try attempt { scan throws(ScanError) in
      var target = target
      return try scan.drawInput(from: time, into: &target, layout: layout)
    }
  }

  /// Forgets all frames; their memory stays for the next ones.
  nonisolated func forget() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.scan?.forget() }
  }

  private nonisolated func attempt<Value: Sendable>(
    _ body: @Sendable (inout ScanCore<TextureMemory>) throws(ScanError) -> Value
  ) throws(ScanError) -> Value {
    executor.enter()
    defer { executor.leave() }
    return try assumeIsolated { scanner in
      Result { () throws(ScanError) in
        guard let value = try scanner.scan?.attempt(scanner.gl, body) else {
          throw .notConfigured
        }
        return value
      }
    }.get()
  }
}

extension ScanCore where Memory == TextureMemory {
  /// Calls `body` with the context ready.
  ///
  /// An optional value that cannot be copied cannot be passed on.
  fileprivate mutating func attempt<Value>(
    _ gl: GL, _ body: (inout Self) throws(ScanError) -> Value
  ) throws(ScanError) -> Value {
    try gl.begin()
    defer { gl.end() }
    return try body(&self)
  }

  /// Draws the ages of the last output with the context ready.
  fileprivate mutating func drawAges(
    into target: inout MutableFrameSpan, _ gl: GL
  ) throws(ScanError) {
    try gl.begin()
    defer { gl.end() }
    try drawAges(into: &target)
  }

  /// Takes the frame of a moment in, or the last one again, and draws the output.
  fileprivate mutating func pass(
    _ moment: TextureScanner.Moment, _ gl: GL
  ) throws(ScanError) -> FrameReport {
    try gl.begin()
    defer { gl.end() }
    if let source = moment.source {
      try take(source, time: moment.time, settings: moment.settings)
    } else {
      try repeatLast(time: moment.time, settings: moment.settings)
    }
    if var target = moment.target { try render(into: &target) }
    return report
  }
}
