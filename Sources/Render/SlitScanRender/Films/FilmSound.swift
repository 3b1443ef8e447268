// A reader of a film's decoded sound, in one format.

import GStreamer
import SlitScanCapture

/// The format in which sound is processed: 32-bit floating point, interleaved.
struct SoundFormat: Sendable, Hashable {
  /// Samples a second.
  let sampleRate: Int
  /// 1 or 2.
  let channels: Int

  /// Bytes of a sample of all channels.
  var bytesPerFrame: Int { 4 * channels }

  func caps() throws(GStreamerError) -> Caps {
    // A format of more channels would have to say where each of them is.
    try Caps(
      "audio/x-raw,format=F32LE,layout=interleaved,rate=\(sampleRate),channels=\(channels)"
        + (channels == 2 ? ",channel-mask=(bitmask)0x3" : ""))
  }

  /// The highest number of a sample, of which several can be added.
  private static let last = Int.max / 8

  /// The sample that is heard at a time, the nearest one.
  func frame(at time: ClockTime) -> Int {
    let (whole, part) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let rate = UInt64(clamping: sampleRate)
    let (frames, overflow) = whole.multipliedReportingOverflow(by: rate)
    guard !overflow else { return Self.last }
    return min(Int(clamping: frames + (part * rate + 500_000_000) / 1_000_000_000), Self.last)
  }

  /// When a sample is heard.
  func time(ofFrame frame: Int) -> ClockTime {
    let rate = UInt64(clamping: max(1, sampleRate))
    let (seconds, frames) = UInt64(clamping: frame).quotientAndRemainder(dividingBy: rate)
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return ClockTime(nanoseconds: overflow ? .max : whole)
      + ClockTime(nanoseconds: frames * 1_000_000_000 / rate)
  }
}

/// Reads the sound of one film as fast as it can be decoded; for one reader.
struct FilmSound: FilmReader {
  private(set) var film: OpenFilm

  /// Opens a film that has sound.
  ///
  /// - Parameter format: What the sound becomes; nil leaves rate and channels as they are.
  init(_ path: String, as format: SoundFormat?) async throws {
    film = try await OpenFilm(path) { pipeline, source, sink in
      let caps = try format?.caps() ?? Caps("audio/x-raw,layout=interleaved")
      let resampler = try format.map { (_) throws(GStreamerError) in try Element("audioresample") }
      try await pipeline.add(
        chain: [source.makeSoundElement(), resampler, Element(filter: caps), sink].compactMap(
          \.self))
    }
  }

  /// The format of a film's sound, the channels that it has, and the time of its first sample; nil where there is no sound.
  static func first(
    of path: String
  ) async throws -> (format: SoundFormat, channels: Int, time: ClockTime)? {
    do {
      return try await FilmSound(path, as: nil).read { sound in
        while let sample = try await sound.next() {
          guard let caps = sample.caps, let shown = sample.shown else { continue }
          let info = try AudioInfo(caps)
          let format = SoundFormat(sampleRate: info.sampleRate, channels: min(info.channels, 2))
          return (format, info.channels, shown.time)
        }
        return nil
      }
    } catch let error as CaptureError where error.underlying?.code == .noStream {
      return nil
    }
  }

  /// The next block of sound; nil at the end.
  mutating func next() async throws -> Sample? { try await film.next() }
}
