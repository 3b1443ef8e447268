// The effect on grey frames, inside an actor of the program's own.

import SlitScan

/// Scans one frame after the other.
actor GreyScan {
  private let scanner = SlitScanner()
  private let width: Int
  private var settings = ScanSettings()
  private var time: UInt64 = 0
  private var output: [UInt8]

  init(width: Int, height: Int, depth: Int) throws {
    self.width = width
    output = [UInt8](repeating: 0, count: width * height)
    settings.depth = depth
    let layout = try FrameLayout.gray8(width: width, height: height)
    try scanner.configure(input: layout, settings: settings)
  }

  /// The output once `pixels` have arrived.
  func next(_ pixels: [UInt8]) throws -> [UInt8] {
    var span = output.mutableSpan
    let frame = FrameSpan(
      pixels.span.bytes, RawSpan(), RawSpan(), RawSpan(), strides: [width, 0, 0, 0])
    var target = MutableFrameSpan(
      span.mutableBytes, MutableRawSpan(), MutableRawSpan(), MutableRawSpan(),
      strides: [width, 0, 0, 0])
    try scanner.scan(frame, into: &target, time: time, settings: settings)
    time += 1
    return output
  }
}
