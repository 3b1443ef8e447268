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
}

extension FilmContents {
  /// The contents of films that follow each other: each track goes on with that of its number in the next film.
  init(of films: [FilmDescription]) {
    self.init(of: films.map(\.sounds))
  }

  /// - Parameter sounds: The tracks of each film.
  init(of sounds: [[SoundStream]]) {
    let count = sounds.map(\.count).max() ?? 0
    self.sounds = (0..<count).compactMap { index in
      sounds.lazy.compactMap { $0.indices.contains(index) ? $0[index] : nil }.first
    }.map { SoundTrack(format: $0.format, tags: $0.tags, isDefault: $0.isDefault) }
  }
}
