// Tests of numbers as text.

import Testing

@testable import GStreamer

@Suite struct DecimalsTests {
  @Test(arguments: [
    (29.97002997, 2, "29.97", "29.97"), (25, 2, "25.00", "25"), (0.125, 2, "0.12", "0.12"),
    (100, 3, "100.000", "100"), (8.25, 1, "8.2", "8.2"),
  ]) func aNumberHasSoManyDigits(
    _ number: Double, _ digits: Int, _ all: String, _ some: String
  ) {
    #expect(number.decimals(digits) == all)
    #expect(number.decimals(atMost: digits) == some)
  }

  @Test(arguments: [
    (1000, "1 kB"), (1500, "2 kB"), (999_500, "1 MB"), (1_250_000, "1.2 MB"),
    (62_208_000, "62.2 MB"), (999_960_000, "1 GB"), (59_719_680_000, "59.72 GB"),
    (12_345_678_901_234_567, "12.35 PB"),
  ]) func bytesAreInPowersOfAThousand(_ count: Int, _ words: String) {
    #expect(text(ofBytes: count) == words)
  }
}
