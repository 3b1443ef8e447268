// The sequence of an appsink's samples.

/// The samples of a stream, see ``AppSink/samples``.
public struct Samples: AsyncSequence, Sendable {
  let element: ObjectReference
  let intake: SampleIntake

  /// The reader's side.
  ///
  /// There can be one at a time; a second one throws ``GStreamerError/Code/busy``.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: intake.claim().map { SampleReader(element, intake, $0) })
  }

  /// Reads samples, one after the other.
  ///
  /// When it goes, its sink stops waiting for it.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: SampleReader?
    private var isFinished = false

    fileprivate init(reader: SampleReader?) { self.reader = reader }

    /// The next sample; nil at the end.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(GStreamerError) -> Sample? {
      guard !isFinished else { return nil }
      guard let reader else {
        isFinished = true
        throw GStreamerError(.busy, "Somebody else reads these samples already.")
      }
      switch await reader.next() {
      case .success(let sample): return sample
      case .failure(let end):
        isFinished = true
        reader.leave()
        if case .failed(let error) = end.ending { throw error }
        return nil
      case nil:
        isFinished = true
        reader.leave()
        return nil
      }
    }

    /// The next sample; nil at the end.
    public mutating func next() async throws(GStreamerError) -> Sample? {
      try await next(isolation: nil)
    }
  }
}

/// One reader of an appsink, who goes when nobody refers to it any more.
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
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Sample, EndOfSamples>? {
    await intake.next(from: element, as: id)
  }

  func leave() { intake.leave(element, as: id) }
}
