// Tests of numbers, tables and options.

import Foundation
import Testing

@testable import Benchmarks

struct TableTests {
  @Test func numbersAreRounded() {
    #expect(1.2345.digits(3) == "1.235" || 1.2345.digits(3) == "1.234")
    #expect(0.05.digits(1) == "0.1")
    #expect(12.0.digits(0) == "12")
    #expect((-0.001).digits(1) == "0.0")
    #expect((-1.26).digits(1) == "-1.3")
    #expect(Double.infinity.digits(1) == "–")
  }

  @Test func mediansAreInTheMiddle() {
    #expect([3.0, 1, 2].median == 2)
    #expect([4.0, 1, 2, 3].median == 2.5)
    #expect([Double]().median == 0)
  }

  @Test func columnsAreAligned() {
    let table = Table(columns: [.text("map", ["rows", "radial"]), .number("ms")])
    #expect(table.header == "map          ms")
    #expect(table.line(["rows", "1.500"]) == "rows      1.500")
    #expect(table.line(["radial", "10.500"]) == "radial   10.500")
  }

  @Test func onlyWhatDiffersIsAColumn() {
    let first = BenchCase(
      mode: .displace, map: .rows, format: .i420, size: FrameSize(width: 64, height: 48),
      depth: 4, interpolation: .nearest, threads: 1)
    var second = first
    second.depth = 8
    let columns = SubjectColumns([first, second])
    #expect(columns.columns.map(\.title) == ["map", "depth"])
    #expect(columns.cells(second) == ["rows", "8"])
    #expect(columns.shared.contains("format I420, size 64x48"))
  }

  @Test func listsAreSplitAndKeepTheirOrder() {
    let lists = ["radial,rows", "rows,random"].compactMap { Listed<BenchMap>(argument: $0) }
    #expect(lists.flattened() == [.radial, .rows, .random])
    #expect(Listed<BenchMap>(argument: "rows,") == nil)
    #expect(Listed<BenchMap>(argument: "") == nil)
    #expect(Listed<FrameSize>(argument: "640x360,1x1")?.elements.count == 2)
    for nonsense in ["640", "640x", "0x1", "-1x1", "640x360x1", "99999x1", "ax b"] {
      #expect(FrameSize(argument: nonsense) == nil)
    }
  }

  @Test func bytesAreCountedFromTheDefinitions() throws {
    func moved(_ mode: BenchMode, _ interpolation: BenchInterpolation? = nil) throws -> Int {
      try BenchCase(
        mode: mode, map: .rows, format: .gray8, size: FrameSize(width: 100, height: 50),
        depth: 4, interpolation: interpolation, threads: 1
      ).bytesMoved(sweepFrames: 10)
    }
    #expect(try moved(.displace, .nearest) == 20_000)
    #expect(try moved(.displace, .linear) == 25_000)
    #expect(try moved(.displace, .motion) == 25_000)
    #expect(try moved(.sweep) == 11_000)
    #expect(try moved(.strip) == 10_200)
  }
}
