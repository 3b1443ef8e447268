// The state machine of an appsink's readers. A value: no lock, no threads, no samples.

/// The state between a streaming thread that brings samples and the one reader that takes them.
///
/// The samples lie in the appsink's own queue. Here they are only counted, as a semaphore counts: a
/// sample that has arrived may be pulled once, by the consumer or to be discarded. So a pull always
/// finds a sample, in order, unless a flush has emptied the queue meanwhile.
struct SampleQueueState {
  /// The next step of the consumer.
  enum Action: Equatable {
    /// Pulls a sample. If there is none, there was a flush: asks again.
    case pull
    /// Waits while ``mustWait(_:)`` says so, and asks again.
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
  /// Whether the consumer waits, and has not asked what to do since.
  private(set) var isWaiting = false
  /// The reason for the end of the samples; nil while there are more.
  private var ending: StreamEnding?
  /// The last action of each consumer that no longer reads and has not left yet.
  private var lastActions: [UInt64: Action] = [:]
  /// Samples in the queue for which no pull has been granted.
  private var held = 0
  /// Samples that were never delivered, since the beginning.
  private(set) var dropped: UInt64 = 0

  init(_ delivery: Delivery) { self.delivery = delivery }

  // MARK: The streaming thread

  /// A sample is in the queue.
  ///
  /// - Returns: Whether the oldest one is to be pulled and dropped.
  mutating func arrive() -> Bool {
    if consumer == .gone { return discard() }
    if case .latest(let limit) = delivery, held >= max(1, limit) { return discard() }
    held += 1
    return false
  }

  private mutating func discard() -> Bool {
    dropped &+= 1
    return true
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
  mutating func end(_ ending: StreamEnding) {
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
  }

  /// The element begins anew; what was wrong with it is forgotten.
  mutating func rearm() {
    if ending != nil, ending != .disposed { end(.stopped) }
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
    nextID += 1
    consumer = .present(nextID)
    return nextID
  }

  /// The next step of a consumer.
  mutating func nextAction(of id: UInt64) -> Action {
    guard consumer == .present(id) else { return lastActions[id] ?? .end(.stopped) }
    isWaiting = false
    if held > 0 {
      held -= 1
      return .pull
    }
    isWaiting = ending == nil
    return ending.map { .end($0) } ?? .wait
  }

  /// Whether there is still nothing to do for a consumer.
  func mustWait(_ id: UInt64) -> Bool { consumer == .present(id) && held == 0 && ending == nil }

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
  /// - Returns: How many samples are to be pulled and dropped.
  mutating func stopReading() -> Int {
    guard case .present = consumer else { return 0 }
    dismiss(.end(.stopped))
    return dropHeld()
  }

  private mutating func dropHeld() -> Int {
    defer { held = 0 }
    dropped &+= UInt64(held)
    return held
  }

  /// Whether no sample waits for the consumer.
  ///
  /// The latest ones may wait for ever.
  var isRead: Bool {
    if case .latest = delivery { return true }
    return held == 0
  }
}
