// The maps that a benchmark can measure, and their settings.

import ArgumentParser
import SlitScan

/// A map by the name that it has in benchmarks.
enum BenchMap: String, CaseIterable, ExpressibleByArgument {
  /// Linear: growing downwards, rightwards, and at 45 degrees.
  case rows, columns, diagonal
  case radial, angular, spiral, grid
  /// A random value for each block of the default size, and for each pixel: nothing of a tile is in
  /// the same frame.
  case blocks, random
  case image, luma, motion
  /// An image as large as the frame, another one with each frame; the same with images of 640×360,
  /// and smoothed by 8 pixels.
  case live
  case liveSmall = "live-small"
  case liveSmoothed = "live-smoothed"

  /// Sets the map.
  func set(_ settings: inout ScanSettings) {
    switch self {
    case .rows: settings.map = .linear
    case .columns: (settings.map, settings.angle) = (.linear, 90)
    case .diagonal: (settings.map, settings.angle) = (.linear, 45)
    case .radial: settings.map = .radial
    case .angular: settings.map = .angular
    case .spiral: settings.map = .spiral
    case .grid: settings.map = .grid
    case .blocks: settings.map = .random
    case .random: (settings.map, settings.blockSize) = (.random, 1)
    case .image: settings.map = .image
    case .luma: settings.map = .luma
    case .motion: settings.map = .motion
    case .live, .liveSmall: settings.map = .live
    case .liveSmoothed: (settings.map, settings.mapSmoothing) = (.live, 8)
    }
  }

  /// Moves the map by `frame` frames: by so little that frames are read alike, so that only the change
  /// costs more.
  static func move(_ settings: inout ScanSettings, by frame: Int) {
    settings.angle += Double(frame) * 1e-6
    settings.centerX += Double(frame) * 1e-9
    settings.turns += Double(frame) * 1e-9
    settings.columns += frame % 2
    settings.seed += frame
  }

  /// The role of the image that the map is made from; nil if it is made from none, or from the frames
  /// themselves.
  var role: MapImageRole? {
    switch self {
    case .image: .image
    case .live, .liveSmall, .liveSmoothed: .live
    default: nil
    }
  }

  /// Whether the map follows from the frames: it cannot stand still.
  var followsFrames: Bool { self == .luma || self == .motion }

  /// The size of the images that the map is made from.
  func imageSize(for frame: FrameSize) -> FrameSize {
    self == .liveSmall ? FrameSize(width: 640, height: 360) : frame
  }
}
