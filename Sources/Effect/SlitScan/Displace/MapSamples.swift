// The map samples are the map as a frame, for what is not a delay and follows it all the same.

/// The value g of each cell, as a frame of ``FrameLayout/cellValues``.
///
/// Drawn as delays are: each cell lies between flat frames, which go from 0 to 1.
struct MapSamples: ~Copyable {
  private let tiles: TiledLayout
  private var delays = DelayMap()
  private var frames = FlatFrames()
  private var frame: FrameCopy
  /// The revision of the delays that are drawn.
  private var revision = 0

  /// - Parameter layout: The layout of the frames whose cells they are.
  init(_ layout: FrameLayout) throws(ScanError) {
    let tiles = TiledLayout(try layout.cellValues)
    self.tiles = tiles
    frame = FrameCopy(tiles)
  }

  /// The bytes of memory that they take.
  var byteCount: Int { delays.byteCount + frames.byteCount + frame.byteCount }

  /// The layout of the frame.
  var layout: FrameLayout { tiles.layout }

  /// g, on average and around the centre of the frame.
  var mean: (all: Double, center: Double) {
    let steps = Double(Self.frameCount - 1)
    return (delays.meanLevel / steps, delays.centerLevel / steps)
  }

  /// The bytes of the frame, plane after plane.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { frame.bytes }
  }

  /// As many flat frames as make g exact to 16 bits.
  private static let frameCount = 65

  /// Draws the values anew, if they are not up to date.
  ///
  /// - Parameter flow: The motion of history, which is not followed.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, _ map: borrowing MapInputs, flow: borrowing FlowFields,
    workers: borrowing Workers
  ) throws(ScanError) {
    try findMean(settings, map, workers: workers)
    guard revision != delays.revision else { return }
    if frames.count == 0 {
      let last = Self.frameCount - 1
      var samples = (0...last).map { UInt16((Int(UInt16.max) * $0 + last / 2) / last) }
      try frames.exchange(&samples, tiles)
    }
    _ = try delays.render(
      frames, tiles: tiles, flow: flow, late: .oldest, into: &frame, workers: workers)
    revision = delays.revision
  }

  /// Brings ``mean`` up to date.
  mutating func findMean(
    _ settings: ScanSettings, _ map: borrowing MapInputs, workers: borrowing Workers
  ) throws(ScanError) {
    var plain = settings
    plain.duration = 0
    plain.componentSpread = 0
    plain.interpolation = .linear
    _ = try delays.prepare(plain, map, tiles, depth: Self.frameCount, ages: [], workers: workers)
  }
}

extension FrameLayout {
  /// A sample of 16 bits for each cell, the low byte first, in planes as this layout has them.
  var cellValues: FrameLayout {
    get throws(ScanError) {
      try FrameLayout(
        width: width, height: height, isBigEndian: false,
        components: planes.enumerated().map { index, plane in
          // No part of a picture, so it need not be there for each pixel.
          Component(
            role: .padding, plane: index, offset: 0, step: 2, bytes: 2,
            xShift: plane.pixelsWide.trailingZeroBitCount,
            yShift: plane.pixelsHigh.trailingZeroBitCount, unusedBits: 0, black: 0, white: .max)
        })
    }
  }
}
