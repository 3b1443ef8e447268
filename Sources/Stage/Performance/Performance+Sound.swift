// The tempo of a performance from its sound.

extension Performance {
  /// Takes a tempo that was heard, if the tempo follows the sound; ``BeatFollower`` makes it of beats.
  public func followSound(to tempo: Tempo) async {
    guard state.followsSound else { return }
    let time = await stage.time
    // Another tempo may have been set meanwhile.
    guard state.followsSound, (try? await follow(tempo)) != nil else { return }
    startExternalClock()
    if startClock == .external { return }
    tellDone(.tempo(tempo.beatsPerMinute, beat: tempo.beat(at: now)), at: time)
  }

  func followSound(_ turn: Switch) throws(StageError) {
    let follows = turn.applied(to: state.followsSound)
    guard !follows || stage.hasSound else {
      throw StageError(
        .badMove, "There is no sound to follow. Start with a sound source, such as --sound auto.")
    }
    guard follows != state.followsSound else { return }
    state.followsSound = follows
    broadcast.tell(.followsSound(follows))
  }

  /// Stops following the sound, because the tempo is set in another way.
  func leaveSound() {
    guard state.followsSound else { return }
    state.followsSound = false
    broadcast.tell(.followsSound(false))
    broadcast.tell(.notice("The tempo does not follow the sound any more."))
  }
}
