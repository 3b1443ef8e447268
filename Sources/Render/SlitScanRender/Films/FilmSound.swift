// The decoded sound of a film, in one format.

import GStreamer
import SlitScanCapture

/// The format in which sound is processed: 32-bit floating point, interleaved.
struct SoundFormat: Sendable, Hashable {
  /// Samples a second.
  let sampleRate: Int
  /// One of ``channelCounts``.
  let channels: Int

  /// The numbers of channels whose usual layout AAC and Opus share: mono, stereo, 3.0, quadraphonic, 5.0, 5.1, 7.1.
  static let channelCounts = [1, 2, 3, 4, 5, 6, 8]

  /// The usual layouts, as GStreamer's channel masks.
  private static let masks: [Int: UInt64] = [
    2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3f, 8: 0xc3f,
  ]

  /// The format of a file's sound.
  init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = Self.channelCounts.last { $0 <= channels } ?? 1
  }

  /// Bytes of a sample of all channels.
  var bytesPerFrame: Int { 4 * channels }

  /// - Parameter mask: Another layout than the usual one.
  func caps(mask: UInt64? = nil) throws(GStreamerError) -> Caps {
    try Caps(
      "audio/x-raw,format=F32LE,layout=interleaved,rate=\(sampleRate),\(Self.layout(channels, mask))"
    )
  }

  /// The layout of a number of channels, as caps have it.
  static func layout(_ channels: Int, _ mask: UInt64? = nil) -> String {
    "channels=\(channels)"
      + ((mask ?? masks[channels]).map { ",channel-mask=(bitmask)0x\(String($0, radix: 16))" } ?? "")
  }

  /// The caps in which the channels of a stream are read.
  ///
  /// Side loudspeakers are taken for rear ones where there are no others, as a mixer would spread them over all.
  ///
  /// - Parameter mask: The layout of the stream; nil where it has none.
  func readCaps(of channels: Int, mask: UInt64?) throws(GStreamerError) -> Caps {
    let (side, rear): (UInt64, UInt64) = (0xc00, 0x30)
    guard let mask, channels == self.channels, mask & (side | rear) == side,
      mask & ~side | rear == Self.masks[channels]
    else { return try caps() }
    return try caps(mask: mask)
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

/// One of the sound tracks of a film.
struct SoundStream: Sendable {
  let path: String
  /// The identifier of its stream; nil for the film's default one.
  let id: String?
  let format: SoundFormat
  /// The channels that it has.
  let channels: Int
  /// Its layout by GStreamer's channel mask; nil for mono.
  let mask: UInt64?
  /// The time of its first sample.
  let start: ClockTime
  /// Whether the film selects it by default.
  let isDefault: Bool
  /// Its language, its title and others.
  let tags: TagList
}

extension SoundStream {
  /// Looks into a film's sound; nil where there is none.
  ///
  /// - Parameters:
  ///   - id: The identifier of its stream; nil for the default one.
  ///   - stream: What the container says of it.
  init?(_ path: String, _ id: String?, _ stream: FilmStreams.Stream?) async throws {
    var first: Sample?
    do {
      first = try await OpenFilm(soundOf: path, id).read { sound in
        var sample = try await sound.next()
        while let next = sample, next.shown == nil { sample = try await sound.next() }
        return sample
      }
    } catch let error as CaptureError where error.underlying?.code == .noStream {
      return nil
    }
    guard let first, let shown = first.shown, let caps = first.caps else { return nil }
    let info = try AudioInfo(caps)
    let mask = caps.structures.first?.get("channel-mask", as: String.self)
    self.path = path
    self.id = id
    format = SoundFormat(sampleRate: info.sampleRate, channels: info.channels)
    channels = info.channels
    self.mask = mask.flatMap { UInt64($0.dropFirst(2), radix: 16) }
    start = shown.time
    isDefault = stream?.isDefault ?? true
    tags = stream?.tags ?? TagList()
  }
}

extension OpenFilm {
  /// Opens one of a film's sound tracks.
  ///
  /// - Parameter format: What the sound becomes.
  init(_ stream: SoundStream, as format: SoundFormat) async throws {
    try await self.init(stream.path) { pipeline, source, sink in
      let caps = try format.readCaps(of: stream.channels, mask: stream.mask)
      try await pipeline.add(
        chain: [
          source.makeSoundElement(stream: stream.id), Element("audioresample"),
          Element(filter: caps), sink,
        ])
    }
  }

  /// Opens one of a film's sound tracks, whose sound comes in its own format.
  ///
  /// - Parameter id: The identifier of its stream; nil for the default one.
  fileprivate init(soundOf path: String, _ id: String?) async throws {
    try await self.init(path) { pipeline, source, sink in
      try await pipeline.add(
        chain: [
          source.makeSoundElement(stream: id),
          Element(filter: Caps("audio/x-raw,layout=interleaved")), sink,
        ])
    }
  }
}
