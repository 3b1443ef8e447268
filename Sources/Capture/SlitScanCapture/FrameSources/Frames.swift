// The frames of a source as an asynchronous sequence.

import GStreamer

/// The frames of a source, see ``FrameSource/frames(delivery:)``; for one reader.
package struct Frames: AsyncSequence, Sendable {
  fileprivate let source: any FrameSource
  private let pipeline: Pipeline
  private let sink: AppSink
  /// Whether the sequence has ended, or is about to.
  private let isOver = Shared(false)
  /// The end of the file, where only its last frames are read.
  let end: ClockTime?

  init(source: any FrameSource, pipeline: Pipeline, sink: AppSink, end: ClockTime? = nil) {
    self.source = source
    self.pipeline = pipeline
    self.sink = sink
    self.end = end
  }

  /// Ends the sequence, and returns once the device is closed.
  ///
  /// Letting go of a sequence closes the device, too, but a moment later.
  package func stop() async {
    isOver.value = true
    await pipeline.stop()
  }

  /// The reader's side.
  package func makeAsyncIterator() -> Iterator {
    let samples = sink.samples.makeAsyncIterator()
    // A sink whose pipeline was stopped waits for that to play again. This one never does.
    return Iterator(frames: self, samples: isOver.value ? nil : samples)
  }

  /// Reads frames, one after the other.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let frames: Frames
    /// Nil where there are none any more.
    fileprivate var samples: Samples.Iterator?

    /// The next frame; nil at the end, when the device is closed.
    ///
    /// - Throws: Why the source broke off.
    package mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(CaptureError) -> Sample? {
      do throws(GStreamerError) {
        if let sample = try await samples?.next(isolation: isolation) { return sample }
      } catch {
        await frames.stop()
        throw frames.source.explain(error)
      }
      await frames.stop()
      return nil
    }
  }
}
