// The film contents are what a rendered film has beside its frames.

import GStreamer

/// The contents of films beside frames, in the order in which they are written.
struct FilmContents: Sendable {
  struct SoundTrack: Sendable, Equatable {
    let format: SoundFormat
    /// Its language, its title and others.
    let tags: TagList
    let isDefault: Bool
  }

  var sounds: [SoundTrack] = []
  /// The caps of the frames as they come from the first film.
  var frames: Caps?
  /// The tags of the video.
  var videoTags = TagList()
  /// The tags of the whole film.
  var tags = TagList()
  var chapters: [Chapter] = []
  var texts: [SubtitleTrack] = []
}

extension FilmContents {
  /// The contents of films that follow each other.
  ///
  /// Tags are those of the first one, and each track goes on with that of its number in the next film. Chapters need the times of all films, see ``complete(with:_:)``.
  init(of films: [FilmDescription]) {
    self.init(films.map(\.sounds), films.first?.streams)
    frames = films.first?.caps
  }

  /// - Parameters:
  ///   - sounds: The tracks of each film.
  ///   - streams: What the container of the first one says.
  init(_ sounds: [[SoundStream]], _ streams: FilmStreams?) {
    let count = sounds.map(\.count).max() ?? 0
    self.sounds = (0..<count).compactMap { index in
      sounds.lazy.compactMap { $0.indices.contains(index) ? $0[index] : nil }.first
    }.map { SoundTrack(format: $0.format, tags: $0.tags, isDefault: $0.isDefault) }
    tags = streams?.tags ?? TagList()
    videoTags = streams?.defaultVideo?.tags ?? TagList()
  }

  /// The luminance of the display that the video was mastered on, in candela per square metre.
  var masteringLuminance: ClosedRange<Double>? {
    let numbers = frames?.structures.first?.fields["mastering-display-info"]?.text.split(
      separator: ":"
    )
    .compactMap { Double($0) }
    guard let numbers, numbers.count == 10, numbers[9] <= numbers[8] else { return nil }
    return numbers[9] / 10_000...numbers[8] / 10_000
  }

  /// Adds what depends on when each film begins, and the label of a part.
  mutating func complete(
    with films: [FilmDescription], _ plan: RenderPlan, as format: FilmFormat
  ) async throws {
    if let label = plan.label { self.label(label) }
    guard films.contains(where: { $0.streams?.hasTimedContents == true }) else { return }
    var starts: [ClockTime] = [.zero]
    if let part = plan.part {
      starts = part.times.starts
    } else if films.count > 1 {
      starts = try await FilmTimes(of: films).starts
    }
    let origin = plan.part?.origin ?? .zero
    let range = origin..<(plan.part?.outputEnd.map { origin + $0 } ?? ClockTime(nanoseconds: .max))
    var tracks: [[SubtitleTrack]] = []
    for (film, start) in zip(films, starts) {
      let move: (ClockTime) -> ClockTime = { start + ($0 > film.start ? $0 - film.start : .zero) }
      chapters += (film.streams?.chapters ?? []).compactMap { $0.moved(move).cut(to: range) }
      tracks.append(
        try await SubtitleTrack.all(of: film.path, film.streams).map { track in
          var track = track
          track.subtitles = track.subtitles.compactMap { $0.moved(move).cut(to: range) }
          return track
        })
    }
    try add(tracks, as: format)
  }

  /// Adds the subtitles of films that follow each other.
  mutating func add(_ films: [[SubtitleTrack]], as format: FilmFormat) throws {
    for index in 0..<(films.map(\.count).max() ?? 0) {
      let tracks = films.compactMap { $0.indices.contains(index) ? $0[index] : nil }
      guard let first = tracks.first else { continue }
      let isSame = tracks.allSatisfy { $0.format == first.format }
      let written = isSame ? format.written(first.format) : .plain
      let subtitles = try tracks.flatMap {
        written == $0.format && written != .markup
          ? $0.subtitles : try $0.converted(to: written).subtitles
      }
      guard !subtitles.isEmpty else { continue }
      texts.append(
        SubtitleTrack(
          format: written, tags: first.tags, isDefault: first.isDefault, subtitles: subtitles))
    }
  }

  /// Puts the label of a part before the comment.
  private mutating func label(_ label: PartLabel) {
    let comment = tags["comment"].map { "\n\($0.text)" } ?? ""
    try? tags.set("comment", to: label.text + comment)
  }

  /// Takes the label of a part from the comment.
  mutating func removeLabel() {
    let comment = tags["comment"]?.text ?? ""
    tags.remove("comment")
    if let end = comment.firstIndex(of: "\n") {
      try? tags.set("comment", to: String(comment[end...].dropFirst()))
    }
  }
}

extension Subtitle {
  fileprivate func moved(_ move: (ClockTime) -> ClockTime) -> Subtitle {
    Subtitle(start: move(start), end: move(end), buffer: buffer)
  }

  /// The part of the subtitle between two times, counted from the first; nil where nothing is.
  fileprivate func cut(to range: Range<ClockTime>) -> Subtitle? {
    let (start, end) = (max(start, range.lowerBound), min(end, range.upperBound))
    guard start < end else { return nil }
    return Subtitle(start: start - range.lowerBound, end: end - range.lowerBound, buffer: buffer)
  }
}

extension Chapter {
  /// The chapter at other times.
  fileprivate func moved(_ move: (ClockTime) -> ClockTime) -> Chapter {
    Chapter(tags, start: move(start), end: end.map(move), chapters: chapters.map { $0.moved(move) })
  }

  /// The part of the chapter between two times, counted from the first; nil where nothing is.
  fileprivate func cut(to range: Range<ClockTime>) -> Chapter? {
    guard start < range.upperBound, end.map({ $0 > range.lowerBound }) ?? true else { return nil }
    func cut(_ time: ClockTime) -> ClockTime {
      min(max(time, range.lowerBound), range.upperBound) - range.lowerBound
    }
    return Chapter(
      tags, start: cut(start), end: end.map(cut),
      chapters: chapters.compactMap { $0.cut(to: range) })
  }
}
