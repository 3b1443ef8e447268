// Tests of the frames that a part needs before its first one, and of the labels of parts.

import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanRender

@Suite struct PreRollTests {
  private func preRoll(_ properties: [String: Value]) throws -> PreRoll {
    let element = try ValidatedScan.makeElement()
    try ValidatedScan(Scan(properties)).apply(to: element)
    return try PreRoll(element, width: 90, height: 60)
  }

  @Test func preRollFollowsFromTheProperties() throws {
    #expect(try preRoll([:]) == .frames(119))
    #expect(try preRoll(["depth": 1]) == .frames(0))
    #expect(try preRoll(["feedback": 0.1]) == .everything)
    #expect(try preRoll(["duration": 5]) == .frames(0, time: ClockTime(nanoseconds: 5)))
    #expect(try preRoll(["shutter": 2.5]) == .frames(121))
    #expect(try preRoll(["shutter-duration": 5]) == .frames(1118))
    #expect(
      try preRoll(["shutter": 3, "duration": 5])
        == .frames(2, time: ClockTime(nanoseconds: 5)))
    #expect(try preRoll(["map": "motion"]) == .everything)
    #expect(try preRoll(["map": "motion", "mode": "strip"]) == .everything)
    #expect(try preRoll(["freeze": true]) == .everything)
    #expect(try preRoll(["mode": "sweep"]) == .everything)
    #expect(
      try preRoll(["mode": "sweep", "sweep-loop": "loop", "sweep-duration": 7])
        == .round(ClockTime(nanoseconds: 7)))
    #expect(try preRoll(["mode": "strip"]) == .frames(91))
    #expect(try preRoll(["mode": "strip", "canvas": "wrap"]) == .everything)
    #expect(
      try preRoll(["mode": "strip", "canvas": "wrap", "canvas-length": 40, "slit-width": 6])
        == .aligned(7, step: 20))
  }

  /// Frames ten nanoseconds apart, from 1000 on.
  private let times = (0..<100).map { ClockTime(nanoseconds: 1000 + 10 * UInt64($0)) }

  @Test func spansReachAsFarBackAsIsNeeded() {
    #expect(PreRoll.everything.spans(first: 50, end: 60, times: times) == [0..<60])
    #expect(PreRoll.frames(7).spans(first: 50, end: 60, times: times) == [43..<60])
    #expect(PreRoll.frames(70).spans(first: 50, end: 60, times: times) == [0..<60])
    #expect(PreRoll.aligned(7, step: 20).spans(first: 50, end: 60, times: times) == [40..<60])
    #expect(PreRoll.aligned(7, step: 20).spans(first: 46, end: 60, times: times) == [20..<60])
    for (frames, time, start) in [(0, 25, 46), (10, 25, 36), (0, 9999, 0)] {
      let preRoll = PreRoll.frames(frames, time: ClockTime(nanoseconds: UInt64(time)))
      #expect(preRoll.spans(first: 50, end: 60, times: times) == [start..<60])
    }
    #expect(
      PreRoll.round(ClockTime(nanoseconds: 95)).spans(first: 50, end: 60, times: times)
        == [0..<1, 48..<60])
    #expect(
      PreRoll.round(ClockTime(nanoseconds: 9999)).spans(first: 50, end: 60, times: times)
        == [0..<60])
    #expect(PreRoll.everything.spans(first: 100, end: 100, times: times).isEmpty)
  }

  @Test func eachFrameIsInOnePart() throws {
    for total in [1, 2, 7, 132, 100_003] {
      for count in [1, 2, 3, 7, 1000] {
        var next = 0
        for number in 1...count {
          let part = try #require(FilmPart(number, of: count))
          let frames = part.frames(of: total)
          #expect(frames.lowerBound == next)
          #expect(frames.count <= total / count + 1)
          next = frames.upperBound
        }
        #expect(next == total)
      }
    }
  }

  @Test func partsAreWrittenAsPeopleDo() {
    #expect(FilmPart("2/4") == FilmPart(2, of: 4))
    #expect(FilmPart("4/4")?.isLast == true)
    for text in [
      "", "/", "1", "0/3", "4/3", "-1/3", "1/0", "1/2/3", "a/b", "1/999999999999", "1 /2",
    ] { #expect(FilmPart(text) == nil, "\(text)") }
  }

  @Test func labelsAreReadAsTheyAreWritten() throws {
    let label = PartLabel(
      part: try #require(FilmPart(2, of: 3)), frames: 10..<20, total: 31, fingerprint: .max)
    #expect(PartLabel(label.text) == label)
    for text in [
      "", "A film", "slitscan part 2/3, frames 20 to 10 of 31, look 1",
      "slitscan part 2/3, frames 1 to 40 of 31, look 1",
      "slitscan part 2/3, frames -1 to 4 of 31, look 1",
    ] { #expect(PartLabel(text) == nil, "\(text)") }
  }

  @Test func filmsFollowEachOtherAsTheirFramesDo() {
    var films = FilmTimes()
    let step = ClockTime(nanoseconds: 10)
    films.append([ClockTime(nanoseconds: 5), ClockTime(nanoseconds: 15)], frameDuration: step)
    films.append([.zero, ClockTime(nanoseconds: 30)], frameDuration: nil)
    #expect(films.times.map(\.nanoseconds) == [5, 15, 25, 55])
    #expect(films.starts.map(\.nanoseconds) == [0, 25, 85])
    let all = films.films(of: 1..<3)
    #expect(all.map(\.film) == [0, 1])
    #expect(all.map(\.frames) == [1..<2, 2..<3])
    #expect(films.films(of: 2..<4).map(\.film) == [1])
  }
}
