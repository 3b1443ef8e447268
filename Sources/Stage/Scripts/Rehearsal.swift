// A rehearsal converts a move script to a scan timeline for rendering.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The changes that a script makes to a video, frame by frame.
///
/// ```swift
/// let script = try MoveScript(file: "show.txt")
/// let bands = try await Rehearsal.soundBands(of: script)
/// let loudness = try await LoudnessCurve(of: ["in.mp4"], in: bands)
/// let rehearsal = try await Rehearsal(of: script, loudness: loudness)
/// var request = RenderRequest(["in.mp4"], to: "show.mp4", scan: rehearsal.scan)
/// request.timeline = rehearsal.timeline
/// ```
///
/// The first beat is with the first frame. Stills and recordings are left out, and changes of the source, as
/// a rendering has one source.
package struct Rehearsal: Sendable {
  /// The parameters at the first frame.
  package let scan: Scan
  /// The changes after that.
  package let timeline: ScanTimeline
  /// The moves that failed, or a part of which did, in sentences that begin with the time.
  package let warnings: [String]

  /// Goes through a show.
  ///
  /// - Parameters:
  ///   - scan: What the effect is at the beginning.
  ///   - preset: The preset that it is as, if it is.
  ///   - beatsPerMinute: The tempo at the beginning.
  ///   - loudness: That of the video, in the show's ``soundBands(of:scan:preset:)``, for properties that follow the
  ///     sound.
  /// - Throws: ``StageError``: `scan` makes no sense.
  package init(
    of script: MoveScript, scan: Scan = [:], preset: String? = nil, beatsPerMinute: Double = 120,
    loudness: LoudnessCurve = LoudnessCurve()
  ) async throws(StageError) {
    self.scan = scan.interactive
    let run = try await RehearsalRun(
      of: script, scan: self.scan, preset: preset, beatsPerMinute: beatsPerMinute,
      loudness: loudness)
    await run.stage.listen(until: loudness.times.last ?? .zero)
    var timeline = await run.stage.timeline
    let drawn = await run.performance.drawn
    if !drawn.isEmpty { timeline.mapImages = MapImageSequence(drawn, from: run.begin) }
    self.timeline = timeline
    warnings = run.warnings
  }

  /// The bands of frequencies in Hz that properties of a show follow, those of the presets that it loads among
  /// them; nil stands for all frequencies.
  ///
  /// - Parameters:
  ///   - scan: What the effect is at the beginning.
  ///   - preset: The preset that it is as, if it is.
  /// - Throws: ``StageError``: `scan` makes no sense.
  package static func soundBands(
    of script: MoveScript, scan: Scan = [:], preset: String? = nil
  ) async throws(StageError) -> Set<ClosedRange<Double>?> {
    let run = try await RehearsalRun(
      of: script, scan: scan, preset: preset, beatsPerMinute: 120, loudness: nil)
    return await run.stage.soundBands
  }
}

struct RehearsalRun {
  let stage: TimelineStage
  let performance: Performance
  let begin: ContinuousClock.Instant
  private(set) var warnings: [String] = []

  /// - Parameter end: The time up to which the show is gone through; nil for all of it.
  init(
    of script: MoveScript, scan: Scan, preset: String?, beatsPerMinute: Double,
    loudness: LoudnessCurve?, until end: ClockTime? = nil
  ) async throws(StageError) {
    let clock = ManualClock()
    begin = clock.now
    stage = try TimelineStage(scan, clock, loudness)
    performance = await Performance(
      on: stage, preset: preset, tempo: Tempo(beatsPerMinute, from: begin), clock: clock,
      isRehearsal: true)
    let changes = script.entries.count { $0.move.needsSources }
    if changes > 0 {
      warnings.append(
        "The show has several sources. Rendering has one: \(changes) \(changes == 1 ? "move" : "moves") of source, "
          + "next-source, map-source, next-clip or previous-clip left out.")
    }
    for entry in script.entries where !entry.move.needsSources {
      let moment = begin + .nanoseconds(Int64(clamping: entry.time.nanoseconds))
      await performance.rehearse(until: moment, by: clock)
      await takeWarnings()
      do throws(StageError) {
        try await performance.perform(entry.move)
      } catch {
        warnings.append("\(entry.line): \(error.message)")
      }
      await takeWarnings()
    }
    await performance.rehearse(
      until: end.map { begin + .nanoseconds(Int64(clamping: $0.nanoseconds)) }, by: clock)
    await takeWarnings()
  }

  /// Takes what parts of moves, and changes that have waited for their beats, could not be done.
  private mutating func takeWarnings() async {
    for warning in await performance.takeWarnings() {
      let time = MoveScript.Entry.text(of: ClockTime(warning.moment - begin))
      warnings.append("\(time) \(warning.subject): \(warning.message)")
    }
  }
}

extension Performance {
  /// Advances the clock of a rehearsal, and does what is due until then, each at its moment.
  ///
  /// - Parameter moment: Nil for the last moment at which something is due.
  func rehearse(until moment: ContinuousClock.Instant?, by clock: ManualClock) async {
    while let next = agenda.nextMoment, moment.map({ next <= $0 }) ?? true {
      clock.advance(to: next)
      await catchUp()
    }
    if let moment { clock.advance(to: moment) }
  }
}

extension Move {
  /// Whether it says which source, or which clip of it, is shown.
  var needsSources: Bool {
    switch self {
    case .source, .nextSource, .mapSource, .nextClip, .previousClip: true
    default: false
    }
  }
}
