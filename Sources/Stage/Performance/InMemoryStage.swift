// The in-memory stage records the calls that it gets, without video.

import GStreamer
import SlitScanCapture
import SlitScanPlugin

/// A stage that only records calls, for tests and for trying controllers without a camera.
public actor InMemoryStage: Stage {
  /// The properties that can be set.
  public nonisolated let parameters: Parameters
  /// The names of the presets.
  public nonisolated let presets: [String]
  /// The names of the sources.
  public nonisolated let sources: [String]
  /// Everything that was asked of it, in order.
  public private(set) var log: [String] = []
  /// The image that is the map `live`.
  public private(set) var mapImage: MapImage?
  /// The text files that were asked for, by their paths.
  public private(set) var texts: [String: String] = [:]
  private let scan: Element
  private var saved: [String: PresetContent] = [:]
  private var recording: String?
  private var whenAsked: (@Sendable (String) async -> Void)?
  private let clock: any SteadyClock
  private let start: ContinuousClock.Instant

  /// A stage with the effect as its defaults make it.
  ///
  /// - Parameter sources: The names of its sources; none where there is only one.
  /// - Throws: ``StageError/Code/noVideo`` where GStreamer does not start.
  public init(sources: [String] = []) throws(StageError) {
    try self.init(sources: sources, clock: ContinuousClock())
  }

  /// A stage whose time is that of a clock.
  package init(sources: [String] = [], clock: any SteadyClock) throws(StageError) {
    self.sources = sources
    self.clock = clock
    start = clock.now
    scan = try Presets.makeElement()
    parameters = Parameters(of: scan)
    presets = scan.presets
  }

  /// Has something happen with each line of the log, before what it says is done.
  package func setWhenAsked(_ action: (@Sendable (String) async -> Void)?) { whenAsked = action }

  private func note(_ line: String) async {
    log.append(line)
    await whenAsked?(line)
  }

  /// The content of a preset.
  public func content(of preset: String) throws(StageError) -> PresetContent {
    if let content = saved[preset] { return content }
    return try Presets.content(of: preset, parameters)
  }

  /// Remembers a preset for as long as the stage is there.
  public func save(_ content: PresetContent, as preset: String) async {
    saved[preset] = content
    await note("save \(preset)")
  }

  /// The time since the stage is there.
  public var time: ClockTime { ClockTime(clock.now - start) }

  /// Sets a parameter.
  public func set(_ name: String, to value: Value) async throws(StageError) {
    await note("\(name)=\(Parameter.text(value))")
    do throws(GStreamerError) {
      try scan.set(name, to: value)
    } catch {
      throw StageError(.badValue, error.message)
    }
  }

  /// Sets several parameters.
  public func set(_ values: [String: Value]) async throws(StageError) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try await set(name, to: value) }
  }

  /// Notes what is to move by itself; nothing does.
  public func drive(_ name: String, by drive: Drive?, tempo: Tempo) async {
    await note("\(name)~\(drive.map { Move.drive(name, $0).line } ?? "")")
  }

  /// The value of a property.
  public func value(of name: String) -> Value { (try? scan.get(name)) ?? .none }

  /// Writes nothing.
  public func snapshot(to path: String) async { await note("snapshot \(path)") }

  /// Records nothing.
  public func startRecording(to path: String) async {
    await note("record \(path)")
    recording = path
  }

  /// Says what would have been recorded.
  public func stopRecording() async throws(StageError) -> String {
    guard let path = recording else {
      throw StageError(.notWritten, "Nothing is being recorded.")
    }
    recording = nil
    await note("recorded \(path)")
    return path
  }

  /// Writes nothing; the film would be as long as a show's reserve is.
  public func keep(
    to path: String, from earliest: ClockTime
  ) async -> (begin: ClockTime, isWhole: Bool) {
    await note("keep \(path)")
    return (max(earliest, time - HistoryReserve.standardTime), true)
  }

  /// Remembers the text.
  public func write(_ text: String, to path: String) { texts[path] = text }

  /// Remembers the source.
  public func showSource(_ index: Int, over duration: ClockTime) async {
    await note("source \(index) over \(duration.seconds)")
  }

  /// Remembers the source.
  public func setMapSource(_ index: Int) async { await note("map \(index)") }

  /// Remembers the image.
  public func setMapImage(_ image: MapImage?) { mapImage = image }

  /// Remembers the clip.
  public func changeClip(by count: Int, ofSource index: Int) async {
    await note("clip \(count) of \(index)")
  }

  /// Remembers the output.
  public func reopenOutput(_ number: Int, on display: String?) async {
    await note("reopen \(number)\(display.map { " on \($0)" } ?? "")")
  }

  /// Always true: no sound is played.
  public nonisolated var hasSound: Bool { true }

  /// Shows nothing.
  public func setBlack(_ isBlack: Bool) async { await note(isBlack ? "black" : "video") }
}
