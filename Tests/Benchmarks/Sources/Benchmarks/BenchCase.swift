// A bench case is a combination of settings that is measured.

import ArgumentParser
import SlitScan

/// A mode by its name.
enum BenchMode: String, CaseIterable, ExpressibleByArgument {
  case displace, sweep, strip

  /// The effect's own.
  var setting: ScanSettings.Mode {
    switch self {
    case .displace: .displace
    case .sweep: .sweep
    case .strip: .strip
    }
  }
}

/// An interpolation by its name.
enum BenchInterpolation: String, CaseIterable, ExpressibleByArgument {
  case nearest, linear, motion

  /// The effect's own.
  var setting: ScanSettings.Interpolation {
    switch self {
    case .nearest: .nearest
    case .linear: .linear
    case .motion: .motion
    }
  }
}

/// Feedback by how it moves.
enum BenchFeedback: String, CaseIterable, ExpressibleByArgument {
  case none, still, zooming, turning

  /// Sets the feedback.
  func set(_ settings: inout ScanSettings) {
    settings.feedback = self == .none ? 0 : 0.9
    settings.feedbackZoom = self == .zooming ? 0.95 : 1
    settings.feedbackRotation = self == .turning ? 3 : 0
  }
}

/// A canvas by its name.
enum BenchCanvas: String, CaseIterable, ExpressibleByArgument {
  case scroll, corridor, tunnel

  /// Lines that a frame adds to a canvas in perspective, which is measured when it is full.
  private static let lineCount = 16

  /// Sets the canvas.
  func set(_ settings: inout ScanSettings) {
    switch self {
    case .scroll: return
    case .corridor: settings.canvas = .corridor
    case .tunnel: settings.canvas = .tunnel
    }
    settings.slitWidth = Self.lineCount
  }

  /// The frames that fill it.
  func frames(at size: FrameSize) -> Int {
    self == .scroll ? 0 : max(size.width, size.height) / Self.lineCount + 1
  }
}

/// The case that one line of the table measures.
struct BenchCase: Hashable {
  var mode: BenchMode
  var map: BenchMap
  var format: FrameFormat
  var size: FrameSize
  /// Frames of history; nil in the modes that have none.
  var depth: Int?
  /// nil in the modes that have no history to interpolate in.
  var interpolation: BenchInterpolation?
  /// nil in the modes that feed nothing back.
  var feedback: BenchFeedback?
  /// Frames of the exposure; nil in the modes that have none.
  var shutter: Double?
  /// Whether it is as long as the map is high.
  var shutterFollowsMap = false
  /// nil in the modes that have none.
  var canvas: BenchCanvas?
  /// Whether the ages of pixels are drawn, too.
  var drawsAges = false
  var threads: Int

  /// The settings of the effect.
  ///
  /// - Parameter sweepFrames: Frames that a sweep takes.
  func settings(sweepFrames: Int) -> ScanSettings {
    var settings = ScanSettings()
    settings.mode = mode.setting
    map.set(&settings)
    settings.depth = depth ?? 1
    settings.interpolation = interpolation?.setting ?? .nearest
    feedback?.set(&settings)
    settings.shutter = shutter ?? 1
    settings.shutterFollowsMap = shutterFollowsMap
    canvas?.set(&settings)
    settings.sweepLoop = .loop
    settings.sweepDuration = UInt64(sweepFrames) * ScanRig.frameDuration
    settings.keepsAges = drawsAges
    settings.threads = threads
    return settings
  }

  /// The columns that say which case was measured.
  static let columns: [Table.Column] = [
    .text("mode", 8), .text("map", 13), .text("format", 9), .text("size", 9), .number("depth"),
    .text("interpolation", 7), .text("feedback", 7), .number("shutter"), .text("by map", 6),
    .text("canvas", 8), .text("ages", 5), .number("threads"),
  ]

  var cells: [String] {
    [
      mode.rawValue, map.rawValue, format.rawValue, "\(size)", depth.map(String.init) ?? "–",
      interpolation?.rawValue ?? "–", feedback?.rawValue ?? "–", shutter.map { "\($0)" } ?? "–",
      shutterFollowsMap ? "yes" : "–", canvas?.rawValue ?? "–", drawsAges ? "drawn" : "–",
      "\(threads)",
    ]
  }
}
