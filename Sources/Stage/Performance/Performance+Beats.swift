// Beats of a performance: changes that wait for them, by an agenda.

import GStreamer

extension Performance {
  /// Whether a change of a property looks wrong beside the beat.
  static func isQuantized(_ name: String) -> Bool { name == "mode" || name == "map" }

  /// Has a change wait for its beat, in the place of one of the same kind.
  func wait(
    _ kind: String, for value: String,
    _ change: @escaping @Sendable (isolated Performance) async throws(StageError) -> Void
  ) {
    let moment = state.tempo.next(multipleOf: state.quantize, from: now)
    tellWaiting(kind, WaitingChange(value, at: moment))
    later(kind, at: moment) { performance in
      performance.tellWaiting(kind, nil)
      do throws(StageError) {
        try await change(performance)
      } catch {
        performance.complain(error.message, of: "\(kind) \(value)")
      }
    }
  }

  /// Warns that a part of a move, or a change that has waited, could not be done.
  func complain(_ message: String, of subject: String) {
    if isRehearsal {
      warnings.append((now, subject, message))
    } else {
      broadcast.tell(.warning(message))
    }
  }

  func takeWarnings() -> [Warning] {
    defer { warnings = [] }
    return warnings
  }

  /// A part of a move, as text of one, that could not be done in a rehearsal.
  typealias Warning = (moment: ContinuousClock.Instant, subject: String, message: String)

  func tellWaiting(_ kind: String, _ change: WaitingChange?) {
    state.waiting[kind] = change
    broadcast.tell(.waiting(kind, change))
  }

  /// The moment by the clock that beats and glides go by.
  var now: ContinuousClock.Instant {
    if case .stopped(let moment) = startClock { return moment }
    return clock.now
  }

  func later(
    _ what: String, at moment: ContinuousClock.Instant, _ action: @escaping DueAction
  ) {
    agenda.put(what, at: moment, action)
    sleep()
  }

  func sleep() {
    waiter?.cancel()
    guard !isRehearsal, let moment = agenda.nextMoment else { return }
    waiter = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: moment, tolerance: nil)) != nil else { return }
      await self?.catchUp()
    }
  }

  func catchUp() async {
    // The caller has slept, and must not be woken.
    waiter = nil
    while let action = agenda.next(by: now) {
      // The next one, while this one may take its time.
      sleep()
      await action(self)
    }
  }
}
