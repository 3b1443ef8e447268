import SlitScan

/// RGBA frames through the effect, one after the other.
struct FrameScan {
  private let layout: FrameLayout

  init(width: Int, height: Int) throws {
    layout = try .rgba(width: width, height: height)
  }
}
