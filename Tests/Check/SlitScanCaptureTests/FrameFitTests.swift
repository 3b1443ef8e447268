// Tests of the pointer's position in the frame, for a window of another shape.

import Testing

@testable import SlitScanCapture

@Suite struct FrameFitTests {
  /// A frame, how wide its pixels are, a window, a point of it, and that of the frame.
  struct Case: Sendable {
    let frame: (Int, Int)
    var aspect = 1.0
    let window: (Int, Int)
    let point: (Double, Double)
    let expected: (Double, Double)
  }

  @Test(arguments: [
    // As large as the window.
    Case(frame: (320, 240), window: (320, 240), point: (12, 34), expected: (12, 34)),
    // Twice as large.
    Case(frame: (320, 240), window: (640, 480), point: (640, 480), expected: (320, 240)),
    // Black on both sides: 100 of 400 columns each.
    Case(frame: (200, 100), window: (400, 100), point: (200, 50), expected: (100, 50)),
    Case(frame: (200, 100), window: (400, 100), point: (100, 0), expected: (0, 0)),
    Case(frame: (200, 100), window: (400, 100), point: (20, 100), expected: (0, 100)),
    Case(frame: (200, 100), window: (400, 100), point: (390, 300), expected: (200, 100)),
    // Black above and below.
    Case(frame: (200, 100), window: (100, 100), point: (50, 25), expected: (100, 0)),
    // Pixels that are twice as wide as high.
    Case(
      frame: (100, 100), aspect: 2, window: (400, 400), point: (200, 200), expected: (50, 50)),
    Case(
      frame: (100, 100), aspect: 2, window: (400, 400), point: (100, 100), expected: (25, 0)),
  ]) func aPointOfTheWindowIsOneOfTheFrame(item: Case) throws {
    let fit = try #require(
      FrameFit(frame: item.frame, pixelAspect: item.aspect, window: item.window))
    #expect(fit.point(x: item.point.0, y: item.point.1) == item.expected)
  }

  @Test func emptySizesFitNowhere() {
    #expect(FrameFit(frame: (0, 1), window: (1, 1)) == nil)
    #expect(FrameFit(frame: (1, 1), window: (1, 0)) == nil)
    #expect(FrameFit(frame: (1, 1), pixelAspect: 0, window: (1, 1)) == nil)
    #expect(FrameFit(frame: (1, 1), pixelAspect: .infinity, window: (1, 1)) == nil)
  }
}
