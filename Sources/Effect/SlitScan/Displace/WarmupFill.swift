// Late lanes are those whose delay exceeds the frames held so far; this chooses what they show.

import CSlitScanKernels

/// The content of lanes whose delay exceeds the frames held.
enum WarmupFill {
  /// The oldest frame.
  case oldest
  /// The newest frame.
  case newest
  /// The colour of these tiles.
  case tiles(ColourTiles)

  /// The kernels' name for it.
  var kind: Int32 {
    let number =
      switch self {
      case .oldest: SLIT_SCAN_LATE_OLDEST
      case .newest: SLIT_SCAN_LATE_NEWEST
      case .tiles: SLIT_SCAN_LATE_COLOUR
      }
    return Int32(number)
  }

  /// Gives `body` each plane's tile of the colour, nil if there is none.
  @unsafe
  func withUnsafeColour(_ body: (InlineArray<4, UnsafePointer<UInt8>?>?) -> Void) {
    switch self {
    case .oldest, .newest: body(nil)
    case .tiles(let tiles): unsafe tiles.withUnsafeTiles { unsafe body($0) }
    }
  }
}
