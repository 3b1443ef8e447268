// Generates small films to render, and reads rendered ones.

import Foundation
import GStreamer

@testable import SlitScanRender

/// Films that GStreamer makes.
package enum TestFilm {
  /// Makes a film of a launch line whose last element is a muxer.
  package static func make(_ path: String, _ line: String) async throws {
    let pipeline = try Pipeline("\(line) ! filesink location=\"\(path)\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
  }

  /// Frames each pixel of which is another one in each frame, with noise.
  ///
  /// - Parameter extra: Elements between the frames and their encoder.
  package static func noise(
    _ path: String, frames: Int = 90, extra: String = "identity", pattern: String = "snow",
    hasSound: Bool = true
  ) async throws {
    let sound =
      hasSound
      ? """
      audiotestsrc wave=pink-noise num-buffers=\(frames * 44_100 / 25 / 441) \
      samplesperbuffer=441 ! audio/x-raw,rate=44100,channels=2 ! audioconvert ! avenc_aac ! queue ! m.
      """ : ""
    let description = """
      videotestsrc pattern=\(pattern) num-buffers=\(frames) ! \
      video/x-raw,format=I420,width=96,height=64,framerate=25/1 ! \(extra) ! \
      x264enc pass=quant quantizer=0 key-int-max=20 bframes=0 ! h264parse ! queue ! m. \(sound) \
      matroskamux name=m
      """
    try await make(path, description)
  }

  /// Frames of 64x64 pixels, 25 in a second, each of which is brighter by two than the one before, with a bass.
  ///
  /// - Parameter bass: When the bass is heard, in seconds.
  package static func brightening(_ path: String, frames: Int, bass: Range<Double>) async throws {
    let video = (0..<frames).flatMap { frame in
      [UInt8](repeating: UInt8(16 + 2 * frame), count: 64 * 64)
        + [UInt8](repeating: 128, count: 64 * 32)
    }
    let sound = (0..<frames * 320).flatMap { number -> [UInt8] in
      let time = Double(number) / 8000
      let sample = bass.contains(time) ? Int16(16_000 * sin(2 * .pi * 80 * time)) : 0
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    try Data(video).write(to: URL(filePath: path + ".video"))
    try Data(sound).write(to: URL(filePath: path + ".sound"))
    try await make(
      path,
      """
      filesrc location=\(path).sound ! rawaudioparse sample-rate=8000 num-channels=1 ! audioconvert \
      ! audioresample ! audio/x-raw,rate=44100 ! flacenc ! queue ! m. \
      filesrc location=\(path).video ! rawvideoparse format=i420 width=64 height=64 framerate=25/1 \
      ! x264enc pass=quant quantizer=0 ! h264parse ! queue ! m. matroskamux name=m
      """)
  }
}

/// A film, decoded.
package struct Decoded: Equatable {
  package var frames: [[UInt8]] = []
  package var times: [ClockTime] = []
  /// The sound tracks.
  package var sounds: [[UInt8]] = []
  /// The first of them.
  package var sound: [UInt8] { sounds.first ?? [] }

  package init(_ path: String) async throws {
    let description = try await FilmDescription(FilmInput(path), wantsSound: true)
    var reader = try await FilmFrames(FilmInput(path))
    while let frame = try await reader.next() {
      frames.append(try frame.buffer.copiedBytes())
      times.append(frame.time)
    }
    await reader.close()
    for stream in description.sounds {
      var bytes: [UInt8] = []
      var sound = try await OpenFilm(stream, as: stream.format)
      while let block = try await sound.next() {
        if let buffer = block.buffer { bytes += try buffer.copiedBytes() }
      }
      await sound.close()
      sounds.append(bytes)
    }
  }
}

extension Decoded {
  /// The luma by which each frame is darker than that of ``TestFilm/brightening(_:frames:bass:)``.
  package func behind() -> [Double] {
    frames.enumerated().map { frame in
      16 + 2 * Double(frame.offset)
        - Double(frame.element.prefix(64 * 64).reduce(0) { $0 + Int($1) }) / (64 * 64)
    }
  }

  /// The first difference from `other`, in a sentence that is short however long the films are.
  package func difference(from other: Decoded) -> String? {
    if times != other.times {
      return "The times of \(times.count) and \(other.times.count) frames differ."
    }
    let frame = zip(frames, other.frames).enumerated().first { $1.0 != $1.1 }?.offset
    if let frame { return "Frame \(frame) is the first that differs." }
    if frames.count != other.frames.count {
      return "\(frames.count) and \(other.frames.count) frames."
    }
    if sounds.map(\.count) != other.sounds.map(\.count) {
      return "\(sounds.map(\.count)) and \(other.sounds.map(\.count)) bytes of sound."
    }
    for (track, pair) in zip(sounds, other.sounds).enumerated() where pair.0 != pair.1 {
      let byte = zip(pair.0, pair.1).enumerated().first { $1.0 != $1.1 }?.offset
      if let byte { return "Byte \(byte) of sound track \(track) is the first that differs." }
    }
    return nil
  }
}

extension RenderRequest {
  /// Renders a film in parts.
  ///
  /// - Returns: Their paths.
  package func renderParts(_ count: Int, in folder: String) async throws -> [String] {
    var paths: [String] = []
    for number in 1...count {
      var part = self
      part.output = "\(folder)/part-\(number).mkv"
      part.part = FilmPart(number, of: count)
      paths.append(try await FilmRendering(part).run().path)
    }
    return paths
  }
}

extension Buffer {
  package func copiedBytes() throws -> [UInt8] {
    let mapping = try map()
    return mapping.bytes.withUnsafeBytes { Array($0) }
  }
}
