// Feedback blends the last output into the frames that enter history.

/// The last output, and the frame that it is blended into.
struct Feedback: ~Copyable {
  var lastOutput: FrameCopy
  private var blend: FrameCopy
  /// Where the samples of the frame lie in the output, if that moves.
  private var places: FeedbackPlaces

  init(_ tiles: TiledLayout) {
    lastOutput = FrameCopy(tiles)
    blend = FrameCopy(tiles)
    places = FeedbackPlaces(tiles.layout)
  }

  /// The bytes of memory that both frames and the places take.
  var byteCount: Int { lastOutput.byteCount + blend.byteCount + places.byteCount }

  /// Blends the output into a frame; ``frame`` is the result.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func add(
    to frame: borrowing FrameSpan, _ settings: ScanSettings, workers: borrowing Workers
  ) throws(ScanError) {
    try blend.hold(frame)
    // Never more than asked for: what is fed back must die away.
    let weight = UInt32((settings.feedback * 65_536).rounded(.down))
    guard settings.movesFeedback else { return blend.feed(lastOutput, weight: weight) }
    _ = try places.prepare(settings)
    blend.feed(lastOutput, at: places, weight: weight, workers: workers)
  }

  /// The last blend.
  var frame: FrameSpan {
    @_lifetime(borrow self)
    get { blend.frame }
  }

  /// Whether the last blend looks like the frame that it was made of.
  func hasConverged(to input: borrowing FrameCopy) -> Bool { blend.resembles(input) }
}
