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
    let stride = layout.planes[0].rowBytes
    let outputStride = outputLayout.planes[0].rowBytes
    var output = [UInt8](repeating: 0, count: outputStride * outputLayout.height)
    var bytes = output.mutableSpan

    let frame = FrameSpan(
      pixels.span.bytes, RawSpan(), RawSpan(), RawSpan(),
      strides: [stride, 0, 0, 0])
    var target = MutableFrameSpan(
      bytes.mutableBytes, MutableRawSpan(), MutableRawSpan(), MutableRawSpan(),
      strides: [outputStride, 0, 0, 0])
    try scanner.scan(frame, into: &target, time: time, settings: settings)
    return output
  }
}
