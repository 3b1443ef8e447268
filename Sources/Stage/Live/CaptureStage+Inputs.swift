// The sources of a capture stage: one or several, opened, lost, and brought back.

import GStreamer
import SlitScanCapture
import StreamingThread

/// The places of the sources that the audience sees: little is said of the others.
final class UsedInputs: Sendable {
  private let places = Lock<(video: Int, map: Int?)>((0, nil))

  func show(_ number: Int) { places.withLock { $0.video = number } }

  func useAsMap(_ number: Int) { places.withLock { $0.map = number } }

  func contains(_ number: Int) -> Bool {
    places.withLock { number == $0.video || number == $0.map }
  }
}

extension CaptureStage {
  /// The word for the last frame of a source that is gone.
  public static let lastFrame = "last"

  /// The pause before a source that is gone is looked for again.
  static let pause = Duration.seconds(2)
  /// The time without a frame after which a camera or a stream is gone.
  static let silence = Duration.seconds(5)

  // MARK: Opening

  /// - Returns: What is wrong with one that will not be there later either.
  func openInputs() async -> StageError? {
    await withTaskGroup { group in
      for number in inputs.indices { group.addTask { (number, await self.openInput(number)) } }
      var failure: StageError?
      for await (number, error) in group {
        guard let error else { continue }
        if inputs[number].mayComeLater {
          bringBack(number, because: error)
        } else {
          failure = inputs[number].explain(error)
        }
      }
      return failure
    }
  }

  /// - Returns: Why it cannot be opened.
  func openInput(_ number: Int) async -> CaptureError? {
    let start = PlaybackStart()
    do throws(CaptureError) {
      let name = name(number)
      let source = inputs[number].makeSource(request, from: start, clock: clock) {
        [broadcast, used] event in
        Self.tell(event, of: name, isUsed: used.contains(number), broadcast)
      }
      try await capture.openInput(number, source)
      playlists[number] = source as? PlaylistSource
      guard !isMixing else { return nil }
      if case .clip? = sound {
        try await capture.setSound(Self.makeSound(sound, of: inputs[number], from: start))
      }
    } catch {
      return error
    }
    await driveAgain()
    return nil
  }

  // MARK: Losing

  /// Opens a source again, at once where a clip has only come to its end, else when that can be done; what
  /// takes its place until then is said.
  ///
  /// - Parameter error: Why it is gone; nil for what the capture knows of it.
  func bringBack(_ number: Int, because error: CaptureError? = nil) {
    guard comebacks[number] == nil else {
      // Lost once more while it comes back, perhaps.
      lostAgain.insert(number)
      return
    }
    comebacks[number] = Task { [weak self, clock] in
      guard await self?.comesBackAtOnce(number, error) == false else { return }
      while (try? await clock.sleep(for: Self.pause)) != nil {
        guard let self, await !self.comesBack(number) else { return }
      }
    }
  }

  /// Opens a clip again that has come to its end.
  ///
  /// - Returns: Whether the source plays; false where it has to be waited for, which is told.
  private func comesBackAtOnce(_ number: Int, _ error: CaptureError?) async -> Bool {
    let input = inputs[number]
    let loss: InputLoss?
    if let error { loss = .failed(error) } else { loss = await capture.inputLoss(number) }
    let reason: String
    switch loss {
    case nil:
      settle(number)
      return true
    case .failed(let error)?: reason = input.reason(of: error)
    case .ended? where !input.isRepeated: reason = "\(input.description) has ended."
    case .ended?:
      guard let error = await repeatInput(number) else {
        settle(number)
        return true
      }
      reason = input.reason(of: error)
    }
    let shown = await standIn(for: number)
    absences[number] = ("\(name(number))\(reason) \(shown) is shown until it is back.", false)
    // Of a source that is not shown, only the first time: one may come and go every few seconds.
    if error != nil || !everLost.contains(number) || used.contains(number) {
      tellAbsence(number)
    }
    return false
  }

  /// - Returns: Why that is not possible.
  private func repeatInput(_ number: Int) async -> CaptureError? {
    guard await capture.inputIsStill(number) else { return await openInput(number) }
    do throws(CaptureError) {
      try await capture.holdInput(number)
      return nil
    } catch {
      return error
    }
  }

  private func comesBack(_ number: Int) async -> Bool {
    guard await openInput(number) == nil else { return false }
    if absences.removeValue(forKey: number)?.isTold == true {
      broadcast.tell(.notice("\(name(number))\(inputs[number].description) is back."))
    }
    settle(number)
    return true
  }

  /// Says that a source is gone, once.
  private func tellAbsence(_ number: Int) {
    guard let absence = absences[number], !absence.isTold else { return }
    absences[number]?.isTold = true
    everLost.insert(number)
    broadcast.tell(.warning(absence.text))
  }

  private func settle(_ number: Int) {
    comebacks[number] = nil
    if lostAgain.remove(number) != nil { bringBack(number) }
  }

  private func name(_ number: Int) -> String { isMixing ? "Source \(number + 1): " : "" }

  /// - Returns: What is shown in the place of the source.
  private func standIn(for number: Int) async -> String {
    let isPattern = fallback != Self.lastFrame
    let last = await capture.inputLoss(number) == nil ? "Black" : "Its last frame"
    do throws(CaptureError) {
      if isPattern {
        let size = await capture.frameSize
        let frame = VideoRequest(
          width: size?.width ?? 1280, height: size?.height ?? 720,
          frameRate: request.frameRate ?? 30)
        try await capture.openInput(number, TestPatternSource(fallback, frame))
      } else {
        try await capture.holdInput(number)
      }
      return isPattern ? "The pattern \(fallback)" : last
    } catch {
      broadcast.tell(.warning("--fallback \(fallback): \(error.message)"))
      return last
    }
  }

  /// Looks whether cameras and streams send nothing, as long as the stage is there.
  static func watchForSilence(_ stage: CaptureStage) -> Task<Void, Never> {
    Task { [weak stage, clock = stage.clock] in
      while (try? await clock.sleep(for: .seconds(1))) != nil, let stage {
        let inputs = await stage.inputs
        let live = inputs.indices.filter { inputs[$0].mayComeLater }
        await stage.capture.giveUpSilentInputs(after: Self.silence, among: live)
      }
    }
  }

  // MARK: Playlists

  /// Says what happens to a playlist.
  static func tell(
    _ event: PlaylistSource.Event, of source: String, isUsed: Bool, _ broadcast: Broadcast<Change>
  ) {
    switch event {
    case .begins where !isUsed: break
    case .begins(let path): broadcast.tell(.notice("\(source)\(clipName(path))"))
    case .skips(let path, let error):
      broadcast.tell(.warning("\(source)\(clipName(path)) is left out. \(error.message)"))
    }
  }

  private static func clipName(_ path: String) -> String {
    path.contains("://") ? path : path.fileName
  }

  /// Goes to another clip of a playlist.
  public func changeClip(by count: Int, ofSource index: Int) async throws(StageError) {
    guard let playlist = playlists[index] else {
      throw StageError(
        .badMove,
        "The source that is shown is no playlist. Start with a folder or an .m3u file.")
    }
    do throws(CaptureError) {
      try await playlist.change(by: count)
    } catch {
      throw StageError(.badMove, error.message)
    }
  }

  // MARK: Showing

  /// Shows another source, by its place in ``sources``.
  public func showSource(_ index: Int, over duration: ClockTime) async {
    await capture.showInput(index, over: duration)
    used.show(index)
    tellAbsence(index)
  }

  /// Has a source be the map `live`.
  public func setMapSource(_ index: Int) async throws(StageError) {
    do throws(CaptureError) {
      try await capture.setMapInput(index)
    } catch {
      throw StageError(.badMove, error.message)
    }
    used.useAsMap(index)
    tellAbsence(index)
  }
}
