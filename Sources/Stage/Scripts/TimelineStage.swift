// The timeline stage records the property changes of a performance as a scan timeline.

import GStreamer
import SlitScanCapture

/// A stage whose frames come later: it keeps what happens to them, by the times of a clock.
actor TimelineStage: Stage {
  nonisolated let parameters: Parameters
  nonisolated let presets: [String]
  private(set) var timeline = ScanTimeline()

  private let clock: ManualClock
  private let begin: ContinuousClock.Instant
  /// Is what the effect would be.
  private let element: Element
  private let loudness: LoudnessCurve?
  /// The bands of frequencies in Hz that properties have followed; nil stands for all frequencies.
  private(set) var soundBands: Set<ClosedRange<Double>?> = []
  /// The number of measurements of the loudness that have had their effect.
  private var heard = 0
  private var followers: [String: SoundFollower] = [:]
  private var saved: [String: PresetContent] = [:]

  /// - Parameters:
  ///   - clock: Shows the first frame's moment now.
  ///   - loudness: That of the video, for properties that follow the sound; nil where it is not known yet.
  /// - Throws: ``StageError``: `scan` makes no sense.
  init(_ scan: Scan, _ clock: ManualClock, _ loudness: LoudnessCurve?) throws(StageError) {
    element = try Presets.makeElement()
    parameters = Parameters(of: element)
    presets = element.presets
    self.clock = clock
    begin = clock.now
    self.loudness = loudness
    try scan.apply(to: element)
  }

  func content(of preset: String) throws(StageError) -> PresetContent {
    if let content = saved[preset] { return content }
    return try Presets.content(of: preset, parameters)
  }

  /// A script that is rendered leaves no presets behind.
  func save(_ content: PresetContent, as preset: String) { saved[preset] = content }

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
    let value = Parameter.number(value(of: name))
    followers[name] = nil
    let motion = drive.flatMap {
      DriveMotion(drive: $0, value: value, tempo: tempo, begin: clock.now)
        .motion(from: time, at: clock.now)
    }
    if case .sound(let band, let from, let to)? = drive {
      soundBands.insert(band)
      if let loudness, loudness.values(in: band).isEmpty {
        throw StageError(.badValue, "There is no sound for \(name) to follow.")
      }
      followers[name] = SoundFollower(band: band, from: from, to: to)
    }
    do throws(GStreamerError) {
      if let motion { try element.move(name, motion) } else { try element.hold(name) }
    } catch {
      throw StageError(.badValue, error.message)
    }
    add(.move(name, motion))
  }

  /// Lets properties follow the sound up to a time.
  func listen(until time: ClockTime) {
    guard let loudness else { return }
    while heard < loudness.times.count, loudness.times[heard] <= time {
      var values: [String: Value] = [:]
      for (name, follower) in followers {
        guard let number = followers[name]?.number(at: loudness.values(in: follower.band)[heard]),
          let value = parameters[name]?.value(near: number), value != (try? element.get(name))
        else { continue }
        try? element.set(name, to: value)
        values[name] = value
      }
      if !values.isEmpty { timeline.add(.set(values), after: loudness.times[heard]) }
      heard += 1
    }
  }

  func value(of name: String) -> Value {
    listen(until: time)
    element.syncMotions(at: time)
    return (try? element.get(name)) ?? .none
  }

  func snapshot(to path: String) throws(StageError) { throw Self.noFiles }

  func startRecording(to path: String) throws(StageError) { throw Self.noFiles }

  func stopRecording() throws(StageError) -> String { throw Self.noFiles }

  func keep(
    to path: String, from earliest: ClockTime
  ) throws(StageError) -> (begin: ClockTime, isWhole: Bool) {
    throw Self.noFiles
  }

  func write(_ text: String, to path: String) throws(StageError) { throw Self.noFiles }

  /// The script has the tempo changes that the sound made.
  nonisolated var hasSound: Bool { true }

  private static let noFiles = StageError(
    .notWritten, "Stills, recordings and films of the input are not made when rendering.")

  func setBlack(_ isBlack: Bool) { add(.black(isBlack)) }
}
