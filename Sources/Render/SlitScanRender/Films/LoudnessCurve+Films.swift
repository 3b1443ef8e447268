// The measurement of the loudness of films over time, as fast as their sound can be decoded.

import GStreamer
import SlitScanCapture

extension LoudnessCurve {
  /// Measures the sound of films that follow each other, as a ``MeteredSound`` does in a live pipeline.
  ///
  /// A film without sound is silent; if none of them has any, there are no measurements.
  ///
  /// - Parameters:
  ///   - bands: What is measured: bands of frequencies in Hz, and nil for all frequencies.
  ///   - frameRate: Frames a second of image sequences; nil for 25.
  ///   - progress: Called from time to time, on any thread.
  /// - Throws: ``CaptureError``; where the task is cancelled, one of ``CaptureError/Code/cancelled``.
  package init(
    of films: [String], in bands: Set<ClosedRange<Double>?>, frameRate: Fraction? = nil,
    _ progress: @escaping FilmRendering.Listener = { _ in }
  ) async throws(CaptureError) {
    self.init(in: bands)
    let empty = self
    guard !bands.isEmpty else { return }
    self = try await explained(otherwise: .sourceFailed) {
      var curve = empty
      try await curve.measure(FilmInput.all(films, frameRate: frameRate), progress)
      return curve
    }
  }

  private mutating func measure(
    _ inputs: [FilmInput], _ progress: @escaping FilmRendering.Listener
  ) async throws {
    var films: [FilmDescription] = []
    for input in inputs { films.append(try await FilmDescription(input, wantsSound: true)) }
    guard films.contains(where: { !$0.sounds.isEmpty }) else { return }
    let times = try await FilmTimes(of: films, progress)
    let first = times.times.first ?? .zero
    for (film, (start, end)) in zip(films, zip(times.starts, times.starts.dropFirst())) {
      if !film.sounds.isEmpty {
        try await measure(film.path, from: start, to: end, of: times, progress)
      }
      appendSilence(until: end - first)
    }
  }

  /// Measures one film, from when its time is 0 to where the next one begins.
  private mutating func measure(
    _ path: String, from start: ClockTime, to end: ClockTime, of times: FilmTimes,
    _ progress: FilmRendering.Listener
  ) async throws {
    let first = times.times.first ?? .zero
    var passed = times.times.prefix { $0 < start }.count
    try await FilmMeter(path).read { meter in
      while let (level, levelEnd) = try await meter.next(before: end - start) {
        let time = start + levelEnd
        while passed < times.times.count, times.times[passed] < time { passed += 1 }
        progress(
          RenderProgress(
            stage: .listening, frames: passed, total: times.times.count, time: time))
        if time > first { append(level, at: time - first) }
      }
    }
  }
}

/// Measures the sound of one film; for one reader.
private struct FilmMeter: FilmReader {
  private(set) var film: OpenFilm
  private var messages: Bus.Messages.Iterator
  /// The place up to which the sound was read, nil at its end.
  private var position: ClockTime? = .zero
  /// The end of the last measurement; nil before the first sample.
  private var measured: ClockTime?

  /// Opens a film that has sound.
  init(_ path: String) async throws {
    var messages: Bus.Messages?
    film = try await OpenFilm(path) { pipeline, source, sink in
      messages = pipeline.bus.messages
      // Gaps are silence, so that measurements follow each other without one.
      let elements = try await [source.makeSoundElement(), Element("audiorate")]
      try await pipeline.add(chain: elements + MeteredSound.makeMeter() + [sink])
    }
    self.messages = (messages ?? film.pipeline.bus.messages).makeAsyncIterator()
  }

  /// The next measurement, and when it ends in the film; nil at the end, or at a time.
  mutating func next(
    before end: ClockTime
  ) async throws -> (level: SoundLevel, end: ClockTime)? {
    while true {
      // Samples wait for their reader, and messages do not: of more than a thousand, the first are lost.
      while let position, position <= (measured ?? .zero) + .seconds(1) {
        try await readSample()
      }
      guard let message = await messages.next(), message.kind != .eos else {
        try Task.checkCancellation()
        return nil
      }
      guard let structure = message.structure, structure.name == "spectrum",
        let level = SoundLevel(structure), let time: ClockTime = structure.get("stream-time")
      else { continue }
      let levelEnd = time + SoundLevel.interval
      measured = levelEnd
      return levelEnd < end ? (level, levelEnd) : nil
    }
  }

  private mutating func readSample() async throws {
    guard let sample = try await film.next() else {
      position = nil
      return
    }
    guard let time = sample.streamTime else { return }
    position = time
    measured = measured ?? time
  }
}
