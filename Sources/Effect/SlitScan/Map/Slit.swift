// The slit of the strip mode: the line of points where a map has one value.

internal import CSlitScanSettings
import LibC

/// Which way a strip grows.
public enum StripAxis: Sendable, Equatable {
  /// Lines are columns, and the canvas grows to the right.
  case rightwards
  /// Lines are rows, and the canvas grows downwards.
  case downwards
}

/// The line of pixels that a strip takes from each frame.
///
/// It has as many points as the frame has rows, where the canvas grows rightwards, or columns,
/// where it grows downwards:
/// - linear: the straight line where f = `position`, one point a row if it is steeper than 45
///   degrees, else one a column;
/// - radial: the circle of radius `position` around the centre, clockwise from 12 o'clock;
/// - angular: the ray from the centre at `position` of a turn, outwards to the farthest corner;
/// - spiral: the arm from the centre that begins there, likewise;
/// - any other map has no such line: in each column, the pixel whose f is nearest to `position`, the
///   uppermost of several.
///
/// A slit of several lines takes its neighbours too, a pixel apart and centred: across the straight
/// line along the canvas, outwards for the circle, clockwise for ray and arm, downwards for the rest.
package struct Slit {
  private let settings: ScanSettings
  private let field: MapField
  private let width: Int
  private let height: Int
  private let position: Double
  /// Lines, at least 1.
  package let lineCount: Int
  /// Which way the canvas grows.
  package let axis: StripAxis
  /// For maps without a line of one value: the row in each column whose f is nearest to `position`.
  private var contour: [Int32] = []

  /// The settings and the map's values that a slit follows from, besides the size of the frame.
  package struct Key: Equatable {
    fileprivate let settings: ScanSettings
    private let revision: Int

    /// - Parameter revision: Counts the changes of the map's values, where the slit is traced.
    package init(_ settings: ScanSettings, revision: Int) {
      var wanted = settings.ofMap
      wanted.position = settings.position
      wanted.slitWidth = settings.slitWidth
      self.settings = wanted
      self.revision = revision
    }
  }

  package init(_ key: Key, width: Int, height: Int) {
    settings = key.settings
    field = MapField(settings, width: width, height: height)
    self.width = width
    self.height = height
    position = settings.slitPosition
    lineCount = settings.slitWidth
    axis = Self.axis(of: settings)
  }

  /// Whether the slit must be traced through the values of the map.
  package static func isTraced(_ settings: ScanSettings) -> Bool {
    switch settings.map {
    case .linear, .radial, .angular, .spiral: false
    default: true
    }
  }

  /// Finds the slit in the values of the frame's pixels.
  mutating func trace(_ surfaces: borrowing MapSurfaces, pixels: FrameLayout.Plane) {
    let values = surfaces.values(of: pixels)
    guard values.count == width * height else { return }
    var rows = [Int32](repeating: 0, count: width)
    var distances = [Float](repeating: .infinity, count: width)
    let wanted = Float(position)
    for row in 0..<height {
      for column in 0..<width {
        let difference = values[row * width + column] - wanted
        let distance = difference < 0 ? -difference : difference
        if distance < distances[column] {
          distances[column] = distance
          rows[column] = Int32(truncatingIfNeeded: row)
        }
      }
    }
    contour = rows
  }

  /// Which way the canvas of `map` grows: rightwards only where the slit is steeper than 45 degrees.
  package static func axis(of settings: ScanSettings) -> StripAxis {
    slit_scan_grows_rightwards(SlitScanMap(settings.map.rawValue), settings.angle)
      ? .rightwards : .downwards
  }

  /// The number of points of a line.
  package var length: Int { axis == .rightwards ? height : width }

  /// The pixel under a point of one line, nil outside the frame.
  package func pixel(_ index: Int, line: Int) -> (x: Int, y: Int)? {
    let (x, y) = point(index, line: line)
    guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return nil }
    return (Int(x), Int(y))
  }

  /// A point of one line, in pixels from the top left corner; it may lie outside the frame.
  private func point(_ index: Int, line: Int) -> (x: Double, y: Double) {
    let along = Double(index) + 0.5
    let across = Double(line) - Double(lineCount - 1) / 2
    switch settings.map {
    case .linear:
      let s = (2 * position - 1) * field.halfExtent
      let halfWidth = Double(width) / 2
      let halfHeight = Double(height) / 2
      return switch axis {
      case .rightwards:
        (halfWidth + (s - (along - halfHeight) * field.cosine) / field.sine + across, along)
      case .downwards:
        (along, halfHeight + (s - (along - halfWidth) * field.sine) / field.cosine + across)
      }
    case .radial:
      let angle = 2 * .pi * along / Double(length)
      let radius = position * field.radius + across
      return (field.centerX + radius * sin(angle), field.centerY - radius * cos(angle))
    case .angular, .spiral:
      let part = along / Double(length)
      let turns = settings.map == .spiral ? settings.turns : 0
      let angle = 2 * .pi * (position - turns * part)
      let radius = field.radius * part
      return (
        field.centerX + radius * sin(angle) + across * cos(angle),
        field.centerY - radius * cos(angle) + across * sin(angle)
      )
    default:
      let row = index < contour.count ? contour[index] : 0
      return (along, Double(row) + 0.5 + across)
    }
  }
}
