// A film reader has a film open, and closes it once it is not needed any more.

import GStreamer
import SlitScanCapture

/// Reads something of one film.
protocol FilmReader {
  var film: OpenFilm { get }
}

extension FilmReader {
  /// Closes the film, and returns once it is closed.
  func close() async { await film.pipeline.stop() }

  /// Reads, and closes the film then, also where that fails: nothing of it goes on when this returns.
  consuming func read<Value>(
    _ body: (inout Self) async throws -> Value
  ) async throws -> Value {
    var reader = self
    return try await reader.film.pipeline.stopping { try await body(&reader) }
  }
}

extension OpenFilm: FilmReader {
  var film: OpenFilm { self }
}

/// A film that is open, and the samples that come out of it, as fast as they can be made; for one reader.
struct OpenFilm {
  let path: String
  let pipeline: Pipeline
  private let source: FileSource
  private var samples: Samples.Iterator

  /// Opens a film.
  ///
  /// - Parameters:
  ///   - queue: How many samples may wait for the reader.
  ///   - build: Fills the pipeline with elements that read the film, up to a sink.
  ///   - begin: Lets it play.
  /// - Throws: ``CaptureError``.
  init(
    _ path: String, queue: Int = 4,
    _ build: (_ pipeline: Pipeline, _ source: FileSource, _ sink: Element) async throws -> Void,
    begin: @Sendable (Pipeline) async throws -> Void = { try await $0.play() }
  ) async throws {
    self.path = path
    source = FileSource(path)
    do {
      pipeline = try Pipeline()
      let sink = try AppSink(delivery: .lossless(queue: queue), isSynchronized: false)
      samples = sink.samples.makeAsyncIterator()
      try await build(pipeline, source, sink.element)
      try await pipeline.begin(begin)
    } catch let error as GStreamerError {
      throw Self.explain(error, path, source)
    }
  }

  /// The next sample; nil at the end.
  mutating func next() async throws -> Sample? {
    do throws(GStreamerError) {
      if let sample = try await samples.next() { return sample }
    } catch {
      throw Self.explain(error, path, source)
    }
    try Task.checkCancellation()
    return nil
  }

  /// The error of a film, with its name and what it means.
  private static func explain(
    _ error: GStreamerError, _ path: String, _ source: FileSource
  ) -> CaptureError {
    let explained = source.explain(error)
    return CaptureError(
      explained.code, "\(path): \(explained.message)", underlying: explained.underlying)
  }
}

extension Pipeline {
  /// Begins with something, as to play; where that fails, stops.
  nonisolated func begin(
    _ body: @Sendable (Pipeline) async throws -> Void
  ) async throws {
    // Films are read as fast as they can be.
    await readAhead()
    do {
      try await body(self)
    } catch {
      await stop()
      throw error
    }
  }
}
