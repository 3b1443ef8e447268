// Tests of drawing: the picture of strokes, and the image that reaches the stage.

import GStreamer
import SlitScanCapture
import StageUnderTest
import Testing

@testable import SlitScanStage

@Suite struct PaintingTests {
  private let begin = ContinuousClock.now

  private func stroke(
    _ value: Double, size: Double = 0.2, softness: Double = 0, mirror: Stroke.Mirror = .none,
    _ places: (Double, Double)...
  ) throws -> Stroke {
    try #require(
      Stroke(
        value: value, size: size, softness: softness, mirror: mirror,
        points: places.map { Stroke.Point($0.0, $0.1) }))
  }

  private func painting(_ strokes: Stroke..., aspect: Double = 2) -> Painting {
    var painting = Painting(aspect: aspect, at: begin)
    var open = OpenStrokes()
    for stroke in strokes { painting.draw(stroke, &open, at: begin) }
    return painting
  }

  /// The pixels that are full, by counting.
  private func count(_ painting: Painting, _ fits: (Double) -> Bool) -> Int {
    (0..<painting.height).reduce(0) { sum, y in
      sum + (0..<painting.width).count { fits(painting[$0, y]) }
    }
  }

  @Test func aDotIsRoundWhereItIsAndAsLargeAsTheBrush() throws {
    let painting = try painting(stroke(0.75, size: 0.5, (0.5, 0.25)))
    #expect((painting.width, painting.height) == (320, 160))
    #expect(abs(painting[160, 40] - 0.75) < 0.001)
    // A radius of a quarter of 160 pixels, in every direction.
    for (x, y) in [(160 + 38, 40), (160 - 38, 40), (160, 78), (160 + 27, 40 + 27)] {
      #expect(abs(painting[x, y] - 0.75) < 0.001)
    }
    for (x, y) in [(160 + 42, 40), (160 - 42, 40), (160, 82), (160 + 30, 40 + 30)] {
      #expect(painting[x, y] == 0)
    }
    let area = Double(count(painting) { $0 > 0.375 })
    // The upper border cuts nothing off: its centre is one radius below that.
    let wanted = Double.pi * 40 * 40
    #expect(abs(area / wanted - 1) < 0.02)
  }

  @Test func aLineGoesThroughItsPointsAndNowhereElse() throws {
    let painting = try painting(stroke(1, size: 0.1, (0.1, 0.5), (0.9, 0.5), (0.9, 0.9)))
    for (x, y) in [(32, 80), (160, 80), (288, 80), (288, 120), (288, 143)] {
      #expect(painting[x, y] == 1)
    }
    for (x, y) in [(10, 80), (160, 95), (200, 130), (310, 80)] { #expect(painting[x, y] == 0) }
  }

  @Test func softnessFadesOutFromTheCentre() throws {
    let soft = try painting(stroke(1, size: 1, softness: 1, (0.5, 0.5)))
    let values = stride(from: 160, to: 240, by: 8).map { soft[$0, 80] }
    #expect(values[0] > 0.99)
    #expect(values == values.sorted(by: >))
    #expect(abs(soft[200, 80] - 0.5) < 0.03)
    #expect(soft[242, 80] == 0)
    let hard = try painting(stroke(1, size: 1, softness: 0, (0.5, 0.5)))
    #expect(hard[232, 80] == 1)
  }

  /// As phones draw: each piece begins where the last one ended.
  @Test func aLineInPiecesIsTheSameAsInOne() throws {
    let points = (0...10).map { (number: Int) -> Stroke.Point in
      let (x, y) = (0.1 + 0.08 * Double(number), 0.3 + 0.04 * Double(number % 3))
      return Stroke.Point(x, y)
    }
    func make(_ points: [Stroke.Point]) throws -> Stroke {
      try #require(Stroke(value: 0.6, size: 0.3, softness: 0.8, points: points))
    }
    let whole = painting(try make(points))
    var pieces = Painting(aspect: 2, at: begin)
    var open = OpenStrokes()
    let other = try stroke(0.2, size: 0.1, (0.9, 0.9), (0.8, 0.9))
    for (from, to) in zip(points, points.dropFirst()) {
      pieces.draw(try make([from, to]), &open, at: begin)
    }
    for y in 0..<whole.height {
      for x in 0..<whole.width { #expect(abs(whole[x, y] - pieces[x, y]) < 0.001) }
    }
    // Another input that draws meanwhile takes nothing from either.
    pieces.draw(other, &open, at: begin)
    pieces.draw(try make([points[10], points[9]]), &open, at: begin)
    #expect(abs(pieces[280, 144] - 0.2) < 0.001)
    #expect(abs(pieces[280, 55] - whole[280, 55]) < 0.001)
  }

  @Test(arguments: Stroke.Mirror.allCases) func copiesAreWhereTheMirrorPutsThem(
    mirror: Stroke.Mirror
  ) throws {
    let painting = try painting(stroke(1, size: 0.1, mirror: mirror, (0.25, 0.25), (0.25, 0.3)))
    let (x, y) = (mirror == .x || mirror == .xy, mirror == .y || mirror == .xy)
    #expect(painting[80, 42] == 1)
    #expect(painting[239, 42] == (x ? 1 : 0))
    #expect(painting[80, 117] == (y ? 1 : 0))
    #expect(painting[239, 117] == (x && y ? 1 : 0))
  }

  @Test func strokesFadeByTheWholeRangeHoweverOftenTheyAreDrawn() throws {
    var once = Painting(aspect: 1, at: begin)
    once.setFade(10, at: begin)
    var open = OpenStrokes()
    once.draw(try stroke(1, (0.5, 0.5)), &open, at: begin)
    once.draw(try stroke(0.5, (0.1, 0.5)), &open, at: begin + .seconds(2))
    var often = once
    #expect(once.isFading)
    for step in 1...997 { often.advance(to: begin + .seconds(2) + .milliseconds(3 * step)) }
    once.advance(to: begin + .seconds(2) + .milliseconds(3 * 997))
    #expect(once == often)
    #expect(abs(once[160, 160] - (1 - 0.4991)) < 0.001)
    #expect(abs(once[32, 160] - (0.5 - 0.2991)) < 0.001)
    once.advance(to: begin + .seconds(10))
    #expect(once[160, 160] == 0)
    #expect(!once.isFading)
    once.advance(to: begin + .seconds(100_000))
    #expect(once.isEmpty)
  }

  @Test func numbersOutOfRangeAreTheNearestInsideAndNonsenseIsNoStroke() throws {
    let stroke = try stroke(7, size: -1, softness: 1e300, (-5, 1e9))
    #expect(stroke == (try self.stroke(1, size: 0, softness: 1, (0, 1))))
    // The finest brush in the corner is seen all the same.
    #expect(count(painting(stroke)) { $0 > 0 } >= 1)
    for points in [[], [Stroke.Point](repeating: Stroke.Point(0, 0), count: 33)] {
      #expect(Stroke(value: 1, size: 1, softness: 1, points: points) == nil)
    }
    #expect(Stroke(value: .nan, size: 1, softness: 1, points: [Stroke.Point(0, 0)]) == nil)
    #expect(Stroke(value: 1, size: .infinity, softness: 1, points: [Stroke.Point(0, 0)]) == nil)
    #expect(Stroke(value: 1, size: 1, softness: 1, points: [Stroke.Point(.nan, 0)]) == nil)
  }

  @Test(arguments: [1e-9, 0.01, 9.0 / 16, 1, 21.0 / 9, 1e9])
  func everyShapeOfFrameHasAPicture(aspect: Double) throws {
    let painting = try painting(stroke(1, size: 1, (0, 0), (1, 1)), aspect: aspect)
    let image = try painting.image()
    #expect(max(image.width, image.height) == 320)
    #expect(min(image.width, image.height) >= 20)
  }
}

@Suite struct DrawingTests {
  private func make() async throws -> (Performance, InMemoryStage, ManualClock) {
    let clock = ManualClock()
    let stage = try InMemoryStage(sources: ["a", "b"], clock: clock)
    return (await Performance(on: stage, clock: clock), stage, clock)
  }

  /// Expects that the stage shows the strokes of these lines.
  private func expect(
    _ stage: InMemoryStage, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (other, paper, _) = try await make()
    for line in lines { try await other.perform(Move(line)) }
    let (image, wanted) = (await stage.mapImage, await paper.mapImage)
    #expect(image == wanted, sourceLocation: sourceLocation)
  }

  private let a = "draw 1 0.2 0.5 none 0.2 0.2 0.4 0.4"
  private let b = "draw 0.5 0.2 0.5 xy 0.6 0.2 0.7 0.1"

  @Test func strokesReachTheStageAndUndoTakesThemBack() async throws {
    let (performance, stage, clock) = try await make()
    let changes = performance.changes
    try await performance.perform(Move(a))
    try await expect(stage, [a])
    clock.advance(by: .seconds(2))
    try await performance.performAll(Move("set depth 7"), Move(b))
    try await expect(stage, [a, b])
    try await performance.perform(.undo)
    try await expect(stage, [a])
    #expect(await performance.state.values["depth"] == .uint(7))
    try await performance.perform(.redo)
    try await expect(stage, [a, b])
    try await performance.perform(Move("draw-clear"))
    try await expect(stage, ["draw-clear", "map-source draw"])
    try await performance.perform(.undo)
    try await expect(stage, [a, b])
    for _ in 0..<3 { try await performance.perform(.undo) }
    try await expect(stage, ["map-source draw"])
    var heard: [Change] = []
    performance.tell(.closeRequested)
    for await change in changes {
      if change == .closeRequested { break }
      if case .drawing = change { heard.append(change) }
    }
    #expect(heard == [.drawing(isMap: true, fade: 0)])
  }

  /// A finger sends a stroke in pieces, which are one change.
  @Test func aStrokeIsOneChange() async throws {
    let (performance, stage, clock) = try await make()
    for step in 0..<90 {
      clock.advance(by: .milliseconds(33))
      let x = 0.1 + Double(step) / 200
      try await performance.perform(Move("draw 1 0.1 0.5 none \(x) 0.5 \(x + 0.005) 0.5"))
    }
    try await performance.perform(.undo)
    try await expect(stage, ["map-source draw"])
    await #expect(throws: StageError.self) { try await performance.perform(.undo) }
  }

  @Test func undoOfSomethingElseLeavesAloneWhatFades() async throws {
    let (performance, stage, clock) = try await make()
    try await performance.performAll(Move("draw-fade 10"), Move(a), Move("set depth 7"))
    clock.advance(by: .seconds(5))
    try await performance.performAll(.undo, Move("map-source draw"))
    let painting = try #require(await performance.state.drawing.painting)
    #expect(abs(painting[96, 54] - 0.5) < 0.001)
    #expect(await stage.mapImage == (try painting.image()))
    // It is gone in time; undo brings it back, and it fades from there.
    clock.advance(by: .seconds(6))
    try await performance.perform(Move("draw-clear"))
    clock.advance(by: .seconds(20))
    try await performance.performAll(.undo, Move(a))
    clock.advance(by: .seconds(4))
    try await performance.perform(Move("map-source draw"))
    #expect(abs((await performance.state.drawing.painting?[96, 54] ?? 0) - 0.6) < 0.001)
  }

  @Test func aSourceIsTheMapInThePlaceOfTheDrawingAndTheOtherWayRound() async throws {
    let (performance, stage, _) = try await make()
    try await performance.performAll(Move("map-source 2"), Move(a))
    // Strokes take nothing away from a source that was chosen.
    #expect(await stage.mapImage == nil)
    #expect(await !performance.state.isDrawingMap)
    try await performance.perform(Move("map-source draw"))
    try await expect(stage, [a])
    #expect(await performance.state.mapSource == nil)
    try await performance.perform(Move("map-source 1"))
    #expect(await !performance.state.isDrawingMap)
    #expect(await stage.log == ["map 1", "map 0"])
  }

  @Test func strokesFadeOnStageWithoutInput() async throws {
    let (performance, stage, clock) = try await make()
    /// Lets as many pictures come as there are in a fifth of a second.
    func fade() async {
      await clock.crank(until: clock.now + Performance.fadingPace * 13)
      await performance.fading?.value
    }
    try await performance.performAll(Move("draw-fade 0.2"), Move(a))
    let empty = try Painting(aspect: 16.0 / 9, at: clock.now).image()
    await fade()
    #expect(await stage.mapImage == empty)
    // And again; slowly, until it has been seen.
    try await performance.performAll(Move("draw-fade 3600"), Move(a))
    #expect(await stage.mapImage != empty)
    try await performance.perform(Move("draw-fade 0.2"))
    await fade()
    #expect(await stage.mapImage == empty)
  }

  /// A rendering has the drawing of the show at every moment, with undo, redo and strokes that fade.
  @Test func aRehearsalDrawsWhatAShowHasDrawn() async throws {
    let lines = [
      "0 \(a)", "0.5 \(b)", "1 draw-fade 4", "1.5 draw 0.9 0.3 0.2 y 0.1 0.9 0.5 0.8",
      "2.7 set depth 7", "3 draw-clear", "3.5 undo", "4 undo", "4.5 undo", "5 redo",
      "5.2 redo", "5.4 draw 1 0.5 0.5 none 0.5 0.5", "6 draw 1 0.5 0.5 none 0.5 0.5 0.6 0.6",
      "6.5 undo", "6.6 redo", "6.7 draw-fade 0", "9 draw-fade 1", "9.5 undo",
    ]
    let script = try MoveScript(lines.joined(separator: "\n"))
    let rehearsal = try await Rehearsal(of: script)
    #expect(rehearsal.warnings.isEmpty)
    let maker = try #require(rehearsal.timeline.mapImages).maker(aspect: 16.0 / 9)
    let (performance, stage, clock) = try await make()
    let begin = clock.now
    var entries = script.entries[...]
    var different: Set<Int> = []
    for frame in 0..<300 {
      // Between the moves.
      let moment = begin + .milliseconds(40 * frame + 1)
      while let entry = entries.first, begin + .nanoseconds(Int64(entry.time.nanoseconds)) < moment
      {
        clock.advance(to: begin + .nanoseconds(Int64(entry.time.nanoseconds)))
        try await performance.perform(entry.move)
        entries = entries.dropFirst()
      }
      clock.advance(to: moment)
      try await performance.perform(Move("map-source draw"))
      let wanted = await stage.mapImage
      let image = try maker(.milliseconds(UInt64(40 * frame + 1)))
      if image == wanted {
        different.insert(image?.hashValue ?? 0)
      } else {
        let empty = await performance.state.drawing.painting == nil
        #expect(empty && image == nil, "frame \(frame)")
      }
    }
    #expect(different.count > 50, "it moves")
    let other = try await Rehearsal(of: MoveScript(lines.dropLast().joined(separator: "\n")))
    #expect(other.timeline != rehearsal.timeline)
    #expect(try await Rehearsal(of: script).timeline == rehearsal.timeline)
    #expect(try await Rehearsal(of: MoveScript("1 set depth 7")).timeline.mapImages == nil)
  }

  @Test func aPerformanceThatIsOverFadesNothing() async throws {
    var performance: Performance? = try await make().0
    let changes = try #require(performance).changes
    try await performance?.perform(Move("draw-fade 3600"))
    try await performance?.perform(Move(a))
    performance = nil
    // They end with it.
    for await _ in changes {}
  }

  @Test(arguments: [
    "draw 1 0.2 0.5 none 0.2 0.2", "draw 0.0 1.0 0.0 xy 0.5 0.5 1.0 1.0", "draw-clear",
    "draw-fade 2.5", "map-source draw",
  ]) func movesAreLinesAndBack(line: String) throws {
    #expect(try Move(Move(line).line) == Move(line))
    guard case .drawing = try Move(line) else {
      Issue.record("\(line) is not a drawing move")
      return
    }
  }

  @Test(arguments: [
    "draw", "draw 1 1 1 none", "draw 1 1 1 none 0.5", "draw 1 1 1 z 0.5 0.5",
    "draw 1 1 none 0.5 0.5", "draw nan 1 1 none 0.5 0.5", "draw 1 1 1 none inf 0.5",
    "draw 1 1 1 none 0.5 0.5 0.5", "draw 1 1 1 none a b", "draw-clear 1", "draw-fade",
    "draw-fade soon", "draw-fade nan", "map-source drawing",
    "draw 1 1 1 none" + String(repeating: " 0.5 0.5", count: 33),
  ]) func whatIsNoMoveSaysWhatIs(line: String) {
    let error = #expect(throws: StageError.self) { _ = try Move(line) }
    #expect(error?.code == .badMove)
    #expect(error?.message.contains(line.hasPrefix("map") ? "map-source draw" : "draw") == true)
  }
}
