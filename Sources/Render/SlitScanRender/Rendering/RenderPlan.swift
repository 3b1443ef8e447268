// The render plan selects the frames that are read and those that are written.

import GStreamer
import SlitScanCapture

/// The frames of a film, or some of them.
struct RenderPlan: Sendable {
  /// Some frames: what is known of the film, what the effect is to see, and what is to be written.
  struct Part: Sendable {
    let times: FilmTimes
    var spans: [Range<Int>]
    let frames: Range<Int>
    /// When the output is at 0.
    let origin: ClockTime
    /// When the film ends of which these are frames, in its own time; nil where it ends with the films.
    let outputEnd: ClockTime?
    /// The number of frames by which the effect is later than the output.
    let lead: Int
    /// When the effect gets each frame: those of the films, and as many of the last one as it is ahead.
    let effectTimes: [ClockTime]

    /// The times of the repetitions of the last frame.
    var heldTimes: ArraySlice<ClockTime> {
      let count = times.times.count
      return effectTimes[count..<max(count, frames.upperBound + lead)]
    }

    /// When the effect shows the first frame that is written.
    var effectStart: ClockTime { effectTimes[frames.lowerBound + lead] }

    /// When a frame is shown in the output.
    ///
    /// - Parameters:
    ///   - number: Its number among those that are written.
    ///   - time: When it leaves the effect.
    func outputTime(ofFrame number: Int, at time: ClockTime) -> ClockTime {
      // The effect may add some at the end.
      let known = min(frames.lowerBound + number, times.times.count - 1)
      return times.times[known] + (time - effectTimes[known + lead]) - origin
    }
  }

  /// Nil for the whole film.
  private(set) var part: Part?
  /// The label of the file where it is a part to be joined.
  let label: PartLabel?

  init(
    _ films: [FilmDescription], _ scan: ValidatedScan, _ request: RenderRequest,
    _ progress: @escaping FilmRendering.Listener
  ) async throws {
    guard request.part != nil || !request.range.isAll || request.now > 0, let first = films.first
    else {
      part = nil
      label = nil
      return
    }
    let about = films.reduce(0 as Int?) { sum, film in
      film.frameCount.flatMap { count in sum.map { $0 + count } }
    }
    let times = try await FilmTimes(of: films) { count in
      progress(RenderProgress(stage: .looking, frames: count, total: about, time: .zero))
    }
    let range = try request.range.frames(of: times)
    let frames = try request.part?.frames(in: range) ?? range
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    let lead = try request.lead(of: element, times.times)
    let effectTimes = times.times(holdingLast: lead)
    // Changes of the effect may reach as far as anything.
    let preRoll =
      request.timeline.isEmpty
      ? try PreRoll(element, width: first.info.width, height: first.info.height) : .everything
    let origin = range.lowerBound == 0 ? .zero : times.times[range.lowerBound]
    part = Part(
      times: times,
      spans: preRoll.spans(
        first: frames.lowerBound + lead, end: frames.upperBound + lead, times: effectTimes
      ).map { $0.clamped(to: times.times.indices) },
      frames: frames, origin: origin,
      outputEnd: range.upperBound < times.times.count
        ? times.times[range.upperBound] - origin : nil,
      lead: lead, effectTimes: effectTimes)
    label = try request.part.map { part in
      PartLabel(
        part: part,
        frames: frames.lowerBound - range.lowerBound..<frames.upperBound - range.lowerBound,
        total: range.count,
        fingerprint: try PartLabel.fingerprint(
          of: element, times.times, in: range, lead: lead, request.timeline))
    }
  }

  /// The same frames without those before them, from which their pace is measured.
  var withoutPreRoll: RenderPlan {
    var plan = self
    if let part {
      let count = part.times.times.count
      // The last frame at least, which is held.
      let first = min(part.frames.lowerBound + part.lead, count - 1)
      plan.part?.spans = [first..<min(part.frames.upperBound + part.lead, count)]
    }
    return plan
  }

  /// When what is written begins, in the time of the film.
  var start: ClockTime { part.map { $0.times.times[$0.frames.lowerBound] } ?? .zero }

  /// When its sound begins: with the first frame, but for that of the film's, which may be later.
  var soundStart: ClockTime { part?.frames.lowerBound == 0 ? .zero : start }

  /// When what is written ends; nil where all is written that there is.
  var end: ClockTime? {
    guard let part, part.times.times.indices.contains(part.frames.upperBound) else { return nil }
    return part.times.times[part.frames.upperBound]
  }

  /// The number of frames that the effect gets before it shows those that are written.
  var preRollCount: Int {
    part.map { part in
      part.spans.reduce(0) { $0 + $1.count } + part.heldTimes.count - part.frames.count
    } ?? 0
  }
}

extension FilmPart {
  /// The frames of the part, of some in a row.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where there are none.
  fileprivate func frames(in range: Range<Int>) throws(CaptureError) -> Range<Int> {
    let part = frames(of: range.count)
    guard !part.isEmpty else {
      throw CaptureError(
        .badRequest,
        "There is no part \(self): the film has only \(range.count) frames. Make fewer parts.")
    }
    return range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
  }
}
