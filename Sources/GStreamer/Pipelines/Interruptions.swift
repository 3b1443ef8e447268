// The state machine of pauses for buffering and for lost clocks. A value: no lock, no threads.

/// Queues that are filling up, and clocks that are gone.
///
/// GStreamer leaves both to the program: to pause while a queue of a network source fills, and to take
/// another clock where the one in use is no more.
struct Interruptions {
  /// The addresses of elements whose queues are not full enough.
  private var filling: Set<UInt> = []
  private var isClockLost = false

  /// Whether the pipeline is to wait.
  var isFilling: Bool { !filling.isEmpty }

  /// An element says how full its queue is.
  ///
  /// - Returns: Whether that changes anything.
  mutating func fill(_ element: UInt, percent: Int) -> Bool {
    let wasFilling = isFilling
    if percent < 100 { filling.insert(element) } else { filling.remove(element) }
    return isFilling != wasFilling
  }

  /// The clock that the pipeline goes by is gone.
  mutating func loseClock() { isClockLost = true }

  /// Whether the clock is gone, told once.
  mutating func takeClockLoss() -> Bool {
    defer { isClockLost = false }
    return isClockLost
  }

  /// The elements give back what they hold.
  mutating func forget() { self = Interruptions() }
}
