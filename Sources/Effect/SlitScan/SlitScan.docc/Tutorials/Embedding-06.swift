import Foundation
import SlitScan

/// RGBA frames through the effect, one after the other.
struct FrameScan {
  let scanner = SlitScanner()
  var settings = ScanSettings()
  let layout: FrameLayout
  private let outputLayout: FrameLayout

  init(width: Int, height: Int) throws {
    layout = try .rgba(width: width, height: height)

    settings.map = .radial
    settings.gain = 4
    settings.edge = .mirror
    settings.depth = 60
    settings.interpolation = .linear
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

@main enum Embed {
  static func main() async throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 2 else { return print("Usage: Embed WIDTH HEIGHT") }
    let scan = try FrameScan(width: numbers[0], height: numbers[1])
    let size = scan.layout.byteCount
    let (input, output) = (FileHandle.standardInput, FileHandle.standardOutput)

    var time: UInt64 = 0
    while let pixels = try input.read(upToCount: size), pixels.count == size {
      let scanned = try scan.next([UInt8](pixels), at: time)
      try output.write(contentsOf: Data(scanned))
      time += 1_000_000_000 / 25
    }
  }
}
