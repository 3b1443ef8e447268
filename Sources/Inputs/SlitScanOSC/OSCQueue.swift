// The OSC queue holds requests until they are performed, with a bound. A value, without a clock.

import SlitScanStage

enum OSCRequest: Sendable, Equatable {
  case move(Move)
  /// To be told what parameters are.
  case get([String])
  /// To be told what parameters there are.
  case list
  /// To be told what changes, from now on, there.
  case subscribe(OSCEndpoint)
  /// Not to be, any more; nil for all that the sender has asked for.
  case unsubscribe(OSCEndpoint?)
}

/// The requests of one message or bundle, which are performed together.
struct OSCOrder: Sendable, Equatable {
  let sender: OSCEndpoint
  let requests: [OSCRequest]

  /// The subject of a later order that makes this one void; nil where every order matters.
  ///
  /// Values of properties and places of faders: a moving fader makes many, and only the last counts.
  var subject: String? {
    var subjects: Set<String> = []
    for request in requests {
      guard case .move(let move) = request, let subject = move.subject else { return nil }
      subjects.insert(subject)
    }
    return subjects.isEmpty ? nil : subjects.sorted().joined(separator: " ")
  }
}

/// Orders in the order in which they came, and those for later; never more than a limit.
///
/// It stays bounded in a flood: a value replaces the one for the same property that still waits, and where
/// that is not enough, new messages are left out and counted.
struct OSCQueue: Sendable {
  /// The most requests that wait, now and for later, each.
  static let limit = 5000
  /// The longest time that bundles may be sent ahead; a clock that is off by more is wrong.
  static let horizon = Duration.seconds(3600)

  private var waiting: [(order: OSCOrder, subject: String?)] = []
  private var weight = 0
  /// The start in `waiting` of the orders behind the last one that is not only about values, so that none
  /// is replaced across a preset or a still.
  private var start = 0
  private var later: [(moment: ContinuousClock.Instant, order: OSCOrder)] = []
  private var laterWeight = 0

  var count: Int { weight + laterWeight }

  /// - Returns: Whether the order, which is to be done now, could be taken.
  mutating func add(_ order: OSCOrder) -> Bool {
    let subject = order.subject
    let index = subject.flatMap { subject in
      waiting[start...].firstIndex { $0.subject == subject }
    }
    let replaced = index.map { waiting[$0].order.requests.count } ?? 0
    guard weight - replaced + order.requests.count <= Self.limit else { return false }
    if let index { waiting.remove(at: index) }
    weight += order.requests.count - replaced
    waiting.append((order, subject))
    if subject == nil { start = waiting.count }
    return true
  }

  /// - Returns: Whether the order could be taken.
  mutating func add(_ order: OSCOrder, at moment: ContinuousClock.Instant) -> Bool {
    guard laterWeight + order.requests.count <= Self.limit else { return false }
    laterWeight += order.requests.count
    // Behind those of the same moment.
    let index = later.firstIndex { $0.moment > moment } ?? later.count
    later.insert((moment, order), at: index)
    return true
  }

  /// Takes out what is to be done by a moment.
  mutating func take(at moment: ContinuousClock.Instant) -> [OSCOrder] {
    let count = later.firstIndex { $0.moment > moment } ?? later.count
    var orders = later.prefix(count).map(\.order)
    later.removeFirst(count)
    laterWeight -= orders.reduce(0) { $0 + $1.requests.count }
    orders += waiting.map(\.order)
    waiting = []
    weight = 0
    start = 0
    return orders
  }

  /// When the first of those for later is to be done.
  var next: ContinuousClock.Instant? { later.first?.moment }
}
