// The words of outputs.

import SlitScanWindow
import Testing

@testable import SlitScanStage

@Suite struct OutputTests {
  @Test(arguments: [
    ("window", WindowPlace()),
    ("fullscreen", WindowPlace(isFullScreen: true)),
    ("window:2", WindowPlace(display: .number(2))),
    ("fullscreen:1", WindowPlace(isFullScreen: true, display: .number(1))),
    ("fullscreen:HDMI-1", WindowPlace(isFullScreen: true, display: .name("HDMI-1"))),
    ("window:DELL: 24 inches", WindowPlace(display: .name("DELL: 24 inches"))),
    ("window:2nd", WindowPlace(display: .name("2nd"))),
  ]) func wordsOfWindowsAreTheirPlaces(word: String, place: WindowPlace) throws {
    #expect(try Output(word).window == place)
  }

  @Test(arguments: ["pipewire", "sink:ximagesink", "shm:/tmp/a", "v4l2:/dev/video10"])
  func otherOutputsHaveNone(word: String) throws {
    #expect(try Output(word).window == nil)
  }

  @Test(arguments: [
    ("window:", "slitscan devices"), ("fullscreen:0", "slitscan devices"),
    ("fullscreen:99999999999999999999", "slitscan devices"), ("windows", "There are: window"),
    ("full screen", "There are: window"), ("", "There are: window"),
  ]) func nonsenseIsAnErrorThatSaysWhatWouldBe(word: String, hint: String) {
    let error = #expect(throws: StageError.self) { try Output(word) }
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }
}
