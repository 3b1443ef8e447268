// The MIDI queue holds control movements in order until they are performed, with a bound. A value.

/// Something that comes from a device, with the number that the device has as long as it is there.
enum MIDIDelivery: Sendable, Equatable {
  case appeared(Int, name: String)
  case vanished(Int)
  /// Another process sends for the device: held controls are released.
  case restarted(Int)
  /// The device takes messages from now on; it shows whatever it was left with.
  case listens(Int)
  /// A waiter wants to know when everything before it is done.
  case mark(Int)
  /// A control was moved, and where it was first where there was more than one event of it.
  case event(Int, MIDIEvent, first: MIDIEvent?)
  /// A message of a clock, and when it came.
  case clock(Int, MIDIMessage, ContinuousClock.Instant)
}

/// The control movements that wait to be performed.
///
/// A flood makes it neither longer than its limit nor late: of a control that only counts for where it is in the end,
/// one event waits, and it is the newest. So it is beyond the limit with controls of which nothing is known yet. Presses
/// and ticks beyond the limit are lost, and counted. That a device is there or gone, and that something is released of, is
/// never lost to a flood of presses.
struct MIDIQueue: Sendable {
  /// The most presses and ticks that wait.
  static let limit = 4096
  /// The most events that wait.
  static let hardLimit = 2 * limit

  private struct Place: Hashable {
    let device: Int
    let control: MIDIControl
  }

  private var waiting: [MIDIDelivery] = []
  /// The place in the queue of each control's newest event.
  private var places: [Place: Int] = [:]
  /// The notes of which the last that waits is that they are released.
  private var releases: Set<Place> = []
  private var maps: [Int: MIDIMap] = [:]
  /// The number of events that were lost since it was last taken.
  private(set) var lost = 0
  /// While a control is being learned, each event counts.
  var isLearning = false

  var count: Int { waiting.count }

  /// Says what the controls of a device do; until then, each event counts.
  mutating func use(_ map: MIDIMap?, for device: Int) { maps[device] = map }

  /// - Returns: Whether it is the first that waits.
  mutating func add(_ delivery: MIDIDelivery) -> Bool {
    switch delivery {
    case .event(let device, let event, _):
      let place = Place(device: device, control: event.control)
      let isFull = waiting.count >= Self.limit
      let known = maps[device]?.isDiscrete(event.control) ?? event.control.isNote
      let isDiscrete = known || (isLearning || maps[device] == nil) && !isFull
      if !isDiscrete, let index = places[place],
        case .event(_, let last, let first) = waiting[index]
      {
        waiting[index] = .event(device, event, first: first ?? last)
        return false
      }
      let isRelease = event.control.isNote && event.value == 0
      // A control that was released already: its press was lost.
      if isRelease, releases.contains(place) { return false }
      guard !isFull || (!isDiscrete || isRelease) && waiting.count < Self.hardLimit else {
        lost += 1
        return false
      }
      if isRelease { releases.insert(place) } else { releases.remove(place) }
      places[place] = waiting.count
    case .clock:
      guard waiting.count < Self.limit else {
        lost += 1
        return false
      }
    case .appeared, .vanished, .restarted, .listens, .mark: break
    }
    waiting.append(delivery)
    return waiting.count == 1
  }

  /// Everything that waits, and how much was lost before it.
  mutating func take() -> (deliveries: [MIDIDelivery], lost: Int) {
    defer {
      waiting = []
      places = [:]
      releases = []
      lost = 0
    }
    return (waiting, lost)
  }
}
