// Tests of `slitscan live --resume`, after a crash. Live: shows play in real time.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared)) struct ResumeTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }
  private let live = "\(Command.slitscan) live"
  /// The last show is one of this test, and not of another that plays beside it.
  private var environment: [String: String] {
    [
      "GST_PRESET_PATH": Command.root.appending(path: "gst/presets").path,
      "XDG_CONFIG_HOME": folder.appending(path: "config").path,
    ]
  }

  @Test func aShowThatCrashedIsResumed() async throws {
    let show = """
      0 preset Vortex
      0.1 deck a
      0.2 source 2
      0.3 tempo 133
      0.4 set depth 33
      0.5 blackout on
      900 blackout off
      """
    try Data(show.utf8).write(to: folder.appending(path: "show.txt"))
    let result = try await Command.play(
      script: """
        \(live) --resume 2>&1; echo "nothing: $?"
        mkdir elsewhere
        \(live) pattern:ball pattern:smpte --size 64x48 --output sink:fakesink --replay show.txt \
          --moves moves.txt >first.txt 2>&1 & show=$!
        until_true 'grep -q "depth.*33" $XDG_CONFIG_HOME/slitscan/last-show'
        kill -KILL $show; wait $show
        \(live) --resume a.mp4 2>&1; echo "with more: $?"
        cd elsewhere
        \(live) --resume >../said.txt 2>&1 & show=$!
        cd ..
        says '^tempo 133'; says '^source 2'; says '^depth 33'; end
        tail -n +2 moves.txt | sed -n '/^show/,$p'
        """, in: folder, environment: environment)
    #expect(result.text.contains("There is no show to resume"), "\(result.text)")
    #expect(result.text.contains("nothing: 1"))
    #expect(result.text.contains("with more: 64"))
    #expect(result.text.contains("ended with 0"), "\(result.text)")
    // The log has what it takes to play the resumed show again.
    for line in ["source 2", "tempo 133.0", "depth 33", "deck a"] {
      #expect(result.text.contains(line), "\(line) in \(result.text)")
    }
    #expect(!result.text.contains("\nblack\n"), "\(result.text)")
  }
}
