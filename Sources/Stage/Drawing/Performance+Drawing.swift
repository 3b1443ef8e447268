// A performance draws: strokes of all inputs on one picture, which undo takes back, and which may be the map.

import SlitScanCapture

struct Drawing: Sendable, Equatable {
  /// The strokes; nil while there are none.
  var painting: Painting?
  /// Another number after each change by an input, and the same while strokes fade.
  var version = 0
  /// The seconds in which strokes fade; 0 for strokes that stay.
  var fade = 0.0
  /// Whether it is the map `live`.
  var isMap = false

  /// Draws, takes strokes away, or has them fade.
  ///
  /// - Parameters:
  ///   - strokes: The strokes that may be gone on with.
  ///   - aspect: The width of the frame over its height.
  mutating func apply(
    _ move: DrawingMove, _ strokes: inout OpenStrokes, aspect: Double,
    at moment: ContinuousClock.Instant
  ) {
    switch move {
    case .stroke(let stroke):
      var painting = painting ?? Painting(aspect: aspect, at: moment)
      painting.setFade(fade, at: moment)
      // The only one that holds the pixels, unless undo does.
      self.painting = nil
      painting.draw(stroke, &strokes, at: moment)
      self.painting = painting
    case .clear:
      painting = nil
      strokes = OpenStrokes()
    case .fade(let seconds):
      fade = seconds
      painting?.setFade(seconds, at: moment)
    case .mapSource: isMap = true
    case .image, .nextImage, .previousImage: break
    }
  }

  /// Brings strokes back; they fade on from what they were.
  mutating func restore(
    _ earlier: Painting?, version: Int, _ strokes: inout OpenStrokes,
    at moment: ContinuousClock.Instant
  ) {
    var painting = earlier
    painting?.setFade(fade, from: moment)
    self.painting = painting
    self.version = version
    strokes = OpenStrokes()
  }
}

extension PerformanceState {
  /// Whether what is drawn is the map `live`.
  public var isDrawingMap: Bool { drawing.isMap }
  /// The time in which the whole range of what is drawn fades, in seconds; 0 for strokes that stay.
  public var drawingFade: Double { drawing.fade }
}

extension Performance {
  /// The time between two pictures of strokes that fade: no longer than a frame of most shows.
  static let fadingPace = Duration.milliseconds(16)

  /// Does something to the drawing, or to the map that is an image.
  ///
  /// - Returns: The move that comes to the same at another time.
  func draw(_ move: DrawingMove) async throws(StageError) -> Move {
    // Before anything changes: others may draw meanwhile.
    let aspect = await stage.frameAspect ?? 16.0 / 9
    let moment = now
    advanceDrawing(to: moment)
    let before = state
    switch move {
    case .image(let word): return try await showMapImage(word)
    case .nextImage: return try await showMapImage(after: 1)
    case .previousImage: return try await showMapImage(after: -1)
    case .stroke, .clear, .fade, .mapSource:
      state.drawing.apply(move, &strokes, aspect: aspect, at: moment)
    }
    switch move {
    case .stroke:
      remember(before, because: "draw")
      if state.mapSource == nil { state.drawing.isMap = true }
    case .clear where before.drawing.painting != nil: remember(before, because: nil)
    case .mapSource: state.mapSource = nil
    default: break
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
    guard isRehearsal else { return }
    drawn.append(
      DrawingEntry(
        moment: now, change: change, isMap: state.drawing.isMap, version: state.drawing.version))
  }

  /// Lets strokes fade until a moment, so that undo brings back what is seen then.
  func advanceDrawing(to moment: ContinuousClock.Instant) {
    state.drawing.painting?.advance(to: moment)
  }

  private func tellDrawing() {
    broadcast.tell(.drawing(isMap: state.drawing.isMap, fade: state.drawing.fade))
  }

  /// Brings the drawing back to what it was, if an input has changed it since.
  func restoreDrawing(_ earlier: Drawing) async throws(StageError) {
    guard earlier.version != state.drawing.version else { return }
    state.drawing.restore(earlier.painting, version: earlier.version, &strokes, at: now)
    note(.restore)
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
      advanceDrawing(to: now)
      try await stage.setMapImage(mapImage)
    }
    fadeOn()
  }

  private var mapImage: MapImage? {
    // Where there are no strokes, one pixel of now is as good as many.
    (try? state.drawing.painting?.image()) ?? (try? MapImage(width: 1, height: 1, gray8: [0]))
  }

  /// Shows how strokes fade, for as long as they do; but not in a rehearsal, which has no screen.
  private func fadeOn() {
    guard fading == nil, !isRehearsal, state.drawing.isMap,
      state.drawing.painting?.isFading ?? false
    else { return }
    fading = Task { [weak self, clock] in
      while (try? await clock.sleep(for: Self.fadingPace)) != nil {
        guard let self, await self.fadeFurther() else { return }
      }
    }
  }

  private func fadeFurther() async -> Bool {
    do throws(StageError) {
      try await showDrawing()
    } catch {
      broadcast.tell(.warning(error.message))
    }
    let goesOn = state.drawing.isMap && state.drawing.painting?.isFading ?? false
    if !goesOn { fading = nil }
    return goesOn
  }
}
