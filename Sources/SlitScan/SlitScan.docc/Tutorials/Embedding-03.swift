import SlitScan

/// RGBA pictures through the effect, one after the other.
struct FrameScan {
  let scanner = SlitScanner()
  var settings = ScanSettings()
  private let layout: FrameLayout
  private let outputLayout: FrameLayout

  init(width: Int, height: Int) throws {
    let components = (0..<4).map { offset in
      FrameLayout.Component(
        role: offset < 3 ? .colour : .alpha, plane: 0, offset: offset, step: 4,
        bytes: 1, xShift: 0, yShift: 0, unusedBits: 0,
        black: offset < 3 ? 0 : 255, white: 255)
    }
    layout = try FrameLayout(
      width: width, height: height, isBigEndian: false, isRGB: true,
      components: components)

    settings.map.shape = .radial
    settings.depth = 60
    outputLayout = try scanner.configure(input: layout, settings: settings)
  }
}
