// The render plan selects the frames that are read and those that are written.

import GStreamer
import SlitScanCapture

/// The frames of a film, or of a part of one.
struct RenderPlan: Sendable {
  /// A part: what is known of the film, what the effect is to see, and what is to be written.
  struct Part: Sendable {
    let times: FilmTimes
    let spans: [Range<Int>]
    let frames: Range<Int>
    let isLast: Bool
  }

  /// Nil for the whole film.
  let part: Part?
  /// The label of the file where it is a part.
  let label: PartLabel?

  init(
    _ films: [FilmDescription], _ scan: ValidatedScan, _ timeline: ScanTimeline, part: FilmPart?,
    _ progress: @escaping FilmRendering.Listener
  ) async throws {
    guard let part, let first = films.first else {
      self.part = nil
      label = nil
      return
    }
    let about = films.reduce(0 as Int?) { sum, film in
      film.frameCount.flatMap { count in sum.map { $0 + count } }
    }
    let times = try await FilmTimes(of: films) { count in
      progress(RenderProgress(stage: .looking, frames: count, total: about, time: .zero))
    }
    let frames = part.frames(of: times.times.count)
    guard !frames.isEmpty else {
      throw CaptureError(
        .badRequest,
        "There is no part \(part): the film has only \(times.times.count) frames. Make fewer parts."
      )
    }
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    // Changes of the effect may reach as far as anything.
    let preRoll =
      timeline.isEmpty
      ? try PreRoll(element, width: first.info.width, height: first.info.height) : .everything
    self.part = Part(
      times: times,
      spans: preRoll.spans(
        first: frames.lowerBound, end: frames.upperBound, times: times.times),
      frames: frames, isLast: part.isLast)
    label = PartLabel(
      part: part, frames: frames, total: times.times.count,
      fingerprint: try PartLabel.fingerprint(of: element, times.times, timeline))
  }

  /// When what is written begins.
  var start: ClockTime { part.map { $0.times.times[$0.frames.lowerBound] } ?? .zero }

  /// When its sound begins: with the first frame, but for that of the first part, which may be later.
  var soundStart: ClockTime { part?.frames.lowerBound == 0 ? .zero : start }

  /// When what is written ends; nil where all is written that there is.
  var end: ClockTime? {
    guard let part, !part.isLast, part.times.times.indices.contains(part.frames.upperBound)
    else { return nil }
    return part.times.times[part.frames.upperBound]
  }

  /// The number of frames before those that are written.
  var preRollCount: Int {
    part.map { part in part.spans.reduce(0) { $0 + $1.count } - part.frames.count } ?? 0
  }
}
