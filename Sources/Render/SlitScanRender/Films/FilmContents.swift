// The film contents are what a rendered film has beside its frames.

import GStreamer

/// What films have beside frames, in the order in which it is written.
struct FilmContents: Sendable {
  struct SoundTrack: Sendable, Equatable {
    let format: SoundFormat
    /// Its language, its title and others.
    let tags: [String: Value]
    let isDefault: Bool
  }

  var sounds: [SoundTrack] = []
  /// The tags of the video.
  var videoTags: [String: Value] = [:]
  /// The tags of the whole film.
  var tags: [String: Value] = [:]
  var chapters: [Chapter] = []
}

extension FilmContents {
  /// The contents of films that follow each other.
  ///
  /// Tags are those of the first one, and each track goes on with that of its number in the next film. Chapters need the times of all films, see ``complete(with:_:)``.
  init(of films: [FilmDescription]) {
    self.init(films.map(\.sounds), films.first?.streams)
  }

  /// - Parameters:
  ///   - sounds: The tracks of each film.
  ///   - streams: What the container of the first one says.
  init(_ sounds: [[SoundStream]], _ streams: FilmStreams?) {
    let count = sounds.map(\.count).max() ?? 0
    self.sounds = (0..<count).compactMap { index in
      sounds.lazy.compactMap { $0.indices.contains(index) ? $0[index] : nil }.first
    }.map { SoundTrack(format: $0.format, tags: $0.tags, isDefault: $0.isDefault) }
    tags = streams?.tags ?? [:]
    videoTags = streams?.video.first(where: \.isDefault)?.tags ?? [:]
  }

  /// Adds what depends on when each film begins, and the label of a part.
  mutating func complete(with films: [FilmDescription], _ plan: RenderPlan) async throws {
    if let label = plan.label { self.label(label) }
    guard films.contains(where: { $0.streams?.chapters.isEmpty == false }) else { return }
    var starts: [ClockTime] = [.zero]
    if let part = plan.part {
      starts = part.times.starts
    } else if films.count > 1 {
      starts = try await FilmTimes(of: films).starts
    }
    for (film, start) in zip(films, starts) {
      chapters += (film.streams?.chapters ?? []).map { $0.moved(from: film.start, to: start) }
    }
  }

  /// Puts the label of a part before the comment.
  private mutating func label(_ label: PartLabel) {
    let comment = tags["comment"].map { "\n\($0.text)" } ?? ""
    tags["comment"] = .string(label.text + comment)
  }

  /// Takes the label of a part from the comment.
  mutating func removeLabel() {
    let comment = tags["comment"]?.text ?? ""
    tags["comment"] = comment.firstIndex(of: "\n").map {
      .string(String(comment[$0...].dropFirst()))
    }
  }
}

extension Chapter {
  /// The chapter where what was at `origin` is at `place`.
  fileprivate func moved(from origin: ClockTime, to place: ClockTime) -> Chapter {
    func moved(_ time: ClockTime) -> ClockTime { place + (time > origin ? time - origin : .zero) }
    return Chapter(
      tags, start: moved(start), end: end.map(moved),
      chapters: chapters.map { $0.moved(from: origin, to: place) })
  }
}
