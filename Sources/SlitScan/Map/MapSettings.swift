// Which map, and how its values are bent: the part of the settings that decides every pixel's f.

/// A map: when the slit visits each pixel, from 0, first, to 1, last.
public struct MapSettings: Sendable, Equatable {
  /// The shape that f takes over the picture.
  public enum Shape: Sendable, Equatable {
    /// f grows along a direction, see ``MapSettings/angle``.
    case linear
    /// f grows with the distance from the centre, 1 in the farthest corner.
    case radial
    /// f grows with the clockwise turn around the centre, from 12 o'clock.
    case angular
  }

  /// What happens to values that gain and offset moved out of 0…1.
  public enum Edge: Sendable, Equatable {
    /// They stop at 0 and 1.
    case clamp
    /// They start again at the other end.
    case wrap
    /// They turn back.
    case mirror
  }

  /// The shape.
  public var shape: Shape = .linear
  /// Direction of the linear map in degrees: 0 grows downwards, 90 rightwards.
  public var angle: Double = 0
  /// The centre of the radial and angular maps across, as a fraction of the width.
  public var centerX: Double = 0.5
  /// The centre of the radial and angular maps down, as a fraction of the height.
  public var centerY: Double = 0.5
  /// Whether f becomes 1 − f.
  public var invert = false
  /// The factor that f, after `invert`, is multiplied with.
  public var gain: Double = 1
  /// What is added to that.
  public var offset: Double = 0
  /// What brings the sum back to 0…1.
  public var edge: Edge = .clamp

  /// The default map: linear, growing downwards.
  public init() {}
}
