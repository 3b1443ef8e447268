// The frame layout describes a video format in memory: planes, components, subsampling and bit depth.

/// The arrangement of the bytes of a frame's planes.
///
/// A layout is made from its *components*, as a video format lists them. From those follow its
/// *planes* and their *cells*: a cell is the smallest group of bytes that shares one position, so it
/// is what the effect moves. That is one sample of a planar format, a U,V pair of a semi-planar one,
/// a packed pixel, or the two pixels of packed 4:2:2.
///
/// Sizes are in pixels, cells or bytes as named. Strides are not part of the layout: each
/// ``FrameSpan`` has its own.
public struct FrameLayout: Sendable, Equatable {
  /// The longest side a frame may have, in pixels.
  public static let longestSide = 1 << 24

  /// One colour component (or alpha, or padding) of a format.
  public struct Component: Sendable, Equatable {
    /// The meaning of the component's samples.
    public enum Role: Sendable {
      /// Luma, chroma, red, green, blue or grey.
      case colour
      /// Opacity.
      case alpha
      /// Bytes that no component owns, as the x in BGRx; they travel with their cell.
      case padding
    }

    /// The meaning of the samples.
    public let role: Role
    /// The plane that holds the samples, from 0.
    public let plane: Int
    /// Bytes from the start of a row to the first sample.
    public let offset: Int
    /// Bytes from one sample to the next.
    public let step: Int
    /// Bytes of a sample, 1 or 2.
    public let bytes: Int
    /// Pixels from one sample to the next are 2 to the power of this, across.
    public let xShift: Int
    /// Pixels from one sample to the next are 2 to the power of this, down.
    public let yShift: Int
    /// Unused low bits of a sample, as the six of P010.
    public let unusedBits: Int
    /// The sample's value in a black frame (for alpha: where nothing is to be seen through).
    public let black: UInt16
    /// The sample's value in a white frame.
    public let white: UInt16

    /// A component as its format describes it.
    public init(
      role: Role, plane: Int, offset: Int, step: Int, bytes: Int, xShift: Int, yShift: Int,
      unusedBits: Int, black: UInt16, white: UInt16
    ) {
      self.role = role
      self.plane = plane
      self.offset = offset
      self.step = step
      self.bytes = bytes
      self.xShift = xShift
      self.yShift = yShift
      self.unusedBits = unusedBits
      self.black = black
      self.white = white
    }
  }

  /// One plane: a grid of cells.
  public struct Plane: Sendable, Equatable {
    /// Bytes of a cell: 1, 2, 3, 4 or 8.
    public let cellBytes: Int
    /// Cells in a row.
    public let cellsWide: Int
    /// Rows of cells.
    public let cellsHigh: Int
    /// Pixels a cell covers across.
    public let pixelsWide: Int
    /// Pixels a cell covers down.
    public let pixelsHigh: Int
    /// Bytes of a sample, 1 or 2.
    public let sampleBytes: Int
    /// Unused low bits of a sample.
    public let unusedBits: Int
    /// Bytes of a row, from the first sample to the end of the last: what a stride must cover.
    public let rowBytes: Int

    /// The samples of the plane, with those of no component.
    package var sampleCount: Int { rowBytes / sampleBytes * cellsHigh }
  }

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Whether two-byte samples have their high byte first.
  public let isBigEndian: Bool
  /// Whether the first three components are red, green and blue; else the first one is the luma.
  public let isRGB: Bool
  /// The components, and after them the padding bytes of the cells.
  public let components: [Component]
  /// The planes, one to four.
  public let planes: [Plane]

  /// The bytes of a frame in one buffer, without gaps between rows or planes.
  public var byteCount: Int { start(ofPlane: planes.count) }

  /// Where a plane starts in such a buffer, or after all planes.
  func start(ofPlane index: Int) -> Int {
    planes[..<index].reduce(0) { $0 + $1.rowBytes * $1.cellsHigh }
  }

  /// Checks a description and derives the planes from it.
  ///
  /// - Throws: ``ScanError/Code/unsupportedFormat`` when the size is outside 1…``longestSide``, the
  ///   components do not make up cells of whole bytes, or the luma (red, green, blue) is not given for
  ///   each pixel.
  public init(
    width: Int, height: Int, isBigEndian: Bool, isRGB: Bool = false, components: [Component]
  ) throws(ScanError) {
    guard 1...Self.longestSide ~= width, 1...Self.longestSide ~= height else {
      throw ScanError(
        .unsupportedFormat,
        "A frame of \(width)x\(height) pixels cannot be scanned; each side must be 1 to "
          + "\(Self.longestSide) pixels."
      )
    }
    self.width = width
    self.height = height
    self.isBigEndian = isBigEndian
    self.isRGB = isRGB

    var planes: [Plane] = []
    var padding: [Component] = []
    guard 1...8 ~= components.count, components.allSatisfy({ 0...3 ~= $0.plane }) else {
      throw .notWholeCells
    }
    let planeCount = (components.map(\.plane).max() ?? 0) + 1
    for index in 0..<planeCount {
      let members = components.filter { $0.plane == index }
      let plane = try Self.plane(of: members, width: width, height: height)
      planes.append(plane)
      padding += Self.padding(of: plane, index: index, members: members)
    }
    // Maps made from frames read them pixel by pixel.
    let bright = components.filter { $0.role == .colour }.prefix(isRGB ? 3 : 1)
    guard bright.allSatisfy({ $0.xShift == 0 && $0.yShift == 0 }) else { throw .notWholeCells }
    self.components = components + padding
    self.planes = planes
  }

  /// The same format at another size.
  ///
  /// - Throws: ``ScanError/Code/unsupportedFormat`` when the size is outside 1…``longestSide``.
  public func resized(width: Int, height: Int) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: isBigEndian, isRGB: isRGB,
      components: components.filter { $0.role != .padding }
    )
  }

  /// Samples of `component` in a row.
  package func samplesWide(_ component: Component) -> Int { Self.scaled(width, component.xShift) }

  /// Rows of samples of `component`.
  package func samplesHigh(_ component: Component) -> Int { Self.scaled(height, component.yShift) }
}

extension FrameLayout {
  /// Samples for `pixels`, one for each 2 to the power of `shift`, rounded up.
  private static func scaled(_ pixels: Int, _ shift: Int) -> Int {
    (pixels + (1 << shift) - 1) >> shift
  }

  /// The grid of cells that `members`, all components of one plane, make up.
  private static func plane(
    of members: [Component], width: Int, height: Int
  ) throws(ScanError) -> Plane {
    guard let first = members.first else { throw .notWholeCells }
    let xShift = members.map(\.xShift).max() ?? 0
    guard 0...4 ~= xShift, 0...4 ~= first.yShift else { throw .notWholeCells }
    // The component with the fewest samples has one in each cell.
    guard let sparsest = members.first(where: { $0.xShift == xShift }) else { throw .notWholeCells }
    let cellBytes = sparsest.step
    guard TileShape(cellBytes: cellBytes) != nil else { throw .notWholeCells }

    var owned = [Bool](repeating: false, count: cellBytes)
    for member in members {
      guard member.bytes == 1 || member.bytes == 2, member.bytes == first.bytes,
        member.yShift == first.yShift, member.unusedBits == first.unusedBits,
        0..<(8 * member.bytes) ~= member.unusedBits,
        0...xShift ~= member.xShift, 1...cellBytes ~= member.step,
        0..<cellBytes ~= member.offset,
        member.step << (xShift - member.xShift) == cellBytes
      else { throw .notWholeCells }
      for start in stride(from: member.offset, to: cellBytes, by: member.step) {
        for byte in start..<(start + member.bytes) {
          guard 0..<cellBytes ~= byte, !owned[byte] else { throw .notWholeCells }
          owned[byte] = true
        }
      }
    }
    // If cells have bytes that no member owns, those travel with the last cell, too.
    let rowBytes =
      owned.contains(false)
      ? scaled(width, xShift) * cellBytes
      : members.map { member in
        member.offset + (scaled(width, member.xShift) - 1) * member.step + member.bytes
      }.max()
    return Plane(
      cellBytes: cellBytes,
      cellsWide: scaled(width, xShift),
      cellsHigh: scaled(height, first.yShift),
      pixelsWide: 1 << xShift,
      pixelsHigh: 1 << first.yShift,
      sampleBytes: first.bytes,
      unusedBits: first.unusedBits,
      rowBytes: rowBytes ?? 0
    )
  }

  /// The bytes of `plane`'s cells that no member owns, as components of one byte each.
  private static func padding(
    of plane: Plane, index: Int, members: [Component]
  ) -> [Component] {
    let owned = members.flatMap { member in
      stride(from: member.offset, to: plane.cellBytes, by: member.step).flatMap {
        $0..<($0 + member.bytes)
      }
    }
    return (0..<plane.cellBytes).filter { !owned.contains($0) }.map { byte in
      Component(
        role: .padding, plane: index, offset: byte, step: plane.cellBytes, bytes: 1,
        xShift: plane.pixelsWide.trailingZeroBitCount,
        yShift: plane.pixelsHigh.trailingZeroBitCount, unusedBits: 0, black: 0xFF, white: 0xFF
      )
    }
  }
}

extension ScanError {
  fileprivate static var notWholeCells: ScanError {
    ScanError(
      .unsupportedFormat,
      "This video format cannot be scanned: its samples are not whole bytes in a regular order. "
        + "Convert the frames to another format first, such as I420 or RGBA."
    )
  }
}
