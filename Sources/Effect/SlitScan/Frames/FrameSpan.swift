// A frame span gives access to the pixels of one frame through spans that can enter the actor and not leave it.

/// Read access to a frame's planes, for as long as the spans it is made of.
///
/// The planes are in the layout's order. Each has a stride, the bytes from one row to the next; the
/// last row may end with its last sample.
public struct FrameSpan: ~Copyable, ~Escapable, Sendable {
  private let plane0: RawSpan
  private let plane1: RawSpan
  private let plane2: RawSpan
  private let plane3: RawSpan
  /// The bytes from one row of each plane to the next.
  let strides: InlineArray<4, Int>

  /// A frame in one buffer.
  ///
  /// - Parameters:
  ///   - bytes: The buffer, which may be longer than the frame.
  ///   - layout: The layout of the frame.
  ///   - strides: For each plane, the bytes from one row to the next; nil where rows have no gaps.
  ///   - offsets: For each plane, the bytes before it; nil where each begins after all rows of the one before.
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  @_lifetime(copy bytes)
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, strides: [Int]? = nil, offsets: [Int]? = nil
  ) throws(ScanError) {
    let places = try PlanePlaces(
      of: layout, strides: strides, offsets: offsets, byteCount: bytes.count)
    self.plane0 = places.span(0, of: bytes)
    self.plane1 = places.span(1, of: bytes)
    self.plane2 = places.span(2, of: bytes)
    self.plane3 = places.span(3, of: bytes)
    self.strides = places.strides
  }

  /// A frame of four planes, each in memory of its own; give unused ones empty spans and stride 0.
  @_lifetime(copy plane0, copy plane1, copy plane2, copy plane3)
  public init(
    _ plane0: RawSpan, _ plane1: RawSpan, _ plane2: RawSpan, _ plane3: RawSpan,
    strides: InlineArray<4, Int>
  ) {
    self.plane0 = plane0
    self.plane1 = plane1
    self.plane2 = plane2
    self.plane3 = plane3
    self.strides = strides
  }

  /// The bytes of a plane.
  @_lifetime(copy self)
  func bytes(ofPlane plane: Int) -> RawSpan {
    switch plane {
    case 0: plane0
    case 1: plane1
    case 2: plane2
    default: plane3
    }
  }

  /// The bytes from one row of a plane to the next.
  func stride(ofPlane plane: Int) -> Int { strides[plane] }

  /// Checks that every sample of `layout` lies inside the planes.
  ///
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  func check(against layout: FrameLayout) throws(ScanError) {
    for (index, plane) in layout.planes.enumerated() {
      try plane.check(byteCount: bytes(ofPlane: index).byteCount, stride: strides[index])
    }
  }

  /// Whether every sample of `layout` lies inside the planes.
  func fits(_ layout: FrameLayout) -> Bool { (try? check(against: layout)) != nil }

  /// Gives `body` the starts of all planes, nil for those that are not there.
  @unsafe
  func withUnsafeStarts(_ body: (InlineArray<4, UnsafeRawPointer?>) -> Void) {
    unsafe plane0.withUnsafeBytes { first in
      unsafe plane1.withUnsafeBytes { second in
        unsafe plane2.withUnsafeBytes { third in
          unsafe plane3.withUnsafeBytes { fourth in
            unsafe body([
              first.baseAddress, second.baseAddress, third.baseAddress, fourth.baseAddress,
            ])
          }
        }
      }
    }
  }
}

/// Write access to a frame's planes, for as long as the spans it is made of.
///
/// Shapes as in ``FrameSpan``.
public struct MutableFrameSpan: ~Copyable, ~Escapable, Sendable {
  private var plane0: MutableRawSpan
  private var plane1: MutableRawSpan
  private var plane2: MutableRawSpan
  private var plane3: MutableRawSpan
  /// The bytes from one row of each plane to the next.
  let strides: InlineArray<4, Int>

  /// A frame in one buffer, whose planes must not overlap.
  ///
  /// - Parameters:
  ///   - bytes: The buffer, which may be longer than the frame. Bytes between rows and planes stay as they are.
  ///   - layout: The layout of the frame.
  ///   - strides: For each plane, the bytes from one row to the next; nil where rows have no gaps.
  ///   - offsets: For each plane, the bytes before it; nil where each begins after all rows of the one before.
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  @_lifetime(copy bytes)
  public init(
    _ bytes: consuming MutableSpan<UInt8>, layout: FrameLayout, strides: [Int]? = nil,
    offsets: [Int]? = nil
  ) throws(ScanError) {
    let places = try PlanePlaces(
      of: layout, strides: strides, offsets: offsets, byteCount: bytes.count)
    try places.requireNoOverlap()
    self.plane0 = places.mutableSpan(0, of: &bytes)
    self.plane1 = places.mutableSpan(1, of: &bytes)
    self.plane2 = places.mutableSpan(2, of: &bytes)
    self.plane3 = places.mutableSpan(3, of: &bytes)
    self.strides = places.strides
  }

  /// A frame of four planes, each in memory of its own; give unused ones empty spans and stride 0.
  @_lifetime(copy plane0, copy plane1, copy plane2, copy plane3)
  public init(
    _ plane0: consuming MutableRawSpan, _ plane1: consuming MutableRawSpan,
    _ plane2: consuming MutableRawSpan, _ plane3: consuming MutableRawSpan,
    strides: InlineArray<4, Int>
  ) {
    self.plane0 = plane0
    self.plane1 = plane1
    self.plane2 = plane2
    self.plane3 = plane3
    self.strides = strides
  }

  /// The frame that has been drawn, to read.
  var frame: FrameSpan {
    @_lifetime(borrow self)
    get {
      FrameSpan(plane0.bytes, plane1.bytes, plane2.bytes, plane3.bytes, strides: strides)
    }
  }

  /// Gives `body` the bytes of a plane and the bytes from one of its rows to the next.
  @inline(__always)
  mutating func withPlane(_ plane: Int, _ body: (inout MutableRawSpan, _ stride: Int) -> Void) {
    switch plane {
    case 0: body(&plane0, strides[0])
    case 1: body(&plane1, strides[1])
    case 2: body(&plane2, strides[2])
    default: body(&plane3, strides[3])
    }
  }

  /// Copies rows into the first plane.
  ///
  /// - Parameter stride: The bytes from one row to the next.
  package mutating func copyRows(
    _ rowCount: Int, of rowBytes: Int, from bytes: RawSpan, stride sourceStride: Int
  ) {
    withPlane(0) { rows, stride in
      for row in 0..<rowCount {
        Kernels.copy(rowBytes, from: bytes, at: row * sourceStride, to: &rows, at: row * stride)
      }
    }
  }

  /// Makes all bytes of the first plane 0.
  package mutating func clear() {
    withPlane(0) { rows, _ in
      unsafe rows.withUnsafeMutableBytes {
        _ = unsafe $0.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
  }

  /// Whether every sample of `layout` lies inside the planes.
  func fits(_ layout: FrameLayout) -> Bool { frame.fits(layout) }

  /// Gives `body` the starts of all planes, nil for those that are not there.
  @unsafe
  mutating func withUnsafeStarts(_ body: (InlineArray<4, UnsafeMutableRawPointer?>) -> Void) {
    unsafe plane0.withUnsafeMutableBytes { first in
      unsafe plane1.withUnsafeMutableBytes { second in
        unsafe plane2.withUnsafeMutableBytes { third in
          unsafe plane3.withUnsafeMutableBytes { fourth in
            unsafe body([
              first.baseAddress, second.baseAddress, third.baseAddress, fourth.baseAddress,
            ])
          }
        }
      }
    }
  }

  /// Checks that every sample of `layout` lies inside the planes.
  ///
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  func check(against layout: FrameLayout) throws(ScanError) { try frame.check(against: layout) }
}

extension FrameLayout.Plane {
  fileprivate func check(byteCount: Int, stride: Int) throws(ScanError) {
    guard let size = self.byteCount(stride: stride), size <= byteCount else {
      throw ScanError(
        .frameTooSmall,
        "A plane has \(byteCount) bytes in rows of \(stride), but its \(cellsHigh) rows need "
          + "\(rowBytes) bytes each. Make the plane larger, or the layout smaller."
      )
    }
  }
}
