// A stage that writes down what would be seen.

import GStreamer
import SlitScanCapture

/// A stage whose pictures come later: it keeps what happens to them, by the times of a clock.
actor TimelineStage: Stage {
  nonisolated let knobs: Knobs
  nonisolated let presets: [String]
  /// What has happened.
  private(set) var timeline = ScanTimeline()

  private let clock: ManualClock
  private let begin: ContinuousClock.Instant
  /// Is what the effect would be.
  private let element: Element

  /// - Parameter clock: Shows the first picture's moment now.
  /// - Throws: ``StageError``: `scan` makes no sense.
  init(_ scan: Scan, _ clock: ManualClock) throws(StageError) {
    element = try Presets.makeElement()
    knobs = Knobs(of: element)
    presets = element.presets
    self.clock = clock
    begin = clock.now
    try scan.apply(to: element)
  }

  nonisolated func values(of preset: String) throws(StageError) -> [String: Value] {
    try Presets.values(of: preset, knobs)
  }

  var time: ClockTime { ClockTime(clock.now - begin) }

  private func add(_ change: ScanTimeline.Change) {
    timeline.add(change, after: clock.now == begin ? nil : time)
  }

  func set(_ name: String, to value: Value) throws(StageError) { try set([name: value]) }

  func set(_ values: [String: Value]) throws(StageError) {
    guard !values.isEmpty else { return }
    try Scan(values).apply(to: element)
    add(.set(values))
  }

  func drive(_ name: String, by drive: Drive?, tempo: Tempo) throws(StageError) {
    let value = Knob.number(value(of: name))
    var motion: Motion?
    if let drive {
      guard let driven = DriveMotion(drive, from: value, tempo: tempo, at: clock.now) else {
        throw StageError(
          .badValue, "\(name) cannot follow the sound where nobody listens to it.")
      }
      motion = driven.motion(from: time, at: clock.now)
    }
    do throws(GStreamerError) {
      if let motion { try element.move(name, motion) } else { try element.hold(name) }
    } catch {
      throw StageError(.badValue, error.message)
    }
    add(.move(name, motion))
  }

  func value(of name: String) -> Value {
    element.syncMotions(at: time)
    return (try? element.get(name)) ?? .none
  }

  func snapshot(to path: String) throws(StageError) { throw Self.noFiles }

  func startRecording(to path: String) throws(StageError) { throw Self.noFiles }

  func stopRecording() throws(StageError) -> String { throw Self.noFiles }

  private static let noFiles = StageError(.notWritten, "Stills and recordings are left out.")

  func setBlack(_ isBlack: Bool) { add(.black(isBlack)) }
}
