// A format description: where each component's samples lie, and the meaning of their numbers.

/// The places of samples in a raw video format, and what counts as black in it.
public struct FormatDescription: Sendable {
  /// The kinds of components.
  public enum Colors: Sendable {
    /// Red, green, blue.
    case rgb
    /// Y, U, V.
    case yuv
    /// One component, grey.
    case gray
  }

  /// The places of one component's samples.
  public struct Component: Sendable, Equatable {
    /// The plane they lie in.
    public var plane: Int
    /// Bytes from the start of a row to the first sample.
    public var offset: Int
    /// Bytes from one sample to the next in a row.
    public var step: Int
    /// Bytes of a sample, 1 or 2.
    public var bytes: Int
    /// Whether the first of two bytes is the high one.
    public var isBigEndian: Bool
    /// Bits that carry the value.
    public var depth: Int
    /// Unused bits below the value.
    public var shift: Int
    /// Columns of the frame that share a sample.
    public var columnsPerSample: Int
    /// Rows of the frame that share a sample.
    public var rowsPerSample: Int

    /// A component, field by field.
    public init(
      plane: Int, offset: Int, step: Int, bytes: Int, isBigEndian: Bool, depth: Int, shift: Int,
      columnsPerSample: Int, rowsPerSample: Int
    ) {
      self.plane = plane
      self.offset = offset
      self.step = step
      self.bytes = bytes
      self.isBigEndian = isBigEndian
      self.depth = depth
      self.shift = shift
      self.columnsPerSample = columnsPerSample
      self.rowsPerSample = rowsPerSample
    }

    /// The bits of a sample's word that carry the value.
    public var mask: UInt16 { UInt16(((1 << depth) - 1) << shift) }

    /// Samples in a row of a frame this wide.
    public func columns(ofWidth width: Int) -> Int {
      (width + columnsPerSample - 1) / columnsPerSample
    }

    /// Rows of samples in a frame this high.
    public func rows(ofHeight height: Int) -> Int { (height + rowsPerSample - 1) / rowsPerSample }
  }

  /// What the components are.
  public var colors: Colors
  /// Whether black and white are the ends of the range (0–255), not inside it (16–235).
  public var isFullRange: Bool
  /// The shares of red and blue in Y, as the caps' matrix has them.
  public var lumaShares: (red: Double, blue: Double)
  /// The components, in GStreamer's order: Y, U, V or R, G, B, then alpha.
  public var components: [Component]

  /// A format, field by field.
  public init(
    colors: Colors, isFullRange: Bool, lumaShares: (red: Double, blue: Double),
    components: [Component]
  ) {
    self.colors = colors
    self.isFullRange = isFullRange
    self.lumaShares = lumaShares
    self.components = components
  }

  /// Number of the alpha component, if there is one: the fourth always is.
  public var alpha: Int? { components.count == 4 ? 3 : nil }

  /// Planes of the format.
  public var planeCount: Int { (components.map(\.plane).max() ?? -1) + 1 }

  /// Bytes of a row of a plane, and its rows, in a frame of this size, nothing padded.
  public func extent(ofPlane plane: Int, width: Int, height: Int) -> (rowBytes: Int, rows: Int) {
    let inPlane = components.filter { $0.plane == plane }
    return (
      rowBytes: inPlane.map { $0.columns(ofWidth: width) * $0.step }.max() ?? 0,
      rows: inPlane.map { $0.rows(ofHeight: height) }.max() ?? 0
    )
  }

  /// Columns and rows of the frame that a cell of a plane covers: the components of a plane
  /// share their cells, so the coarsest of them decides.
  func cellSize(ofPlane plane: Int) -> (columns: Int, rows: Int) {
    let inPlane = components.filter { $0.plane == plane }
    return (
      columns: inPlane.map(\.columnsPerSample).max() ?? 1,
      rows: inPlane.map(\.rowsPerSample).max() ?? 1
    )
  }

  /// Black and white as values of Y, of grey, or of red, green or blue.
  func levels(component: Int) -> ClosedRange<Int> {
    let depth = components[component].depth
    return isFullRange ? 0...(1 << depth) - 1 : 16 << (depth - 8)...235 << (depth - 8)
  }

  /// One 255th of full scale, in words of a component.
  func step(component: Int) -> Double {
    let sample = components[component]
    return Double((((1 << sample.depth) - 1) / 255) << sample.shift)
  }

  /// The word of a component in a black frame, or in one that is not there at all.
  func black(component: Int, isTransparent: Bool) -> UInt16 {
    let value =
      switch (component, colors) {
      case (alpha, _): isTransparent ? 0 : (1 << components[component].depth) - 1
      case (1, .yuv), (2, .yuv): 1 << (components[component].depth - 1)
      default: levels(component: component).lowerBound
      }
    return UInt16(value << components[component].shift)
  }
}
