// The render times say where the time of a rendering goes.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The time that a rendering took, in seconds.
public struct RenderTimes: Sendable, Hashable {
  /// The time in which it waited for decoded frames.
  public var decoding: Double
  /// The time in which the effect computed.
  public var effect: Double
  /// The rest, in which it waited for the encoders.
  public var encoding: Double
}

/// Measures where the time of a rendering goes.
final class RenderStopwatch: Sendable {
  private struct State {
    var decoding = Duration.zero
    var effect = Duration.zero
    /// When the frame that is in the effect came to it.
    var entry: ContinuousClock.Instant?
  }

  private let clock: any SteadyClock
  private let begin: ContinuousClock.Instant
  private let state = Lock(State())

  init(on clock: any SteadyClock) {
    self.clock = clock
    begin = clock.now
  }

  /// Measures the time that frames spend in an element, which takes and gives them on one thread.
  func watch(effect: Element) throws(GStreamerError) {
    try effect.pad("sink").addProbe(.buffer) { [self] _ in
      state.withLock { $0.entry = clock.now }
      return .pass
    }
    try effect.pad("src").addProbe(.buffer) { [self] _ in
      state.withLock { state in
        guard let entry = state.entry else { return }
        state.effect += clock.now - entry
        state.entry = nil
      }
      return .pass
    }
  }

  /// Measures the wait for a decoded frame.
  func decoding<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    let begin = clock.now
    defer { state.withLock { $0.decoding += clock.now - begin } }
    return try await body()
  }

  /// The times until now.
  var times: RenderTimes {
    let total = clock.now - begin
    let (decoding, effect) = state.withLock { ($0.decoding, $0.effect) }
    return RenderTimes(
      decoding: decoding / .seconds(1), effect: effect / .seconds(1),
      encoding: max(.zero, total - decoding - effect) / .seconds(1))
  }
}
