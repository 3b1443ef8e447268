// The bus delivers the messages of a pipeline as an asynchronous sequence.

import StreamingThread

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
  public var messages: Messages { Messages(watch.subscribe()) }

  /// A sequence of messages.
  public struct Messages: AsyncSequence, Sendable {
    /// The maximum number of messages that wait for a reader.
    public static let limit = 1000

    private let subscription: MessageSubscription

    fileprivate init(_ subscription: MessageSubscription) { self.subscription = subscription }

    /// The reader's side.
    ///
    /// All iterators of a sequence share its messages.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Reads messages, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let subscription: MessageSubscription

      /// The next message; nil at the end.
      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async -> Message? {
        await subscription.next()
      }

      /// The next message; nil at the end.
      public mutating func next() async -> Message? { await subscription.next() }
    }
  }
}

/// One reader's messages.
final class MessageSubscription: Sendable {
  private typealias Waiter = CheckedContinuation<Message?, Never>

  private let mailbox = Lock(Mailbox<Message, Waiter>(limit: Bus.Messages.limit))
  private let watch: BusWatch
  private let id: UInt64

  init(_ id: UInt64, of watch: BusWatch) {
    self.id = id
    self.watch = watch
  }

  deinit { watch.unsubscribe(id) }

  func post(_ message: Message) {
    mailbox.withLock { $0.post(message) }?.resume(returning: message)
  }

  func finish() {
    mailbox.withLock { $0.finish() }?.resume(returning: nil)
  }

  func next(isolation: isolated (any Actor)? = #isolation) async -> Message? {
    guard !Task.isCancelled else { return nil }
    // Posting happens in the lock before: ThreadSanitizer does not see all that a continuation orders.
    defer { mailbox.withLock { _ in } }
    return await withCancellableContinuation { (waiter: Waiter) in
      let action = mailbox.withLock { mailbox in
        let action = mailbox.take()
        guard case .wait = action else { return action }
        // Once registered, cancellation resumes the waiter.
        if Task.isCancelled { return .end }
        mailbox.wait(waiter)
        return action
      }
      switch action {
      case .item(let message): waiter.resume(returning: message)
      case .end: waiter.resume(returning: nil)
      case .wait: break
      }
    } onCancel: {
      mailbox.withLock { $0.stopWaiting() }?.resume(returning: nil)
    }
  }
}
