// A reader of a film's encoded frames, without decoding.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Reads the encoded frames of one film; for one reader.
struct FilmPackets: FilmReader {
  private let path: String
  private let source: FileSource
  private let pipeline: Pipeline
  private var samples: Samples.Iterator
  private let found = Found()

  /// The streams that the film has, and what it says of itself.
  private final class Found: Sendable {
    private let kinds = Lock<[String]>([])
    private let said = Lock<[String: Value]>([:])

    var all: [String] { kinds.withLock { $0 } }
    var tags: [String: Value] { said.withLock { $0 } }

    func add(_ tags: [String: Value]) {
      said.withLock { $0.merge(tags) { first, _ in first } }
    }

    /// Takes note of a stream.
    ///
    /// - Returns: Whether it is the first one of frames.
    func add(_ kind: String) -> Bool {
      kinds.withLock { kinds in
        let isFirst = isFrames(kind) && !kinds.contains(where: isFrames)
        kinds.append(kind)
        return isFirst
      }
    }
  }

  /// Opens a film.
  ///
  /// - Throws: ``CaptureError``.
  init(_ path: String) async throws {
    self.path = path
    source = FileSource(path)
    do {
      pipeline = try Pipeline()
      let file = try source.makeReader()
      let parser = try Element("parsebin")
      let sink = try AppSink(delivery: .lossless(queue: 64), isSynchronized: false)
      samples = sink.samples.makeAsyncIterator()
      let entry = try sink.element.pad("sink")
      try await pipeline.add(file, parser, sink.element)
      try await pipeline.link(file, parser)
      let found = found
      entry.addProbe(.eventDownstream) { item in
        if case .event(let event) = item, event.kind == .tag { found.add(event.tags) }
        return .pass
      }
      try parser.connect("pad-added") { arguments in
        guard case .pad(let pad)? = arguments.first,
          let kind = (pad.caps ?? pad.possibleCaps)?.structures.first?.name
        else { return nil }
        if found.add(kind) {
          // Nothing has passed yet.
          entry.peer?.unlink(from: entry)
          try? pad.link(to: entry)
        } else if !entry.isLinked {
          // If nothing came to the sink, the pipeline would wait for it for ever.
          try? pad.link(to: entry)
        }
        return nil
      }
      try await pipeline.begin { try await $0.play() }
    } catch let error as GStreamerError {
      throw explain(error, of: path, source)
    }
  }

  /// The first encoded frame, and whether there is sound, too.
  ///
  /// Before anything else is read: what streams there are is known once a frame has come.
  mutating func lookAhead() async throws -> (first: Sample?, hasSound: Bool) {
    let first = try await next()
    return (first, found.all.contains { $0.hasPrefix("audio/") })
  }

  /// The next encoded frame, as its caps; nil at the end.
  mutating func next() async throws -> Sample? {
    do throws(GStreamerError) {
      while let sample = try await samples.next() {
        if sample.caps?.structures.first.map({ isFrames($0.name) }) == true { return sample }
      }
    } catch {
      throw explain(error, of: path, source)
    }
    try Task.checkCancellation()
    guard found.all.contains(where: isFrames) else {
      throw CaptureError(.sourceFailed, "\(path): There is no video in this file.")
    }
    return nil
  }

  /// The tags of the file; known once a frame has come.
  var tags: [String: Value] { found.tags }

  /// Closes the film.
  func close() async { await pipeline.stop() }
}

/// True for a stream of frames.
private func isFrames(_ kind: String) -> Bool {
  kind.hasPrefix("video/") || kind.hasPrefix("image/")
}
