// Property values with units: durations and colours as people write them.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct PropertyUnitTests {
  @Test(arguments: [
    ("5s", 5_000_000_000), ("1.5s", 1_500_000_000), ("200ms", 200_000_000),
    ("2min", 120_000_000_000), ("10m", 600_000_000_000),
    ("1h", 3_600_000_000_000), ("250us", 250_000), ("7ns", 7), ("0s", 0), ("0.001s", 1_000_000),
  ])
  func aTimeIsANumberWithAUnit(text: String, nanoseconds: UInt64) {
    #expect(PropertyUnit.time.number(text) == nanoseconds)
    #expect(PropertyUnit.time.number(PropertyUnit.time.text(nanoseconds)) == nanoseconds)
  }

  @Test(arguments: ["", "s", "5", "-1s", "5 s", "5M", "nans", "infs", "1e30s", "5sec", "fives"])
  func anythingElseIsNoTime(text: String) { #expect(PropertyUnit.time.number(text) == nil) }

  @Test func aTimeIsShownInTheUnitThatFits() {
    for (nanoseconds, text) in [
      (5_000_000_000, "5s"), (1_500_000_000, "1.5s"), (40_000_000, "40ms"),
      (33_333_333, "33.333333ms"),
      (1500, "1.5us"), (7, "7ns"), (0, "0s"),
    ] as [(UInt64, String)] {
      #expect(PropertyUnit.time.text(nanoseconds) == text)
    }
  }

  @Test(arguments: [
    ("#ffffff", 0xffff_ffff), ("#ff8000", 0xffff_8000), ("#FF800080", 0x80ff_8000),
    ("#00000000", 0),
  ])
  func aColourIsWrittenAsOnTheWeb(text: String, number: UInt64) {
    #expect(PropertyUnit.colour.number(text) == number)
    #expect(PropertyUnit.colour.text(number) == text.lowercased())
  }

  @Test(arguments: ["", "#", "#fff", "#fffffg", "ffffff", "#ffffff0", "#-fffff", "white"])
  func anythingElseIsNoColour(text: String) { #expect(PropertyUnit.colour.number(text) == nil) }

  @Test func propertiesTakeValuesWithUnits() throws {
    let scan = try ValidatedScan([
      "duration": "1.5s", "sweep-duration": "2000000000", "line-color": "#ff8000", "depth": "60",
    ])
    #expect(scan.value(of: "duration") == .uint(1_500_000_000))
    #expect(scan.value(of: "sweep-duration") == .uint(2_000_000_000))
    #expect(scan.value(of: "line-color") == .uint(0xffff_8000))
    #expect(scan.value(of: "depth") == .uint(60))
  }

  @Test func aPropertySaysHowItsValuesAreWritten() {
    for (name, value, words) in [
      ("duration", "soon", "must be a time such as 5s"), ("line-color", "white", "such as #ff8000"),
      ("sweep-duration", "0s", "sweep-duration"), ("depth", "5s", "a whole number from 1"),
    ] {
      let error = #expect(throws: CaptureError.self) { try ValidatedScan([name: .string(value)]) }
      #expect(error?.message.contains(words) == true, "\(name): \(error?.message ?? "")")
    }
  }
}
