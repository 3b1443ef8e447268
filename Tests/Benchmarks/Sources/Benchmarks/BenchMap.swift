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

  /// The settings of the map.
  var settings: MapSettings {
    var map = MapSettings()
    switch self {
    case .rows: map.shape = .linear
    case .columns: (map.shape, map.angle) = (.linear, 90)
    case .diagonal: (map.shape, map.angle) = (.linear, 45)
    case .radial: map.shape = .radial
    case .angular: map.shape = .angular
    case .spiral: map.shape = .spiral
    case .grid: map.shape = .grid
    case .blocks: map.shape = .random
    case .random: (map.shape, map.blockSize) = (.random, 1)
    case .image: map.shape = .image
    case .luma: map.shape = .luma
    case .motion: map.shape = .motion
    case .live, .liveSmall: map.shape = .live
    case .liveSmoothed: (map.shape, map.smoothing) = (.live, 8)
    }
    return map
  }

  /// The settings of the map as it has moved by `frame` frames: by so little that frames are read
  /// alike, so that only the change costs more.
  func settings(movedBy frame: Int) -> MapSettings {
    var map = settings
    map.angle += Double(frame) * 1e-6
    map.centerX += Double(frame) * 1e-9
    map.turns += Double(frame) * 1e-9
    map.columns += frame % 2
    map.seed += UInt32(truncatingIfNeeded: frame)
    return map
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
