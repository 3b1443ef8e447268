// The frames of a source as an asynchronous sequence.

import GStreamer
import Synchronization

/// The frames of a source, see ``FrameSource/frames(delivery:)``; for one reader.
package struct Frames: AsyncSequence, Sendable {
  private let source: any FrameSource
  private let sink: AppSink
  private let ending: End
  /// The end of the file, where only its last frames are read.
  let end: ClockTime?

  init(source: any FrameSource, pipeline: Pipeline, sink: AppSink, end: ClockTime? = nil) {
    self.source = source
    self.sink = sink
    self.end = end
    ending = End(of: pipeline)
  }

  /// Ends the sequence, and returns once the device is closed.
  ///
  /// Letting go of a sequence closes the device, too, but a moment later.
  package func stop() async { await ending.come() }

  /// The reader's side.
  package func makeAsyncIterator() -> Iterator {
    let samples = sink.samples.makeAsyncIterator()
    // A sink whose pipeline was stopped waits for that to play again. This one never does.
    return Iterator(source: source, end: ending, samples: ending.hasCome ? nil : samples)
  }

  /// The end of the sequence, which comes once.
  fileprivate final class End: Sendable {
    private let pipeline: Pipeline
    private let isComing = Atomic(false)

    init(of pipeline: Pipeline) { self.pipeline = pipeline }

    /// Whether it has come, or is about to.
    var hasCome: Bool { isComing.load(ordering: .acquiring) }

    func come() async {
      isComing.store(true, ordering: .releasing)
      await pipeline.stop()
    }
  }

  /// Reads frames, one after the other.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: any FrameSource
    fileprivate let end: End
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
        await end.come()
        throw source.explain(error)
      }
      await end.come()
      return nil
    }
  }
}
