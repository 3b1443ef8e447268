// Layouts and frames for the tests of the effect itself.

@testable import SlitScan

extension FrameLayout {
  /// One plane of one-byte samples.
  static func gray(_ width: Int, _ height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [
        Component(
          role: .colour, plane: 0, offset: 0, step: 1, bytes: 1, xShift: 0, yShift: 0,
          unusedBits: 0, black: 16, white: 255)
      ])
  }
}

extension SlitScanner {
  /// Scans a grey frame of one value and returns the output's bytes.
  @discardableResult
  nonisolated func scan(
    gray value: UInt8, layout: FrameLayout, time: UInt64 = 0, settings: ScanSettings
  ) throws(ScanError) -> (bytes: [UInt8], report: FrameReport) {
    try scan(
      pixels: [UInt8](repeating: value, count: layout.width * layout.height), layout: layout,
      time: time, settings: settings)
  }

  /// Scans a grey frame and returns the output's bytes.
  nonisolated func scan(
    pixels: [UInt8], layout: FrameLayout, time: UInt64 = 0, settings: ScanSettings
  ) throws(ScanError) -> (bytes: [UInt8], report: FrameReport) {
    let size = settings.outputSize(width: layout.width, height: layout.height)
    let outputLayout = try layout.resized(width: size.width, height: size.height)
    var output = [UInt8](repeating: 0, count: outputLayout.byteCount)
    let frame = try FrameSpan(pixels.span, layout: layout)
    var target = try MutableFrameSpan(output.mutableSpan, layout: outputLayout)
    let report = try scan(frame, into: &target, time: time, settings: settings)
    return (output, report)
  }
}

extension ScanSettings {
  /// These, with another value for one property.
  func with<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var settings = self
    settings[keyPath: property] = value
    return settings
  }
}
