// The forecast of a rendering: what would come out, and how long it takes, without writing it.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The output of a rendering, foretold.
public struct RenderForecast: Sendable {
  /// A track of sound.
  public struct Sound: Sendable, Hashable {
    /// Nil for uncompressed sound, as in a part.
    public var codec: AudioCodec?
    /// Samples a second that the film has.
    public var sampleRate: Int
    /// Channels that are written.
    public var channels: Int
    /// As the film says it; nil where it does not.
    public var language: String?
  }

  /// The file that would be written.
  public var path: String
  /// Its container; nil for images.
  public var container: Container?
  /// The codec of its video; nil for images.
  public var codec: VideoCodec?
  /// The element that encodes it.
  public var encoder: String
  /// The format of encoded frames.
  public var pixelFormat: VideoFormat
  /// The size of frames, in pixels.
  public var width: Int
  /// The size of frames, in pixels.
  public var height: Int
  /// Frames a second; nil where they come unevenly.
  public var frameRate: Double?
  /// The frames, but for those that `drain` adds.
  public var frames: Int
  /// Frames that only the effect sees, before them.
  public var preRoll: Int
  /// The time for which they are shown.
  public var duration: ClockTime
  /// The tracks of sound.
  public var sounds: [Sound]
  /// The frames that the effect keeps; 0 where it keeps none.
  public var historyFrames: Int
  /// About how many bytes they take.
  public var historyBytes: Int
  /// Whether there is memory for all of them, or room on the disk.
  public var hasMemory: Bool
  /// The folder in which those are kept for which there is no memory; nil for none.
  public var historyLocation: String?
  /// The frames from which the pace was measured; 0 where none came.
  public var measuredFrames: Int
  /// The seconds that it takes, about; nil where nothing was measured.
  public var seconds: Double?
  /// Warnings for the user.
  public var warnings: [String]
}

extension FilmRendering.Settled {
  /// The time for which frames are rendered.
  private static let moment = Duration.seconds(2)

  /// Renders some frames, of which nothing is written.
  func forecast(
    of request: RenderRequest, on clock: any SteadyClock,
    _ progress: @escaping FilmRendering.Listener
  ) async throws -> RenderForecast {
    try output.requireFolder()
    try ages?.file.requireFolder()
    let (times, frames) = try await frames(progress)
    return try await write(
      plan.withoutPreRoll, request, isTrial: true, on: clock
    ) { writer, passage in
      let begin = clock.now
      passage.isEnough = { clock.now - begin >= Self.moment }
      let passed = try await passage.run { _ in }
      let shortage = writer.scan.flatMap(MemoryShortage.init)
      let written = try writer.encodedInfo()
      try await writer.finish()
      let seconds = (clock.now - begin) / .seconds(1)
      let pace = passed.rendered > 0 ? seconds / Double(passed.rendered) : nil
      let preRoll = plan.preRollCount
      let (historyFrames, historyBytes) = try history(times)
      let film = format as? FilmFormat
      return RenderForecast(
        path: request.output, container: film?.container, codec: film?.video?.codec,
        encoder: written.encoder, pixelFormat: written.info.format, width: written.info.width,
        height: written.info.height,
        frameRate: written.info.frameRate.quotient.flatMap { $0 > 0 ? $0 : nil },
        frames: frames.count, preRoll: preRoll, duration: duration(of: frames, times),
        sounds: contents.sounds.map { track in
          RenderForecast.Sound(
            codec: film?.audioEncoder.flatMap(AudioCodec.init(of:)),
            sampleRate: track.format.sampleRate,
            channels: film?.writtenChannels(of: track.format) ?? track.format.channels,
            language: track.tags["language-code"]?.text)
        },
        historyFrames: historyFrames, historyBytes: historyBytes, hasMemory: shortage == nil,
        historyLocation: scan.historyLocation,
        measuredFrames: passed.rendered,
        seconds: pace.map { $0 * Double(frames.count + preRoll) },
        warnings: warnings + writer.warnings)
    }
  }

  /// The times of all frames, and which are written.
  private func frames(
    _ progress: @escaping FilmRendering.Listener
  ) async throws -> (FilmTimes, Range<Int>) {
    if let part = plan.part { return (part.times, part.frames) }
    let times = try await FilmTimes(of: films, progress)
    return (times, times.times.indices)
  }

  private func duration(of frames: Range<Int>, _ times: FilmTimes) -> ClockTime {
    guard !frames.isEmpty else { return .zero }
    let end =
      frames.upperBound < times.times.count
      ? times.times[frames.upperBound] : times.starts.last ?? .zero
    return end - times.times[frames.lowerBound]
  }

  /// The frames of history that the effect keeps, and their bytes.
  private func history(_ times: FilmTimes) throws -> (frames: Int, bytes: Int) {
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    var frames = try element.get("reserve", as: Int.self)
    if try element.get("mode", as: String.self) == "displace" {
      let duration = ClockTime(nanoseconds: try element.get("duration", as: UInt64.self))
      // The most that are younger, the youngest of the others, and the newest.
      let depth =
        duration > .zero
        ? times.mostFrames(within: duration) + 2 : try element.get("depth", as: Int.self)
      frames = max(frames, depth)
    }
    return (frames, frames * first.info.byteCount)
  }
}

extension AudioCodec {
  /// The codec of an encoder.
  fileprivate init?(of encoder: EncoderChoice) {
    let codec = Self.allCases.first { $0.encoders.contains { $0.factory == encoder.factory } }
    guard let codec else { return nil }
    self = codec
  }
}

extension FilmTimes {
  /// The most frames that begin within a while.
  fileprivate func mostFrames(within duration: ClockTime) -> Int {
    var (most, first) = (0, 0)
    for (last, time) in times.enumerated() {
      while time - times[first] >= duration, first < last { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }
}
