// The state machine of an appsink's readers. A value: no lock, no threads, no samples.

/// The state between a streaming thread that brings samples and the one reader that takes them.
///
/// The samples lie in the appsink's own queue. Here they are only counted, as a semaphore counts: a
/// sample that has arrived may be pulled once, by the consumer or to be discarded. So a pull always
/// finds a sample, in order, unless a flush has emptied the queue meanwhile.
///
/// `Waiter` is what wakes the consumer, or a task that waits for it to be done: a continuation, or in tests a number.
struct SampleQueueState<Waiter> {
  /// The next step of the streaming thread after it has brought a sample.
  enum Arrival {
    /// Nothing: the sample waits for the consumer.
    case keep
    /// Wakes the consumer, which asks what to do.
    case wake(Waiter)
    /// Pulls the oldest sample, which is dropped.
    case discard
  }

  /// The next step of the consumer.
  enum Action: Equatable {
    /// Pulls a sample. If there is none, there was a flush: asks again.
    case pull
    case wait
    case end(StreamEnding)
    /// Is done, because another consumer has taken over.
    case superseded
  }

  private enum Consumer: Equatable {
    /// There has been no consumer yet: samples wait.
    case expected
    /// A consumer reads.
    case present(UInt64)
    /// The last consumer has gone: samples are discarded, so that nothing is held up.
    case gone
  }

  private let delivery: Delivery
  private var consumer = Consumer.expected
  private var nextID: UInt64 = 0
  private var waiter: Waiter?
  /// Whether the consumer has gone to wait and not asked what to do since.
  private(set) var isWaiting = false
  /// The reason for the end of the samples; nil while there are more.
  private var ending: StreamEnding?
  /// The last action of each consumer that no longer reads and has not left yet.
  private var lastActions: [UInt64: Action] = [:]
  /// Samples in the queue for which no pull has been granted.
  private var held = 0
  /// Samples that were never delivered, since the beginning.
  private(set) var dropped: UInt64 = 0
  /// The tasks that wait until the queue has been read.
  private var endWaiters: [UInt64: Waiter] = [:]

  init(_ delivery: Delivery) { self.delivery = delivery }

  // MARK: The streaming thread

  /// A sample is in the queue.
  mutating func arrive() -> Arrival {
    if consumer == .gone { return discard() }
    if case .latest(let limit) = delivery, held >= max(1, limit) { return discard() }
    held += 1
    guard let waiter = stopWaiting() else { return .keep }
    return .wake(waiter)
  }

  private mutating func discard() -> Arrival {
    dropped &+= 1
    return .discard
  }

  /// A flush is about to empty the queue.
  ///
  /// A stream that had come to its end can go on.
  mutating func flush() {
    held = 0
    if ending == .eos { ending = nil }
  }

  /// The stream is over.
  ///
  /// Samples before its end or an error can still be pulled. When it is stopped, the consumer is done,
  /// and the next one reads the next stream.
  ///
  /// - Returns: The consumer, if it waits: it is to ask what to do.
  mutating func end(_ ending: StreamEnding) -> Waiter? {
    switch ending {
    case .eos, .failed: if self.ending == nil { self.ending = ending }
    case .disposed:
      held = 0
      if self.ending == nil { self.ending = ending }
      dismissAtEnd()
      self.ending = ending
    case .stopped:
      held = 0
      guard self.ending != .disposed else { break }
      if self.ending == nil { self.ending = ending }
      dismissAtEnd()
      self.ending = nil
      consumer = .expected
    }
    return stopWaiting()
  }

  /// The element begins anew; what was wrong with it is forgotten.
  mutating func rearm() -> Waiter? {
    guard ending != nil, ending != .disposed else { return nil }
    return end(.stopped)
  }

  private mutating func dismissAtEnd() {
    if let ending { dismiss(.end(ending)) }
  }

  /// The consumer is done, whatever comes after.
  private mutating func dismiss(_ last: Action) {
    guard case .present(let id) = consumer else { return }
    lastActions[id] = last
    depart()
  }

  private mutating func depart() {
    consumer = .gone
    isWaiting = false
  }

  // MARK: The consumer

  /// Registers a new consumer, which takes over from one that does not wait for a sample.
  ///
  /// A consumer that was left need not have said so: top-level code keeps the iterator of a loop.
  ///
  /// - Returns: Its number, nil if another consumer waits.
  mutating func claim() -> UInt64? {
    guard !isWaiting else { return nil }
    dismiss(.superseded)
    let id = makeID()
    consumer = .present(id)
    return id
  }

  /// The next step of a consumer.
  mutating func nextAction(of id: UInt64) -> Action {
    guard consumer == .present(id) else { return lastActions[id] ?? .end(.stopped) }
    isWaiting = false
    if held > 0 {
      held -= 1
      return .pull
    }
    return ending.map { .end($0) } ?? .wait
  }

  /// The consumer waits, unless there is something to do after all.
  mutating func wait(_ waiter: Waiter, as id: UInt64) -> Bool {
    guard consumer == .present(id), held == 0, ending == nil else { return false }
    self.waiter = waiter
    isWaiting = true
    return true
  }

  /// The consumer does not wait any longer.
  mutating func stopWaiting() -> Waiter? {
    defer { waiter = nil }
    return waiter
  }

  /// A consumer goes.
  ///
  /// - Returns: How many samples are to be pulled and dropped.
  mutating func leave(_ id: UInt64) -> Int {
    lastActions[id] = nil
    guard consumer == .present(id) else { return 0 }
    depart()
    return dropHeld()
  }

  /// The consumer is done, if there is one.
  ///
  /// - Returns: The consumer, if it waits, and how many samples are to be pulled and dropped.
  mutating func stopReading() -> (waiter: Waiter?, held: Int) {
    guard case .present = consumer else { return (nil, 0) }
    dismiss(.end(.stopped))
    return (stopWaiting(), dropHeld())
  }

  private mutating func dropHeld() -> Int {
    defer { held = 0 }
    dropped &+= UInt64(held)
    return held
  }

  // MARK: Tasks that wait for the consumer

  /// Whether no sample waits for the consumer.
  ///
  /// The latest ones may wait for ever.
  private var isRead: Bool {
    if case .latest = delivery { return true }
    return held == 0
  }

  /// Registers a task that waits until the queue has been read, unless it has.
  mutating func waitUntilRead(_ waiter: Waiter, id: UInt64) -> Bool {
    guard !isRead else { return false }
    endWaiters[id] = waiter
    return true
  }

  /// Removes a task that no longer waits.
  mutating func stopWaitingUntilRead(_ id: UInt64) -> Waiter? {
    endWaiters.removeValue(forKey: id)
  }

  /// The tasks that need not wait any longer, once the queue has been read.
  mutating func takeEndWaiters() -> [Waiter] {
    guard !endWaiters.isEmpty, isRead else { return [] }
    defer { endWaiters = [:] }
    return Array(endWaiters.values)
  }

  /// A number for a task that is going to wait.
  mutating func makeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }
}
