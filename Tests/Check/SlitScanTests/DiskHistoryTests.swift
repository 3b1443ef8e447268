// A history on disk shows what one in memory shows, byte for byte, and goes on where the disk does not.

import Foundation
import SeededGenerator
import TemporaryFolder
import Testing

@testable import SlitScan

@Suite struct DiskHistoryTests {
  /// A way to keep frames: the layout, and how they look.
  struct Look: Sendable, CustomTestStringConvertible {
    var name: String
    var layout: FrameLayout
    /// What it keeps in memory besides frames, in frames.
    var held: UInt64 = 0
    var change: @Sendable (inout ScanSettings) -> Void
    var testDescription: String { name }
  }

  private static let looks: [Look] = {
    do {
      let gray = try FrameLayout.gray(203, 117)
      return [
        Look(name: "rows", layout: gray) { _ in },
        Look(name: "rows, linear", layout: gray) { $0.interpolation = .linear },
        Look(name: "columns", layout: gray) { $0.angle = 90 },
        Look(name: "radial", layout: gray) { $0.map = .radial },
        Look(name: "radial, linear, spread", layout: try .wide(203, 117)) {
          $0.map = .radial
          $0.interpolation = .linear
          $0.componentSpread = 0.4
        },
        Look(name: "motion", layout: gray, held: 120) {
          $0.map = .radial
          $0.interpolation = .motion
        },
        Look(name: "random", layout: gray) { $0.map = .random },
        Look(name: "luma", layout: try .wide(203, 117)) { $0.map = .luma },
        Look(name: "duration", layout: gray) {
          $0.map = .angular
          $0.duration = 80
        },
        Look(name: "whole", layout: gray) {
          $0.map = .radial
          $0.history = .whole
        },
        Look(name: "reserve", layout: gray) { $0.reserve = 60 },
        Look(name: "feedback", layout: gray) { $0.feedback = 0.5 },
      ]
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Compares what both draw, with settings that change now and then.
  ///
  /// - Parameter memory: The frames that the one on disk may keep in memory.
  private static func compare(
    _ look: Look, frames: Int, memory: UInt64,
    change: (Int, inout ScanSettings) -> Void = { _, _ in }
  ) throws -> FrameReport {
    let folder = TemporaryFolder()
    let (inMemory, onDisk) = (SlitScanner(), SlitScanner())
    onDisk.setHistoryLocation(folder.path)
    var settings = ScanSettings().with(\.depth, 80)
    look.change(&settings)
    for scanner in [inMemory, onDisk] {
      try scanner.configure(input: look.layout, settings: settings)
    }
    var report = FrameReport()
    for frame in 0..<frames {
      change(frame, &settings)
      var pixels = [UInt8](repeating: 0, count: look.layout.byteCount)
      for index in pixels.indices {
        pixels[index] = UInt8(truncatingIfNeeded: index &* 7 &+ frame &* 31 &+ index / 97)
      }
      let expected = try inMemory.scan(
        pixels: pixels, layout: look.layout, time: UInt64(frame), settings: settings)
      settings.maxMemory = (memory + look.held) * UInt64(look.layout.byteCount)
      let drawn = try onDisk.scan(
        pixels: pixels, layout: look.layout, time: UInt64(frame), settings: settings)
      settings.maxMemory = 0
      report = drawn.report
      try #require(drawn.bytes == expected.bytes, "frame \(frame), \(TestSeed.advice)")
      #expect(report.historyFrames == expected.report.historyFrames, "frame \(frame)")
    }
    // An unnamed file: nothing is there for others to see.
    #expect(try folder.files.isEmpty)
    return report
  }

  @Test(arguments: looks) func itShowsWhatMemoryWould(look: Look) throws {
    // Until all that it keeps has been written, and half of that again.
    let report = try Self.compare(look, frames: 120, memory: 12)
    #expect(report.diskFailure == nil)
    #expect(report.disk.bytesWritten > 0)
    #expect(report.disk.bytesRead > 0)
    #expect(report.diskBytes > 0)
  }

  @Test(arguments: (0..<24).sampled())
  func itShowsWhatMemoryWouldWhileSettingsChange(number: Int) throws {
    var random = SeededGenerator(for: "changes of a history on disk, \(number)")
    let look = Self.looks[number % Self.looks.count]
    // Less than one output needs, or some more.
    _ = try Self.compare(look, frames: 320, memory: random.next() % 2 == 0 ? 4 : 25) {
      frame, settings in
      guard frame % 40 == 39 else { return }
      switch random.next() % 7 {
      case 0: settings.depth = .random(in: 1...110, using: &random)
      case 1: settings.offset = .random(in: 0...1, using: &random)
      case 2: settings.freeze.toggle()
      case 3: settings.map = [.linear, .radial, .grid][Int(random.next() % 3)]
      case 4: settings.reserve = .random(in: 0...90, using: &random)
      case 5: settings.mode = settings.mode == .strip ? .displace : .strip
      default: settings.resetCount += 1
      }
    }
  }

  @Test func nothingIsWrittenWhereMemorySuffices() throws {
    let report = try Self.compare(Self.looks[3], frames: 200, memory: 1000)
    #expect(report.disk == FrameReport.DiskUse())
    #expect(report.diskBytes == 0)
  }

  @Test(arguments: ["/nowhere/at/all", "/dev/null", "/proc"])
  func itStaysInMemoryWhereNoFileCanBeMade(folder: String) throws {
    let look = Self.looks[0]
    let (plain, other) = (SlitScanner(), SlitScanner())
    other.setHistoryLocation(folder)
    let settings = ScanSettings().with(\.depth, 20)
    for scanner in [plain, other] { try scanner.configure(input: look.layout, settings: settings) }
    for frame in 0..<60 {
      let expected = try plain.scan(
        gray: UInt8(frame), layout: look.layout, time: UInt64(frame), settings: settings)
      let drawn = try other.scan(
        gray: UInt8(frame), layout: look.layout, time: UInt64(frame), settings: settings)
      #expect(drawn.bytes == expected.bytes)
      #expect(drawn.report.diskFailure?.action == .open)
    }
  }

  @Test func aLimitOfTheDiskLimitsTheDepth() throws {
    let look = Self.looks[0]
    let folder = TemporaryFolder()
    let scanner = SlitScanner()
    scanner.setHistoryLocation(folder.path)
    var settings = ScanSettings().with(\.depth, 500)
    settings.maxMemory = UInt64(10 * look.layout.byteCount)
    settings.maxDisk = UInt64(110 * look.layout.byteCount)
    try scanner.configure(input: look.layout, settings: settings)
    for frame in 0..<300 {
      let report = try scanner.scan(
        gray: UInt8(frame % 256), layout: look.layout, time: UInt64(frame), settings: settings
      ).report
      #expect(report.historyLimit == .maxDisk)
      let limit = try #require(report.limitedHistory)
      #expect((80...110).contains(limit))
      // What is to be given back, and blocks that are being filled, come on top of that.
      #expect(report.diskBytes < 160 * look.layout.byteCount)
    }
  }
}

extension FrameLayout {
  /// I420 with 8 bits.
  fileprivate static func wide(_ width: Int, _ height: Int) throws(ScanError) -> FrameLayout {
    let component = { (plane: Int, shift: Int) in
      Component(
        role: .colour, plane: plane, offset: 0, step: 1, bytes: 1, xShift: shift, yShift: shift,
        unusedBits: 0, black: plane == 0 ? 16 : 128, white: 235)
    }
    return try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: [component(0, 0), component(1, 1), component(2, 1)])
  }
}
