// The orientation says how video is rotated or flipped before it is recorded.

/// The rotation or mirroring of video before it is recorded.
public enum Orientation: String, Sendable, Hashable, CaseIterable {
  /// As it comes.
  case upright = "identity"
  /// A quarter clockwise.
  case clockwise = "90r"
  /// Half a turn.
  case upsideDown = "180"
  /// A quarter counterclockwise.
  case counterclockwise = "90l"
  /// Left and right changed places.
  case mirrored = "horiz"
  /// Top and bottom changed places.
  case flipped = "vert"

  /// Whether width and height change places.
  var isSideways: Bool { self == .clockwise || self == .counterclockwise }
}
