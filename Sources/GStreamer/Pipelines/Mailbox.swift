// A mailbox holds the messages that were posted and not read yet. A value: no lock, no threads.

/// Items that wait for one reader, the oldest first.
///
/// `Waiter` is what wakes a reader: a continuation, or in tests a number.
struct Mailbox<Item, Waiter> {
  /// The next step of a reader.
  enum Action {
    case item(Item)
    /// Nothing yet: wait.
    case wait
    /// Nothing ever again.
    case end
  }

  /// The most items that are kept for a reader that does not read; after that the oldest go.
  let limit: Int
  private var items: [Item] = []
  private var waiter: Waiter?
  private var isFinished = false

  init(limit: Int) { self.limit = limit }

  /// An item comes.
  ///
  /// - Returns: The reader that waits for it; nil if it was kept instead.
  mutating func post(_ item: Item) -> Waiter? {
    guard !isFinished else { return nil }
    if let waiter {
      self.waiter = nil
      return waiter
    }
    if items.count >= limit { items.removeFirst() }
    items.append(item)
    return nil
  }

  /// A reader comes.
  mutating func take() -> Action {
    if !items.isEmpty { return .item(items.removeFirst()) }
    return isFinished || waiter != nil ? .end : .wait
  }

  /// A reader waits; only after ``take()`` said so.
  mutating func wait(_ waiter: Waiter) { self.waiter = waiter }

  /// The reader does not wait any longer.
  ///
  /// - Returns: The waiter.
  mutating func stopWaiting() -> Waiter? {
    defer { waiter = nil }
    return waiter
  }

  /// Nothing comes any more; what is there can still be read.
  ///
  /// - Returns: The reader that waits in vain.
  mutating func finish() -> Waiter? {
    isFinished = true
    return stopWaiting()
  }
}
