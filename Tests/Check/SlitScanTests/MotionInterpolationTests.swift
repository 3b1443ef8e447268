// Tests of frames between two: as near to those that a faster camera would have seen as promised.

import CSlitScanKernels
import Foundation
import Testing

@testable import SlitScan

/// A slit-scan of every second frame, against one of all of them, in decibels.
///
/// The map has as many steps as the scan of all frames has delays, so that that one is exact.
@Suite(.serialized) struct MotionInterpolationTests {
  /// A clip whose frames are drawn by a formula.
  struct Clip: CustomTestStringConvertible {
    let testDescription: String
    /// The gain of `motion` over `linear` that is promised.
    let gain: Double
    let luma: @Sendable (_ x: Double, _ y: Double, _ t: Double) -> Double
  }

  /// Something with detail of many sizes.
  private static func texture(_ x: Double, _ y: Double) -> Double {
    128 + 40 * sin(x / 11 + 2 * sin(y / 17)) + 30 * sin(y / 7 + sin(x / 23))
      + 20 * sin(x / 4 + y / 5) + 20 * sin((x - y) / 41)
  }

  private static func noise(_ x: Double, _ y: Double, _ t: Double) -> Double {
    var bits = UInt64(bitPattern: Int64(x) &* 7919 &+ Int64(y) &* 104_729 &+ Int64(t) &* 1_299_709)
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) & 255)
  }

  static let clips: [Clip] = [
    Clip(testDescription: "a slow pan", gain: 2) { texture($0 + 1.3 * $2, $1 + 0.4 * $2) },
    Clip(testDescription: "a fast pan", gain: 6) { texture($0 + 9 * $2, $1 - 3 * $2) },
    Clip(testDescription: "a turn", gain: 6) { x, y, t in
      let (s, c) = (sin(0.03 * t), cos(0.03 * t))
      return texture(c * (x - 160) - s * (y - 90), s * (x - 160) + c * (y - 90))
    },
    Clip(testDescription: "a zoom", gain: 6) { x, y, t in
      texture((x - 160) * (1 - 0.02 * t), (y - 90) * (1 - 0.02 * t))
    },
    Clip(testDescription: "a square before a pan", gain: 6) { x, y, t in
      abs(x - 40 - 7 * t) < 30 && abs(y - 90) < 40
        ? texture(x * 2 - 14 * t, y * 2 + 300) : texture(x + 3 * t, y)
    },
    Clip(testDescription: "posts before a pan", gain: 6) { x, y, t in
      (x + 3 * t).truncatingRemainder(dividingBy: 57) < 7 ? 20 : texture(x - 2 * t, y + t)
    },
    // Frames alone do not tell how many bars one of them has moved by.
    Clip(testDescription: "bars", gain: -0.1) { x, _, t in
      (x + 5 * t).truncatingRemainder(dividingBy: 24) < 12 ? 40 : 200
    },
    Clip(testDescription: "waves", gain: -0.1) { x, y, t in
      128 + 90 * sin((x + y + 7 * t) / 5) + 10 * sin(y / 9)
    },
    Clip(testDescription: "a chequered pan", gain: -0.1) { x, y, t in
      sin((x + 5 * t) / 5) * sin((y + 2 * t) / 3) < 0 ? 40 : 200
    },
    Clip(testDescription: "cuts", gain: -0.1) { x, y, t in
      texture(x + 900 * (t / 5).rounded(.down), y * (1 + 0.3 * (t / 5).rounded(.down)))
    },
    Clip(testDescription: "video that stands still", gain: -0.1) { x, y, _ in texture(x, y) },
    Clip(testDescription: "noise over video that stands still", gain: -0.1) { x, y, t in
      texture(x, y) + noise(x, y, t) / 8
    },
    Clip(testDescription: "nothing but noise", gain: -0.1) { noise($0, $1, $2) },
    Clip(testDescription: "video that grows dark", gain: -0.1) { x, y, t in
      texture(x, y) * (1 - t / 40)
    },
  ]

  private static let layout = Result { try FrameLayout.gray(320, 180) }

  private static func frames(_ clip: Clip) -> [[UInt8]] {
    (0..<25).map { t in
      (0..<320 * 180).map { at in
        UInt8(min(max(clip.luma(Double(at % 320), Double(at / 320), Double(t)), 0), 255))
      }
    }
  }

  /// The outputs of full histories, for each frame.
  private static func scans(
    _ frames: [[UInt8]], depth: Int, _ interpolation: ScanSettings.Interpolation, threads: Int = 1
  ) throws -> [[UInt8]] {
    var settings = ScanSettings().with(\.depth, depth).with(\.interpolation, interpolation)
    settings.threads = threads
    settings.map = .grid
    settings.columns = 1
    settings.rows = 9
    let layout = try layout.get()
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    return try frames.enumerated().map { number, frame in
      try scanner.scan(
        pixels: frame, layout: layout, time: UInt64(number) * 40_000_000, settings: settings
      ).bytes
    }
  }

  private static func decibels(_ frames: [[UInt8]], against others: [[UInt8]]) -> Double {
    var sum = 0.0
    for (frame, other) in zip(frames, others) {
      for (one, two) in zip(frame, other) { sum += pow(Double(one) - Double(two), 2) }
    }
    let mean = sum / Double(frames.count * frames[0].count)
    return 10 * log10(255 * 255 / max(mean, 1e-3))
  }

  @Test(arguments: clips) func motionIsNearerToTheTruth(clip: Clip) throws {
    let frames = Self.frames(clip)
    let every = stride(from: 0, to: frames.count, by: 2).map { frames[$0] }
    let truth = try Self.scans(frames, depth: 9, .nearest)
    let wanted = Array(stride(from: 8, to: frames.count, by: 2).map { truth[$0] })
    let gains = try [ScanSettings.Interpolation.linear, .motion].map {
      Self.decibels(Array(try Self.scans(every, depth: 5, $0).dropFirst(4)), against: wanted)
    }
    #expect(gains[1] - gains[0] >= clip.gain, "linear \(gains[0]), motion \(gains[1])")
  }

  @Test func processorsAndThreadsChangeNothing() throws {
    let frames = Array(Self.frames(Self.clips[2]).prefix(7))
    defer { slit_scan_limit_variant(.max) }
    slit_scan_limit_variant(Int32(SLIT_SCAN_VARIANT_ANY))
    let expected = try Self.scans(frames, depth: 5, .motion)
    for variant in [SLIT_SCAN_VARIANT_ANY, SLIT_SCAN_VARIANT_AVX2, SLIT_SCAN_VARIANT_AVX512] {
      slit_scan_limit_variant(Int32(variant))
      for threads in [1, 3] {
        #expect(try Self.scans(frames, depth: 5, .motion, threads: threads) == expected)
      }
    }
  }
}
