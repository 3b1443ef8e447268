// A bench case is a combination of settings that is measured.

import ArgumentParser
import SlitScan

/// A mode by its name.
enum BenchMode: String, CaseIterable, Codable, Choice {
  case displace, sweep, strip
}

/// An interpolation by its name.
enum BenchInterpolation: String, CaseIterable, Codable, Choice {
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

/// The case that one line of the table measures.
struct BenchCase: Hashable, Codable {
  var mode: BenchMode
  var map: BenchMap
  var format: FrameFormat
  var size: FrameSize
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
    settings.interpolation = interpolation?.setting ?? .nearest
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

extension BenchCase {
  /// Bytes read and written for one frame, padding of rows not counted.
  ///
  /// With F the bytes of a frame:
  /// - displace: the frame in, its tiles written, the tiles of the delayed frames read (two for
  ///   each where neighbours are blended, moved or not), the output: 4 F, or 5 F.
  /// - sweep, on average over a sweep of N frames: what the slit passes goes from the frame to the
  ///   canvas, 2 F/N; each pixel is read from the frame or from the canvas, F; the output, F.
  /// - strip: one of the lines of the canvas is taken from the frame, 2 F/lines; the canvas is read
  ///   and the output written, 2 F.
  func bytesMoved(sweepFrames: Int) throws(ScanError) -> Int {
    let frame = try layout().planes.reduce(0) { $0 + $1.rowBytes * $1.cellsHigh }
    switch mode {
    case .displace: return (interpolation == .nearest ? 4 : 5) * frame
    case .sweep: return 2 * frame + 2 * frame / sweepFrames
    case .strip:
      let lines = map == .columns ? size.width : size.height
      return 2 * frame + 2 * frame / lines
    }
  }
}
