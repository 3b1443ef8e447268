// Sizes as they are written: 1920x1080.

import ArgumentParser

/// The size of a picture in pixels.
struct PictureSize: Hashable, Codable, ExpressibleByArgument, CustomStringConvertible {
  /// The longest side that benchmarks measure.
  static let longestSide = 16_384

  /// What most cameras deliver.
  static let fullHD = PictureSize(width: 1920, height: 1080)

  var width: Int
  var height: Int

  var pixelCount: Int { width * height }

  var description: String { "\(width)x\(height)" }

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      1...Self.longestSide ~= width, 1...Self.longestSide ~= height
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// Which sizes to measure.
struct SizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sizes of the picture, in pixels. (default: 1920x1080; with --plot, others too)",
      valueName: "WxH"))
  var sizes: [Listed<PictureSize>] = []

  /// The sizes that were asked for.
  var chosen: [PictureSize] { sizes.chosen(else: .fullHD) }
}
