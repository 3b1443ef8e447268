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
    /// The number of frames by which they leave the effect later than they come.
    let lead: Int

    /// When the first frame that is written is shown.
    var start: ClockTime { times.times[frames.lowerBound] }

    /// When the first frame is shown that is not written any more; nil where the film ends.
    var end: ClockTime? {
      frames.upperBound < times.times.count ? times.times[frames.upperBound] : nil
    }

    /// The frames of which the first one that is written is drawn.
    fileprivate var first: Int { min(frames.lowerBound + lead, times.times.count - 1) }

    /// The frame after the last that the effect gets.
    fileprivate var readEnd: Int { min(frames.upperBound + lead, times.times.count) }
  }

  /// Nil for the whole film.
  private(set) var part: Part?
  /// The label of the file where it is a part to be joined.
  let label: PartLabel?

  init(
    _ films: [FilmDescription], _ scan: ValidatedScan, _ request: RenderRequest,
    _ progress: @escaping FilmRendering.Listener
  ) async throws {
    guard request.part != nil || !request.range.isAll, let first = films.first
    else {
      part = nil
      label = nil
      return
    }
    let about = films.reduce(0 as Int?) { sum, film in
      film.frameCount.flatMap { count in sum.map { $0 + count } }
    }
    let times = try await FilmTimes(of: films, total: about, progress)
    let range = try request.range.frames(of: times)
    let frames = try request.part?.frames(in: range) ?? range
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    let lead = try request.lead(of: element, first)
    // Changes of the effect may reach as far as anything.
    let preRoll =
      request.timeline.isEmpty
      ? try PreRoll(element, width: first.info.width, height: first.info.height) : .everything
    let origin = range.lowerBound == 0 ? .zero : times.times[range.lowerBound]
    var part = Part(
      times: times, spans: [], frames: frames, origin: origin,
      outputEnd: range.upperBound < times.times.count
        ? times.times[range.upperBound] - origin : nil,
      lead: lead)
    part.spans = preRoll.spans(first: part.first, end: part.readEnd, times: times.times)
    // The first one is held back from when it comes.
    if let last = part.spans.last {
      part.spans[part.spans.count - 1] = min(last.lowerBound, frames.lowerBound)..<part.readEnd
    }
    self.part = part
    label = try request.part.map { part in
      PartLabel(
        part: part,
        frames: frames.lowerBound - range.lowerBound..<frames.upperBound - range.lowerBound,
        total: range.count,
        fingerprint: try PartLabel.fingerprint(
          of: element, times.times, in: range, request.timeline))
    }
  }

  /// The same frames without those before them, from which their pace is measured.
  var withoutPreRoll: RenderPlan {
    var plan = self
    if let part { plan.part?.spans = [part.first..<part.readEnd] }
    return plan
  }

  /// When what is written begins, in the time of the film.
  var start: ClockTime { part?.start ?? .zero }

  /// When its sound begins: with the first frame, but for that of the film's, which may be later.
  var soundStart: ClockTime { part?.frames.lowerBound == 0 ? .zero : start }

  /// When what is written ends; nil where all is written that there is.
  var end: ClockTime? { part?.end }

  /// The number of frames that the effect gets before it shows those that are written.
  var preRollCount: Int {
    guard let part else { return 0 }
    let shown = max(0, part.readEnd - part.frames.lowerBound - part.lead)
    return part.spans.reduce(0) { $0 + $1.count } - shown
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
