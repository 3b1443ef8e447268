// Tests of the times along a strip, and of its transposition from columns to rows in a file.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanRender

@Suite struct StripTests {
  private func seconds(_ count: Int, every step: Double) -> [ClockTime] {
    (0..<count).map { .seconds(Double($0) * step) }
  }

  @Test func marksStandAtRoundTimes() {
    // 25 frames a second, four lines each: a hundred lines a second.
    let scale = TimeScale(times: seconds(1000, every: 0.04), linesPerFrame: 4, spacing: 100)
    let texts = scale.marks.filter { $0.text != nil }
    #expect(texts.prefix(3).map(\.text) == ["0:00", "0:01", "0:02"])
    #expect(texts.prefix(3).map(\.line) == [0, 100, 200])
    #expect(scale.marks.count == 800)
    #expect(
      scale.marks.prefix(21).filter(\.isMedium).map(\.line) == [
        0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
      ])
    let dense = TimeScale(times: seconds(1000, every: 0.04), linesPerFrame: 4, spacing: 101)
    let second = dense.marks.filter { $0.text != nil }[1]
    #expect(second == TimeScale.Mark(line: 200, text: "0:02", isMedium: true))
  }

  /// 1000 frames a second are enough for hundredths.
  @Test func marksCountFromTheStartInHundredths() {
    let start = ClockTime.seconds(23 * 3600 + 59 * 60 + 59.75)
    let scale = TimeScale(
      times: seconds(1000, every: 0.001), linesPerFrame: 10, spacing: 100, origin: start)
    let texts = scale.marks.filter { $0.text != nil }
    #expect(texts.prefix(2).map(\.text) == ["23:59:59.75", "23:59:59.76"])
    #expect(texts.prefix(2).map(\.line) == [0, 100])
    #expect(texts.first { $0.line == 2500 }?.text == "0:00.00")
    let last = scale.reversed(lines: 10_000).marks.filter { $0.text != nil }.suffix(2)
    #expect(last.map(\.text) == ["23:59:59.76", "23:59:59.75"])
    #expect(last.map(\.line) == [9899, 9999])
  }

  @Test func marksFollowFramesThatComeUnevenly() {
    // Nothing for a minute.
    let times = seconds(100, every: 0.1) + seconds(100, every: 0.1).map { $0 + .seconds(70) }
    let scale = TimeScale(times: times, linesPerFrame: 10, spacing: 50)
    #expect(Set(scale.marks.map(\.line)).count == scale.marks.count)
    for mark in scale.marks { #expect(times.indices.contains(mark.line / 10)) }
    #expect(scale.marks.map(\.line) == scale.marks.map(\.line).sorted())
    #expect(scale.marks.contains { $0.text == "1:10" && $0.line == 1000 })
  }

  @Test func marksOfFewOrOddFrames() {
    #expect(TimeScale(times: [], linesPerFrame: 1, spacing: 10).marks.isEmpty)
    #expect(
      TimeScale(times: [.seconds(3)], linesPerFrame: 1, spacing: 10).marks
        == [TimeScale.Mark(line: 0, text: "0:03.000")])
    let same = TimeScale(times: [.zero, .zero], linesPerFrame: 1, spacing: 10)
    #expect(same.marks.count == 1)
    let long = TimeScale(times: [.zero, .seconds(1e9)], linesPerFrame: 1, spacing: 10)
    #expect(long.marks.count <= 2)
  }

  @Test func timesAreWrittenAsFineAsTheirSteps() {
    for (seconds, step, text) in [
      (0, 1000, "0:00"), (61.5, 500, "1:01.5"), (3723, 60_000, "1:02:03"), (0.25, 10, "0:00.25"),
      (0.123, 1, "0:00.123"), (36_000, 1000, "10:00:00"),
    ] as [(Double, UInt64, String)] {
      #expect(TimeScale.text(.seconds(seconds), step: step) == text)
    }
  }

  @Test(
    arguments: [StripDirection.rightwards, .downwards],
    [(isReversed: false, skipped: 0), (true, 0), (false, 6), (true, 6), (true, 2)])
  func tilesBecomeRows(
    direction: StripDirection, order: (isReversed: Bool, skipped: Int)
  ) throws {
    let folder = FileManager.default.temporaryDirectory.path
    let (breadth, tileLines, appended, frameLines) = (5, 4, 10, 2)
    // Each pixel has its place along and across the strip.
    func pixel(_ along: Int, _ across: Int) -> [UInt8] { [UInt8(along), UInt8(across), 7, 8] }
    let place = "\(folder)/spool-\(UUID().uuidString)"
    var spool = try StripSpool(
      beside: place, called: "strip", direction, breadth: breadth, tileLines: tileLines,
      reversedFrameLines: order.isReversed ? frameLines : nil, bytesPerPixel: 4)
    #expect(!FileManager.default.fileExists(atPath: place + ".strip"))
    for first in stride(from: 0, to: appended, by: tileLines) {
      try spool.append(min(tileLines, appended - first)) { row, bytes in
        let pixels = (0..<bytes / 4).flatMap { column in
          direction == .rightwards ? pixel(first + column, row) : pixel(first + row, column)
        }
        return pixels
      }
    }
    spool.skip(order.skipped)
    let frames = stride(from: order.skipped, to: appended, by: frameLines)
      .map { Array($0..<$0 + frameLines) }
    let lines = Array((order.isReversed ? frames.reversed() : frames).joined())
    let size = spool.size
    #expect(size == (direction == .rightwards ? (lines.count, breadth) : (breadth, lines.count)))
    var rows = [UInt8](repeating: 0, count: 4 * size.width * 3)
    for first in stride(from: 0, to: size.height, by: 3) {
      let range = first..<min(first + 3, size.height)
      try spool.read(range, into: &rows)
      for row in range {
        for column in 0..<size.width {
          let start = 4 * ((row - first) * size.width + column)
          let expected =
            direction == .rightwards ? pixel(lines[column], row) : pixel(lines[row], column)
          #expect(Array(rows[start..<start + 4]) == expected, "row \(row), column \(column)")
        }
      }
    }
  }

  @Test func aFrameThatCannotBeWrittenIsAnErrorWithASentence() throws {
    let error = #expect(throws: CaptureError.self) {
      _ = try PNGFile.create("/nonexistent/p.png", called: "p.png", width: 3, height: 3)
    }
    #expect(error?.code == .notWritable)
    #expect(
      throws: CaptureError.self,
      performing: { _ = try PNGFile.create("/dev/null", called: "p", width: 0, height: 3) })
    // A disk that is always full.
    let full = #expect(throws: CaptureError.self) {
      let file = try PNGFile.create("/dev/full", called: "p.png", width: 1000, height: 1000)
      let row = (0..<3000).map { _ in UInt8.random(in: 0...255) }
      for _ in 0..<1000 { try file.write(row.span) }
      try file.finish()
    }
    #expect(full?.code == .diskFull)
  }
}
