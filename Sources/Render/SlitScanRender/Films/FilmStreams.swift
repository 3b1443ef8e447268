// The film streams hold what a film's container says of its streams, without decoding.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The streams of a film: video, sound, subtitles.
struct FilmStreams: Sendable {
  struct Stream: Sendable {
    /// See ``Pad/streamID``.
    let id: String?
    fileprivate(set) var caps: Caps
    fileprivate(set) var selection: StreamSelection
    /// Of this stream alone.
    fileprivate(set) var tags = TagList()
    /// Whether some of it has come.
    fileprivate var hasBegun = false
    /// Whether it is the one of its kind that the film selects.
    fileprivate(set) var isDefault = false

    /// As it is encoded.
    var format: Structure { caps.structures.first ?? Structure("") }
  }

  private(set) var video: [Stream] = []
  private(set) var sounds: [Stream] = []
  /// Subtitles, and others.
  private(set) var others: [Stream] = []
  /// Of the whole film.
  let tags: TagList
  let chapters: [Chapter]
  /// Whether samples use all values, where GStreamer does not read that.
  let isFullRange: Bool?
  /// The contents that GStreamer does not read, as a sentence names them.
  let unread: [String]

  /// The video that the film selects.
  var defaultVideo: Stream? { video.first(where: \.isDefault) }

  /// The subtitles that are text.
  var texts: [Stream] { others.filter { SubtitleFormat($0.caps) != nil } }

  /// Whether there is something that goes with the times of the film, beside video and sound.
  var hasTimedContents: Bool { !chapters.isEmpty || !texts.isEmpty }

  /// The time up to which a film is read for a stream that has not begun.
  private static let reach = ClockTime.seconds(60)

  /// Looks into a film; nil where only a decoder finds its streams, as in a playlist of HLS.
  init?(_ path: String) async throws {
    let found = Found()
    do {
      let film = try await OpenFilm(parsing: path, whenComplete: { found.complete() }) { pad in
        found.add(pad)
        return true
      }
      try await film.read { reader in
        while !found.areKnown, let sample = try await reader.next(),
          sample.streamTime.map({ $0 <= Self.reach }) ?? true
        {}
      }
    } catch let error as CaptureError where error.underlying?.code == .noStream {
      return nil
    }
    // The epochs of Unix and QuickTime stand for no time.
    let (all, epochs) = (found.tags, ["1970-01-01", "1904-01-01"])
    tags = all.filter { name in
      name != "datetime" || !epochs.contains { all[name]?.text.hasPrefix($0) == true }
    }
    let header = MovieHeader(path)
    chapters = found.chapters.isEmpty ? header?.chapters ?? [] : found.chapters
    isFullRange = header?.isFullRange
    unread = header?.losses ?? []
    for var stream in found.streams {
      // GStreamer's muxer gives these to tracks without a title.
      if ["Audio", "Subtitle", "Video"].contains(stream.tags["title"]?.text) {
        stream.tags.remove("title")
      }
      if StreamKind.video.has(stream.format.name) {
        video.append(stream)
      } else if StreamKind.sound.has(stream.format.name) {
        sounds.append(stream)
      } else {
        stream.isDefault = stream.selection == .selected
        others.append(stream)
      }
    }
    guard !video.isEmpty || !sounds.isEmpty else { return nil }
    Self.markDefault(of: &video)
    Self.markDefault(of: &sounds)
  }

  private static func markDefault(of streams: inout [Stream]) {
    let best = streams.map(\.selection).max()
    guard let index = streams.firstIndex(where: { $0.selection == best }) else { return }
    streams[index].isDefault = true
  }

  /// The findings at the pads of a parser.
  private final class Found: Sendable {
    private struct State {
      var streams: [Stream] = []
      var tags = TagList()
      var chapters: [Chapter] = []
      var isComplete = false
    }

    private let state = Lock(State())

    var streams: [Stream] { state.withLock { $0.streams } }
    var tags: TagList { state.withLock { $0.tags } }
    var chapters: [Chapter] { state.withLock { $0.chapters } }

    /// Whether all streams have begun, but for those that may be silent for long.
    var areKnown: Bool {
      state.withLock { state in
        state.isComplete
          && state.streams.allSatisfy { stream in
            stream.hasBegun
              || !StreamKind.video.has(stream.format.name)
                && !StreamKind.sound.has(stream.format.name)
          }
      }
    }

    func complete() { state.withLock { $0.isComplete = true } }

    /// Follows a stream.
    func add(_ pad: Pad) {
      guard let caps = pad.caps ?? pad.possibleCaps, !caps.structures.isEmpty else { return }
      let index = state.withLock { state in
        state.streams.append(Stream(id: pad.streamID, caps: caps, selection: pad.selection))
        return state.streams.count - 1
      }
      for tags in pad.tagLists { take(tags, of: index) }
      note(pad.chapters)
      pad.addProbe([.buffer, .eventDownstream]) { [self] item, pad in
        switch item {
        case .event(let event) where event.kind == .tag:
          if let tags = event.tags { take(tags, of: index) }
        case .event(let event) where event.kind == .toc: note(event.chapters)
        case .event(let event) where [.gap, .eos].contains(event.kind): begin(index)
        case .buffer:
          if let caps = pad.caps { state.withLock { $0.streams[index].caps = caps } }
          begin(index)
        default: break
        }
        return .pass
      }
    }

    private func begin(_ index: Int) { state.withLock { $0.streams[index].hasBegun = true } }

    private func note(_ chapters: [Chapter]) {
      state.withLock { if $0.chapters.isEmpty { $0.chapters = chapters } }
    }

    private func take(_ tags: TagList, of index: Int) {
      state.withLock { state in
        if tags.isGlobal {
          state.tags.merge(tags)
        } else {
          state.streams[index].tags.merge(tags)
        }
      }
    }
  }
}

extension OpenFilm {
  /// Opens a film whose streams come encoded, all together.
  ///
  /// - Parameters:
  ///   - whenComplete: Called when all streams are known.
  ///   - takes: Whether a stream is read.
  init(
    parsing path: String, whenComplete: @escaping @Sendable () -> Void = {},
    _ takes: @escaping @Sendable (Pad) -> Bool
  ) async throws {
    try await self.init(path, queue: 64) { pipeline, source, sink in
      let parser = try Element("parsebin")
      let funnel = try Element("funnel")
      try await pipeline.add(chain: [source.makeReader(), parser])
      try await pipeline.add(chain: [funnel, sink])
      try parser.leavesPlaylists()
      try parser.connect("pad-added") { arguments in
        guard case .pad(let pad)? = arguments.first, takes(pad) else { return nil }
        try? pad.link(to: funnel.requestPad("sink_%u"))
        return nil
      }
      try parser.connect("no-more-pads") { _ in
        whenComplete()
        return nil
      }
    }
  }

  /// Opens one of a film's streams, which comes encoded.
  init(_ path: String, _ stream: FilmStreams.Stream) async throws {
    try await self.init(parsing: path) { $0.streamID == stream.id }
  }
}

extension Element {
  /// Has a `parsebin` leave playlists and subtitles as they are.
  ///
  /// The elements that read playlists of HLS and DASH need an address, and decode what they read; those that read
  /// subtitles drop how they look.
  fileprivate func leavesPlaylists() throws(GStreamerError) {
    try connect("autoplug-continue") { arguments in
      guard case .caps(let caps)? = arguments.last, let kind = caps.structures.first?.name else {
        return .bool(true)
      }
      let isPlaylist = [
        "application/x-hls", "application/dash+xml", "application/vnd.ms-sstr+xml",
      ].contains(kind)
      return .bool(!isPlaylist && !["application/x-ass", "application/x-ssa"].contains(kind))
    }
  }
}
