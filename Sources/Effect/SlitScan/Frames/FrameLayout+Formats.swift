// The frame layouts of common formats.

extension FrameLayout {
  /// Red, green, blue and opacity, a byte each, in this order.
  ///
  /// - Throws: ``ScanError/Code/unsupportedFormat`` when the size is outside 1…``longestSide``; so do
  ///   the other formats.
  public static func rgba(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try packed([.colour, .colour, .colour, .alpha], width, height)
  }

  /// Blue, green, red and opacity, a byte each, in this order.
  public static func bgra(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    // Components are in the order red, green, blue, wherever their bytes are.
    try FrameLayout(
      width: width, height: height, isBigEndian: false, isRGB: true,
      components: [2, 1, 0, 3].map { .byte($0 == 3 ? .alpha : .colour, offset: $0, step: 4) })
  }

  /// Red, green and blue, a byte each, in this order.
  public static func rgb(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try packed([.colour, .colour, .colour], width, height)
  }

  /// Grey, a byte a pixel: 0 is black, 255 is white.
  public static func gray8(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [.byte(.colour, offset: 0, step: 1)])
  }

  /// Grey, two bytes a pixel, the low one first: 0 is black, 65535 is white.
  public static func gray16(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [
        Component(
          role: .colour, plane: 0, offset: 0, step: 2, bytes: 2, xShift: 0, yShift: 0,
          unusedBits: 0, black: 0, white: .max)
      ])
  }

  /// Three planes, chroma at half the size in both directions.
  ///
  /// Black and white are 16 and 235, as in most video.
  public static func i420(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [.luma] + [1, 2].map { .chroma(plane: $0, offset: 0, step: 1) })
  }

  /// Two planes, the second with pairs of chroma at half the size in both directions.
  ///
  /// Black and white are 16 and 235, as in most video.
  public static func nv12(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [.luma] + [0, 1].map { .chroma(plane: 1, offset: $0, step: 2) })
  }

  private static func packed(
    _ roles: [Component.Role], _ width: Int, _ height: Int
  ) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false, isRGB: true,
      components: roles.enumerated().map { .byte($1, offset: $0, step: roles.count) })
  }
}

extension FrameLayout.Component {
  /// A component of full range, a byte for each pixel of the first plane.
  fileprivate static func byte(_ role: Role, offset: Int, step: Int) -> Self {
    Self(
      role: role, plane: 0, offset: offset, step: step, bytes: 1, xShift: 0, yShift: 0,
      unusedBits: 0, black: role == .alpha ? 255 : 0, white: 255)
  }

  fileprivate static var luma: Self {
    Self(
      role: .colour, plane: 0, offset: 0, step: 1, bytes: 1, xShift: 0, yShift: 0, unusedBits: 0,
      black: 16, white: 235)
  }

  fileprivate static func chroma(plane: Int, offset: Int, step: Int) -> Self {
    Self(
      role: .colour, plane: plane, offset: offset, step: step, bytes: 1, xShift: 1, yShift: 1,
      unusedBits: 0, black: 128, white: 128)
  }
}
