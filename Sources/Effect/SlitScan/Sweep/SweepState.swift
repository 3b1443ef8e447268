// The sweep state decides which part of a frame a sweep takes over. A value, tested without frames.

/// The slit of a sweep, and what it has frozen.
package struct SweepState {
  /// The cells that become the frame's.
  package enum Part: Equatable {
    case nothing
    case everything
    /// Those with g greater than this.
    case above(Float)
  }

  private var clock = SweepClock()
  /// Everything up to this value was frozen by earlier frames; nil if nothing was.
  private var frozen: Float?
  /// p of the last frame.
  private var progress: Double = 0
  /// Whether the slit has reached its end with the last frame.
  private var completes = false
  /// Whether the sweep has come to an end that lasts.
  private var hasEnded = false

  /// A sweep that starts with the first frame.
  package init() {}

  /// p of the last frame, as precise as the values of maps are.
  package var position: Float { Float(progress) }

  /// A frame comes, which may fail.
  package mutating func beginFrame() { completes = false }

  /// Moves the slit to where it is at a frame.
  ///
  /// - Parameter time: Running time of the frame in nanoseconds.
  /// - Returns: The cells that become the frame's.
  package mutating func advance(to time: UInt64, _ settings: ScanSettings) -> Part {
    let reading = clock.advance(
      to: time, duration: settings.sweepDuration, loop: settings.sweepLoop,
      stands: settings.freeze)
    let position = Float(reading.position)
    if reading.startsRound { frozen = nil }
    // A slit on its way back sets free what it passes.
    let kept = frozen.map { min($0, position) }
    progress = reading.position
    hasEnded = settings.sweepLoop == .once && reading.position >= 1
    frozen = position
    completes = reading.completes
    guard !settings.freeze || reading.startsRound else { return .nothing }
    guard let kept else { return .everything }
    return kept < 1 ? .above(kept) : .nothing
  }

  /// Puts the state into a report.
  package func describe(in report: inout FrameReport) {
    report.progress = progress
    report.completes = completes
  }

  /// Whether a line shows where the slit is.
  package func showsLine(_ settings: ScanSettings) -> Bool { settings.lineWidth > 0 && !hasEnded }
}
