// A rehearsal converts a move script to a scan timeline for rendering.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The changes that a script makes to a film, frame by frame.
///
/// ```swift
/// let script = try MoveScript(file: "show.txt")
/// let loudness = try await LoudnessCurve(of: ["in.mp4"], in: script.soundBands)
/// let rehearsal = try await Rehearsal(of: script, loudness: loudness)
/// var request = RenderRequest(["in.mp4"], to: "show.mp4", scan: rehearsal.scan)
/// request.timeline = rehearsal.timeline
/// ```
///
/// The first beat is with the first frame. Stills and recordings are left out, and changes of the source, as
/// a film is one source.
public struct Rehearsal: Sendable {
  /// The parameters at the first frame.
  public let scan: Scan
  /// The changes after that.
  public let timeline: ScanTimeline
  /// The moves that failed, in sentences that begin with the time.
  public let troubles: [String]

  /// Goes through a show.
  ///
  /// - Parameters:
  ///   - scan: What the effect is at the beginning.
  ///   - preset: The preset that it is as, if it is.
  ///   - beatsPerMinute: The tempo at the beginning.
  ///   - loudness: That of the film, in the script's ``MoveScript/soundBands``, for properties that
  ///     follow the sound.
  /// - Throws: ``StageError``: `scan` makes no sense.
  public init(
    of script: MoveScript, scan: Scan = [:], preset: String? = nil, beatsPerMinute: Double = 120,
    loudness: LoudnessCurve = LoudnessCurve()
  ) async throws(StageError) {
    let clock = ManualClock()
    let begin = clock.now
    let scan = scan.forHands
    let stage = try TimelineStage(scan, clock, loudness)
    let performance = await Performance(
      on: stage, preset: preset, tempo: Tempo(beatsPerMinute, from: begin), clock: clock)
    var troubles: [String] = []
    let changes = script.entries.count { $0.move.needsSources }
    if changes > 0 {
      troubles.append(
        "The show has several sources. Rendering has one: \(changes) \(changes == 1 ? "move" : "moves") of source, "
          + "next-source, map-source, next-clip or previous-clip left out.")
    }
    for entry in script.entries where !entry.move.needsSources {
      await performance.advance(to: begin + .nanoseconds(Int64(clamping: entry.time.nanoseconds)))
      do throws(StageError) {
        try await performance.perform(entry.move)
      } catch {
        troubles.append("\(entry.line): \(error.message)")
      }
    }
    await performance.advanceToEnd()
    await stage.listen(until: loudness.times.last ?? .zero)
    self.scan = scan
    var timeline = await stage.timeline
    let drawn = await performance.drawn
    if !drawn.isEmpty { timeline.mapImages = MapImageSequence(drawn, from: begin) }
    self.timeline = timeline
    self.troubles = troubles
  }
}

extension Move {
  /// Whether it says which source, or which clip of it, is shown.
  fileprivate var needsSources: Bool {
    switch self {
    case .source, .nextSource, .mapSource, .nextClip, .previousClip: true
    default: false
    }
  }
}

/// A clock that stands still until it is put on.
final class ManualClock: Sendable {
  private let moment = Lock(ContinuousClock.now)

  /// The time that it shows.
  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  /// Puts it on, never back.
  func set(_ later: ContinuousClock.Instant) { moment.withLock { $0 = max($0, later) } }
}
