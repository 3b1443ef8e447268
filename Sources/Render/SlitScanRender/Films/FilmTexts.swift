// The subtitles of a film, read without decoding.

import GStreamer
import SlitScanCapture
import StreamingThread

/// A subtitle: what is shown, and when.
struct Subtitle: Sendable {
  var start: ClockTime
  var end: ClockTime
  let buffer: Buffer
}

/// The format of subtitles.
enum SubtitleFormat: Sendable, Equatable {
  /// Text that may have tags as `<i>`, with `&amp;` for `&` where it has.
  case markup
  case plain
  /// SubStation Alpha, which says how text looks and where it is.
  case styled(Caps)
}

/// A subtitle track of a film.
struct SubtitleTrack: Sendable {
  let format: SubtitleFormat
  let tags: TagList
  let isDefault: Bool
  var subtitles: [Subtitle]
}

extension SubtitleFormat {
  /// The format of a stream; nil where it is none of text.
  init?(_ caps: Caps) {
    guard let stream = caps.structures.first else { return nil }
    switch stream.name {
    case "text/x-raw":
      self = stream.fields["format"]?.text == "pango-markup" ? .markup : .plain
    case "application/x-ass", "application/x-ssa": self = .styled(caps)
    default: return nil
    }
  }
}

extension SubtitleTrack {
  /// The subtitle tracks of a film that are text.
  static func all(of path: String, _ streams: FilmStreams?) async throws -> [SubtitleTrack] {
    let texts = streams?.texts ?? []
    let ids = Set(texts.compactMap(\.id))
    guard !ids.isEmpty else { return [] }
    let found = Lock<[String: [Subtitle]]>([:])
    let film = try await OpenFilm(parsing: path) { pad in
      guard let id = pad.streamID, ids.contains(id) else { return false }
      pad.addProbe(.buffer) { item, pad in
        guard case .buffer(let buffer) = item, let start = pad.streamTime(of: buffer),
          let duration = buffer.duration
        else { return .pass }
        let subtitle = Subtitle(start: start, end: start + duration, buffer: buffer)
        found.withLock { $0[id, default: []].append(subtitle) }
        return .pass
      }
      return true
    }
    try await film.read { while try await $0.next() != nil {} }
    let subtitles = found.withLock { $0 }
    return texts.compactMap { stream in
      guard let format = SubtitleFormat(stream.caps), let id = stream.id else { return nil }
      return SubtitleTrack(
        format: format, tags: stream.tags, isDefault: stream.isDefault,
        subtitles: subtitles[id] ?? [])
    }
  }

  /// The caps of what is written.
  func caps() throws(GStreamerError) -> Caps {
    if case .styled(let caps) = format { return caps }
    return try Caps("text/x-raw,format=utf8")
  }

  /// The subtitles in another format: plain text has no tags, and text of SubStation Alpha loses what it looks like.
  func converted(to format: SubtitleFormat) throws -> SubtitleTrack {
    var hasTags = false
    let texts = try subtitles.map { subtitle in
      let mapping = try subtitle.buffer.map()
      let bytes = unsafe mapping.bytes.withUnsafeBytes { unsafe Array($0) }
      var text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      switch self.format {
      case .styled: text = text.withoutStyle
      case .markup:
        // The demuxer escapes text until the first tag comes.
        hasTags = hasTags || text.hasTag
        if format == .plain { text = text.withoutTags }
        if format == .plain || !hasTags { text = text.unescaped }
      case .plain: break
      }
      return try subtitle.with(text)
    }
    return SubtitleTrack(format: format, tags: tags, isDefault: isDefault, subtitles: texts)
  }
}

extension Subtitle {
  fileprivate func with(_ text: String) throws -> Subtitle {
    var buffer = try WritableBuffer(byteCount: text.utf8.count)
    try buffer.write(Array(text.utf8))
    return Subtitle(start: start, end: end, buffer: buffer.finish())
  }
}

extension String {
  private static let tags = ["b", "i", "u", "s", "font", "span"]

  fileprivate var hasTag: Bool {
    let text = lowercased()
    return Self.tags.contains { text.contains("<\($0)>") || text.contains("<\($0) ") }
  }

  fileprivate var withoutTags: String {
    var text = ""
    var rest = self[...]
    while let begin = rest.firstIndex(of: "<") {
      let tag = rest[begin...].dropFirst()
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
      guard Self.tags.contains(name), let end = tag.firstIndex(of: ">") else {
        text += rest[...begin]
        rest = tag
        continue
      }
      text += rest[..<begin]
      rest = rest[end...].dropFirst()
    }
    return text + rest
  }

  fileprivate var unescaped: String {
    [
      ("\r\n", "\n"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
      ("&#39;", "'"),
      ("&amp;", "&"),
    ]
    .reduce(self) { text, pair in
      text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
    }
  }

  /// The text of a line of SubStation Alpha in Matroska, which follows eight other fields.
  fileprivate var withoutStyle: String {
    let fields = split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return self }
    var text = ""
    var isOverride = false
    for character in fields[8] {
      switch character {
      case "{": isOverride = true
      case "}" where isOverride: isOverride = false
      default: if !isOverride { text.append(character) }
      }
    }
    return [("\\N", "\n"), ("\\n", "\n"), ("\\h", "\u{a0}")].reduce(text) { text, pair in
      text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
    }
  }
}
