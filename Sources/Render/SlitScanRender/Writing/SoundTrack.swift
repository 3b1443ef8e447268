// A sound track of several films in succession, cut at the same times as their frames.

import GStreamer
import SlitScanCapture

/// Sound on its way from films to a film: reads what is wanted, and no more.
///
/// Counts in samples of the whole film, so that parts of it join without a gap or an overlap.
struct SoundTrack {
  /// A film's sound, and where it begins.
  private struct SoundSpan {
    /// The tracks that are still to be opened, one after the other; none where there is no sound.
    var streams: [SoundStream]
    var start: Int
    /// The time in the file that is heard then.
    let origin: ClockTime
  }

  let format: SoundFormat
  private let caps: Caps
  /// The delay with which sound is heard.
  private let delay: Int
  /// Whether sound is placed by its timestamps, or follows what was before.
  private let isTimed: Bool
  private var spans: [SoundSpan] = []
  private var sound: OpenFilm?
  /// The buffer that was read, and which of its samples are still to be given out.
  private var block: (buffer: Buffer, left: Range<Int>)?
  /// The silence before it, in samples.
  private var gap = 0
  /// The place of the next sample of the file, where its sound goes on.
  private var expected: Int?
  /// The next sample to give out, in the time of what is heard.
  private(set) var position = 0

  init(_ format: SoundFormat, delay: ClockTime = .zero, isTimed: Bool = true) throws {
    self.format = format
    self.isTimed = isTimed
    caps = try format.caps()
    self.delay = format.frame(at: delay)
  }

  /// Goes on with tracks whose sounds follow each other: with another film, when that of the one before ends.
  ///
  /// - Parameters:
  ///   - streams: None for silence.
  ///   - origin: The time in the file that is heard at `start`.
  mutating func append(_ streams: [SoundStream], at start: ClockTime, origin: ClockTime = .zero) {
    spans.append(SoundSpan(streams: streams, start: format.frame(at: start), origin: origin))
  }

  /// Leaves everything out before a time.
  mutating func skip(to time: ClockTime) async throws {
    while position < format.frame(at: time) {
      guard try await next(before: format.frame(at: time)) != nil else { return }
    }
  }

  /// The next block of sound that is heard before a time; nil where there is none.
  mutating func next(before time: ClockTime) async throws -> Sample? {
    try await next(before: format.frame(at: time))
  }

  /// The next block of what is left; nil at the end.
  mutating func rest() async throws -> Sample? {
    try await next(before: .max, isRest: true)
  }

  mutating func close() async {
    await sound?.close()
    sound = nil
  }

  /// The next block, of samples up to `end`; silence where nothing is heard, unless it is the rest.
  private mutating func next(before end: Int, isRest: Bool = false) async throws -> Sample? {
    guard position < end else { return nil }
    // The sound that is given out now came earlier.
    guard position >= delay else { return try silence(min(end, delay)) }
    if let first = spans.first, position - delay < first.start {
      return try silence(min(end, first.start + delay))
    }
    await turnToSpan()
    let spanEnd = spans.count > 1 ? spans[1].start + delay : .max
    let limit = min(end, spanEnd)
    if try await fill() {
      return gap > 0 ? try silence(min(limit, position + gap)) : try take(limit - position)
    }
    // Sound without times has no silence but its own.
    if isRest || !isTimed, spans.count < 2 { return nil }
    guard limit < .max else { return nil }
    return try silence(limit)
  }

  /// Leaves films whose sound has ended.
  private mutating func turnToSpan() async {
    while spans.count > 1, position - delay >= spans[1].start {
      spans.removeFirst()
      await close()
      block = nil
      gap = 0
    }
  }

  /// Whether there is sound to give out; opens the file that has it.
  private mutating func fill() async throws -> Bool {
    while true {
      if let block, !block.left.isEmpty { return true }
      block = nil
      if let sample = try await sound?.next() {
        if isTimed { place(sample) } else { follow(sample) }
        continue
      }
      await close()
      guard spans.first?.streams.isEmpty == false else { return false }
      sound = try await OpenFilm(spans[0].streams.removeFirst(), as: format)
      expected = nil
    }
  }

  private mutating func follow(_ sample: Sample) {
    guard let buffer = sample.buffer else { return }
    block = (buffer, 0..<buffer.byteCount / format.bytesPerFrame)
  }

  /// Puts sound where its timestamps say: behind silence, or without what is already past.
  ///
  /// Timestamps are rounded, and those of some containers jitter: only where the sound breaks off is a small difference
  /// a gap.
  private mutating func place(_ sample: Sample) {
    guard let buffer = sample.buffer, let span = spans.first, let shown = sample.shown
    else { return }
    let first = format.frame(at: shown.lead)
    let count = min(
      format.frame(at: shown.duration), buffer.byteCount / format.bytesPerFrame - first)
    var place = span.start + delay + format.frame(at: shown.time - span.origin)
    let tolerance = buffer.flags.contains(.discontinuity) ? 1 : format.frame(at: .milliseconds(40))
    if let expected, abs(place - expected) <= tolerance { place = expected }
    expected = place + max(0, count)
    gap = max(0, place - position)
    let late = min(max(0, position - place), max(0, count))
    block = (buffer, first + late..<first + max(late, count))
  }

  private mutating func take(_ wanted: Int) throws -> Sample? {
    guard let (buffer, left) = block else { return nil }
    let size = format.bytesPerFrame
    let count = min(wanted, left.count)
    let used = left.lowerBound
    block = (buffer, used + count..<left.upperBound)
    // Between two files, nothing is missing: a resampler would begin anew there.
    let part = try buffer.part(
      used * size..<(used + count) * size, at: format.time(ofFrame: position),
      duration: format.time(ofFrame: position + count) - format.time(ofFrame: position),
      isSpecial: false)
    position += count
    return Sample(part, caps: caps)
  }

  /// Silence up to a sample, a second at most.
  private mutating func silence(_ end: Int) throws -> Sample {
    let count = min(max(0, end - position), format.sampleRate)
    gap = max(0, gap - count)
    var buffer = try AudioInfo(caps).silence(frames: count)
    buffer.presentationTime = format.time(ofFrame: position)
    buffer.duration = format.time(ofFrame: position + count) - format.time(ofFrame: position)
    position += count
    return Sample(buffer.finish(), caps: caps)
  }
}
