// Where pictures go, by a word.

import GStreamer
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
}
