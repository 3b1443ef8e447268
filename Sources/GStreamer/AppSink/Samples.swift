// The samples of an appsink as an asynchronous sequence.

import StreamingThread

/// The samples of a stream, see ``AppSink/samples``.
public struct Samples: AsyncSequence, Sendable {
  let element: ObjectReference
  let intake: SampleIntake

  /// The reader's side, from where the reader before was left.
  ///
  /// There can be one at a time. A reader that was left takes no more samples: its ``Iterator/next()``
  /// throws ``GStreamerError/Code/busy``. So does that of the new reader, while the other is waiting.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: intake.claim().map { SampleReader(element, intake, $0) })
  }

  /// Reads samples, one after the other.
  ///
  /// When it goes, its sink stops waiting for it. Top-level code keeps the iterator of a loop as long as
  /// the program runs: there, ``AppSink/stopReading()`` does this.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: SampleReader?
    private var isFinished = false
    private var yieldTimer = YieldTimer()

    fileprivate init(reader: SampleReader?) { self.reader = reader }

    /// The next sample; nil at the end.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(GStreamerError) -> Sample? {
      guard !isFinished else { return nil }
      guard let reader else {
        isFinished = true
        throw .busy
      }
      isFinished = true
      defer { if isFinished { reader.leave() } }
      guard let sample = try await reader.next(&yieldTimer) else { return nil }
      isFinished = false
      return sample
    }

    /// The next sample; nil at the end.
    public mutating func next() async throws(GStreamerError) -> Sample? {
      try await next(isolation: nil)
    }
  }
}

/// One reader of an appsink, which ends with its last reference.
private final class SampleReader: Sendable {
  private let element: ObjectReference
  private let intake: SampleIntake
  private let id: UInt64

  init(_ element: ObjectReference, _ intake: SampleIntake, _ id: UInt64) {
    self.element = element
    self.intake = intake
    self.id = id
  }

  deinit { leave() }

  func next(
    _ yieldTimer: inout YieldTimer, isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) -> Sample? {
    try await intake.next(from: element, as: id, &yieldTimer)
  }

  func leave() { intake.leave(element, as: id) }
}
