import SlitScan

/// RGBA frames through the effect, one after the other.
struct FrameScan {
  let scanner = SlitScanner()
  var settings = ScanSettings()
  private let layout: FrameLayout
  private let outputLayout: FrameLayout

  init(width: Int, height: Int) throws {
    layout = try .rgba(width: width, height: height)

    settings.map = .radial
    settings.depth = 60
    outputLayout = try scanner.configure(input: layout, settings: settings)
  }
}
