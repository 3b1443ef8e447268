// Tests of measuring the loudness of films over time.

import GStreamer
import TestFilm
import SlitScanCapture
import TemporaryFolder
import Testing

@testable import SlitScanRender

@Suite(.serialized) struct LoudnessTests {
  private let folder = TemporaryFolder()

  private static let bass: ClosedRange<Double> = 20...150
  private static let treble: ClosedRange<Double> = 3000...4000

  /// Three seconds of frames, with sound for two: a second of silence, and one of bass.
  ///
  /// - Parameters:
  ///   - start: When the first frame is shown, in milliseconds.
  ///   - samples: The format of the sound.
  private func makeFilm(_ path: String, start: Int = 0, samples: String = "S16LE") async throws {
    let format = "audio/x-raw,format=\(samples),rate=48000,channels=2"
    try await TestFilm.make(
      path,
      """
      videotestsrc num-buffers=75 timestamp-offset=\(start * 1_000_000) ! \
      video/x-raw,format=I420,width=96,height=64,framerate=25/1 ! x264enc bframes=0 ! queue ! m. \
      concat name=c ! \(format) ! queue ! m. \
      audiotestsrc wave=silence num-buffers=100 samplesperbuffer=480 ! \
      audioconvert ! \(format) ! c. \
      audiotestsrc freq=80 volume=0.5 num-buffers=100 samplesperbuffer=480 ! \
      audioconvert ! \(format) ! c. \
      matroskamux name=m
      """)
  }

  /// Expects bass at some times, in milliseconds, and silence at all others.
  private func expect(
    _ curve: LoudnessCurve, isLoudIn loud: [ClosedRange<UInt64>], until end: UInt64
  ) {
    let (bass, treble) = (curve.values(in: Self.bass), curve.values(in: Self.treble))
    #expect(bass.count == curve.times.count && treble.count == curve.times.count)
    #expect(zip(curve.times, curve.times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(curve.times.count >= Int(end * 30 / 1000) - 1)
    for (index, time) in curve.times.enumerated() {
      let milliseconds = time.nanoseconds / 1_000_000
      // Half of a measurement says little.
      let isNearEdge = loud.contains { range in
        [range.lowerBound, range.upperBound].contains { ($0..<$0 + 34).contains(milliseconds) }
      }
      guard !isNearEdge else { continue }
      if loud.contains(where: { $0.contains(milliseconds) }) {
        #expect(abs(bass[index] + 16) < 2 && treble[index] < -40, "\(bass[index]) at \(time)")
      } else {
        #expect(bass[index] == SoundLevel.silence, "\(time)")
      }
    }
    let last = (curve.times.last ?? .zero).nanoseconds / 1_000_000
    #expect(last <= end && last + 34 >= end)
  }

  @Test(arguments: ["S16LE", "S24LE", "F32LE"])
  func aFilmIsLoudWhereItsSoundIs(samples: String) async throws {
    try await makeFilm("\(folder)/in.mkv", samples: samples)
    let curve = try await LoudnessCurve(of: ["\(folder)/in.mkv"], in: [Self.bass, Self.treble])
    expect(curve, isLoudIn: [1000...2000], until: 3000)
    #expect(curve.values(in: nil).isEmpty)
    #expect(
      try await LoudnessCurve(of: ["\(folder)/in.mkv"], in: [Self.bass, Self.treble]) == curve)
  }

  @Test func timesCountFromTheFirstFrame() async throws {
    try await makeFilm("\(folder)/in.mkv", start: 400)
    let curve = try await LoudnessCurve(of: ["\(folder)/in.mkv"], in: [Self.bass, Self.treble])
    expect(curve, isLoudIn: [600...1600], until: 3000)
  }

  @Test func filmsFollowEachOther() async throws {
    try await makeFilm("\(folder)/one.mkv")
    try await TestFilm.noise("\(folder)/mute.mkv", frames: 25, hasSound: false)
    let films = ["one", "mute", "one"].map { "\(folder)/\($0).mkv" }
    let curve = try await LoudnessCurve(of: films, in: [Self.bass, Self.treble])
    expect(curve, isLoudIn: [1000...2000, 5000...6000], until: 7000)
  }

  @Test func filmsWithoutSoundAreNotMeasured() async throws {
    try await TestFilm.noise("\(folder)/mute.mkv", frames: 25, hasSound: false)
    let curve = try await LoudnessCurve(of: ["\(folder)/mute.mkv"], in: [nil])
    #expect(curve.times.isEmpty && curve.values(in: nil).isEmpty)
  }

  @Test func cancellationStopsTheMeasurement() async throws {
    try await makeFilm("\(folder)/in.mkv")
    let films = Array(repeating: "\(folder)/in.mkv", count: 20)
    let listening = Task {
      try await LoudnessCurve(of: films, in: [nil]) { progress in
        if progress.stage == .listening { _ = withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CaptureError.self) { try await listening.value }
  }
}
