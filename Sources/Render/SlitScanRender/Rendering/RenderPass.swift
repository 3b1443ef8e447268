// The render passage carries frames and sound, in step, from the films to the writer.

import GStreamer
import SlitScanCapture

/// Carries video and sound from readers to a writer.
struct RenderPass {
  /// The frames that have passed.
  struct Passed {
    var preRoll = 0
    var rendered = 0
    var start = ClockTime.zero
    var end = ClockTime.zero
    var damage: [FilmDamage] = []
  }

  let plan: RenderPlan
  let films: [FilmDescription]
  let writer: FilmWriter
  let stopwatch: RenderStopwatch
  var sounds: SoundTracks
  /// Whether no more frames are wanted; nil for all.
  var isEnough: (@Sendable () -> Bool)?

  mutating func run(_ progress: FilmRendering.Listener) async throws -> Passed {
    var frames = try FrameQueue(films, plan.part)
    do {
      let passed = try await carry(&frames, progress)
      await frames.close()
      await sounds.close()
      return passed
    } catch {
      await frames.close()
      await sounds.close()
      throw error
    }
  }

  private mutating func carry(
    _ frames: inout FrameQueue, _ progress: FilmRendering.Listener
  ) async throws -> Passed {
    var passed = Passed()
    if let part = plan.part {
      try writer.write(part)
      passed.start = part.start - part.origin
      passed.end = (part.times.starts.last ?? .zero) - part.origin
    }
    try await beginSound()
    var begun = plan.part == nil ? 0 : films.count
    // The last frame's time: sound follows the frames, as where one ends is known with the next.
    var last: ClockTime?
    while let frame = try await stopwatch.decoding({ try await frames.next() }) {
      while begun <= frames.film {
        sounds.append(films[begun], at: frames.filmStart)
        begun += 1
      }
      try await writer.send(frame: frame)
      var time = frame.buffer?.presentationTime ?? .zero
      guard passed.preRoll == plan.preRollCount else {
        passed.preRoll += 1
        tell(progress, .warmingUp, passed.preRoll, of: plan.preRollCount, at: time)
        continue
      }
      if let part = plan.part {
        time = part.times.times[part.frames.lowerBound + passed.rendered]
      }
      if last == nil, plan.part == nil { passed.start = time }
      last = time
      passed.rendered += 1
      if plan.part == nil { passed.end = frames.end }
      try await sounds.send(before: time)
      // Not with each frame: it takes longer than a small one.
      if passed.rendered.isMultiple(of: 100) { try writer.requireMemory() }
      tell(progress, .rendering, passed.rendered, of: total(passed, last: time), at: time)
      if isEnough?() == true { return passed }
    }
    // The last ones leave the effect at the end.
    if let part = plan.part { passed.rendered = part.frames.count }
    passed.damage =
      plan.part == nil
      ? frames.damage : films.compactMap { FilmDamage($0, readFrames: nil, nil) }
    if let end = plan.end {
      passed.end = end - origin
      try await sounds.send(before: end)
    } else {
      try await sounds.send(before: passed.end + origin)
      try await sounds.sendRest()
    }
    return passed
  }

  /// Brings the sound to where what is written begins.
  private mutating func beginSound() async throws {
    if let part = plan.part {
      for (film, start) in zip(films, part.times.starts) {
        sounds.append(film, at: start)
      }
    }
    try await sounds.skip(to: plan.soundStart)
  }

  /// When the output is at 0, in the time of the film.
  private var origin: ClockTime { plan.part?.origin ?? .zero }

  private func total(_ passed: Passed, last: ClockTime) -> Int? {
    if let part = plan.part { return part.frames.count }
    let duration = films.reduce(.zero as ClockTime?) { sum, film in
      film.duration.flatMap { duration in sum.map { $0 + duration } }
    }
    return RenderProgress.total(
      after: passed.rendered - 1, in: last - origin - passed.start, of: duration)
  }

  private func tell(
    _ progress: FilmRendering.Listener, _ stage: RenderProgress.Stage, _ count: Int, of total: Int?,
    at time: ClockTime
  ) {
    progress(RenderProgress(stage: stage, frames: count, total: total, time: time))
  }
}
