// Tests of frame rates as people write them.

import GStreamer
import Testing

@testable import SlitScanCommand

struct FrameRateTests {
  private static let rates: [(String, Int32, Int32)] = [
    ("24", 24, 1), ("23.976", 24000, 1001), ("23.98", 24000, 1001), ("29.97", 30000, 1001),
    ("59.94", 60000, 1001), ("24000/1001", 24000, 1001), ("12.5", 25, 2), ("0.1", 1, 10),
    ("1000", 1000, 1), ("1/60", 1, 60),
  ]

  @Test(arguments: rates)
  func ratesAreRead(text: String, numerator: Int32, denominator: Int32) throws {
    let rate = try #require(Fraction(argument: text))
    #expect(rate.quotient == Fraction(numerator, denominator).quotient)
  }

  @Test(arguments: [
    "", "0", "-24", "24/0", "0/1", "24/1/1", "1e9", "nan", "inf", "fast", "24 fps", "1e-9",
  ])
  func otherTextsAreRefused(text: String) {
    #expect(Fraction(argument: text) == nil)
  }
}
