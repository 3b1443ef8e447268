// News for one who waits.

/// Says that there is something to look at; several times is once.
struct Signal: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// There is something.
  func raise() { continuation.yield() }
}
