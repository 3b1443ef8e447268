// Tests of the times of samples in a recording, without a pipeline.

import Testing

@testable import SlitScanCapture

@Suite final class RecordingTimelineTests {
  private var timeline = RecordingTimeline()
  private typealias Piece = RecordingTimeline.Piece

  /// Places frames of 10 time units each.
  private func place(
    _ times: [UInt64], in timeline: inout RecordingTimeline
  ) -> [RecordingTimeline.Place] {
    times.map { timeline.placeFrame(at: $0, duration: 10, isKeyFrame: true) }
  }

  @Test func theFileBeginsWithTheFirstFrame() {
    #expect(place([100, 110, 120], in: &timeline) == [.at(0), .at(10), .at(20)])
    #expect(timeline.videoEnd == 30)
  }

  @Test func aFrameThatIsMissingLeavesItsTimeEmpty() {
    #expect(place([100, 110, 140], in: &timeline) == [.at(0), .at(10), .at(40)])
  }

  @Test func lateFramesHaveNoPlace() {
    let places = place([100, 120, 110, 120, 130], in: &timeline)
    let late = RecordingTimeline.Place.nowhere(isLoss: true)
    #expect(places == [.at(0), .at(20), late, late, .at(30)])
  }

  @Test(arguments: [0, 5, 9] as [UInt64])
  func whatEndsAfterTheLastTimeHasNoPlace(distance: UInt64) {
    let time = UInt64.max - distance
    let lost = RecordingTimeline.Place.nowhere(isLoss: true)
    #expect(place([time], in: &timeline) == [lost])
    #expect(place([100, time, 110], in: &timeline) == [.at(0), lost, .at(10)])
    #expect(timeline.placeSound(at: time, duration: 10) == [])
    #expect(timeline.placeSound(at: 100, duration: time) == [])
    timeline.pause()
    timeline.resume()
    #expect(place([time, 500], in: &timeline) == [lost, .at(20)])
    var sound = RecordingTimeline(isLedBySound: true)
    #expect(sound.placeSound(at: time, duration: 10) == [])
    #expect(sound.placeSound(at: 100, duration: 10) == [Piece(offset: 0, length: 10, time: 0)])
  }

  @Test func theLastTimeThatThereIsCanBeRecorded() {
    var timeline = RecordingTimeline(soundDelay: 15)
    let start = UInt64.max - 40
    #expect(place([start, start + 10], in: &timeline) == [.at(0), .at(10)])
    timeline.pause()
    timeline.resume()
    #expect(place([start + 30], in: &timeline) == [.at(20)])
    #expect(
      timeline.placeSound(at: start, duration: 40) == [
        Piece(offset: 15, length: 5, time: 0), Piece(offset: 30, length: 10, time: 5),
      ])
  }

  @Test func soundFromBeforeTheFirstFrameIsCutOff() {
    #expect(timeline.placeSound(at: 90, duration: 20) == [])
    #expect(timeline.isWaiting)
    _ = place([100], in: &timeline)
    #expect(
      timeline.placeSound(at: 90, duration: 20) == [Piece(offset: 10, length: 10, time: 0)])
    #expect(
      timeline.placeSound(at: 110, duration: 20) == [Piece(offset: 0, length: 20, time: 10)])
  }

  @Test func aPauseHasNoLengthForFramesNorForSound() {
    _ = place([100, 110], in: &timeline)
    timeline.pause()
    #expect(place([120], in: &timeline) == [.nowhere(isLoss: false)])
    // Late, but of before the pause, and beyond it.
    #expect(timeline.placeSound(at: 100, duration: 30) == [Piece(offset: 0, length: 20, time: 0)])
    timeline.resume()
    #expect(timeline.isWaiting)
    #expect(place([500, 510], in: &timeline) == [.at(20), .at(30)])
    #expect(timeline.placeSound(at: 495, duration: 10) == [Piece(offset: 5, length: 5, time: 20)])
  }

  @Test func soundThatWasAheadOfAPauseIsNotOverwritten() {
    _ = place([100, 110], in: &timeline)
    // Recorded beyond the last frame.
    _ = timeline.placeSound(at: 100, duration: 25)
    timeline.pause()
    timeline.resume()
    _ = place([500], in: &timeline)
    #expect(timeline.placeSound(at: 500, duration: 20) == [Piece(offset: 5, length: 15, time: 25)])
  }

  @Test func aBlockOfSoundOverAPauseIsHeardOnBothSidesOfIt() {
    _ = place([100, 110], in: &timeline)
    timeline.pause()
    timeline.resume()
    _ = place([125], in: &timeline)
    #expect(
      timeline.placeSound(at: 100, duration: 40) == [
        Piece(offset: 0, length: 20, time: 0), Piece(offset: 25, length: 15, time: 20),
      ])
  }

  @Test func nothingBeginsWithoutAKeyFrame() {
    #expect(timeline.placeFrame(at: 100, duration: 10, isKeyFrame: false) == .needsKeyFrame)
    #expect(timeline.placeFrame(at: 110, duration: 10, isKeyFrame: true) == .at(0))
    #expect(timeline.placeFrame(at: 120, duration: 10, isKeyFrame: false) == .at(10))
    timeline.pause()
    timeline.resume()
    #expect(timeline.placeFrame(at: 200, duration: 10, isKeyFrame: false) == .needsKeyFrame)
  }

  @Test func missingSoundIsFilledOnce() {
    _ = place([100, 190], in: &timeline)
    #expect(timeline.soundLag == 100)
    #expect(timeline.fillSound(until: 50) == Piece(offset: 0, length: 50, time: 0))
    #expect(timeline.fillSound(until: 50) == nil)
    #expect(timeline.placeSound(at: 140, duration: 20) == [Piece(offset: 10, length: 10, time: 50)])
  }

  @Test func withoutFramesTheSoundLeads() {
    var timeline = RecordingTimeline(isLedBySound: true)
    #expect(timeline.placeSound(at: 100, duration: 10) == [Piece(offset: 0, length: 10, time: 0)])
    timeline.pause()
    #expect(timeline.placeSound(at: 110, duration: 10) == [])
    timeline.resume()
    #expect(timeline.placeSound(at: 200, duration: 10) == [Piece(offset: 0, length: 10, time: 10)])
  }

  @Test func soundIsAsMuchEarlierAsItsDecoderIsLate() {
    var timeline = RecordingTimeline(soundDelay: 15)
    _ = place([100], in: &timeline)
    #expect(timeline.placeSound(at: 100, duration: 10) == [])
    #expect(timeline.placeSound(at: 110, duration: 10) == [Piece(offset: 5, length: 5, time: 0)])
    #expect(timeline.placeSound(at: 120, duration: 10) == [Piece(offset: 0, length: 10, time: 5)])
  }
}
