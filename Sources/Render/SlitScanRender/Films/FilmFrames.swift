// A reader of a film's decoded frames, in order.

import GStreamer
import SlitScanCapture

/// A decoded frame, and when it is shown.
struct FilmFrame: Sendable {
  let buffer: Buffer
  let caps: Caps
  /// In the file, see ``FilmDescription/start``.
  let time: ClockTime
  let duration: ClockTime
}

/// Reads the frames of one film as fast as they can be decoded; for one reader.
struct FilmFrames: FilmReader {
  private(set) var film: OpenFilm
  /// The frame after the one that was read last.
  private var following: Decoded?
  /// The time from the frame before the one that was read last to that.
  private var step: ClockTime?
  /// The frames that the decoder takes and gives.
  let tally = FrameTally()
  /// The images that are sent; nil for a film.
  private let feed: ImageFeed?

  /// Opens a film.
  ///
  /// - Parameters:
  ///   - caps: What frames are converted and scaled to; nil for what the film has.
  ///   - effect: What frames go through after that; nil for nothing.
  ///   - start: When the first frame that is wanted is shown; earlier ones may come, too. Nil for the
  ///     beginning.
  /// - Throws: ``CaptureError``: there is no such file, or it has no video that can be decoded.
  init(
    _ input: FilmInput, as caps: Caps? = nil, through effect: Element? = nil,
    from start: ClockTime? = nil
  ) async throws {
    let tally = tally
    let feed = try input.images.map { images throws(GStreamerError) in
      try ImageFeed(images)
    }
    self.feed = feed
    film = try await Self.explaining(feed) {
      try await OpenFilm(input.path) { pipeline, source, sink in
        let decoder: Element
        if let feed {
          decoder = feed.element
        } else {
          decoder = try await source.makeElement()
          try tally.watch(decoder)
        }
        let format = try Element(filter: caps ?? Caps("video/x-raw"))
        let scaler = try caps.map { (_) throws(GStreamerError) in
          let scaler = try Element("videoconvertscale")
          // It would change samples of as many bits.
          try scaler.set("dither", to: "none")
          return scaler
        }
        try await pipeline.add(chain: [decoder, scaler, format, effect, sink].compactMap(\.self))
        feed?.begin(from: start ?? .zero)
      } begin: { pipeline in
        if feed == nil, let start, start > .zero {
          try await pipeline.pause()
          try await pipeline.seek(to: start)
        }
        try await pipeline.play()
      }
    }
  }

  /// Does something with the pipeline, which fails where no image comes.
  private static func explaining<Result>(
    _ feed: ImageFeed?, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as CaptureError {
      try feed?.check()
      throw error
    }
  }

  /// The duration of the film, nil where it does not say.
  var duration: ClockTime? {
    get async {
      if let feed { return feed.duration }
      return await film.pipeline.duration
    }
  }

  /// The next frame; nil at the end.
  ///
  /// Frames outside of their segment, as those that an edit list cuts off, are not part of the film. A frame that does
  /// not say how long it is shown is so until the next one.
  mutating func next() async throws -> FilmFrame? {
    if following == nil { following = try await read() }
    guard var frame = following else { return nil }
    following = try await read()
    frame.time = frame.time + (following.map { frame.sample.lag(behind: $0.sample) } ?? .zero)
    if let next = following, next.time > frame.time { step = next.time - frame.time }
    return FilmFrame(
      buffer: frame.buffer, caps: frame.caps, time: frame.time,
      duration: frame.buffer.duration ?? step ?? .milliseconds(40))
  }

  private struct Decoded {
    let sample: Sample
    let buffer: Buffer
    let caps: Caps
    var time: ClockTime
  }

  private mutating func read() async throws -> Decoded? {
    while let sample = try await Self.explaining(feed, { try await film.next() }) {
      guard let buffer = sample.buffer, let caps = sample.caps, let time = sample.streamTime
      else { continue }
      return Decoded(sample: sample, buffer: buffer, caps: caps, time: time)
    }
    try feed?.check()
    return nil
  }
}
