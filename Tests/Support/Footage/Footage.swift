// Test footage: frames that flash and sound that clicks at the same moments.

import GStreamer
import SeededGenerator
import SlitScanCapture

/// A subject that flashes and clicks once every `interval` frames, and a camera and a microphone that
/// watch it.
package struct Footage: Sendable {
  package var width = 64
  package var height = 48
  package var interval = 30
  /// When the first frame is taken.
  package var start = ClockTime.seconds(1000)
  package static let frameRate = 30
  package static let sampleRate = 48_000
  package static let samplesPerFrame = sampleRate / frameRate

  package init(
    width: Int = 64, height: Int = 48, interval: Int = 30, start: ClockTime = .seconds(1000)
  ) { (self.width, self.height, self.interval, self.start) = (width, height, interval, start) }

  package func time(ofFrame number: Int) -> ClockTime {
    start + ClockTime(nanoseconds: UInt64(number) * 1_000_000_000 / UInt64(Self.frameRate))
  }

  private func isFlash(_ number: Int) -> Bool { number % interval == interval / 2 }

  package func frame(_ number: Int) throws -> Sample {
    let info = try VideoInfo(
      .gray8, width: width, height: height, frameRate: Fraction(Int32(Self.frameRate)))
    var buffer = try WritableBuffer(info)
    let level: UInt8 = isFlash(number) ? 235 : 16
    try buffer.withVideoFrame(info) { frame in
      for row in 0..<height {
        var pixels = frame.mutableRow(row, ofPlane: 0)
        for index in pixels.indices { pixels[index] = level }
      }
    }
    buffer.presentationTime = time(ofFrame: number)
    buffer.duration = ClockTime(nanoseconds: 1_000_000_000 / UInt64(Self.frameRate))
    return try Sample(buffer.finish(), caps: info.caps())
  }

  /// Noise, which no encoder makes small.
  package func noise(
    _ number: Int, width: Int = 320, height: Int = 240, frameRate: Fraction = 30
  ) throws -> Sample {
    var random = SeededGenerator(seed: UInt64(number))
    let info = try VideoInfo(.gray8, width: width, height: height, frameRate: frameRate)
    var buffer = try WritableBuffer(info)
    try buffer.withMutableBytes { bytes in
      for index in stride(from: 0, to: bytes.byteCount - 7, by: 8) {
        bytes.storeBytes(of: random.next(), toByteOffset: index, as: UInt64.self)
      }
    }
    buffer.presentationTime = time(ofFrame: number)
    return try Sample(buffer.finish(), caps: info.caps())
  }

  package static let soundCaps = "audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"

  /// The sound while one frame is shown: 10 ms of a square wave where it clicks.
  package func sound(_ number: Int) throws -> Sample {
    var buffer = try WritableBuffer(byteCount: 2 * Self.samplesPerFrame)
    let isFlash = isFlash(number)
    try buffer.withMutableBytes { bytes in
      for index in 0..<Self.samplesPerFrame {
        let level: Int16 = isFlash && index < 480 ? (index / 24 % 2 == 0 ? 20_000 : -20_000) : 0
        bytes.storeBytes(of: level, toByteOffset: 2 * index, as: Int16.self)
      }
    }
    buffer.presentationTime = time(ofFrame: number)
    buffer.duration = ClockTime(nanoseconds: 1_000_000_000 / UInt64(Self.frameRate))
    return try Sample(buffer.finish(), caps: Caps(Self.soundCaps))
  }

  /// Appends frames and their sound.
  ///
  /// - Parameters:
  ///   - soundLag: How many frames the sound comes later than its frame; negative for earlier.
  ///   - isSeen: Whether a frame comes at all.
  package func shoot(
    _ frames: Range<Int>, with recorder: Recorder, soundLag: Int = 0,
    isSeen: (Int) -> Bool = { _ in true }
  ) async throws {
    for moment in (frames.lowerBound + min(0, soundLag))..<(frames.upperBound + max(0, soundLag)) {
      if frames.contains(moment - soundLag) {
        try await recorder.append(audio: sound(moment - soundLag))
      }
      if frames.contains(moment), isSeen(moment) { try await recorder.append(video: frame(moment)) }
    }
  }
}

extension Recorder {
  /// A recorder that has begun.
  package static func started(
    to path: String, _ settings: RecorderSettings = RecorderSettings()
  ) async throws -> Recorder {
    let recorder = try Recorder(to: path, settings)
    try await recorder.start()
    return recorder
  }
}

/// Width and height of raw video, in pixels.
package func frameSize(_ sample: Sample) throws -> [Int] {
  guard let caps = sample.caps else { return [] }
  let info = try VideoInfo(caps)
  return [info.width, info.height]
}
