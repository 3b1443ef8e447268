// The preset values, read by loading each preset into an idle element.

import GStreamer
import SlitScanCapture
import SlitScanPlugin

/// The presets of the effect, tried on an element outside of any pipeline.
enum Presets {
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

  /// The content of a preset; properties that it does not name have their defaults.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``.
  static func content(
    of preset: String, _ parameters: Parameters
  ) throws(StageError) -> PresetContent {
    let element = try makeElement()
    do throws(GStreamerError) {
      try element.loadPreset(preset)
      var values: [String: Value] = [:]
      for parameter in parameters.look { values[parameter.name] = try element.get(parameter.name) }
      return PresetContent(
        values: values,
        drives: element.presetMetadata(drives, of: preset).map { PresetContent.drives(in: $0) })
    } catch {
      throw StageError(.noSuchPreset, error.message)
    }
  }

  /// Saves a preset where GStreamer keeps those of the user.
  ///
  /// - Throws: ``StageError/Code/notWritten``.
  static func save(_ content: PresetContent, as preset: String) throws(StageError) {
    let element = try makeElement()
    do throws(GStreamerError) {
      for (name, value) in content.values { try element.set(name, to: value) }
      try element.savePreset(preset, metadata: [drives: content.driveLines])
    } catch {
      throw StageError(.notWritten, error.message)
    }
  }

  /// The key of the drives in a preset's metadata.
  private static let drives = "drives"
}

/// The content of a preset.
public struct PresetContent: Sendable, Equatable {
  /// The values of all properties that presets hold.
  public var values: [String: Value]
  /// The drives of properties; nil in a preset that was not saved by a show, and leaves drives as they are.
  public var drives: [String: Drive]?

  /// The content of a preset.
  public init(values: [String: Value], drives: [String: Drive]?) {
    self.values = values
    self.drives = drives
  }

  var driveLines: String {
    (drives ?? [:]).sorted { $0.key < $1.key }.map { Move.drive($0, $1).line }
      .joined(separator: "\n")
  }

  /// The drives of such lines; others are left out.
  static func drives(in lines: String) -> [String: Drive] {
    var drives: [String: Drive] = [:]
    for line in lines.split(separator: "\n") {
      if case .drive(let name, let drive)? = try? Move(String(line)) { drives[name] = drive }
    }
    return drives
  }
}

extension Scan {
  /// The same for a show: the whole history is kept, so that every move takes effect at once, not after the
  /// history has filled again.
  var interactive: Scan {
    var scan = self
    if scan.properties["history"] == nil { scan.properties["history"] = "whole" }
    return scan
  }

  /// Makes an element what this says.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``, ``StageError/Code/badValue``.
  func apply(to element: Element) throws(StageError) {
    do throws(CaptureError) {
      try ValidatedScan(self).apply(to: element)
    } catch {
      let isUnknown = error.underlying?.code == .noSuchPreset
      throw StageError(isUnknown ? .noSuchPreset : .badValue, error.message)
    }
  }
}
