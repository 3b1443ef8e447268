// The OSC subscribers are the controllers that are sent changes, with what each has been sent. A value, without a
// clock.

/// The controllers whose faders follow changes.
///
/// An entry is the address that changed; its value is looked up when it is sent. So a fader that
/// moves fast is told where it is and not all of where it was, and nothing piles up.
///
/// A motor fader must not be sent where it was a moment ago while the user moves it. So after a subscriber
/// sends a value for an address, it gets no feedback for that address until it has sent nothing for it for
/// ``hold``. Then it gets the current value once: the same place, or what another input or the limits of the
/// property made of it.
struct OSCSubscribers: Sendable {
  /// The time for which a subscriber that says nothing is told of changes.
  static let lease = Duration.seconds(60)
  /// The time for which a subscriber's own fader is left alone.
  static let hold = Duration.milliseconds(500)
  /// The pause where the system takes no more.
  static let pause = Duration.milliseconds(20)
  static let limit = 32

  private struct Subscriber {
    /// The sender that asked, and renews by sending anything.
    var source: OSCEndpoint
    var end: ContinuousClock.Instant
    var held: [String: ContinuousClock.Instant] = [:]
    var due: [String: ContinuousClock.Instant] = [:]
  }

  private var all: [OSCEndpoint: Subscriber] = [:]

  private var targets: [OSCEndpoint] { Array(all.keys) }

  func targets(at moment: ContinuousClock.Instant) -> [OSCEndpoint] {
    all.filter { $0.value.end > moment }.map(\.key)
  }

  /// Adds a subscriber, or renews it; either is told everything.
  ///
  /// - Returns: Whether there was room.
  mutating func subscribe(
    _ target: OSCEndpoint, for source: OSCEndpoint, to addresses: some Sequence<String>,
    at moment: ContinuousClock.Instant
  ) -> Bool {
    guard all[target] != nil || all.count < Self.limit else { return false }
    var subscriber = all[target] ?? Subscriber(source: source, end: moment)
    subscriber.source = source
    subscriber.end = moment + Self.lease
    for address in addresses {
      subscriber.due[address] = max(moment, subscriber.held[address] ?? moment)
    }
    all[target] = subscriber
    return true
  }

  /// Removes one subscriber, or all that a source asked for.
  mutating func unsubscribe(_ target: OSCEndpoint?, for source: OSCEndpoint) {
    if let target {
      all[target] = nil
    } else {
      all = all.filter { $0.value.source != source && $0.key != source }
    }
  }

  /// Renews the subscriptions of a source that sent something.
  mutating func renew(from source: OSCEndpoint, at moment: ContinuousClock.Instant) {
    for target in targets where isMeant(target, by: source) {
      all[target]?.end = moment + Self.lease
    }
  }

  /// Notes that a source sent something for an address.
  mutating func touch(
    _ address: String, by source: OSCEndpoint, at moment: ContinuousClock.Instant
  ) {
    for target in targets where isMeant(target, by: source) {
      all[target]?.held[address] = moment + Self.hold
      all[target]?.due[address] = moment + Self.hold
    }
  }

  private func isMeant(_ target: OSCEndpoint, by source: OSCEndpoint) -> Bool {
    target == source || all[target]?.source == source
  }

  /// Notes that the value of an address has changed.
  mutating func change(_ address: String, at moment: ContinuousClock.Instant) {
    for target in targets {
      let free = all[target]?.held[address] ?? moment
      all[target]?.due[address] = max(moment, free)
    }
  }

  /// Takes back addresses whose values could not be sent.
  mutating func retry(
    _ addresses: [String], to target: OSCEndpoint, at moment: ContinuousClock.Instant
  ) {
    for address in addresses { all[target]?.due[address] = moment + Self.pause }
  }

  /// Takes out what is to be told by a moment, and removes subscribers whose lease is over.
  mutating func take(at moment: ContinuousClock.Instant) -> [(OSCEndpoint, [String])] {
    all = all.filter { $0.value.end > moment }
    var due: [(OSCEndpoint, [String])] = []
    for target in targets {
      let addresses = (all[target]?.due ?? [:]).filter { $0.value <= moment }.keys.sorted()
      for address in addresses { all[target]?.due[address] = nil }
      let held = all[target]?.held.filter { $0.value > moment }
      all[target]?.held = held ?? [:]
      if !addresses.isEmpty { due.append((target, addresses)) }
    }
    return due
  }

  /// When there is something to be told next.
  var next: ContinuousClock.Instant? { all.values.compactMap { $0.due.values.min() }.min() }
}
