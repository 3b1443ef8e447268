// Tests of the effect on the GPU: byte for byte against the effect on the processor, with random streams.

import CGStreamerGL
import SeededGenerator
import Testing

@testable import SlitScan
@testable import SlitScanGL

@Suite(.serialized, .enabled(if: GLThread.isThere, "this machine has no OpenGL without a display"))
struct TextureScannerTests {
  /// One of so many random streams of a format.
  struct Case: CustomTestStringConvertible, Sendable {
    let format: TestFormat
    let number: Int
    var testDescription: String { "\(format) \(number)" }

    static func all(_ count: Int) -> [Case] {
      TestFormat.all.flatMap { format in (0..<count).map { Case(format: format, number: $0) } }
    }
  }

  @Test(arguments: Case.all(32).sampled()) func drawsWhatTheProcessorDraws(test: Case) throws {
    var random = SeededGenerator(for: "\(#function) \(test.testDescription)")
    let scenario = RandomScenario(test.format, using: &random)
    try GLThread.run { context in try unsafe compare(scenario, on: context) }
  }

  /// Runs one stream through both scanners.
  private func compare(
    _ scenario: RandomScenario, on context: UnsafeMutablePointer<GstGLContext>
  ) throws {
    var scenario = scenario
    var both = try unsafe BothScanners(
      context, scenario.format, width: scenario.width, height: scenario.height,
      settings: scenario.settings)
    defer { both.close() }
    var past = EarlierOutputs()
    for frame in 0..<24 {
      let isChanged = frame % 3 == 2
      if isChanged {
        scenario.change(2)
        try both.configure(scenario.settings)
      }
      if frame % 5 == 1 { try scenario.setMap(of: both) }
      let time = UInt64(frame) * 33_333_333
      let input = FrameBytes(both.input, using: &scenario.random)
      let settings = scenario.settings
      let answers: BothScanners.Answers
      switch (Int.random(in: 0..<12, using: &scenario.random), isChanged || frame == 0) {
      case (0, false): answers = try both.pass(nil, time: time, settings: settings)
      case (1, false): answers = try both.redraw()
      case (2, _):
        both.forget()
        past = EarlierOutputs()
        answers = try both.pass(input, draws: false, time: time, settings: settings)
      default: answers = try both.pass(input, time: time, settings: settings)
      }
      check(answers, settings, &past, "\(scenario), frame \(frame); \(TestSeed.advice)")
    }
  }

  private func check(
    _ answers: BothScanners.Answers, _ settings: ScanSettings, _ past: inout EarlierOutputs,
    _ comment: Comment
  ) {
    let (one, two) = answers.reports
    #expect(one.historyFrames == two.historyFrames, comment)
    #expect(one.progress == two.progress, comment)
    #expect(one.completes == two.completes, comment)
    past.follow(settings)
    guard let expected = answers.expected, let drawn = answers.drawn else { return }
    // Where frames are blended, by 1 of 255, which feedback adds up.
    let isFed = settings.mode == .displace && past.hasFedBlends
    let tolerance = isFed ? 4 : settings.isBlended ? 1 : 0
    let difference = Difference(
      expected, drawn, by: tolerance, besides: past.open(in: settings.mode),
      areWordsMeans: settings.showsPerspective)
    // On a canvas, what was chosen so moves on.
    let mayChoose = past.mayChoose || settings.mode == .strip && past.mayHaveChosen
    // A hundredth, or a cell; in perspective, a line may be anywhere.
    let share = settings.showsPerspective ? 1 : 100
    let most = mayChoose ? max(difference.total / share, 4) : 0
    #expect(difference.places.count <= most, "\(comment): \(difference), \(settings)")
    past.chosen = mayChoose ? difference.places : []
  }

  /// Noise, which the other streams are made of, has no motion to be found.
  @Test(arguments: Case.all(8).sampled())
  func drawsAlongMotionWhatTheProcessorDraws(test: Case) throws {
    let (format, number) = (test.format, test.number)
    var random = SeededGenerator(for: "\(#function) \(format) \(number)")
    var settings = ScanSettings()
    settings.interpolation = .motion
    settings.map = number % 2 == 0 ? .grid : .radial
    settings.columns = 5
    settings.depth = Int.random(in: 3...6, using: &random)
    settings.componentSpread = number % 3 == 1 ? 0.3 : 0
    settings.mix = number % 3 == 2 ? 0.7 : 1
    settings.feedback = number == 7 ? 0.2 : 0
    // With pixels of the first level of luma that are one, two and four of the frame's.
    let width = [61, 130, 523, 1001][number % 4]
    let height = number % 4 == 3 ? 31 : 53
    let pace = SIMD2<Double>.random(in: -4...4, using: &random)
    try GLThread.run { [settings] context in
      var settings = settings
      let both = try unsafe BothScanners(
        context, format, width: format.wholeTexels(width), height: height, settings: settings)
      defer { both.close() }
      for frame in 0..<10 {
        if frame == 6 { settings.depth += 3 }
        if frame == 8 { settings.depth = 3 }
        let input = FrameBytes(both.input, movedBy: pace * Double(frame))
        let answers = try both.pass(input, time: UInt64(frame) * 33_333_333, settings: settings)
        guard let expected = answers.expected, let drawn = answers.drawn else { continue }
        // Without any motion, frames are blended.
        let difference = Difference(expected, drawn, by: frame < 1 ? 1 : 0, besides: [])
        #expect(
          difference.places.isEmpty,
          "\(format) \(number), frame \(frame): \(difference); \(TestSeed.advice)")
      }
    }
  }

  @Test(arguments: Case.all(8).sampled())
  func keepsTheNewestLinesOfACanvasThatFit(test: Case) throws {
    var random = SeededGenerator(for: "\(#function) \(test.testDescription)")
    var settings = ScanSettings()
    settings.mode = .strip
    settings.angle = test.number % 2 == 0 ? 0 : 90
    settings.warmup = test.number % 3 == 0 ? .transparent : .hold
    let (width, height) = (test.format.wholeTexels(37), 29)
    try GLThread.run { [settings] context in
      var settings = settings
      var both = try unsafe BothScanners(
        context, test.format, width: width, height: height, settings: settings)
      defer { both.close() }
      for frame in 0..<24 {
        if frame.isMultiple(of: 6) {
          settings.slitWidth = Int.random(in: 1...7, using: &random)
          settings.canvas = Bool.random(using: &random) ? .scroll : .wrap
          settings.canvasLength = frame.isMultiple(of: 12) ? 0 : test.format.wholeTexels(50)
          settings.maxMemory = UInt64.random(in: 1...6000, using: &random)
          try both.configure(settings)
        }
        let input = FrameBytes(both.input, using: &random)
        let answers = try both.pass(input, time: UInt64(frame), settings: settings)
        let comment: Comment = "\(test.testDescription), frame \(frame); \(TestSeed.advice)"
        #expect(answers.expected == answers.drawn, comment)
        #expect(answers.reports.0.limitedLines == answers.reports.1.limitedLines, comment)
      }
    }
  }

  /// The delays are those of the frame before, whatever the settings are now.
  @Test func drawsAgainWhatWasDrawnBeforeAFrameThatWasNot() throws {
    var random = SeededGenerator(for: #function)
    var settings = ScanSettings()
    settings.depth = 4
    settings.interpolation = .linear
    try GLThread.run { [settings] context in
      var settings = settings
      let both = try unsafe BothScanners(
        context, TestFormat.all[0], width: 19, height: 11, settings: settings)
      defer { both.close() }
      for frame in 0..<6 {
        if frame == 5 {
          settings.componentSpread = 0.5
          settings.interpolation = .nearest
        }
        let input = FrameBytes(both.input, using: &random)
        _ = try both.pass(
          input, draws: frame < 5, time: UInt64(frame) * 33_333_333, settings: settings)
      }
      let answers = try both.redraw()
      let expected = try #require(answers.expected)
      let drawn = try #require(answers.drawn)
      let difference = Difference(expected, drawn, by: 1, besides: [])
      #expect(difference.places.isEmpty, "\(difference); \(TestSeed.advice)")
    }
  }

  /// More frames than a texture array surely has layers.
  @Test(arguments: [300, 9000]) func historyMayHaveMoreFramesThanLayers(depth: Int) throws {
    var random = SeededGenerator(for: #function)
    var settings = ScanSettings()
    settings.depth = depth
    settings.history = .whole
    settings.interpolation = .nearest
    let format = TestFormat.all[0]
    try GLThread.run { context in
      let both = try unsafe BothScanners(context, format, width: 5, height: 7, settings: settings)
      defer { both.close() }
      for frame in 0..<(depth + 20) {
        let input = FrameBytes(both.input, using: &random)
        let isShown = frame % 97 == 0 || frame > depth
        let answers = try both.pass(
          input, draws: isShown, time: UInt64(frame) * 33_333_333, settings: settings)
        #expect(answers.expected == answers.drawn, "frame \(frame); \(TestSeed.advice)")
      }
    }
  }

  @Test func aFrameThatDiffersFromTheAnnouncedOneIsRefused() throws {
    let settings = ScanSettings()
    try GLThread.run { context in
      let both = try unsafe BothScanners(
        context, TestFormat.all[0], width: 8, height: 6, settings: settings)
      defer { both.close() }
      let scanner = try TextureScanner(context: UInt(bitPattern: context))
      defer { scanner.close() }
      _ = try scanner.configure(input: both.input, settings: settings)
      let frame = FrameTextures(
        names: SIMD4(1, 0, 0, 0), formats: SIMD4(0x8058, 0, 0, 0), widths: SIMD4(9, 0, 0, 0),
        heights: SIMD4(6, 0, 0, 0))
      #expect(throws: ScanError.self) {
        _ = try scanner.scan(frame, into: nil, time: 0, settings: settings)
      }
    }
  }
}

extension ScanSettings {
  /// Whether frames between two of history are drawn.
  fileprivate var isBlended: Bool {
    switch mode {
    case .displace: interpolation == .linear
    case .sweep: false
    case .strip: showsPerspective
    }
  }

  /// Whether samples are means of many, which floats are summed up for.
  fileprivate var showsPerspective: Bool {
    mode == .strip && (canvas == .corridor || canvas == .tunnel)
  }
}

extension RandomScenario {
  /// Gives both scanners a random image as a map.
  mutating func setMap(of both: BothScanners) throws {
    let isSmall = Bool.random(using: &random)
    let layout = try format.layout(width: isSmall ? 13 : width, height: isSmall ? 9 : height)
    let image = FrameBytes(layout, using: &random)
    try both.setMap(
      image, layout, as: Bool.random(using: &random) ? .live : .image,
      inTextures: Bool.random(using: &random))
  }
}

/// The differences that earlier outputs may leave in later ones.
private struct EarlierOutputs {
  /// A byte of a frame.
  struct Place: Hashable {
    var plane: Int
    var byte: Int
  }

  private var settings: ScanSettings?
  /// Whether history has blends that were fed back.
  private(set) var hasFedBlends = false
  /// Whether the other of two frames may be shown where both are as near: sums have another order, and times
  /// are only known to 1 µs.
  private(set) var mayChoose = false
  /// Whether it may have been in this mode.
  private(set) var mayHaveChosen = false
  /// The places where the last output did, and those where later outputs may differ, as history or the sweep
  /// has what was shown there.
  var chosen: Set<Place> = []
  private var open: Set<Place> = []

  /// The places where an output in a mode may differ because of earlier ones.
  func open(in mode: ScanSettings.Mode) -> Set<Place> { mode == .strip ? [] : open }

  /// Goes on to an output with these settings.
  mutating func follow(_ settings: ScanSettings) {
    let isFed = settings.mode == .displace && settings.feedback > 0
    hasFedBlends = hasFedBlends || isFed && self.settings?.isBlended == true
    if settings.mode != self.settings?.mode {
      mayHaveChosen = false
    } else if isFed || settings.mode == .sweep {
      open.formUnion(chosen)
    }
    mayChoose = settings.duration > 0 || settings.mapSmoothing > 0
    mayHaveChosen = mayHaveChosen || mayChoose
    chosen = []
    self.settings = settings
  }
}

/// The differences of two frames that are greater than a tolerance.
private struct Difference: CustomStringConvertible {
  private var greatest = 0
  private(set) var places: Set<EarlierOutputs.Place> = []
  private(set) var total = 0

  var description: String { "\(places.count) of \(total) bytes differ, by \(greatest) at most" }

  /// - Parameter areWordsMeans: Whether words may differ by so much of 255, and not only their bytes.
  init(
    _ one: FrameBytes, _ two: FrameBytes, by tolerance: Int,
    besides open: Set<EarlierOutputs.Place>, areWordsMeans: Bool = false
  ) {
    for (plane, (bytes, others)) in zip(one.planes, two.planes).enumerated() {
      total += bytes.count
      let isWords = areWordsMeans && one.layout.planes[plane].sampleBytes == 2
      func word(_ bytes: [UInt8], _ byte: Int) -> Int {
        let (low, high) = one.layout.isBigEndian ? (byte | 1, byte & ~1) : (byte & ~1, byte | 1)
        return Int(bytes[high]) << 8 | Int(bytes[low])
      }
      for byte in bytes.indices where bytes[byte] != others[byte] {
        if isWords, abs(word(bytes, byte) - word(others, byte)) <= 257 * tolerance { continue }
        let difference = abs(Int(bytes[byte]) - Int(others[byte]))
        let place = EarlierOutputs.Place(plane: plane, byte: byte)
        guard difference > tolerance, !open.contains(place) else { continue }
        places.insert(place)
        greatest = max(greatest, difference)
      }
    }
  }
}
