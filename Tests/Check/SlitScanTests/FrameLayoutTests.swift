// Tests that inconsistent frame layouts are refused, whatever is wrong with them.

import Testing

@testable import SlitScan

@Suite struct FrameLayoutTests {
  private func component(
    plane: Int = 0, offset: Int = 0, step: Int = 1, bytes: Int = 1, xShift: Int = 0,
    yShift: Int = 0, unusedBits: Int = 0
  ) -> FrameLayout.Component {
    .init(
      role: .colour, plane: plane, offset: offset, step: step, bytes: bytes, xShift: xShift,
      yShift: yShift, unusedBits: unusedBits, black: 0, white: 255)
  }

  private func layout(
    _ components: [FrameLayout.Component], width: Int = 5, height: Int = 3
  ) throws -> FrameLayout {
    try FrameLayout(width: width, height: height, isBigEndian: false, components: components)
  }

  @Test func cellsFollowFromComponents() throws {
    // YUY2: two pixels a cell.
    let yuy2 = try layout([
      component(step: 2), component(offset: 1, step: 4, xShift: 1),
      component(offset: 3, step: 4, xShift: 1),
    ])
    #expect(yuy2.planes.count == 1)
    #expect(yuy2.planes[0].cellBytes == 4)
    #expect(yuy2.planes[0].pixelsWide == 2)
    #expect(yuy2.planes[0].cellsWide == 3)
    #expect(yuy2.planes[0].rowBytes == 12)

    // NV12: a plane of samples, and one of pairs.
    let nv12 = try layout([
      component(), component(plane: 1, step: 2, xShift: 1, yShift: 1),
      component(plane: 1, offset: 1, step: 2, xShift: 1, yShift: 1),
    ])
    #expect(nv12.planes.map(\.cellBytes) == [1, 2])
    #expect(nv12.planes.map(\.cellsHigh) == [3, 2])
  }

  @Test func commonFormatsLieAsTheirNamesSay() throws {
    let (width, height) = (5, 3)
    // Per component: plane, offset, step, samples across and down.
    func samples(_ layout: FrameLayout) -> [[Int]] {
      layout.components.map {
        [$0.plane, $0.offset, $0.step, layout.samplesWide($0), layout.samplesHigh($0)]
      }
    }
    let rgba = try FrameLayout.rgba(width: width, height: height)
    #expect(samples(rgba) == (0..<4).map { [0, $0, 4, 5, 3] })
    #expect(rgba.isRGB && rgba.components.map(\.role) == [.colour, .colour, .colour, .alpha])
    #expect(rgba.components.map(\.black) == [0, 0, 0, 255])
    let bgra = try FrameLayout.bgra(width: width, height: height)
    #expect(samples(bgra) == [2, 1, 0, 3].map { [0, $0, 4, 5, 3] })
    #expect(bgra.isRGB && bgra.components.map(\.role) == rgba.components.map(\.role))
    let rgb = try FrameLayout.rgb(width: width, height: height)
    #expect(samples(rgb) == (0..<3).map { [0, $0, 3, 5, 3] } && rgb.isRGB)
    let gray8 = try FrameLayout.gray8(width: width, height: height)
    #expect(samples(gray8) == [[0, 0, 1, 5, 3]] && !gray8.isRGB)
    #expect(gray8.components.map { [$0.black, $0.white] } == [[0, 255]])
    let i420 = try FrameLayout.i420(width: width, height: height)
    #expect(samples(i420) == [[0, 0, 1, 5, 3], [1, 0, 1, 3, 2], [2, 0, 1, 3, 2]])
    #expect(
      i420.components.map { [$0.black, $0.white] } == [[16, 235], [128, 128], [128, 128]])
    let nv12 = try FrameLayout.nv12(width: width, height: height)
    #expect(samples(nv12) == [[0, 0, 1, 5, 3], [1, 0, 2, 3, 2], [1, 1, 2, 3, 2]])
    #expect(nv12.components.map(\.black) == i420.components.map(\.black))
  }

  @Test func aFrameOfImpossibleSizeIsRefusedByItsSize() {
    let error = #expect(throws: ScanError.self) { try FrameLayout.i420(width: 0, height: -3) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.description.contains("0x-3") == true)
  }

  @Test func bytesOfNoPlaneArePadding() throws {
    let bgrx = try layout((0..<3).map { component(offset: $0, step: 4) })
    #expect(bgrx.components.count == 4)
    #expect(bgrx.components[3].role == .padding)
    #expect(bgrx.components[3].offset == 3)
    #expect(try bgrx.resized(width: 7, height: 9).components == bgrx.components)
  }

  @Test func whatDoesNotHoldTogetherIsRefused() {
    let broken: [[FrameLayout.Component]] = [
      [],
      [component(plane: 4)],
      [component(plane: -1)],
      [component(plane: 1)],
      [component(step: 0)],
      [component(step: 5)],
      [component(step: -4)],
      [component(step: 4, bytes: 3)],
      [component(step: 4, bytes: 0)],
      [component(offset: -1, step: 4)],
      [component(offset: 4, step: 4)],
      [component(offset: 3, step: 4, bytes: 2)],
      [component(step: 4), component(step: 4)],
      [component(step: 4), component(offset: 1, step: 4, bytes: 2)],
      [component(step: 4), component(offset: 1, step: 4, yShift: 1)],
      [component(step: 4), component(offset: 2, step: 4, xShift: 1)],
      [component(xShift: 1)],
      [component(yShift: 1)],
      [component(xShift: 9)],
      [component(xShift: -1)],
      [component(yShift: 64)],
      [component(unusedBits: 8)],
      [component(unusedBits: -1)],
      [component(offset: .max, step: 4)],
      [component(offset: .min, step: 4)],
      [component(step: .max)],
      [component(step: .min)],
    ]
    for components in broken {
      #expect(throws: ScanError.self, "\(components)") { try layout(components) }
    }
  }

  @Test func sizesBeyondAnyFrameAreRefused() {
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (.max, 1), (1, .max), (1 << 24 + 1, 1)] {
      #expect(throws: ScanError.self) { try layout([component()], width: width, height: height) }
    }
  }
}
