// Control-C and the end of a session, as the end of a show.

import Dispatch
import Glibc

/// Calls somebody when the program is asked to end.
struct Signals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]
  private let sources: [any DispatchSourceSignal]

  init(_ end: @escaping @Sendable () -> Void) {
    // Who writes to somebody who is gone is told so by an error.
    _ = signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "slitscan-signals")
    sources = Self.numbers.map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { end() }
      source.activate()
      return source
    }
  }

  /// Lets signals end the program again.
  func stop() {
    for source in sources { source.cancel() }
    for number in Self.numbers { _ = signal(number, SIG_DFL) }
  }
}
