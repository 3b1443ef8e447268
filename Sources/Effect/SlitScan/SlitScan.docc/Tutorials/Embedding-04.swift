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

  /// The output once `pixels` have come, at a time in nanoseconds.
  func next(_ pixels: [UInt8], at time: UInt64) throws -> [UInt8] {
    let frame = try FrameSpan(pixels.span, layout: layout)
    var output = [UInt8](repeating: 0, count: outputLayout.byteCount)
    var target = try MutableFrameSpan(output.mutableSpan, layout: outputLayout)
    try scanner.scan(frame, into: &target, time: time, settings: settings)
    return output
  }
}
