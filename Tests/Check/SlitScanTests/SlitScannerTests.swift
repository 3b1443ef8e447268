// Tests of the scanner actor: frames from one thread, questions from tasks, errors instead of traps.

import Foundation
import SeededGenerator
import Synchronization
import Testing

@testable import SlitScan

@Suite struct SlitScannerTests {
  @Test func aSnapshotIsTheLastOutput() async throws {
    let layout = try FrameLayout.gray(33, 17)
    for mode in [.displace, .sweep, .strip] as [ScanSettings.Mode] {
      var settings = ScanSettings().with(\.mode, mode).with(\.depth, 10).with(\.angle, 90)
      settings.sweepDuration = 10
      let scanner = SlitScanner()
      try scanner.configure(input: layout, settings: settings)
      for frame in 0..<7 {
        let output = try scanner.scan(
          gray: UInt8(20 * frame), layout: layout, time: UInt64(frame), settings: settings)
        let snapshot = try #require(await scanner.snapshot())
        #expect(snapshot.layout == layout)
        #expect(snapshot.bytes == output.bytes)
      }
    }
  }

  @Test func aSnapshotShowsFramesThatWereOnlyTakenIn() async throws {
    let layout = try FrameLayout.gray(33, 17)
    let settings = ScanSettings().with(\.depth, 10)
    let (drawn, absorbed) = (SlitScanner(), SlitScanner())
    var output: [UInt8] = []
    for scanner in [drawn, absorbed] { try scanner.configure(input: layout, settings: settings) }
    for frame in 0..<7 {
      let gray = UInt8(20 * frame + 10)
      output = try drawn.scan(
        gray: gray, layout: layout, time: UInt64(frame), settings: settings
      ).bytes
      let pixels = [UInt8](repeating: gray, count: 33 * 17)
      try absorbed.absorb(
        FrameSpan(pixels.span, layout: layout),
        time: UInt64(frame), settings: settings)
    }
    #expect(await absorbed.snapshot()?.bytes == output)
  }

  @Test func aQuestionAboutAnotherModeLeavesTheSweepAlone() async throws {
    let layout = try FrameLayout.gray(33, 17)
    var settings = ScanSettings().with(\.mode, .sweep).with(\.lineWidth, 4)
    settings.sweepDuration = 10
    settings.map = .image
    settings.mapSmoothing = 0
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    let map = (0..<33 * 17).map { UInt8($0 % 256) }
    try scanner.setMapImage(
      FrameSpan(map.span, layout: layout),
      layout: layout, as: .image)
    _ = try scanner.scan(gray: 100, layout: layout, time: 5, settings: settings)
    let before = try #require(await scanner.snapshot())
    let other = settings.with(\.mode, .displace)
    _ = try scanner.settledReport(interval: 33_333_333, settings: other)
    #expect(await scanner.snapshot()?.bytes == before.bytes)
  }

  @Test func thereIsNoSnapshotBeforeTheFirstFrame() async throws {
    let scanner = SlitScanner()
    #expect(await scanner.snapshot() == nil)
    try scanner.configure(input: .gray(4, 4), settings: ScanSettings())
    #expect(await scanner.snapshot() == nil)
  }

  @Test func tasksAskWhileFramesStream() async throws {
    let layout = try FrameLayout.gray(64, 48)
    let settings = ScanSettings().with(\.depth, 16)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    let hasEnough = Atomic(false)
    let stream = Thread { [settings] in
      var frame = 0
      while !hasEnough.load(ordering: .relaxed) {
        _ = try? scanner.scan(gray: UInt8(frame % 256), layout: layout, settings: settings)
        frame += 1
      }
    }
    stream.start()
    var snapshots = 0
    while snapshots < 200 {
      if let snapshot = await scanner.snapshot() {
        snapshots += 1
        // Rows get older downwards: each is a frame's value, and none is newer than the one above.
        let rows = stride(from: 0, to: 64 * 48, by: 64).map { snapshot.bytes[$0] }
        for (above, below) in zip(rows, rows.dropFirst()) {
          #expect(below == above || below == above &- 1)
        }
      }
      #expect(await scanner.report.historyFrames <= 16)
    }
    hasEnough.store(true, ordering: .relaxed)
    while !stream.isFinished { await Task.yield() }
  }

  @Test func depthIsLimitedByMemoryAndSaysSo() throws {
    let layout = try FrameLayout.gray(64, 64)
    let settings = ScanSettings().with(\.depth, 100).with(\.maxMemory, 50_000)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    for frame in 0..<50 {
      let report = try scanner.scan(gray: UInt8(frame), layout: layout, settings: settings).report
      #expect(report.limitedDepth == 12)
      #expect(report.historyFrames == min(frame + 1, 12))
      #expect(report.historyBytes <= 50_000)
    }
  }

  @Test func memoryComesBackWhenDepthShrinksAndOnRelease() async throws {
    let layout = try FrameLayout.gray(256, 256)
    var settings = ScanSettings().with(\.depth, 100)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    for _ in 0..<100 { try scanner.scan(gray: 1, layout: layout, settings: settings) }
    #expect(await scanner.report.historyBytes >= 100 * 65536)
    #expect(await scanner.report.historyBytes <= 110 * 65536)
    settings.depth = 10
    try scanner.scan(gray: 1, layout: layout, settings: settings)
    #expect(await scanner.report.historyFrames == 10)
    #expect(await scanner.report.historyBytes <= 11 * 65536)
    scanner.release()
    #expect(await scanner.report.historyBytes == 0)
  }

  @Test func depthMayChangeWithEveryFrameWithoutLosingWhatFits() throws {
    // Each frame is its own number; with map f = 1 everywhere the oldest held frame is shown.
    let layout = try FrameLayout.gray(8, 8)
    var settings = ScanSettings().with(\.gain, 0).with(\.offset, 1)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    var generator = SeededGenerator(for: "depths")
    var held: [UInt8] = []
    var history: [Int] = []
    for frame in 0..<2000 {
      settings.depth = Int.random(in: 1...40, using: &generator)
      history.append(settings.depth)
      held = Array((held + [UInt8(frame % 256)]).suffix(settings.depth))
      let output = try scanner.scan(gray: UInt8(frame % 256), layout: layout, settings: settings)
      #expect(output.bytes[0] == held[0], "after depths \(history.suffix(50)), \(TestSeed.advice)")
      #expect(output.report.historyFrames == held.count)
    }
  }

  @Test func aFrameSmallerThanItsLayoutIsRefused() throws {
    let layout = try FrameLayout.gray(8, 8)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: ScanSettings())
    let small = try FrameLayout.gray(8, 7)
    #expect(throws: ScanError.self) {
      try scanner.scan(gray: 1, layout: small, settings: ScanSettings())
    }
    #expect(throws: ScanError.self) {
      let pixels = [UInt8](repeating: 0, count: 64)
      let frame = FrameSpan(
        pixels.span.bytes, RawSpan(), RawSpan(), RawSpan(), strides: [.max, 0, 0, 0])
      try scanner.absorb(frame, time: 0, settings: ScanSettings())
    }
    #expect(throws: ScanError.self) {
      let pixels = [UInt8](repeating: 0, count: 64)
      let frame = FrameSpan(
        pixels.span.bytes, RawSpan(), RawSpan(), RawSpan(), strides: [-8, 0, 0, 0])
      try scanner.absorb(frame, time: 0, settings: ScanSettings())
    }
    try scanner.scan(gray: 1, layout: layout, settings: ScanSettings())
  }

  @Test func theLargestFrameIsRefusedWhereItsBytesAreNot() throws {
    let side = FrameLayout.longestSide
    let components = (0..<4).map {
      FrameLayout.Component(
        role: .colour, plane: $0, offset: 0, step: 2, bytes: 2, xShift: 0, yShift: 0, unusedBits: 0,
        black: 0, white: 65535)
    }
    let layout = try FrameLayout(
      width: side, height: side, isBigEndian: false, components: components)
    for mode in [.displace, .sweep, .strip] as [ScanSettings.Mode] {
      let settings = ScanSettings().with(\.mode, mode).with(\.depth, .max).with(\.maxMemory, .max)
      let scanner = SlitScanner()
      try scanner.configure(input: layout, settings: settings)
      let pixels = [UInt8](repeating: 0, count: 64)
      let frame = FrameSpan(
        pixels.span.bytes, pixels.span.bytes, pixels.span.bytes, pixels.span.bytes,
        strides: .init(repeating: 2 * side))
      #expect(throws: ScanError.self) { try scanner.absorb(frame, time: 0, settings: settings) }
      #expect(throws: ScanError.self) { try scanner.setMapImage(frame, layout: layout, as: .image) }
    }
  }

  @Test func timesAtTheEndsOfTheirRangeDoNoHarm() throws {
    let layout = try FrameLayout.gray(9, 7)
    let times: [UInt64] = [0, .max, 1, .max - 1, 1 << 63, 1 << 53 + 1, .max, 0]
    for mode in [.displace, .sweep] as [ScanSettings.Mode] {
      for duration in [0, 1, 1 << 53 - 1, .max] as [UInt64] {
        for interpolation in [.nearest, .linear, .motion] as [ScanSettings.Interpolation] {
          var settings = ScanSettings().with(\.mode, mode).with(\.depth, 5)
          settings.duration = duration
          settings.sweepDuration = duration
          settings.sweepLoop = .loop
          settings.interpolation = interpolation
          let scanner = SlitScanner()
          try scanner.configure(input: layout, settings: settings)
          for time in times + times.reversed() {
            let report = try scanner.scan(gray: 1, layout: layout, time: time, settings: settings)
              .report
            #expect((0...1).contains(report.progress))
          }
        }
      }
    }
  }

  @Test func feedbackThatThereIsNoMemoryForIsAnError() async {
    // In a process of its own, which may have little more memory than it has.
    await #expect(processExitsWith: .success) {
      let layout = try FrameLayout.gray(8192, 8192)
      var settings = ScanSettings().with(\.depth, 1)
      let scanner = SlitScanner()
      try scanner.configure(input: layout, settings: settings)
      let pixels = [UInt8](repeating: 0, count: 8192 * 8192)
      let frame = try FrameSpan(pixels.span, layout: layout)
      try scanner.absorb(frame, time: 0, settings: settings)

      let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = try #require(statm.split(separator: " ").first.flatMap { UInt($0) })
      // Sanitizers have taken up more than any limit.
      guard pages < 1 << 28 else { return }
      let most = pages * UInt(sysconf(Int32(_SC_PAGESIZE))) + 1 << 24
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)

      settings.feedback = 0.5
      do throws(ScanError) {
        try scanner.absorb(frame, time: 1, settings: settings)
        exit(EXIT_FAILURE)
      } catch {
        exit(error.code == .outOfMemory ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }

  @Test func aFrameBeforeItsLayoutIsRefused() throws {
    let layout = try FrameLayout.gray(8, 8)
    #expect(throws: ScanError.self) {
      try SlitScanner().scan(gray: 1, layout: layout, settings: ScanSettings())
    }
  }

  @Test func anImpossibleCanvasIsRefusedWithALengthThatFits() throws {
    var settings = ScanSettings().with(\.mode, .strip).with(\.angle, 90)
    settings.canvasLength = FrameLayout.longestSide
    let scanner = SlitScanner()
    // More than any machine has.
    let layout = try FrameLayout.gray(100, FrameLayout.longestSide)
    let error = #expect(throws: ScanError.self) {
      try scanner.configure(input: layout, settings: settings)
    }
    #expect(error?.code == .outOfMemory)
    #expect(error?.description.contains("Set the canvas length to at most") == true)
    settings.canvasLength = .max
    #expect(throws: ScanError.self) {
      try scanner.configure(input: .gray(100, 200), settings: settings)
    }
  }

  @Test func aCanvasIsLimitedByMemoryAndSaysSo() throws {
    let layout = try FrameLayout.gray(64, 64)
    var settings = ScanSettings().with(\.mode, .strip).with(\.maxMemory, 700)
    settings.warmup = .black
    let black = UInt8(layout.components[0].black)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    for frame in 1...50 {
      let (bytes, report) = try scanner.scan(gray: UInt8(frame), layout: layout, settings: settings)
      #expect(report.limitedLines == 10 && report.wantedLines == 64)
      #expect(report.historyBytes <= 700)
      let lines = (0..<64).map { bytes[64 * $0] }
      let newest = (max(frame - 9, 1)...frame).map(UInt8.init)
      #expect(lines == Array(repeating: black, count: 64 - newest.count) + newest)
    }
  }

  @Test func numbersThatAreNoneAndNumbersOutOfRangeDoNoHarm() throws {
    let layout = try FrameLayout.gray(9, 7)
    let values: [Double] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 0, -0.0, 1e-300]
    for mode in [.displace, .sweep, .strip] as [ScanSettings.Mode] {
      for shape in [.linear, .radial, .angular] as [ScanSettings.Map] {
        for value in values {
          for edge in [.clamp, .wrap, .mirror] as [ScanSettings.Edge] {
            var settings = ScanSettings().with(\.mode, mode).with(\.map, shape).with(\.edge, edge)
            settings.angle = value
            settings.centerX = value
            settings.centerY = value
            settings.gain = value
            settings.offset = value
            settings.position = value
            settings.depth = -5
            settings.slitWidth = .max
            settings.sweepDuration = 0
            let scanner = SlitScanner()
            try scanner.configure(input: layout, settings: settings)
            for frame in 0..<3 {
              try scanner.scan(
                gray: 7, layout: layout, time: UInt64(frame), settings: settings.sanitized())
              try scanner.scan(gray: 7, layout: layout, time: .max, settings: settings)
            }
          }
        }
      }
    }
  }

  /// The ages of the pixels of the last output.
  private func ages(
    _ scanner: SlitScanner, width: Int, height: Int
  ) throws(ScanError) -> [UInt16] {
    var bytes = [UInt8](repeating: 9, count: 2 * width * height)
    var target = try MutableFrameSpan(
      bytes.mutableSpan, layout: .gray16(width: width, height: height))
    try scanner.drawAges(into: &target)
    return stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0 + 1]) << 8 | UInt16(bytes[$0])
    }
  }

  @Test func agesAreThoseOfTheLastOutput() throws {
    let layout = try FrameLayout.gray(2, 4)
    var settings = ScanSettings().with(\.depth, 5).with(\.keepsAges, true)
    settings.ageUnit = 10
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    #expect(throws: ScanError.self) { try ages(scanner, width: 2, height: 4) }
    for frame in 0..<6 {
      try scanner.scan(gray: 0, layout: layout, time: UInt64(100 * frame), settings: settings)
    }
    #expect(try ages(scanner, width: 2, height: 4) == [10, 10, 20, 20, 30, 30, 40, 40])
    #expect(throws: ScanError.self) { try ages(scanner, width: 2, height: 3) }
    // Nothing is kept for them unless that is asked for.
    settings.keepsAges = false
    try scanner.scan(gray: 0, layout: layout, time: 600, settings: settings)
    #expect(try ages(scanner, width: 2, height: 4) == Array(repeating: 0, count: 8))
  }

  @Test func agesOfAnyTimesDoNoHarm() throws {
    let layout = try FrameLayout.gray(9, 7)
    for mode in [.displace, .sweep, .strip] as [ScanSettings.Mode] {
      for unit in [0, 1, 1000, .max] as [UInt64] {
        var settings = ScanSettings().with(\.mode, mode).with(\.keepsAges, true)
        settings.ageUnit = unit
        settings.reserve = mode == .strip ? 4 : 0
        settings.interpolation = .linear
        settings.shutter = 3.5
        let scanner = SlitScanner()
        try scanner.configure(input: layout, settings: settings)
        for time in [.max, 0, 5, .max, .max, 7] as [UInt64] {
          try scanner.scan(gray: 7, layout: layout, time: time, settings: settings)
          #expect(try ages(scanner, width: 9, height: 7).count == 63)
        }
      }
    }
  }
}
