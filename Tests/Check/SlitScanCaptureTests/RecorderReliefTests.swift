// Tests of recordings whose encoder is too slow: quality gives way.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite struct RecorderReliefTests {
  private let folder = TemporaryFolder()
  private let footage = Footage()

  /// A queue of 60 frames, of an encoder that needs so many frame intervals for one frame at each level.
  ///
  /// - Returns: The frames that were lost, and the levels at the end of each second.
  private func simulate(
    _ relief: inout EncoderRelief, seconds: Int, cost: (Int) -> Double
  ) -> (lost: Int, levels: [Int]) {
    var (waiting, lost, busy) = (0, 0, 0.0)
    var levels: [Int] = []
    for frame in 0..<seconds * 30 {
      if waiting < 60 { waiting += 1 } else { lost += 1 }
      busy = max(0, busy - 1)
      while busy < 1, waiting > 0 {
        waiting -= 1
        _ = relief.take(fill: Double(waiting) / 60)
        busy += cost(relief.level)
      }
      if frame % 30 == 29 { levels.append(relief.level) }
    }
    return (lost, levels)
  }

  @Test(arguments: [1.1, 1.5, 2, 4])
  func noFrameIsLostWhereLessQualityIsEnough(cost: Double) {
    var relief = EncoderRelief()
    let (lost, levels) = simulate(&relief, seconds: 60) { cost / pow(1.8, Double($0)) }
    #expect(lost == 0)
    #expect(levels.max() ?? 0 > 0)
  }

  @Test func aMachineThatKeepsUpKeepsTheQuality() {
    var relief = EncoderRelief()
    let (lost, levels) = simulate(&relief, seconds: 600) { _ in 0.9 }
    #expect(lost == 0)
    #expect(levels.allSatisfy { $0 == 0 })
  }

  @Test func qualityComesBackAfterAWhileAndIsNotTriedAgainAndAgain() {
    var relief = EncoderRelief()
    _ = simulate(&relief, seconds: 10) { 2 / pow(1.8, Double($0)) }
    #expect(relief.level > 0)
    _ = simulate(&relief, seconds: 120) { _ in 0.5 }
    #expect(relief.level == 0)
    // A machine that is a little too slow at full quality, for an hour.
    let (lost, levels) = simulate(&relief, seconds: 3600) { $0 == 0 ? 1.2 : 0.6 }
    #expect(lost == 0)
    let changes = zip(levels, levels.dropFirst()).count { $0 != $1 }
    #expect(changes < 60)
  }

  @Test(
    arguments: [
      ("film.mkv", VideoCodec.h264), ("film.mp4", .h264), ("film.mov", .h264), ("film.mkv", .vp8),
      ("film.webm", .vp9),
    ], [EncoderSpeed?.none, .medium, .fastest])
  func qualityChangesWithinAFileAndNoFrameIsLost(
    file: (name: String, codec: VideoCodec), speed: EncoderSpeed?
  ) async throws {
    let path = "\(folder)/\(file.name)"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: VideoSettings(codec: file.codec, speed: speed)))
    var number = 0
    // As often as it takes until the encoder has so many steps.
    for level in [0, 1, 3, 5] {
      while await recorder.encoderLevel < level {
        await recorder.adapt(toFill: level == 1 ? 0.3 : 0.6)
        try await recorder.append(video: footage.noise(number, width: 160, height: 120))
        number += 1
        try #require(number < 1000)
      }
      for _ in 0..<10 {
        try await recorder.append(video: footage.noise(number, width: 160, height: 120))
        number += 1
      }
    }
    let recording = try await recorder.finish()
    #expect(recording.frames == number)
    #expect(recording.loweredFrames > 20)
    let film = DecodedFile(path: path)
    #expect(try await film.stream("v").frames == number)
    let sizes = try await film.packetSizes("v")
    let (first, last) = (sizes.prefix(9).reduce(0, +), sizes.suffix(9).reduce(0, +))
    #expect(last * 3 < first * 2, "\(sizes)")
  }

  @Test(arguments: [EncoderSpeed.slowest, .fastest])
  func theFileIsEncodedWithTheSpeedThatTheRecordingSays(speed: EncoderSpeed) async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(
      to: path, RecorderSettings(video: VideoSettings(codec: .h264, speed: speed)))
    for number in 0..<5 { try await recorder.append(video: footage.frame(number)) }
    try await recorder.finish()
    // x264 writes its settings into the first frame.
    let bytes = try Data(contentsOf: URL(filePath: path))
    let settings = try #require(bytes.range(of: Data("subme=".utf8)))
    let digits = bytes[settings.upperBound...].prefix { $0 >= 48 && $0 <= 57 }
    #expect(String(decoding: digits, as: UTF8.self) == (speed == .fastest ? "0" : "10"))
  }
}
