// The protocol of stages, on which a performance acts.

import GStreamer
import SlitScanCapture

/// A stage: the effect with its cameras, windows and files.
///
/// ``CaptureStage`` is the real one; ``InMemoryStage`` only remembers, for tests and rehearsals without
/// frames.
public protocol Stage: Actor {
  /// The parameters that can be moved.
  nonisolated var parameters: Parameters { get }
  /// The names of the presets that there are at the beginning, in the order of their numbers.
  nonisolated var presets: [String] { get }

  /// The content of a preset.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``.
  func content(of preset: String) async throws(StageError) -> PresetContent

  /// Saves a preset, in place of one that has its name.
  ///
  /// - Throws: ``StageError/Code/notWritten``.
  func save(_ content: PresetContent, as preset: String) async throws(StageError)

  /// The time of the newest frame, since the first.
  var time: ClockTime { get async }

  /// Sets a parameter with the next frame.
  ///
  /// - Parameter value: In the parameter's own type and range.
  func set(_ name: String, to value: Value) async throws(StageError)

  /// Sets several parameters with the same frame.
  func set(_ values: [String: Value]) async throws(StageError)

  /// Has a parameter move by itself from now on, or no longer; nothing but another drive, a value or nil ends
  /// that.
  ///
  /// - Parameter tempo: What beats are measured by.
  func drive(_ name: String, by drive: Drive?, tempo: Tempo) async throws(StageError)

  /// The value of a parameter at this moment.
  func value(of name: String) async -> Value

  /// Writes the next whole frame.
  func snapshot(to path: String) async throws(StageError)

  /// Records from the next frame on.
  func startRecording(to path: String) async throws(StageError)

  /// Completes the recording.
  ///
  /// - Returns: The file.
  func stopRecording() async throws(StageError) -> String

  /// Writes the input that is still there, as a film.
  ///
  /// - Parameter earliest: No frame of it is from before this time.
  /// - Returns: The time of its first frame, from which its moves count, and whether no frame is missing.
  func keep(
    to path: String, from earliest: ClockTime
  ) async throws(StageError) -> (begin: ClockTime, isWhole: Bool)

  /// Writes a text file, as the moves of a film.
  func write(_ text: String, to path: String) async throws(StageError)

  /// Shows black from the next frame on, or the video again.
  func setBlack(_ isBlack: Bool) async

  /// The names of the sources of the video, in the order of their numbers.
  nonisolated var sources: [String] { get }

  /// Shows another source, by its place in ``sources``.
  ///
  /// - Parameter duration: How long the crossfade takes; 0 for a cut.
  func showSource(_ index: Int, over duration: ClockTime) async throws(StageError)

  /// Has a source be the map `live`.
  func setMapSource(_ index: Int) async throws(StageError)

  /// Has an image be the map `live` from the next frame on, until a source is or another image comes.
  func setMapImage(_ image: MapImage?) async throws(StageError)

  /// The width of the frames over their height; nil while there are none.
  var frameAspect: Double? { get async }

  /// Goes to another clip of a source that is a playlist.
  ///
  /// - Parameter count: How many clips further on, round at the ends.
  /// - Throws: ``StageError/Code/badMove`` where it is none, or no clip can be played.
  func changeClip(by count: Int, ofSource index: Int) async throws(StageError)

  /// Opens an output that is closed; on a display, an open window moves there.
  ///
  /// - Parameters:
  ///   - number: Which output, from 1 on.
  ///   - display: The number or name of a display; nil for where it was.
  /// - Throws: ``StageError/Code/badMove`` where there is no such output,
  ///   ``StageError/Code/noVideo`` where it does not open.
  func reopenOutput(_ number: Int, on display: String?) async throws(StageError)

  /// Whether there is sound that the tempo can follow.
  nonisolated var hasSound: Bool { get }
}

extension Stage {
  /// One, which has no name.
  public nonisolated var sources: [String] { [] }

  /// There is no other.
  public func showSource(_ index: Int, over duration: ClockTime) {}

  /// There is none.
  public func setMapSource(_ index: Int) {}

  /// Does nothing: there is no output.
  public func setMapImage(_ image: MapImage?) {}

  /// There are no frames.
  public var frameAspect: Double? { nil }

  /// There is no playlist.
  public func changeClip(by count: Int, ofSource index: Int) throws(StageError) {
    throw StageError(.badMove, "There is no playlist.")
  }

  /// Does nothing: there is no output.
  public func reopenOutput(_ number: Int, on display: String?) {}

  /// There is none.
  public nonisolated var hasSound: Bool { false }
}
