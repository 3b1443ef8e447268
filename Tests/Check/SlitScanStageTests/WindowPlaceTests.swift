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

  @Test(arguments: 1...7, [(1280, 720), (720, 1280), (64, 48), (3000, 300)])
  func windowsLieSideBySideInTheirShape(count: Int, frames: (width: Int, height: Int)) {
    let area = (x: 40, y: 30, width: 1880, height: 1050)
    let all = (0..<count).map {
      WindowFrame($0, of: count, showing: frames, on: displays[0], in: area)
    }
    for (number, one) in all.enumerated() {
      #expect(one.x >= 40 && one.y >= 30 && one.x + one.width <= 1920)
      #expect(one.y + one.height <= 1080)
      let wanted = Double(frames.width) / Double(frames.height)
      #expect(abs(Double(one.width) / Double(one.height) / wanted - 1) < 0.3, "\(one)")
      for other in all[..<number] {
        #expect(
          other.x + other.width <= one.x || one.x + one.width <= other.x
            || other.y + other.height <= one.y || one.y + one.height <= other.y)
      }
    }
  }

  @Test func aWindowComesBackToTheDisplayThatIsThereAndMeant() throws {
    let twin = StageDisplay(number: 4, name: "HDMI-1", width: 1280, height: 720)
    let gone = StageDisplay(number: 5, name: "DP-3", width: 3840, height: 2160)
    let last = [gone, twin, displays[0]].map {
      WindowFrame(display: $0, x: 1000, y: -20, width: 2000, height: 400)
    }
    func number(_ place: WindowPlace, _ there: [StageDisplay]) throws -> Int? {
      try place.frame(among: last, on: there)?.display.number
    }
    #expect(try number(WindowPlace(), displays + [twin]) == 4)
    // The one of that name that is left.
    #expect(try number(WindowPlace(), displays) == 3)
    #expect(try number(WindowPlace(display: .number(1)), displays) == 1)
    #expect(try number(WindowPlace(display: .number(2)), displays) == nil)
    #expect(throws: CaptureError.self) { try number(WindowPlace(display: .number(5)), displays) }
    let frame = try #require(try WindowPlace().frame(among: last, on: displays))
    #expect(frame == WindowFrame(display: displays[2], x: 0, y: 0, width: 1280, height: 400))
  }

  @Test(arguments: [
    ("a" as Unicode.Scalar, "a"), ("Z", "Z"), ("7", "7"), (" ", "space"), ("?", "question"),
    ("[", "bracketleft"), ("é", "U00E9"), ("€", "U20AC"), ("😀", "U1F600"),
  ]) func keysHaveXsNames(character: Unicode.Scalar, name: String) {
    #expect(KeyNames.name(of: character) == name)
  }
}
