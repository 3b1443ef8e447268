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
  var loop: Range<ClockTime>?
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
    self.turn = loop == nil ? nil : turn
  }

  /// The loop, which is over where playback goes out of it.
  private func loop(at time: ClockTime) -> Range<ClockTime>? {
    loop.flatMap { $0.lowerBound <= time && time <= $0.upperBound ? $0 : nil }
  }

  // MARK: Loops

  /// The seek that plays the part once more.
  ///
  /// It flushes nothing, so that there is no gap.
  var next: Seek? {
    loop.map { loop in
      let flags = GST_SEEK_FLAG_ACCURATE.rawValue | GST_SEEK_FLAG_SEGMENT.rawValue
      return Seek(rate: rate, flags: flags, start: loop.lowerBound, stop: loop.upperBound)
    }
  }

  /// That seek was accepted.
  mutating func goOn(as turn: UInt32) { self.turn = turn }
}
