// Pausing a pipeline while it buffers, and replacing a clock that is lost.

import CGStreamer

extension Pipeline {
  /// Lets it play on while queues of a network source fill up.
  ///
  /// A pipeline that reads as fast as it can gains nothing by a pause, and a full ``AppSink`` would hold up the change of
  /// state.
  package func readAhead() { pausesToBuffer = false }

  /// Whether it waits for queues to fill up, though it is meant to play.
  ///
  /// Streams from a network do at the start, and where the network is too slow. The pipeline is paused
  /// then, and plays again by itself; ``play()`` returns when it really plays. Live sources do not
  /// wait.
  public var isBuffering: Bool { isHalted }

  /// The first state on the way to another.
  func way(to target: State) -> State {
    isHalted = target == .playing && mustHalt
    return isHalted ? .paused : target
  }

  /// Does what is to be done about interruptions, until nothing is.
  ///
  /// One change of state after the other: in GStreamer 1.22, one to PLAYING that comes just when the one
  /// to PAUSED is done can be lost.
  func followInterruptions() async {
    guard !isFollowing else { return }
    isFollowing = true
    defer { isFollowing = false }
    while wanted == .playing {
      let look = watch.mark
      let change = latestChange
      let isSettled = (try? await settle(since: look, change)) != nil
      // A state change that came meanwhile has to settle, too.
      guard change == latestChange else { continue }
      guard isSettled else { break }
      let mustHalt = mustHalt
      if mustHalt != isHalted {
        isHalted = mustHalt
        setState(mustHalt ? .paused : .playing)
      } else if watch.takeClockLoss(), !isHalted {
        // The clock is chosen on the way to PLAYING.
        setState(.paused)
        _ = try? await settle(since: look, latestChange)
        if wanted == .playing { setState(.playing) }
      } else {
        break
      }
    }
    // Tasks that wait for the pipeline to play look again.
    watch.announce()
  }

  private var mustHalt: Bool { watch.isFilling && pausesToBuffer && !isLive }

  private func setState(_ state: State) {
    _ = unsafe element.withGstElement { unsafe gst_element_set_state($0, state.gstState) }
  }
}

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
