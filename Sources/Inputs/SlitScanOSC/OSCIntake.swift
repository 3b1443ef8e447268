// The OSC intake passes messages from the socket's thread to the actor that performs them.

import GStreamer
import SlitScanStage
import StreamingThread

/// Takes datagrams on one thread and gives orders to one reader, which is woken when there are any.
///
/// The only lock is around the queue and the complaints, and is never held while one of them is told.
final class OSCIntake: Sendable {
  struct Counts: Sendable, Equatable {
    var datagrams = 0
    /// Datagrams that are no OSC.
    var malformed = 0
    /// Requests that were left out as too many waited.
    var dropped = 0
    /// The most requests that ever waited.
    var mostWaiting = 0
  }

  private struct State {
    var queue = OSCQueue()
    var warnings = OSCWarnings()
    var losses = OSCWarnings()
    var counts = Counts()
    /// The senders since the actor last looked.
    var senders: Set<OSCEndpoint> = []
  }

  /// There is something to do; ends with ``finish()``.
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let clock: any SteadyClock
  private let dialect: @Sendable () -> OSCDialect
  private let state = Lock(State())

  /// - Parameter dialect: The dialect at the time, as there may be other presets.
  init(
    clock: any SteadyClock = ContinuousClock(), _ dialect: @escaping @Sendable () -> OSCDialect
  ) {
    self.clock = clock
    self.dialect = dialect
    // One that waits is as good as many.
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var counts: Counts { state.withLock { $0.counts } }

  func wake() { waker.yield() }

  func finish() { waker.finish() }

  // MARK: The thread that reads

  func take(_ bytes: [UInt8], from sender: OSCEndpoint) {
    let groups = OSCPacket.groups(of: bytes)
    let (moment, time) = (clock.now, OSCTimeTag.now)
    var orders: [(order: OSCOrder, delay: Duration)] = []
    var mistakes: [String] = []
    for group in groups ?? [] {
      let requests = requests(of: group, from: sender, &mistakes)
      let delay = group.time.isImmediate ? .zero : group.time.since(time)
      guard !requests.isEmpty else { continue }
      guard delay <= OSCQueue.horizon else {
        mistakes.append(
          "OSC: \(sender) sends bundles for more than an hour ahead. Check both clocks."
        )
        continue
      }
      orders.append((OSCOrder(sender: sender, requests: requests), delay))
    }
    state.withLock { state in
      state.counts.datagrams += 1
      if groups == nil {
        state.counts.malformed += 1
        mistakes.append("OSC: \(sender) sends packets that are not valid OSC.")
      } else if state.senders.count < OSCQueue.limit {
        state.senders.insert(sender)
      }
      for mistake in mistakes { state.warnings.add(mistake) }
      for (order, delay) in orders {
        let isTaken =
          delay > .zero
          ? state.queue.add(order, at: moment + delay) : state.queue.add(order)
        guard !isTaken else { continue }
        state.counts.dropped += order.requests.count
        state.losses.add("OSC: messages arrive too fast; some were dropped.")
      }
      state.counts.mostWaiting = max(state.counts.mostWaiting, state.queue.count)
    }
    wake()
  }

  /// The requests of a group; no more than can wait, as one pattern can stand for every property.
  private func requests(
    of group: OSCGroup, from sender: OSCEndpoint, _ mistakes: inout [String]
  ) -> [OSCRequest] {
    let dialect = dialect()
    var requests: [OSCRequest] = []
    for message in group.messages where requests.count <= OSCQueue.limit {
      do throws(StageError) {
        requests += try dialect.requests(message, from: sender)
      } catch {
        mistakes.append(error.message)
      }
    }
    return requests
  }

  // MARK: The actor

  /// Takes out what is to be done by a moment.
  func work(at moment: ContinuousClock.Instant) -> (
    orders: [OSCOrder], senders: Set<OSCEndpoint>, warning: String?, loss: String?
  ) {
    state.withLock { state in
      defer { state.senders = [] }
      return (
        state.queue.take(at: moment), state.senders, state.warnings.take(at: moment),
        state.losses.take(at: moment)
      )
    }
  }

  func complain(_ sentence: String) {
    state.withLock { $0.warnings.add(sentence) }
    wake()
  }

  /// When there is something to do next, whether or not a wakeup is scheduled.
  var next: ContinuousClock.Instant? {
    state.withLock { state in
      [state.queue.next, state.warnings.next, state.losses.next].compactMap(\.self).min()
    }
  }
}
