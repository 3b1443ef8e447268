// Tests of the kernels: every variant that this machine has, bit for bit against the plain Swift reference.

import CSlitScanKernels
import SeededGenerator
import Testing

@testable import SlitScan

/// The variant that runs is the process's, so one test at a time.
@Suite(.serialized) struct KernelTests {
  private static let variants =
    [SLIT_SCAN_VARIANT_ANY, SLIT_SCAN_VARIANT_AVX2, SLIT_SCAN_VARIANT_AVX512].map { Int32($0) }

  /// The results of `body` with each variant of this machine.
  private static func eachVariant<Result>(_ body: () -> Result) -> [Result] {
    defer { slit_scan_limit_variant(.max) }
    return variants.compactMap { variant in
      slit_scan_limit_variant(variant)
      return slit_scan_variant() == variant ? body() : nil
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8]) func framesBecomeTilesAndFramesAgain(cellBytes: Int) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<60).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      let frame = (0..<plane.stride * plane.height).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let expected = plane.tiles(of: frame)
      for streams in [false, true] {
        for lines in Self.eachVariant({ plane.store(frame, streams: streams) }) {
          #expect(lines == expected, "\(plane); \(TestSeed.advice)")
        }
      }
      for rows in Self.eachVariant({ plane.load(expected) }) {
        #expect(plane.samples(of: rows) == plane.samples(of: frame), "\(plane); \(TestSeed.advice)")
      }
    }
  }

  private static let kinds = [
    SLIT_SCAN_READ_NEAREST, SLIT_SCAN_READ_BLEND_BYTES, SLIT_SCAN_READ_BLEND_LITTLE_WORDS,
    SLIT_SCAN_READ_BLEND_BIG_WORDS,
  ]

  @Test(arguments: [1, 2, 3, 4, 8], [false, true])
  func historyIsReadByteByByte(cellBytes: Int, isWide: Bool) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<8).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      for kind in Self.kinds {
        let history = RandomHistory(plane, kind: Int32(kind), isWide: isWide, using: &random)
        let expected = history.expected()
        for late in [SLIT_SCAN_LATE_OLDEST, SLIT_SCAN_LATE_NEWEST] {
          let streams = Bool.random(using: &random)
          for rows in Self.eachVariant({ history.read(late: Int32(late), streams: streams) }) {
            let wanted = late == SLIT_SCAN_LATE_OLDEST ? expected : history.expectedNewest(expected)
            #expect(
              plane.samples(of: rows) == plane.samples(of: plane.load(wanted)),
              "\(plane), kind \(kind), late \(late), streams \(streams); \(TestSeed.advice)")
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8]) func rowsAreKeptAndReadWhole(cellBytes: Int) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<40).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      for kind in Self.kinds where cellBytes % 2 == 0 || kind <= SLIT_SCAN_READ_BLEND_BYTES {
        let rows = RandomRows(plane, kind: Int32(kind), using: &random)
        let expected = rows.expected()
        for streams in [false, true] {
          for drawn in Self.eachVariant({ rows.drawn(streams: streams) }) {
            #expect(drawn.rows == expected, "\(plane), kind \(kind); \(TestSeed.advice)")
            #expect(rows.hasNewest(drawn.newest), "\(plane); \(TestSeed.advice)")
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8]) func valuesBecomeDelays(cellBytes: Int) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<40).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      let map = RandomMap(plane, using: &random)
      let expected = map.expected()
      for delays in Self.eachVariant({ map.made() }) {
        #expect(delays == expected, "\(plane), \(map.curve), \(map.rule); \(TestSeed.advice)")
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8]) func whatIsFedBackMoves(cellBytes: Int) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<40).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      for kind in Self.sampleKinds where cellBytes % 2 == 0 || kind == SLIT_SCAN_SAMPLES_BYTES {
        let feeding = RandomFeeding(plane, kind: Int32(kind), using: &random)
        let expected = feeding.expected()
        for fed in Self.eachVariant({ feeding.fed() }) {
          #expect(fed == expected, "\(plane), kind \(kind); \(TestSeed.advice)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8]) func framesAreExposed(cellBytes: Int) throws {
    var random = SeededGenerator(for: #function)
    for _ in (0..<40).sampled() {
      let plane = try RandomPlane(cellBytes: cellBytes, using: &random)
      for kind in Self.sampleKinds where cellBytes % 2 == 0 || kind == SLIT_SCAN_SAMPLES_BYTES {
        let exposure = RandomExposure(plane, kind: Int32(kind), using: &random)
        let expected = exposure.expected()
        for exposed in Self.eachVariant({ exposure.exposed() }) {
          #expect(exposed == expected, "\(plane), kind \(kind); \(TestSeed.advice)")
        }
      }
    }
  }

  private static let sampleKinds = [
    SLIT_SCAN_SAMPLES_BYTES, SLIT_SCAN_SAMPLES_LITTLE_WORDS, SLIT_SCAN_SAMPLES_BIG_WORDS,
  ]

  @Test func rowsAreAlikeInAllVariants() {
    var random = SeededGenerator(for: #function)
    for count in [1, 2, 7, 31, 64, 100, 257] {
      let floats = (0..<2 * count).map { _ in Float.random(in: -0.2...1.2, using: &random) }
      let others = (0..<2 * count).map { _ in Float.random(in: 0...1, using: &random) }
      let bytes = (0..<8 * count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let taps = (0..<count).map { _ in
        SlitScanTap(
          left: .random(in: 0..<Int32(count), using: &random),
          weight: .random(in: 0...1, using: &random))
      }
      let results = Self.eachVariant { () -> [[Float]] in
        var rows: [[Float]] = []
        func add(_ body: (inout [Float]) -> Void) {
          var row = [Float](repeating: 0, count: 4 * count)
          body(&row)
          rows.append(row)
        }
        add { slit_scan_linear_row(-3, 0.7, 0.01, 0.3, &$0, count) }
        add { slit_scan_radial_row(-30, 0.7, 11, 0.02, &$0, count) }
        add { slit_scan_turns_row(-30, 0.7, 11, 0.02, 2.3, &$0, count) }
        for step in [1, 2, 4] as [Int32] {
          let part = SlitScanLumaPart(
            offset: 0, step: step, bytes: step == 1 ? 1 : 2, is_big_endian: step == 4, black: 16,
            white: 235, weight: 0.6)
          add { slit_scan_luma_row(bytes, part, false, &$0, count) }
        }
        add { slit_scan_value_row(bytes, 16, 1 / 219, &$0, count) }
        add { slit_scan_halve_row(floats, &$0, count) }
        add { slit_scan_halve_samples(bytes, 16, 1 / 219, &$0, count) }
        add { slit_scan_sample_row(floats, count, taps, &$0, count) }
        add { slit_scan_between_rows(floats, others, 0.3, &$0, count) }
        let box = SlitScanBox(radius: 2, end_weight: 0.4)
        add { slit_scan_smooth_across(floats, &$0, count, 2, box) }
        add { row in
          var sums = [Float](repeating: 0, count: count)
          slit_scan_smooth_down(floats, &row, count, 2, box, &sums)
        }
        add { slit_scan_motion_row(floats, others, others, floats, others, 0.1, 0.02, &$0, count) }
        for edge in [SLIT_SCAN_CURVE_CLAMP, SLIT_SCAN_CURVE_WRAP, SLIT_SCAN_CURVE_MIRROR] {
          var curve = SlitScanCurve(inverts: true, gain: 2.3, offset: -0.4, edge: Int32(edge))
          add { slit_scan_curve_row(floats, &$0, count, &curve) }
        }
        return rows
      }
      for result in results { #expect(result == results[0], "\(TestSeed.advice)") }

      let blends = Self.eachVariant { () -> [[UInt8]] in
        [SLIT_SCAN_SAMPLES_BYTES, SLIT_SCAN_SAMPLES_LITTLE_WORDS, SLIT_SCAN_SAMPLES_BIG_WORDS]
          .flatMap { kind -> [[UInt8]] in
            let samples = SlitScanSamples(
              kind: Int32(kind), unused_bits: kind == SLIT_SCAN_SAMPLES_BYTES ? 0 : 6)
            var mixed = Array(bytes[..<(4 * count)])
            var fed = mixed
            let others = Array(bytes[(4 * count)...])
            slit_scan_mix(&mixed, others, 4 * count, 12_345, samples)
            slit_scan_feed(&fed, others, 4 * count, 12_345, samples)
            return [mixed, fed]
          }
      }
      for blend in blends { #expect(blend == blends[0], "\(TestSeed.advice)") }
    }
  }

  @Test func agesGrowAsFarAsTheyGo() {
    var random = SeededGenerator(for: #function)
    for count in [0, 1, 31, 100] {
      let before = (0..<count).map { _ in UInt16.random(in: 0...UInt16.max, using: &random) }
      let steps = UInt16.random(in: 0...UInt16.max, using: &random)
      let expected = before.map { UInt16(min(Int($0) + Int(steps), 65_535)) }
      for ages in Self.eachVariant({ () -> [UInt16] in
        var bytes = before.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        slit_scan_age(&bytes, bytes.count, steps)
        return (0..<count).map { UInt16(bytes[2 * $0 + 1]) << 8 | UInt16(bytes[2 * $0]) }
      }) {
        #expect(ages == expected, "\(TestSeed.advice)")
      }
    }
  }

  @Test func canvasIsDrawnAlikeInAllVariants() {
    var random = SeededGenerator(for: #function)
    let bytes = (0..<2 * 37 * 41).map { _ in UInt8.random(in: 0...255, using: &random) }
    for walls in [0, 1, 2, 4] as [Int32] {
      for kind in Self.sampleKinds {
        let view = SlitScanView(
          walls: walls, x: .random(in: -20...100, using: &random),
          y: .random(in: -20...100, using: &random), width: 70, height: 53,
          depth: .random(in: 1...99, using: &random))
        let drawn = Self.eachVariant { Self.draw(bytes, kind, view, pool: nil) }
        for frame in drawn { #expect(frame == drawn[0], "\(view), \(kind); \(TestSeed.advice)") }
        let workers = Workers(3)
        #expect(Self.draw(bytes, kind, view, pool: workers.pool) == drawn[0], "\(view)")
      }
    }
  }

  /// Draws a canvas of 37 lines of 41 points, 30 of which are held.
  private static func draw(
    _ bytes: [UInt8], _ kind: Int, _ view: SlitScanView, pool: OpaquePointer?
  ) -> [UInt8] {
    let size = kind == SLIT_SCAN_SAMPLES_BYTES ? 1 : 2
    var frame = [UInt8](repeating: 0, count: 70 * 53 * size)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let samples = bytes.baseAddress else { return }
      var sheet = unsafe SlitScanSheet(
        samples: samples, line_step: size, point_step: 37 * size, point_count: 41, slit: 40.5,
        kept_count: 37, held_count: 30, newest_place: 11, substitute: 29, colour: 16,
        kind: SlitScanSamples(kind: Int32(kind), unused_bits: size == 1 ? 0 : 6), columns: 70,
        rows: 53, cell_width: 1, cell_height: 1, step: size, stride: 70 * size)
      var view = view
      var sums = [Float](repeating: 0, count: unsafe slit_scan_view_sums(41, pool))
      unsafe slit_scan_draw_view(&sheet, &view, &sums, &frame, pool)
    }
    return frame
  }

  @Test func threadsChangeNothing() throws {
    var random = SeededGenerator(for: #function)
    // Large enough to be shared.
    for cellBytes in (0..<3).sampled().map({ [4, 1, 3][$0] }) {
      let plane = try RandomPlane(
        cellBytes: cellBytes, width: cellBytes == 4 ? 700 : 1100,
        height: cellBytes == 4 ? 200 : 901,
        using: &random)
      let history = RandomHistory(
        plane, kind: Int32(SLIT_SCAN_READ_BLEND_BYTES), isWide: false, using: &random)
      let map = RandomMap(plane, using: &random)
      let frame = (0..<plane.stride * plane.height).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let rows = RandomRows(plane, kind: Int32(SLIT_SCAN_READ_BLEND_BYTES), using: &random)
      let drawn = rows.drawn(streams: true).rows
      let feeding = RandomFeeding(plane, kind: Int32(SLIT_SCAN_SAMPLES_BYTES), using: &random)
      let fed = feeding.fed()
      let exposure = RandomExposure(plane, kind: Int32(SLIT_SCAN_SAMPLES_BYTES), using: &random)
      let exposed = exposure.exposed()
      let alone = (
        history.read(late: 0, streams: true), plane.store(frame, streams: true), map.made()
      )
      for threads in [2, 3, 16] {
        let workers = Workers(threads)
        for _ in (0..<5).sampled() {
          let shared = (
            history.read(late: 0, streams: true, pool: workers.pool),
            plane.store(frame, streams: true, pool: workers.pool),
            map.made(pool: workers.pool)
          )
          #expect(shared.0 == alone.0, "\(TestSeed.advice)")
          #expect(shared.1 == alone.1, "\(TestSeed.advice)")
          #expect(shared.2 == alone.2, "\(TestSeed.advice)")
          let sharedRows = rows.drawn(streams: true, pool: workers.pool).rows
          #expect(sharedRows == drawn, "\(TestSeed.advice)")
          #expect(feeding.fed(pool: workers.pool) == fed, "\(TestSeed.advice)")
          #expect(exposure.exposed(pool: workers.pool) == exposed, "\(TestSeed.advice)")
        }
      }
    }
  }
}
