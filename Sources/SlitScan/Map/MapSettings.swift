// The map settings decide the map value of every pixel: the shape and its parameters.

package import CSlitScanSettings

/// A map: when the slit visits each pixel, from 0, first, to 1, last.
public struct MapSettings: Sendable, Equatable {
  /// The shape that f takes over the frame.
  public enum Shape: UInt32, Sendable, CaseIterable {
    /// f grows along a direction, see ``MapSettings/angle``.
    case linear
    /// f grows with the distance from the centre, 1 in the farthest corner.
    case radial
    /// f grows with the clockwise turn around the centre, from 12 o'clock.
    case angular
    /// f grows with the turn and with the distance: arms of ``MapSettings/turns``.
    case spiral
    /// Rectangles in reading order, one value each.
    case grid
    /// Square blocks, a random value each.
    case random
    /// The luma of an image that stands still, see ``MapImageRole/image``.
    case image
    /// The luma of the frame itself.
    case luma
    /// Recent motion, see ``MapSettings/motionThreshold``.
    case motion
    /// The luma of an image that moves, see ``MapImageRole/live``.
    case live

    /// The source that f follows from.
    package var source: SlitScanMapSource { slit_scan_map_source(SlitScanMap(rawValue)) }
    /// Whether f follows from a formula, not from pixels.
    package var isFormula: Bool { source == SLIT_SCAN_SOURCE_FORMULA }
  }

  /// The handling of map values that gain and offset moved out of 0…1.
  public enum Edge: UInt32, Sendable {
    /// They stop at 0 and 1.
    case clamp
    /// They start again at the other end.
    case wrap
    /// They turn back.
    case mirror
  }

  /// The most rectangles of a grid in a row or in a column.
  public static let mostRectangles: Int = {
    var settings = ScanSettings()
    settings.map.columns = .max
    return settings.sanitized().map.columns
  }()

  /// The shape.
  public var shape: Shape
  /// Direction of the linear map in degrees: 0 grows downwards, 90 rightwards.
  public var angle: Double
  /// The centre of the radial, angular and spiral maps across, as a fraction of the width.
  public var centerX: Double
  /// The centre of the radial, angular and spiral maps down, as a fraction of the height.
  public var centerY: Double
  /// Turns of the spiral from the centre to the farthest corner; negative ones turn the other way.
  public var turns: Double
  /// Rectangles of the grid in a row, at least 1.
  public var columns: Int
  /// Rows of rectangles of the grid, at least 1.
  public var rows: Int
  /// Side of a random block in pixels, at least 1.
  public var blockSize: Int
  /// Seed of the random map.
  public var seed: UInt32
  /// The change of luma, 0…1, from which on a pixel counts as moving.
  public var motionThreshold: Double
  /// Amount by which the motion map fades per frame, 0…1.
  public var motionDecay: Double
  /// σ of the Gaussian that the map is smoothed with, in pixels; 0 leaves it as it is.
  public var smoothing: Double
  /// Whether f becomes 1 − f.
  public var invert: Bool
  /// The factor that f, after `invert`, is multiplied with.
  public var gain: Double
  /// Number added to map values after gain.
  public var offset: Double
  /// Handling of map values outside 0…1.
  public var edge: Edge

  /// The default map: linear, growing downwards.
  public init() { self = ScanSettings().map }

  /// The map in the element's properties.
  init(_ values: SlitScanSettings) {
    shape = Shape(rawValue: values.map.rawValue) ?? .linear
    angle = values.angle
    centerX = values.center_x
    centerY = values.center_y
    turns = values.turns
    columns = values.columns
    rows = values.rows
    blockSize = values.block_size
    seed = UInt32(clamping: values.seed)
    motionThreshold = values.motion_threshold
    motionDecay = values.motion_decay
    smoothing = values.map_smoothing
    invert = values.invert
    gain = values.gain
    offset = values.offset
    edge = Edge(rawValue: values.edge.rawValue) ?? .clamp
  }

  /// Puts the map into the element's properties.
  func write(to values: inout SlitScanSettings) {
    values.map = SlitScanMap(shape.rawValue)
    values.angle = angle
    values.center_x = centerX
    values.center_y = centerY
    values.turns = turns
    values.columns = columns
    values.rows = rows
    values.block_size = blockSize
    values.seed = Int(seed)
    values.motion_threshold = motionThreshold
    values.motion_decay = motionDecay
    values.map_smoothing = smoothing
    values.invert = invert
    values.gain = gain
    values.offset = offset
    values.edge = SlitScanEdge(edge.rawValue)
  }

  /// These settings with only what f depends on: what is done to f afterwards is as by default.
  package var shapeOnly: MapSettings {
    let defaults = MapSettings()
    var settings = self
    settings.invert = defaults.invert
    settings.gain = defaults.gain
    settings.offset = defaults.offset
    settings.edge = defaults.edge
    return settings
  }
}

/// Images that are maps: what ``SlitScanner/setMapImage(_:layout:as:)`` takes.
public enum MapImageRole: Sendable {
  /// The one that ``MapSettings/Shape/image`` shows.
  case image
  /// The one that ``MapSettings/Shape/live`` shows.
  case live
}
