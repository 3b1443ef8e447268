// Tests of choosing a display, without one.

import SlitScanCapture
import Testing

@testable import SlitScanWindow

@Suite struct WindowPlaceTests {
  private let displays = [
    StageDisplay(number: 1, name: "eDP-1 13\"", width: 1920, height: 1080),
    StageDisplay(number: 2, name: "DELL U2412M 24\"", width: 1920, height: 1200),
    StageDisplay(number: 3, name: "HDMI-1", width: 1280, height: 720),
  ]

  @Test(arguments: [
    (WindowPlace.Choice.any, nil as Int?), (.number(1), 0), (.number(3), 2), (.name("eDP-1"), 0),
    (.name("edp-1 13\""), 0), (.name("Dell U2412M"), 1), (.name("hdmi-1"), 2),
  ]) func numbersAndNamesAreDisplays(choice: WindowPlace.Choice, index: Int?) throws {
    #expect(try WindowPlace(display: choice).index(in: displays) == index)
  }

  @Test(arguments: [
    WindowPlace.Choice.number(4), .number(0), .name("HDMI"), .name("DELL"), .name(""),
  ])
  func aMissingDisplayIsAnErrorThatListsTheOthers(choice: WindowPlace.Choice) {
    let error = #expect(throws: CaptureError.self) {
      try WindowPlace(display: choice).index(in: displays)
    }
    #expect(error?.code == .noSuchDisplay)
    #expect(
      error?.message.hasSuffix(
        "There are: 1 (eDP-1 13\", 1920x1080), 2 (DELL U2412M 24\", 1920x1200), 3 (HDMI-1, 1280x720)."
      ) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("a" as Unicode.Scalar, "a"), ("Z", "Z"), ("7", "7"), (" ", "space"), ("?", "question"),
    ("[", "bracketleft"), ("é", "U00E9"), ("€", "U20AC"), ("😀", "U1F600"),
  ]) func keysHaveXsNames(character: Unicode.Scalar, name: String) {
    #expect(KeyNames.name(of: character) == name)
  }
}
