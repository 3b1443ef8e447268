// A reader of a film's encoded frames, without decoding.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Reads the encoded frames of one film; for one reader.
struct FilmPackets: FilmReader {
  private(set) var film: OpenFilm
  private let found = Found()

  /// Whether the film has frames.
  private final class Found: Sendable {
    private let frames = Lock<StreamSelection?>(nil)

    var hasFrames: Bool { frames.withLock { $0 != nil } }

    /// Takes note of a stream.
    ///
    /// - Returns: Whether it is to be read: the first of those of frames that come first in the container's selection.
    func add(_ kind: String, _ selection: StreamSelection) -> Bool {
      guard StreamKind.video.has(kind) else { return false }
      return frames.withLock { frames in
        if let best = frames, best >= selection { return false }
        frames = selection
        return true
      }
    }
  }

  init(_ path: String) async throws {
    let found = found
    film = try await OpenFilm(path, queue: 64) { pipeline, source, sink in
      let file = try source.makeReader()
      let parser = try Element("parsebin")
      let entry = try sink.pad("sink")
      try await pipeline.add(sink)
      try await pipeline.add(chain: [file, parser])
      try parser.leavesPlaylists()
      try parser.connect("pad-added") { arguments in
        guard case .pad(let pad)? = arguments.first,
          let kind = (pad.caps ?? pad.possibleCaps)?.structures.first?.name
        else { return nil }
        if found.add(kind, pad.selection) {
          // Nothing has passed yet.
          entry.peer?.unlink(from: entry)
          try? pad.link(to: entry)
        } else if !entry.isLinked {
          // If nothing came to the sink, the pipeline would wait for it for ever.
          try? pad.link(to: entry)
        }
        return nil
      }
    }
  }

  /// The next encoded frame, as its caps; nil at the end.
  mutating func next() async throws -> Sample? {
    while let sample = try await film.next() {
      if StreamKind.video.has(sample.caps?.structures.first?.name) { return sample }
    }
    guard found.hasFrames else {
      throw CaptureError(
        .sourceFailed, "\(film.path): There is no video in this file.",
        underlying: GStreamerError(.noStream, "There is no video in this file."))
    }
    return nil
  }
}
