// A performance draws: strokes of all hands on one picture, which undo takes back, and which may be the map.

import SlitScanCapture

/// The drawing of a performance.
struct Drawing: Sendable, Equatable {
  /// The strokes; nil while there are none.
  var painting: Painting?
  /// Another number after each change by hand, and the same while strokes fade.
  var version = 0
  /// The seconds in which strokes fade; 0 for strokes that stay.
  var fade = 0.0
  /// Whether it is the map `live`.
  var isMap = false
}

/// A change of a drawing at its moment, for one that is drawn again elsewhere.
struct DrawingEntry: Sendable {
  enum Change: Sendable {
    case move(DrawingMove)
    /// Undo brought it back.
    case restore(Painting?)
  }

  let moment: ContinuousClock.Instant
  let change: Change
}

extension PerformanceState {
  /// Whether what is drawn is the map `live`.
  public var isDrawingMap: Bool { drawing.isMap }
  /// The time in which the whole range of what is drawn fades, in seconds; 0 for strokes that stay.
  public var drawingFade: Double { drawing.fade }
}

extension Performance {
  /// The time between two pictures of strokes that fade: no longer than a frame of most shows.
  private static let fadingPace = Duration.milliseconds(16)

  /// Does something to the drawing, or to the map that is an image.
  ///
  /// - Returns: The move that comes to the same at another time.
  func draw(_ move: DrawingMove) async throws(StageError) -> Move {
    // Before anything changes: others may draw meanwhile.
    let aspect = await stage.frameAspect ?? 16.0 / 9
    let before = state
    switch move {
    case .stroke(let stroke):
      var painting = state.drawing.painting ?? Painting(aspect: aspect, at: now)
      painting.setFade(state.drawing.fade, at: now)
      // The only one that holds the pixels, unless undo does.
      state.drawing.painting = nil
      painting.draw(stroke, &strokes, at: now)
      state.drawing.painting = painting
      remember(before, because: "draw")
      if state.mapSource == nil { state.drawing.isMap = true }
    case .clear:
      guard state.drawing.painting != nil else { break }
      state.drawing.painting = nil
      strokes = OpenStrokes()
      remember(before, because: nil)
    case .fade(let seconds):
      state.drawing.fade = seconds
      let moment = now
      state.drawing.painting?.setFade(seconds, at: moment)
    case .mapSource:
      state.mapSource = nil
      state.drawing.isMap = true
    case .image(let word): return try await showMapImage(word)
    case .nextImage: return try await showMapImage(after: 1)
    case .previousImage: return try await showMapImage(after: -1)
    }
    note(.move(move))
    if state.drawing.isMap != before.drawing.isMap || state.drawing.fade != before.drawing.fade {
      tellDrawing()
    }
    try await showDrawing()
    return .drawing(move)
  }

  private func remember(_ before: PerformanceState, because reason: String?) {
    drawingVersion += 1
    state.drawing.version = drawingVersion
    history.remember(before, because: reason, at: now)
  }

  private func note(_ change: DrawingEntry.Change) {
    if isRehearsal { drawn.append(DrawingEntry(moment: now, change: change)) }
  }

  private func tellDrawing() {
    broadcast.tell(.drawing(isMap: state.drawing.isMap, fade: state.drawing.fade))
  }

  /// Brings the drawing back to what it was, if a hand has changed it since.
  func restoreDrawing(_ earlier: Drawing) async throws(StageError) {
    guard earlier.version != state.drawing.version else { return }
    var painting = earlier.painting
    // It fades on from there.
    painting?.setFade(state.drawing.fade, from: now)
    state.drawing.painting = painting
    state.drawing.version = earlier.version
    strokes = OpenStrokes()
    note(.restore(state.drawing.painting))
    try await showDrawing()
  }

  /// Has a source be the map `live`, in the place of the drawing.
  func showAsMap(_ number: Int, at index: Int) async throws(StageError) {
    try await drawingTurns.run { () async throws(StageError) in
      try await stage.setMapSource(index)
      state.mapSource = number
      guard state.drawing.isMap else { return }
      state.drawing.isMap = false
      tellDrawing()
    }
    broadcast.tell(.mapSource(number))
  }

  /// Gives the stage the drawing as it is now, where that is the map; one after another, so that the newest comes
  /// last.
  private func showDrawing() async throws(StageError) {
    try await drawingTurns.run { () async throws(StageError) in
      guard state.drawing.isMap else { return }
      let moment = now
      state.drawing.painting?.advance(to: moment)
      try await stage.setMapImage(mapImage)
    }
    fadeOn()
  }

  private var mapImage: MapImage? {
    // Where there are no strokes, one pixel of now is as good as many.
    (try? state.drawing.painting?.image()) ?? (try? MapImage(width: 1, height: 1, gray8: [0]))
  }

  /// Shows how strokes fade, for as long as they do; but not in a rehearsal, where nobody looks.
  private func fadeOn() {
    guard fading == nil, !isRehearsal, state.drawing.isMap,
      state.drawing.painting?.isFading ?? false
    else { return }
    fading = Task { [weak self] in
      while (try? await Task.sleep(for: Self.fadingPace)) != nil {
        guard let self, await self.fadeFurther() else { return }
      }
    }
  }

  /// - Returns: Whether it goes on.
  private func fadeFurther() async -> Bool {
    do throws(StageError) {
      try await showDrawing()
    } catch {
      broadcast.tell(.trouble(error.message))
    }
    let goesOn = state.drawing.isMap && state.drawing.painting?.isFading ?? false
    if !goesOn { fading = nil }
    return goesOn
  }
}
