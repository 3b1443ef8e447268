// The effect on grey frames, inside an actor of the program's own.

import SlitScan

/// Scans one frame after the other.
actor GreyScan {
  private let scanner = SlitScanner()
  private let layout: FrameLayout
  private var settings = ScanSettings()
  private var time: UInt64 = 0
  private var output: [UInt8]

  init(width: Int, height: Int, depth: Int) throws {
    layout = try .gray8(width: width, height: height)
    output = [UInt8](repeating: 0, count: layout.byteCount)
    settings.depth = depth
    try scanner.configure(input: layout, settings: settings)
  }

  /// The output once `pixels` have arrived.
  func next(_ pixels: [UInt8]) throws -> [UInt8] {
    let frame = try FrameSpan(pixels.span, layout: layout)
    var target = try MutableFrameSpan(output.mutableSpan, layout: layout)
    try scanner.scan(frame, into: &target, time: time, settings: settings)
    time += 1
    return output
  }
}
