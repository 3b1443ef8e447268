// The frame taps give single frames from before the effect to a reader who asks for one.

import GStreamer
import StreamingThread

/// The places before the effect at which a reader takes a frame now and then.
///
/// While none is asked for, a frame costs the streaming thread a look at a lock.
final class FrameTaps: Sendable {
  /// Where the frames reach the effect.
  let effect = Handoff()
  private let sources = Lock<[Int: Handoff]>([:])

  /// Where the frames of a source leave it; the same when the source is opened again.
  func source(_ number: Int) -> Handoff {
    sources.withLock { sources in
      let tap = sources[number] ?? Handoff()
      sources[number] = tap
      return tap
    }
  }
}

extension CapturePipeline {
  /// The next frame that reaches the effect, for one reader.
  ///
  /// It may be of a camera's own memory, of which there is little: copy what is kept.
  ///
  /// - Returns: Nil where the task is cancelled, or another reader waits.
  package nonisolated func nextInput() async -> Sample? { try? await taps.effect.next() }

  /// The next frame of a source of a ``SourceMixer``, whether it is shown or not; as ``nextInput()``.
  package nonisolated func nextInput(ofSource number: Int) async -> Sample? {
    try? await taps.source(number).next()
  }
}
