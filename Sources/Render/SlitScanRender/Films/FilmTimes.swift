// The presentation times of the frames of several films in succession.

import GStreamer
import SlitScanCapture

/// The times of all frames of one or several films in a row, in the order in which they are shown.
///
/// A film's first frame follows the last one of the film before as that film's frames follow each
/// other.
struct FilmTimes: Sendable, Equatable {
  /// When each frame is shown.
  private(set) var times: [ClockTime] = []
  /// The first frame of each film.
  private(set) var firsts: [Int] = []
  /// Whether each film can be read from any frame on: its packets say when they are shown.
  private(set) var areSeekable: [Bool] = []
  /// When each film's time is 0; one more than there are films: where another would begin.
  private(set) var starts: [ClockTime] = [.zero]

  /// Adds a film by the times of its frames, in order.
  ///
  /// - Parameter frameDuration: From one frame to the next; nil where the last two say so.
  mutating func append(
    _ film: [ClockTime], frameDuration: ClockTime?, isSeekable: Bool = true
  ) {
    areSeekable.append(isSeekable)
    let start = starts.last ?? .zero
    firsts.append(times.count)
    times += film.map { start + $0 }
    starts.append(start + Self.end(of: film.suffix(2), frameDuration))
  }

  /// When a film ends whose last frames are shown at `times`.
  static func end(of times: some Sequence<ClockTime>, _ frameDuration: ClockTime?) -> ClockTime {
    let times = Array(times)
    guard let last = times.last else { return .zero }
    let step = frameDuration ?? (times.count > 1 ? last - times[times.count - 2] : .zero)
    return last + step
  }

  /// The films that frames are of, with the frames of each.
  func films(of frames: Range<Int>) -> [(film: Int, frames: Range<Int>)] {
    firsts.indices.compactMap { film in
      let end = film + 1 < firsts.count ? firsts[film + 1] : times.count
      let common = frames.clamped(to: firsts[film]..<max(firsts[film], end))
      return common.isEmpty ? nil : (film, common)
    }
  }
}

extension FilmTimes {
  /// Looks the times of films up: from their packets, or where those do not say, by decoding all.
  ///
  /// - Parameters:
  ///   - total: The frames of all films, about; nil where that is not known.
  ///   - progress: Told from time to time how many frames were found.
  init(
    of films: [FilmDescription], total: Int? = nil,
    _ progress: FilmRendering.Listener = { _ in }
  ) async throws {
    for film in films {
      if let images = film.input.images {
        append(images.files.indices.map(images.time), frameDuration: film.frameDuration)
        continue
      }
      let times = try await Self.packetTimes(of: film) { [count = self.times.count] in
        progress(RenderProgress(stage: .looking, frames: count + $0, total: total, time: .zero))
      }
      let known = if let times { times } else { try await Self.decodedTimes(of: film.path) }
      append(
        known.map { $0 - film.start }, frameDuration: film.frameDuration, isSeekable: times != nil)
    }
  }

  /// The times of a film's packets, nil where they do not tell when each frame is shown.
  private static func packetTimes(
    of film: FilmDescription, said: (Int) -> Void
  ) async throws -> [ClockTime]? {
    // A decoder may find frames where there are no packets of frames, as in a playlist of HLS.
    guard let video = film.streams?.defaultVideo else { return nil }
    let found = try await OpenFilm(film.path, video).read { packets -> [ClockTime]? in
      var times: [ClockTime] = []
      var last: Sample?
      while let packet = try await packets.next() {
        guard packet.buffer?.presentationTime != nil else { return nil }
        if let lag = last?.lag(behind: packet), lag > .zero { times = times.map { $0 + lag } }
        last = packet
        // Packets that an edit list cuts off have none.
        if let time = packet.streamTime { times.append(time) }
        if times.count.isMultiple(of: 1000) { said(times.count) }
      }
      return times
    }
    guard let times = found?.sorted() else { return nil }
    let isStrict = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    return isStrict ? times : nil
  }

  private static func decodedTimes(of path: String) async throws -> [ClockTime] {
    try await FilmFrames(FilmInput(path)).read { frames in
      var times: [ClockTime] = []
      while let frame = try await frames.next() { times.append(frame.time) }
      return times
    }
  }
}
