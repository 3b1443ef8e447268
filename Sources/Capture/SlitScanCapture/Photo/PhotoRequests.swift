// The photo requests match waiting callers with the frames they are to get. A value: no lock, no threads.

import GStreamer

/// Matches requests with frames.
///
/// A canvas or a sweep says on the bus at which running time it was complete, and the frame of that
/// time comes another way, earlier or later; so a few of the last ones are held while a request waits.
struct PhotoRequests<Frame: Sendable, Waiter: Sendable>: Sendable {
  enum Wish: Equatable {
    case next
    /// The next that is complete.
    case complete
  }

  typealias Answer = (waiter: Waiter, frame: Frame)

  /// The frames that are held for a message that is under way.
  static var heldFrames: Int { 16 }
  private var requests: [(id: UInt64, waiter: Waiter, wish: Wish)] = []
  private var held: [(frame: Frame, time: ClockTime)] = []
  /// Completions whose frame has not come yet.
  private var completions: [ClockTime] = []

  init() {}

  var isEmpty: Bool { requests.isEmpty }

  mutating func add(_ waiter: Waiter, id: UInt64, wish: Wish) {
    requests.append((id, waiter, wish))
  }

  /// Removes a request whose task was cancelled.
  mutating func cancel(_ id: UInt64) -> Waiter? {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
    defer { rest() }
    return requests.remove(at: index).waiter
  }

  /// The effect does something else now: what counts as a whole picture changes for all waiters.
  mutating func change(to wish: Wish) {
    for index in requests.indices { requests[index].wish = wish }
    rest()
  }

  /// A frame has come.
  mutating func handle(_ frame: Frame, at time: ClockTime) -> [Answer] {
    var answers = answer(.next, with: frame)
    if let index = completions.firstIndex(of: time) {
      completions.remove(at: index)
      answers += answer(.complete, with: frame)
    }
    if requests.contains(where: { $0.wish == .complete }) {
      held = held.suffix(Self.heldFrames - 1) + [(frame, time)]
    }
    rest()
    return answers
  }

  /// A frame is said to be complete.
  mutating func complete(at time: ClockTime) -> [Answer] {
    defer { rest() }
    guard let place = held.firstIndex(where: { $0.time == time }) else {
      if requests.contains(where: { $0.wish == .complete }) {
        completions = completions.suffix(Self.heldFrames - 1) + [time]
      }
      return []
    }
    return answer(.complete, with: held[place].frame)
  }

  mutating func end() -> [Waiter] {
    defer { self = PhotoRequests() }
    return requests.map(\.waiter)
  }

  private mutating func answer(_ wish: Wish, with frame: Frame) -> [Answer] {
    let answered = requests.filter { $0.wish == wish }
    requests.removeAll { $0.wish == wish }
    return answered.map { ($0.waiter, frame) }
  }

  /// Releases frames that no request waits for.
  private mutating func rest() {
    guard !requests.contains(where: { $0.wish == .complete }) else { return }
    held = []
    completions = []
  }
}
