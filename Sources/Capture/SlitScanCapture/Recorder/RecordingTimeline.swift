// The recording timeline computes the times of samples in the file. A value: no lock, no threads, no buffers.

/// Maps the times of samples to times in a file, so that sound and video that belong together stay
/// together, whatever is paused or missing.
///
/// The leading stream is the frames, or the sound where there are none. A span of recording begins
/// with its first sample and ends with its last; what the other stream has outside of spans is cut off.
/// Pauses, which lie between spans, have no length in the file; samples that are missing within one
/// leave their time empty.
///
/// Nanoseconds throughout. Both streams must have times of one clock. A sample that ends after the last time that
/// there is has no place; so no sum overflows, as time in the file never runs ahead of the clock.
struct RecordingTimeline {
  /// The place of a frame.
  enum Place: Equatable {
    /// In the file, at this time.
    case at(UInt64)
    /// Nowhere: recording is paused, or the frame is late.
    case nowhere(isLoss: Bool)
    /// Nowhere: decoders could not begin with it.
    case needsKeyFrame
  }

  /// A part of a block of sound, and where it is heard.
  struct Piece: Equatable {
    /// From the start of the block.
    var offset: UInt64
    var length: UInt64
    /// In the file.
    var time: UInt64
  }

  private struct Span {
    let start: UInt64
    /// Nil while it lasts.
    var end: UInt64?
    /// In the file.
    let time: UInt64
  }

  private enum Mode {
    /// The next sample of the leading stream begins a span.
    case waiting
    case running
    case paused
  }

  private let isLedBySound: Bool
  /// The delay of sound as it is heard; it is put as much earlier.
  private let soundDelay: UInt64
  private var mode = Mode.waiting
  /// The last span and the one before: sound comes late, but not that late.
  private var spans: [Span] = []
  private var lastFrame: UInt64?
  /// The end of what has been placed, in the file.
  private(set) var videoEnd: UInt64 = 0
  private(set) var audioEnd: UInt64 = 0

  init(isLedBySound: Bool = false, soundDelay: UInt64 = 0) {
    self.isLedBySound = isLedBySound
    self.soundDelay = soundDelay
  }

  /// Whether anything has a place yet.
  var hasBegun: Bool { !spans.isEmpty }

  /// Whether sound must wait for a frame to tell its place.
  var isWaiting: Bool { mode == .waiting && !isLedBySound }

  /// The end of the longer stream, in the file.
  var end: UInt64 { max(videoEnd, audioEnd) }

  private var leadingEnd: UInt64 { isLedBySound ? audioEnd : videoEnd }

  // MARK: Pauses

  mutating func pause() {
    if mode == .running, let span = spans.last {
      spans[spans.count - 1].end = span.start + (leadingEnd - span.time)
    }
    mode = .paused
  }

  mutating func resume() {
    if mode == .paused { mode = .waiting }
  }

  // MARK: Frames

  /// - Parameter isReordered: Whether frames come in the order of decoding.
  mutating func placeFrame(
    at time: UInt64, duration: UInt64, isKeyFrame: Bool, isReordered: Bool = false
  ) -> Place {
    guard !time.addingReportingOverflow(duration).overflow else {
      return .nowhere(isLoss: mode != .paused)
    }
    switch mode {
    case .paused: return .nowhere(isLoss: false)
    case .waiting:
      guard time >= spans.last?.end ?? 0 else { return .nowhere(isLoss: true) }
      guard isKeyFrame else { return .needsKeyFrame }
      begin(at: time)
    case .running:
      guard !isReordered else { break }
      if let lastFrame, time <= lastFrame { return .nowhere(isLoss: true) }
    }
    guard let span = spans.last, time >= span.start else { return .nowhere(isLoss: true) }
    lastFrame = time
    let place = span.time + (time - span.start)
    videoEnd = max(videoEnd, place + duration)
    return .at(place)
  }

  private mutating func begin(at time: UInt64) {
    spans = spans.suffix(1) + [Span(start: time, end: nil, time: leadingEnd)]
    mode = .running
  }

  // MARK: Sound

  /// The parts of a block of sound that are heard, and where.
  ///
  /// While ``isWaiting``, sound after the last span has no place yet: offer the block again later;
  /// what has been placed is not placed twice.
  mutating func placeSound(at time: UInt64, duration: UInt64) -> [Piece] {
    let (blockEnd, overflow) = time.addingReportingOverflow(duration)
    guard !overflow else { return [] }
    if isLedBySound, mode == .waiting, time >= spans.last?.end ?? 0 { begin(at: time) }
    var pieces: [Piece] = []
    for span in spans {
      let end = min(blockEnd, span.end ?? .max)
      // Never before what is there already.
      let free = span.start + (max(audioEnd, span.time) - span.time)
      let start = max(time, free)
      guard start < end else { continue }
      let place = span.time + (start - span.start)
      if let piece = earlier(Piece(offset: start - time, length: end - start, time: place)) {
        pieces.append(piece)
      }
      audioEnd = place + (end - start)
    }
    return pieces
  }

  /// The lag of sound behind the frames.
  var soundLag: UInt64 { videoEnd > audioEnd ? videoEnd - audioEnd : 0 }

  /// The last of the silence that stands in for missing sound until a time in the file; what is before
  /// it is empty, and becomes silence by that.
  mutating func fillSound(until time: UInt64) -> Piece? {
    guard time > audioEnd else { return nil }
    let length = min(time - audioEnd, 20_000_000)
    audioEnd = time
    return earlier(Piece(offset: 0, length: length, time: time - length))
  }

  /// Makes up for the delay; what would be before the file is cut off.
  private func earlier(_ piece: Piece) -> Piece? {
    let cut = soundDelay > piece.time ? soundDelay - piece.time : 0
    guard cut < piece.length else { return nil }
    return Piece(
      offset: piece.offset + cut, length: piece.length - cut, time: piece.time + cut - soundDelay)
  }
}
