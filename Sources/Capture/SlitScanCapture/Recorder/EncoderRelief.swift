// The encoder relief decides when the quality of a recording gives way, so that no frame has to. A value.

/// The steps by which a recording's quality is lowered while its encoder or its disk is too slow.
///
/// Encoding takes about half of the time, and a fraction of the bytes, with each step.
struct EncoderRelief: Sendable, Equatable {
  /// The most steps.
  static let limit = 5
  /// The frames between two looks at the queue.
  private static let pace = 5
  /// The part of the queue that may be full.
  private static let tolerance = 0.25
  /// The frames for which the queue has to be empty before quality comes back by a step.
  private static let patience = 90

  /// The steps that are taken at the moment.
  private(set) var level = 0
  private var frames = 0
  /// The part of the queue that was full at the last look.
  private var lastFill = 0.0
  private var calmFrames = 0
  /// The last step brought quality back.
  private var isTrying = false
  private var patience = Self.patience

  /// Another frame is taken out of the queue.
  ///
  /// - Parameter fill: The part of the queue that is full, from 0 to 1.
  /// - Returns: Whether ``level`` has changed.
  mutating func take(fill: Double) -> Bool {
    frames += 1
    // One frame may always wait.
    calmFrames = fill <= 0.05 ? calmFrames + 1 : 0
    if level > 0, calmFrames >= patience {
      (calmFrames, frames, lastFill) = (0, 0, 0)
      level -= 1
      isTrying = true
      return true
    }
    guard frames >= Self.pace else { return false }
    let isGrowing = fill >= lastFill
    (frames, lastFill) = (0, fill)
    guard fill >= Self.tolerance, isGrowing, level < Self.limit else { return false }
    // A quality that was too much once is not tried again soon.
    if isTrying { patience = min(2 * patience, 64 * Self.patience) }
    isTrying = false
    level = min(Self.limit, level + (fill >= 0.5 ? 2 : 1))
    return true
  }
}
