// The frame queue reads the frames of several films in succession as those of one film.

import GStreamer
import SlitScanCapture

/// Reads frames, film after film, with the times that they have in all of them together.
struct FrameQueue {
  /// The next thing to read: a film, and which of its frames.
  private struct FilmRange {
    let film: Int
    /// By their numbers in all films; nil for all that there are.
    let frames: Range<Int>?
  }

  private let films: [FilmDescription]
  private let times: FilmTimes?
  private let told: Caps
  private let converted: Caps
  private var filmRanges: [FilmRange]
  private var frames: FilmFrames?
  /// The number of the next frame, where times are known.
  private var number = 0
  /// The time from which those of the film that is open are counted.
  private(set) var filmStart = ClockTime.zero
  /// The last two times of the film that is open.
  private var latest: [ClockTime] = []

  /// - Parameter part: Some of the frames, which must come at the times that are known; nil for those of all films, as
  ///   they come.
  init(_ films: [FilmDescription], _ part: RenderPlan.Part?) throws {
    guard let first = films.first else {
      throw CaptureError(.badRequest, "There is nothing to read: name a film.")
    }
    self.films = films
    times = part?.times
    told = first.ratedCaps.statingColorimetry
    converted = try first.commonCaps()
    filmRanges =
      part.map { part in
        part.spans.flatMap(part.times.films).map { FilmRange(film: $0.film, frames: $0.frames) }
      } ?? films.indices.map { FilmRange(film: $0, frames: nil) }
  }

  /// Which film the last frame was of.
  private(set) var film = 0
  /// The damage of the films that were read to their ends.
  private(set) var damage: [FilmDamage] = []
  /// Whether the film that is open is not read from its beginning.
  private var hasSought = false
  /// The number of frames that were read of the film that is open.
  private var readCount = 0

  /// The next frame, with its time in all films together; nil at the end.
  mutating func next() async throws -> Sample? {
    while let filmRange = filmRanges.first {
      if frames == nil { try await open(filmRange) }
      while let frame = try await frames?.next() {
        let filmTime = frame.time - films[filmRange.film].start
        let time = filmStart + filmTime
        if let range = filmRange.frames {
          if number == range.upperBound { break }
          guard try isWanted(time, in: range, ofFilm: filmRange.film) else { continue }
          number += 1
        }
        latest = latest.suffix(1) + [filmTime]
        film = filmRange.film
        readCount += 1
        let moved = try frame.buffer.moved(to: time, duration: frame.duration)
        return Sample(moved, caps: told)
      }
      try await leave(filmRange)
    }
    return nil
  }

  mutating func close() async {
    await frames?.close()
    frames = nil
  }

  /// Opens a film.
  ///
  /// - Parameter seeks: Whether it is read from the first frame that is wanted on.
  private mutating func open(_ filmRange: FilmRange, seeks: Bool = true) async throws {
    var start: ClockTime?
    if let range = filmRange.frames, let times {
      number = range.lowerBound
      filmStart = times.starts[filmRange.film]
      // One before, as what is at the very place may be cut.
      let before = max(times.firsts[filmRange.film], range.lowerBound - 1)
      if seeks, before > times.firsts[filmRange.film], times.areSeekable[filmRange.film] {
        start = times.times[before] - filmStart + films[filmRange.film].start
      }
    }
    latest = []
    readCount = 0
    hasSought = start != nil
    frames = try await FilmFrames(
      films[filmRange.film].input, as: converted, from: start)
  }

  private mutating func leave(_ filmRange: FilmRange) async throws {
    let tally = filmRange.frames == nil ? frames?.tally : nil
    await close()
    // The decoder of GIF forgets the time after a seek, and its frames seem to come too early.
    if hasSought, number == filmRange.frames?.lowerBound {
      return try await open(filmRange, seeks: false)
    }
    filmRanges.removeFirst()
    if let range = filmRange.frames {
      guard number == range.upperBound else { throw differs(filmRange.film) }
    } else {
      damage += [FilmDamage(films[filmRange.film], readFrames: readCount, tally)].compactMap(\.self)
      filmStart = filmStart + FilmTimes.end(of: latest, films[filmRange.film].frameDuration)
    }
  }

  /// Whether a frame is the next one, and not one before.
  private func isWanted(
    _ time: ClockTime, in range: Range<Int>, ofFilm film: Int
  ) throws(CaptureError) -> Bool {
    guard let times, times.times.indices.contains(number) else { return false }
    let wanted = times.times[number]
    if time < wanted, number == range.lowerBound { return false }
    guard time == wanted else { throw differs(film) }
    return true
  }

  private func differs(_ film: Int) -> CaptureError {
    let number = number - (times?.firsts[film] ?? 0)
    return CaptureError(
      .timesDiffer,
      "\(films[film].path): Frame \(number) is not decoded at the time that its packet has. This film "
        + "cannot be divided: render all of it, or remux it, for example with ffmpeg "
        + "-i \(films[film].path) -c copy packed.mkv.")
  }

  /// When the film ends that was read last.
  var end: ClockTime {
    frames == nil
      ? filmStart : filmStart + FilmTimes.end(of: latest, films[film].frameDuration)
  }
}
