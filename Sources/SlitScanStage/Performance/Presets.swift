// The preset values, read by loading each preset into an idle element.

import GStreamer
import SlitScanCapture
import SlitScanPlugin

/// The presets of the effect, tried on an element that nobody plays.
enum Presets {
  /// An element that is nowhere in use.
  ///
  /// - Throws: ``StageError/Code/noVideo``.
  static func makeElement() throws(StageError) -> Element {
    guard SlitScanPlugin.isRegistered else {
      throw StageError(.noVideo, "GStreamer cannot start or cannot register slitscan.")
    }
    do throws(GStreamerError) {
      return try Element("slitscan")
    } catch {
      throw StageError(.noVideo, error.message)
    }
  }

  /// The values of all properties that presets hold; those that the preset does not name are defaults.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``.
  static func values(of preset: String, _ parameters: Parameters) throws(StageError) -> [String:
    Value]
  {
    let element = try makeElement()
    do throws(GStreamerError) {
      try element.loadPreset(preset)
      var values: [String: Value] = [:]
      for parameter in parameters.look { values[parameter.name] = try element.get(parameter.name) }
      return values
    } catch {
      throw StageError(.noSuchPreset, error.message)
    }
  }
}

extension Scan {
  /// The same for a show: whatever a hand may move is there at once, not after the history has filled
  /// again.
  var forHands: Scan {
    var scan = self
    if scan.properties["history"] == nil { scan.properties["history"] = "whole" }
    return scan
  }

  /// Makes an element what this says.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``, ``StageError/Code/badValue``.
  func apply(to element: Element) throws(StageError) {
    do throws(GStreamerError) {
      if let preset { try element.loadPreset(preset) }
      for (name, value) in properties { try element.set(name, to: value) }
    } catch {
      throw StageError(error.code == .noSuchPreset ? .noSuchPreset : .badValue, error.message)
    }
  }
}
