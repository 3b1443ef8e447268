// A Link session shares the tempo of a show with other programs in the network.

import CAbletonLink
import GStreamer
import SlitScanStage

/// The tempo and the beat of a performance, the same as those of all programs that use Ableton Link.
///
/// Any program may change the tempo for all. The beat within the bar is that of the session, and is not moved.
actor LinkSession {
  private let performance: Performance
  private let link: Link
  private let clock: any SteadyClock
  /// The tempo that both sides had last.
  private var shared: Tempo
  private var peers = 0
  private var hasJoined = false

  /// A session that joins the programs in the network when the beats of the performance begin: joining does not move
  /// the beats of the others, and others that join later do not move its beats.
  ///
  /// - Throws: ``CommandError`` where there is no network.
  init(
    _ performance: Performance, on clock: any SteadyClock = ContinuousClock()
  ) async throws(CommandError) {
    let tempo = await performance.state.tempo
    guard let link = Link(tempo) else {
      throw CommandError("--link: Ableton Link cannot be started; this system offers no network.")
    }
    self.performance = performance
    self.link = link
    self.clock = clock
    shared = tempo
  }

  /// Keeps both sides the same until the task is cancelled.
  func run() async {
    while (try? await clock.sleep(for: .milliseconds(20))) != nil { await exchange() }
  }

  private func exchange() async {
    guard await !performance.isStartClockStopped else { return }
    let tempo = await performance.state.tempo
    if !hasJoined {
      hasJoined = true
      link.join()
      link.set(tempo, at: clock.now)
      shared = tempo
    }
    if tempo != shared {
      link.set(tempo, at: clock.now)
      shared = tempo
    }
    let before = clock.now
    let session = link.state
    let now = clock.now
    // The tempo belongs to all peers: what this machine hears must not move it.
    if session.peers > 0, await performance.state.followsSound {
      try? await performance.perform(.followSound(.off))
      performance.tell(.notice("The tempo is that of Ableton Link, and does not follow the sound."))
    }
    if session.peers != peers {
      peers = session.peers
      let count = peers == 0 ? "no" : "\(peers)"
      performance.tell(.notice("Link: \(count) other program\(peers > 1 ? "s" : "")"))
    }
    // Link counts in microseconds of a beat, which leaves 133.50006 of 133.5.
    let sessionTempo = (session.tempo * 1000).rounded() / 1000
    let beat = tempo.beat(at: now)
    // Within the bar, the nearest beat to the present one.
    let lag = (session.beat - beat).remainder(dividingBy: LinkSession.bar)
    // Where others had the processor in between, the two beats are not of one moment: the next ones are.
    guard now - before < .milliseconds(2), peers > 0, Tempo.range.contains(sessionTempo),
      abs(sessionTempo - tempo.beatsPerMinute) > 0.001 || abs(lag) > 0.02
    else { return }
    try? await performance.setTempo(Tempo(sessionTempo, beat: beat + lag, at: now))
    let taken = await performance.state.tempo
    // Another tempo that was set meanwhile is still to be shared.
    if taken.beatsPerMinute == sessionTempo { shared = taken }
  }

  /// Beats of a bar.
  private static let bar = 4.0
}

@safe
private final class Link {
  private let link: OpaquePointer

  init?(_ tempo: Tempo) {
    guard let link = unsafe ableton_link_new(tempo.beatsPerMinute) else { return nil }
    unsafe self.link = link
  }

  deinit { unsafe ableton_link_free(link) }

  var state: AbletonLinkState { unsafe ableton_link_state(link) }

  func join() { unsafe ableton_link_join(link) }

  func set(_ tempo: Tempo, at now: ContinuousClock.Instant) {
    unsafe ableton_link_set(link, tempo.beatsPerMinute, tempo.beat(at: now))
  }
}
