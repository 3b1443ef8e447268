// The frames of a source as a sequence.

import GStreamer

/// The frames of a source, see ``FrameSource/frames(delivery:)``; for one reader.
public struct Frames: AsyncSequence, Sendable {
  private let source: any FrameSource
  private let pipeline: Pipeline
  private let sink: AppSink

  init(source: any FrameSource, pipeline: Pipeline, sink: AppSink) {
    self.source = source
    self.pipeline = pipeline
    self.sink = sink
  }

  /// How many frames nobody got so far.
  public var dropped: UInt64 { sink.dropped }

  /// Ends the sequence, and returns once the device is closed.
  ///
  /// Who lets go of a sequence closes the device, too, but a moment later.
  public func stop() async { await pipeline.stop() }

  /// The reader's side.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, pipeline: pipeline, samples: sink.samples.makeAsyncIterator())
  }

  /// Reads frames, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: any FrameSource
    fileprivate let pipeline: Pipeline
    fileprivate var samples: Samples.Iterator

    /// The next frame; nil at the end, when the device is closed.
    ///
    /// - Throws: Why the source broke off.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(CaptureError) -> Sample? {
      do throws(GStreamerError) {
        if let sample = try await samples.next(isolation: isolation) { return sample }
      } catch {
        await pipeline.stop()
        throw source.explain(error)
      }
      await pipeline.stop()
      return nil
    }

    /// The next frame; nil at the end, when the device is closed.
    public mutating func next() async throws(CaptureError) -> Sample? {
      try await next(isolation: nil)
    }
  }
}
