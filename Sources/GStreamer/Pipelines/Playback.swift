// The playback of a stream is its rate and the part that repeats. A value: no pipeline, no threads.

import CGStreamer

/// The rate and the repeated part of a stream, and the seeks that they take.
struct Playback {
  /// The arguments of `gst_event_new_seek` that are not always the same.
  struct Seek: Equatable {
    let rate: Double
    let flags: UInt32
    let start: ClockTime
    /// The end of what is played; nil for that of the stream.
    let stop: ClockTime?
  }

  /// The rate that is seen and heard: 1 is that of the stream, and negative ones are backwards.
  var rate = 1.0
  /// The part that is played again and again.
  private(set) var loop: Range<ClockTime>?
  /// Whether the loop is over when its part has been played.
  private var isLastTurn = false
  /// The sequence number of the seek that began the part; nil where there is no loop.
  private(set) var turn: UInt32?

  // MARK: Beginning anew

  /// The seek that begins at a time, with this rate and loop.
  func seek(to time: ClockTime, isAccurate: Bool) -> Seek {
    let loop = loop(at: time)
    var flags = GST_SEEK_FLAG_FLUSH.rawValue
    flags |= (isAccurate ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT).rawValue
    if loop != nil { flags |= GST_SEEK_FLAG_SEGMENT.rawValue }
    return rate > 0
      ? Seek(rate: rate, flags: flags, start: time, stop: loop?.upperBound)
      : Seek(rate: rate, flags: flags, start: loop?.lowerBound ?? .zero, stop: time)
  }

  /// That seek was accepted.
  mutating func begin(at time: ClockTime, as turn: UInt32) {
    loop = loop(at: time)
    isLastTurn = false
    self.turn = loop == nil ? nil : turn
  }

  /// The loop, which is over where playback goes out of it.
  private func loop(at time: ClockTime) -> Range<ClockTime>? {
    guard let loop, !isLastTurn, loop.lowerBound <= time, time <= loop.upperBound else {
      return nil
    }
    return loop
  }

  // MARK: Loops

  /// Repeats a part from now on.
  mutating func repeatPart(_ part: Range<ClockTime>) {
    loop = part
    isLastTurn = false
  }

  /// Ends the loop with the turn that goes on.
  mutating func endLoop() { isLastTurn = true }

  /// The seek to what follows a turn: the part once more, or what comes after it.
  ///
  /// It flushes nothing, so that there is no gap.
  var next: Seek? {
    guard let loop else { return nil }
    let flags = GST_SEEK_FLAG_ACCURATE.rawValue
    guard isLastTurn else {
      return Seek(
        rate: rate, flags: flags | GST_SEEK_FLAG_SEGMENT.rawValue,
        start: loop.lowerBound, stop: loop.upperBound)
    }
    return rate > 0
      ? Seek(rate: rate, flags: flags, start: loop.upperBound, stop: nil)
      : Seek(rate: rate, flags: flags, start: .zero, stop: loop.lowerBound)
  }

  /// That seek was accepted.
  mutating func goOn(as turn: UInt32) {
    if isLastTurn { loop = nil }
    self.turn = loop == nil ? nil : turn
  }
}
