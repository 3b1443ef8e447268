// Control-C and the end of a session, as the end of a show.

import Dispatch
import Glibc

/// Calls somebody when the program is asked to end.
struct Signals {
  private let numbers: [Int32]
  private let sources: [any DispatchSourceSignal]

  /// - Parameter pauses: What stops the program on control-Z, and what is to be done when it goes on; nil to
  ///   leave both to the system.
  init(
    pauses: (suspend: @Sendable () -> Void, resume: @Sendable () -> Void)? = nil,
    end: @escaping @Sendable () -> Void
  ) {
    var actions: [(number: Int32, action: @Sendable () -> Void)] = [SIGINT, SIGTERM, SIGHUP].map {
      (number: $0, action: end)
    }
    if let pauses {
      actions.append((number: SIGTSTP, action: pauses.suspend))
      actions.append((number: SIGCONT, action: pauses.resume))
    }
    numbers = actions.map(\.number)
    // Who writes to somebody who is gone is told so by an error.
    _ = signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "slitscan-signals")
    sources = actions.map { number, action in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { action() }
      source.activate()
      return source
    }
  }

  /// Lets signals end the program again.
  func stop() {
    for source in sources { source.cancel() }
    for number in numbers { _ = signal(number, SIG_DFL) }
  }
}
