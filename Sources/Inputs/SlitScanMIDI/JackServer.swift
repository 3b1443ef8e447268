// The JACK server watch reports whether JACK's server is running.

import CJack
import Synchronization

/// A client of JACK's server that does nothing but hear of its end.
///
/// RtMidi does not say whether there is a server, and looks for one loudly each time; a client of it that
/// has lost its server never has one again.
@safe
final class JackServer {
  private let client: OpaquePointer
  private let isGone: ShutdownFlag

  /// Nil where no server runs; none is started.
  init?() {
    // It says on stderr what the error says anyway, each time that it is looked for.
    unsafe jack_set_error_function(ignore)
    unsafe jack_set_info_function(ignore)
    guard let client = unsafe slitscan_jack_open("slitscan-watch") else { return nil }
    unsafe self.client = client
    isGone = ShutdownFlag()
    unsafe jack_on_shutdown(client, serverEnded, Unmanaged.passUnretained(isGone).toOpaque())
    unsafe jack_activate(client)
  }

  // After this, JACK calls nothing of it any more.
  deinit { unsafe jack_client_close(client) }

  var isRunning: Bool { !isGone.flag.load(ordering: .acquiring) }
}

private final class ShutdownFlag: Sendable {
  let flag = Atomic(false)
}

/// A `JackShutdownCallback`.
private func serverEnded(_ data: UnsafeMutableRawPointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<ShutdownFlag>.fromOpaque(data).takeUnretainedValue().flag.store(
    true, ordering: .releasing)
}

private func ignore(_ message: UnsafePointer<CChar>?) {}
