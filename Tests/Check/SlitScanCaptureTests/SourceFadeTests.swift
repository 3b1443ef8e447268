// Tests of the layers of sources, and the changes from one to another.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct SourceFadeTests {
  @Test func aCutIsWholeWithTheNextFrame() {
    var fade = SourceFade(count: 3)
    #expect(fade.levels == [1, 0, 0])
    fade.show(2, over: .zero)
    #expect(fade.layers == [0, 1, 2])
    fade.advance(to: .seconds(7))
    #expect(fade.levels == [0, 0, 1])
    #expect(!fade.isMoving)
  }

  @Test func aCrossfadeBeginsWithTheNextFrameAndTakesItsTime() {
    var fade = SourceFade(count: 3)
    fade.show(1, over: .seconds(2))
    var levels: [[Double]] = []
    for time in [10.0, 10.5, 11, 11.5, 12] {
      fade.advance(to: .seconds(time))
      levels.append(fade.levels)
    }
    // The former source stays below until it is hidden.
    #expect(levels == [[1, 0, 0], [1, 0.25, 0], [1, 0.5, 0], [1, 0.75, 0], [0, 1, 0]])
    #expect(fade.layers == [0, 2, 1])
    #expect(!fade.isMoving)
  }

  @Test func aChangeThatIsTurnedBackDoesNotJump() {
    var fade = SourceFade(count: 2)
    fade.show(1, over: .seconds(2))
    fade.advance(to: .zero)
    fade.advance(to: .seconds(1))
    fade.show(0, over: .seconds(1))
    #expect(fade.layers == [0, 1])
    fade.advance(to: .seconds(1))
    #expect(fade.levels == [1, 0.5])
    fade.advance(to: .seconds(1.5))
    #expect(fade.levels == [1, 0.25])
    fade.advance(to: .seconds(2))
    #expect(fade.levels == [1, 0])
  }

  @Test func aThirdSourceLiesOverAChangeThatGoesOn() {
    var fade = SourceFade(count: 3)
    fade.show(1, over: .seconds(2))
    fade.advance(to: .zero)
    fade.advance(to: .seconds(1))
    fade.show(2, over: .seconds(2))
    fade.advance(to: .seconds(1))
    fade.advance(to: .seconds(2))
    #expect(fade.levels == [1, 0.5, 0.5])
    fade.advance(to: .seconds(3))
    #expect(fade.levels == [0, 0, 1])
    fade.show(7, over: .zero)
    #expect(!fade.isMoving)
  }
}
