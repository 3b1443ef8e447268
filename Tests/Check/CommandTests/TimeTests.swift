// Tests of the length of shows and of progress, on a clock that is advanced by hand.

import Foundation
import GStreamer
import Testing

@testable import SlitScanCommand
@testable import SlitScanRender

struct TimeTests {
  @Test func aShowLastsFromItsFirstFrame() async throws {
    let clock = ManualClock()
    let begin = clock.now
    async let hasPlayed = ShowLength(.seconds(2), on: clock).wait {
      clock.now - begin >= .seconds(3)
    }
    await clock.crank(until: begin + .seconds(3))
    await clock.crank(until: begin + .seconds(5))
    #expect(try await hasPlayed)
  }

  /// Ten seconds at least.
  @Test(arguments: [(1, 10), (20, 20)])
  func aShowWithoutAFrameEnds(duration: Int, limit: Int) async throws {
    let clock = ManualClock()
    let begin = clock.now
    async let hasPlayed = ShowLength(.seconds(duration), on: clock).wait { false }
    await clock.crank(until: begin + .seconds(limit))
    #expect(try await !hasPlayed)
  }

  /// The progress lines of a rendering that takes 50 milliseconds a frame.
  private func lines(
    _ style: ProgressMeter.Style, frames: Int, of total: Int?,
    stage: RenderProgress.Stage = .rendering
  ) -> [(text: String, eta: Double?)] {
    var lines = ProgressLines(style)
    let begin = ContinuousClock.now
    return (0...frames).compactMap { frame in
      lines.next(
        RenderProgress(stage: stage, frames: frame, total: total, time: .zero),
        at: begin + .milliseconds(50) * frame)
    }
  }

  @Test func aLineIsShownForEachTenthOrEveryTenSeconds() {
    let tenths = lines(.lines, frames: 200, of: 200).map(\.text)
    #expect(tenths.count == 11)
    #expect(tenths[0] == "Rendering 0 %, 0 of 200 frames")
    #expect(tenths[1] == "Rendering 10 %, 20 of 200 frames, 0:09 left")
    #expect(tenths[10] == "Rendering 100 %, 200 of 200 frames")
    #expect(
      lines(.lines, frames: 599, of: nil, stage: .writing).map(\.text) == [
        "Writing, 0 rows", "Writing, 200 rows", "Writing, 400 rows",
      ])
  }

  @Test(arguments: [ProgressMeter.Style.bar, .json])
  func barsAndObjectsAreShownTenTimesASecond(style: ProgressMeter.Style) {
    let shown = lines(style, frames: 200, of: 200)
    #expect(shown.count == 101)
    // The first half second says nothing of the rest.
    #expect(shown[5].eta == nil && shown[6].eta == 9.4)
    let bar = "Rendering [############............] 50 %, 100 of 200 frames, 0:05 left"
    #expect(style == .json || shown[50].text == bar)
  }

  @Test func aBarCoversTheOneBeforeAndAStageBeginsAtOnce() throws {
    var lines = ProgressLines(.bar)
    let now = ContinuousClock.now
    func next(_ stage: RenderProgress.Stage) -> String? {
      lines.next(RenderProgress(stage: stage, frames: 0, total: 10, time: .zero), at: now)?.text
    }
    let long = try #require(next(.warmingUp))
    #expect(next(.warmingUp) == nil)
    let short = try #require(next(.joining))
    #expect(short.count == long.count && short.hasSuffix("0 of 10 frames   "))
    #expect(lines.clear() == long.count - 3 && lines.clear() == 0)
  }

  /// Frames divided by the time that is shown are the rate that is shown.
  @Test(arguments: [(1, 0.0001), (1, 0.25), (60, 0.57349), (75, 9.996), (500, 12.34)])
  func theFiguresOfAResultAgree(frames: Int, seconds: Double) throws {
    let pace = Pace(frames: frames, seconds: seconds)
    #expect(pace.count == (frames == 1 ? "1 frame" : "\(frames) frames"))
    let time = try #require(pace.time.split(separator: " ").first.flatMap { Double($0) })
    let rate = Double(frames) / time
    #expect(pace.rate == String(format: rate < 10 ? "%.1f" : "%.0f", rate))
  }
}
