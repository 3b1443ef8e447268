// The sound tracks of a film, sent to a writer in step with its frames.

import GStreamer

/// All sound tracks of several films in succession.
struct SoundTracks {
  private var tracks: [SoundTrack]
  private let writer: FilmWriter
  /// When the output is at 0, in the time of the films.
  private let origin: ClockTime

  /// Tracks as those of the film that is written.
  ///
  /// - Parameters:
  ///   - delay: The delay with which they are heard.
  ///   - origin: When the output is at 0, in the time of the films.
  ///   - isTimed: Whether sound is placed by its timestamps, or follows what was before.
  init(
    to writer: FilmWriter, delay: ClockTime = .zero, origin: ClockTime = .zero, isTimed: Bool = true
  ) throws {
    self.writer = writer
    self.origin = origin
    tracks = try writer.contents.sounds.map {
      try SoundTrack($0.format, delay: delay, isTimed: isTimed)
    }
  }

  /// Goes on with another film, whose sound begins when that of the one before ends; silence where it has none.
  mutating func append(_ film: FilmDescription, at start: ClockTime) {
    append([film.sounds], at: start, origin: film.start)
  }

  /// Goes on with films whose sounds follow each other.
  ///
  /// - Parameter films: The tracks of each.
  mutating func append(
    _ films: [[SoundStream]], at start: ClockTime, origin: ClockTime = .zero
  ) {
    for index in tracks.indices {
      let streams = films.compactMap { $0.indices.contains(index) ? $0[index] : nil }
      tracks[index].append(streams, at: start, origin: origin)
    }
  }

  /// Leaves everything out before a time of what is written.
  mutating func skip(to time: ClockTime) async throws {
    for index in tracks.indices {
      try await tracks[index].skip(to: time + writer.soundAdvance(ofTrack: index))
    }
  }

  /// Sends what is heard before a time.
  mutating func send(before time: ClockTime) async throws {
    for index in tracks.indices {
      while let block = try await tracks[index].next(before: time) {
        try await writer.send(sound: block, track: index, origin: origin)
      }
    }
  }

  /// Sends what is left.
  mutating func sendRest() async throws {
    for index in tracks.indices {
      while let block = try await tracks[index].rest() {
        try await writer.send(sound: block, track: index, origin: origin)
      }
    }
  }

  mutating func close() async {
    for index in tracks.indices { await tracks[index].close() }
  }
}
