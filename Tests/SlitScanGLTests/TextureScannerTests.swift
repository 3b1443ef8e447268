// Tests of the effect on the GPU: byte for byte against the effect on the processor, with random streams.

import CGStreamerGL
import SeededGenerator
import Testing

@testable import SlitScan
@testable import SlitScanGL

@Suite(.serialized, .enabled(if: GLThread.isThere, "this machine has no OpenGL without a display"))
struct TextureScannerTests {
  @Test(arguments: TestFormat.all.indices)
  func drawsWhatTheProcessorDraws(format: Int) throws {
    var random = SeededGenerator(for: "\(#function) \(format)")
    for _ in (0..<32).sampled() {
      let scenario = RandomScenario(TestFormat.all[format], using: &random)
      try GLThread.run { context in try unsafe compare(scenario, on: context) }
    }
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
    // Whether the last output was blended, and whether history has what was fed back of such an output.
    var (wasBlended, hasFedBlends) = (false, false)
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
        (wasBlended, hasFedBlends) = (false, false)
        answers = try both.pass(input, draws: false, time: time, settings: settings)
      default: answers = try both.pass(input, time: time, settings: settings)
      }
      hasFedBlends = hasFedBlends || wasBlended && settings.feedback > 0
      wasBlended = settings.isBlended
      check(
        answers, settings, hasFedBlends: hasFedBlends,
        "\(scenario), frame \(frame); \(TestSeed.advice)")
    }
  }

  private func check(
    _ answers: BothScanners.Answers, _ settings: ScanSettings, hasFedBlends: Bool,
    _ comment: Comment
  ) {
    let (one, two) = answers.reports
    #expect(one.historyFrames == two.historyFrames, comment)
    #expect(one.progress == two.progress, comment)
    #expect(one.completes == two.completes, comment)
    guard let expected = answers.expected, let drawn = answers.drawn else { return }
    let difference = Difference(expected, drawn)
    // Where frames are blended, by 1 of 255, which feedback adds up.
    let isFed = settings.mode == .displace && hasFedBlends
    let tolerance = isFed ? 4 : settings.isBlended ? 1 : 0
    // Sums of other order, and times to 1 µs, may choose the other of two frames where both are as near.
    let isNear = settings.duration > 0 || settings.map.smoothing > 0
    #expect(
      difference.greatest <= tolerance || isNear && difference.count * 100 < difference.total,
      "\(comment): \(difference), \(settings)")
  }

  /// More frames than a texture array surely has layers.
  @Test(arguments: [300, 9000])
  func historyMayHaveMoreFramesThanLayers(depth: Int) throws {
    var random = SeededGenerator(for: #function)
    var settings = ScanSettings()
    settings.depth = depth
    settings.historyKept = .whole
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
  fileprivate var isBlended: Bool { interpolation == .linear && mode == .displace }
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

/// The difference of two frames.
private struct Difference {
  var greatest = 0
  var count = 0
  var total = 0

  init(_ one: FrameBytes, _ two: FrameBytes) {
    for (bytes, others) in zip(one.planes, two.planes) {
      total += bytes.count
      for (byte, other) in zip(bytes, others) where byte != other {
        count += 1
        greatest = max(greatest, abs(Int(byte) - Int(other)))
      }
    }
  }
}
