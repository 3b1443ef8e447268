// A stroke is a line of a soft, round brush on the frame.

/// A line that a user has drawn: through one or more points, with a round brush.
///
/// Numbers outside of their ranges become the nearest ones inside.
public struct Stroke: Sendable, Hashable {
  /// A place on the frame: 0 is the left or upper border, 1 the right or lower one.
  public struct Point: Sendable, Hashable {
    /// Across, 0 to 1.
    public let x: Double
    /// Down, 0 to 1.
    public let y: Double

    /// A place on the frame.
    public init(_ x: Double, _ y: Double) {
      self.x = confined(x)
      self.y = confined(y)
    }
  }

  /// The copies of a stroke that are drawn with it.
  public enum Mirror: String, Sendable, Hashable, CaseIterable {
    /// None.
    case none
    /// One at the other side of the vertical line in the middle.
    case x
    /// One at the other side of the horizontal line in the middle.
    case y
    /// Three, in the other quarters of the frame.
    case xy
  }

  /// The most points of a stroke: a longer line is several, each from where the one before ends.
  public static let pointLimit = 32

  /// The value that the map gets, when what is there is shown: 0 is now, 1 the oldest.
  public let value: Double
  /// The diameter of the brush, in shorter sides of the frame, 0 to 1.
  public let size: Double
  /// The part of the brush's radius over which it fades out: 0 for a hard edge, 1 for none that is full.
  public let softness: Double
  /// The copies that are drawn with it.
  public let mirror: Mirror
  /// The points that it goes through; one alone is a dot.
  public let points: [Point]

  /// A stroke; nil without points, with more than ``pointLimit``, or where a number is not finite.
  public init?(
    value: Double, size: Double, softness: Double, mirror: Mirror = .none, points: [Point]
  ) {
    guard 1...Self.pointLimit ~= points.count,
      [value, size, softness].allSatisfy(\.isFinite),
      points.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { return nil }
    self.value = confined(value)
    self.size = confined(size)
    self.softness = confined(softness)
    self.mirror = mirror
    self.points = points
  }

  /// Whether this one goes on where another has ended, with the same brush.
  func continues(_ other: Stroke) -> Bool {
    points.count > 1 && points.first == other.points.last && value == other.value
      && size == other.size && softness == other.softness && mirror == other.mirror
  }

  /// The points, and those of the copies.
  var lines: [[Point]] {
    let acrossMirrored = points.map { Point(1 - $0.x, $0.y) }
    let downMirrored = points.map { Point($0.x, 1 - $0.y) }
    return switch mirror {
    case .none: [points]
    case .x: [points, acrossMirrored]
    case .y: [points, downMirrored]
    case .xy: [points, acrossMirrored, downMirrored, points.map { Point(1 - $0.x, 1 - $0.y) }]
    }
  }
}

private func confined(_ number: Double) -> Double { min(max(number, 0), 1) }
