// The bus delivers the messages of a pipeline as an asynchronous sequence.

/// The bus on which the elements of a pipeline post their messages.
public struct Bus: Sendable {
  private let watch: BusWatch

  init(_ watch: BusWatch) { self.watch = watch }

  /// The messages from now on.
  ///
  /// ```swift
  /// let messages = pipeline.bus.messages
  /// try await pipeline.play()
  /// for await message in messages where message.kind == .eos { break }
  /// ```
  ///
  /// Each look makes a sequence of its own, for one reader; the pipeline can have many. Messages wait
  /// for their reader, up to the ``Messages/limit`` newest. The sequence ends with the pipeline, or
  /// when the reader is cancelled; not at the end of the stream, since a pipeline can play again.
  public var messages: Messages { Messages(watch.messages) }

  /// A sequence of messages.
  public struct Messages: AsyncSequence, Sendable {
    /// The maximum number of messages that wait for a reader.
    public static let limit = 1000

    private let source: Broadcast<Message>
    private let stream: AsyncStream<Message>

    fileprivate init(_ source: Broadcast<Message>) {
      self.source = source
      stream = source.listen(limit: Self.limit)
    }

    /// The reader's side.
    ///
    /// All iterators of a sequence share its messages.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: source, stream: stream.makeAsyncIterator())
    }

    /// Reads messages, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let source: Broadcast<Message>
      fileprivate var stream: AsyncStream<Message>.Iterator

      /// The next message; nil at the end.
      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async -> Message? {
        guard !Task.isCancelled else { return nil }
        defer { source.synchronize() }
        return await stream.next(isolation: isolation)
      }

      /// The next message; nil at the end.
      public mutating func next() async -> Message? { await next(isolation: nil) }
    }
  }
}
