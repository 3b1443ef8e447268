// One line of a benchmark: what is asked of the effect, and the settings that ask for it.

import ArgumentParser
import SlitScan

/// A mode by its name.
enum BenchMode: String, CaseIterable, Codable, Choice {
  case displace, sweep, strip
}

/// An interpolation by its name.
enum BenchInterpolation: String, CaseIterable, Codable, Choice {
  case nearest, linear
}

/// What one line of the table measures.
struct BenchCase: Hashable, Codable {
  var mode: BenchMode
  var map: BenchMap
  var format: FrameFormat
  var size: PictureSize
  /// Frames of history; nil in the modes that have none.
  var depth: Int?
  /// nil in the modes that have no history to interpolate in.
  var interpolation: BenchInterpolation?
  var threads: Int

  /// The settings of the effect.
  ///
  /// - Parameter sweepFrames: Frames that a sweep takes.
  func settings(sweepFrames: Int) -> ScanSettings {
    var settings = ScanSettings()
    settings.map = map.settings
    settings.depth = depth ?? 1
    settings.interpolation = interpolation == .linear ? .linear : .nearest
    settings.sweepLoop = .loop
    settings.sweepDuration = UInt64(sweepFrames) * ScanRig.frameDuration
    switch mode {
    case .displace: settings.mode = .displace
    case .sweep: settings.mode = .sweep
    case .strip: settings.mode = .strip
    }
    settings.threads = threads
    return settings
  }

  /// The layout of the frames.
  func layout() throws(ScanError) -> FrameLayout {
    try format.layout(size)
  }
}
