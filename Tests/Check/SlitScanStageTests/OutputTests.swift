// Tests of outputs as text.

import GStreamer
import SlitScanWindow
import Testing

@testable import SlitScanStage

@Suite struct OutputTests {
  /// Words are elements that can be put together, as far as they are installed.
  @Test(arguments: [
    ("pipewire", "pipewiresink"), ("v4l2:/dev/video10", "v4l2sink"), ("srt://:7001", "srtsink"),
    ("rtp://127.0.0.1:5004", "udpsink"), ("shm:/tmp/slit scan", "shmsink"),
    ("sink:videoconvert ! fakesink", "fakesink"),
  ])
  func wordsAreElements(word: String, sink: String) throws {
    let output = try Output(word)
    #expect(output.sink.contains(sink))
    let line = output.sink.split(separator: "!").map { $0.split(separator: " ").first ?? "" }
    guard line.allSatisfy({ Element.isInstalled(String($0)) }) else { return }
    let bin = try Element(binOf: output.sink)
    #expect(bin.children.contains { $0.factoryName == sink })
  }

  @Test(arguments: ["", "v4l2:", "rtp://nowhere", "shm:/a\"b", "srt://\"", "projector"])
  func nonsenseIsNoOutput(word: String) {
    let error = #expect(throws: StageError.self) { try Output(word) }
    #expect(error?.code == .inputFailed)
  }

  @Test func aSinkThatCrashesIsNotUsed() throws {
    guard let version = Element.version(of: "pipewiresink") else { return }
    if version.hasPrefix("0.") {
      let error = #expect(throws: StageError.self) { try Output("pipewire").requireSafe() }
      #expect(error?.message.contains(version) == true)
    } else {
      try Output("pipewire").requireSafe()
    }
    try Output("sink:fakesink").requireSafe()
    #expect(Element.version(of: "no-such-element") == nil)
  }

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
  func otherOutputsHaveNone(word: String) throws { #expect(try Output(word).window == nil) }

  @Test(arguments: [
    ("window:", "slitscan devices"), ("fullscreen:0", "slitscan devices"),
    ("fullscreen:99999999999999999999", "slitscan devices"), ("windows", "There are: window"),
    ("full screen", "There are: window"), ("", "There are: window"),
  ]) func nonsenseIsAnErrorThatSaysWhatWouldBe(word: String, hint: String) {
    let error = #expect(throws: StageError.self) { try Output(word) }
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }
}
