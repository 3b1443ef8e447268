// Options for image sequences.

import ArgumentParser
import GStreamer

struct SequenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Frame rate of image sequences, such as 24, 23.976 or 24000/1001. (default: 25)",
      valueName: "rate"))
  var frameRate: Fraction?
}

extension Fraction: ExpressibleByArgument {
  private static let rates = 0.001...1000

  /// A rate: a number, or two with a slash.
  ///
  /// Decimals near a rate of television are that rate: 23.976 is 24000/1001.
  public init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let numerator = Int32(parts[0]), let denominator = Int32(parts[1]), numerator > 0,
        denominator > 0
      else { return nil }
      self.init(numerator, denominator)
    } else {
      guard let rate = Double(argument), Self.rates ~= rate else { return nil }
      let nominal = rate.rounded(.up)
      if rate < nominal, abs(rate - nominal / 1.001) < 0.005 {
        self.init(Int32(nominal) * 1000, 1001)
      } else {
        self.init(Int32((rate * 1000).rounded()), 1000)
      }
    }
    guard let quotient, Self.rates ~= quotient else { return nil }
  }
}
