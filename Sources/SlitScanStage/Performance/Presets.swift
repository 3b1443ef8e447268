// What presets come to.

import GStreamer
import SlitScanPlugin

/// The presets of the effect, tried on an element that nobody plays.
enum Presets {
  /// An element that is nowhere in use.
  ///
  /// - Throws: ``StageError/Code/noPictures``.
  static func makeElement() throws(StageError) -> Element {
    guard SlitScanPlugin.isRegistered else {
      throw StageError(.noPictures, "GStreamer does not start, or does not take slitscan.")
    }
    do throws(GStreamerError) {
      return try Element("slitscan")
    } catch {
      throw StageError(.noPictures, error.message)
    }
  }

  /// The value of every knob in a preset; what the preset does not name has its default.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``.
  static func values(of preset: String, _ knobs: Knobs) throws(StageError) -> [String: Value] {
    let element = try makeElement()
    do throws(GStreamerError) {
      try element.loadPreset(preset)
      var values: [String: Value] = [:]
      for knob in knobs.all { values[knob.name] = try element.get(knob.name) }
      return values
    } catch {
      throw StageError(.noSuchPreset, error.message)
    }
  }
}
