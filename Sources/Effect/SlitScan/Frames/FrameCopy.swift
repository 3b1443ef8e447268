// The frame copy holds the last input or output frame.

import CSlitScanKernels

/// A copy of a frame, its rows without gaps, in memory that the system may refuse.
struct FrameCopy: ~Copyable {
  private let tiles: TiledLayout
  private var memory = LineMemory()
  /// Whether there is a frame.
  private(set) var isHeld = false

  /// No frame yet, of the layout to come.
  init(_ tiles: TiledLayout) {
    self.tiles = tiles
  }

  /// The bytes of memory that the frame takes.
  var byteCount: Int { memory.byteCount }

  /// Forgets the frame; its memory stays.
  mutating func forget() { isHeld = false }

  /// Takes the memory for a frame.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  private mutating func reserve() throws(ScanError) {
    let byteCount = tiles.layout.byteCount
    guard memory.grow(to: byteCount) else { throw .refused(byteCount, for: "a copy of a frame") }
  }

  /// Keeps a copy of `frame`.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func hold(_ frame: borrowing FrameSpan) throws(ScanError) {
    try reserve()
    for (index, plane) in tiles.layout.planes.enumerated() {
      let start = tiles.layout.start(ofPlane: index)
      let rows = frame.bytes(ofPlane: index)
      let stride = frame.stride(ofPlane: index)
      var bytes = memory.mutableBytes
      for row in 0..<plane.cellsHigh {
        Kernels.copy(
          plane.rowBytes, from: rows, at: row * stride, to: &bytes,
          at: start + row * plane.rowBytes)
      }
    }
    isHeld = true
  }

  /// Keeps a frame that `body` draws.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func draw(
    _ body: (inout MutableFrameSpan) throws(ScanError) -> Void
  ) throws(ScanError) {
    try reserve()
    let layout = tiles.layout
    var bytes = memory.mutableBytes
    var frame = unsafe try MutableFrameSpan(
      bytes._unsafeMutableView(as: UInt8.self), layout: layout)
    try body(&frame)
    isHeld = true
  }

  /// Copies what is held into a frame, if there is anything.
  func copy(into frame: inout MutableFrameSpan) {
    guard isHeld else { return }
    for (index, plane) in tiles.layout.planes.enumerated() {
      let start = tiles.layout.start(ofPlane: index)
      frame.withPlane(index) { rows, stride in
        for row in 0..<plane.cellsHigh {
          Kernels.copy(
            plane.rowBytes, from: memory.bytes, at: start + row * plane.rowBytes, to: &rows,
            at: row * stride)
        }
      }
    }
  }

  /// The bytes of the frame, plane after plane.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { memory.bytes }
  }

  /// The frame that is held, to read.
  var frame: FrameSpan {
    @_lifetime(borrow self)
    get {
      let bytes = memory.bytes
      var strides = InlineArray<4, Int>(repeating: 0)
      for (index, plane) in tiles.layout.planes.enumerated() { strides[index] = plane.rowBytes }
      return FrameSpan(
        span(0, of: bytes), span(1, of: bytes), span(2, of: bytes), span(3, of: bytes),
        strides: strides)
    }
  }

  @_lifetime(copy bytes)
  private func span(_ index: Int, of bytes: RawSpan) -> RawSpan {
    guard isHeld, index < tiles.layout.planes.count else { return bytes.extracting(0..<0) }
    let plane = tiles.layout.planes[index]
    let start = tiles.layout.start(ofPlane: index)
    return bytes.extracting(start..<(start + plane.rowBytes * plane.cellsHigh))
  }

  /// Whether no sample held differs from that of `other` by more than 1/100 of white; bytes of no
  /// component, and what a last cell has beyond the frame, do not count.
  func resembles(_ other: borrowing FrameCopy) -> Bool {
    guard isHeld, other.isHeld, memory.byteCount == other.memory.byteCount else { return false }
    if Kernels.areEqual(memory.bytes, other.memory.bytes) { return true }
    let layout = tiles.layout
    // Luma, or red.
    let white = layout.components.first { $0.role == .colour }?.white ?? 0
    for component in layout.components where component.role != .padding {
      let start = layout.start(ofPlane: component.plane) + component.offset
      let rowBytes = layout.planes[component.plane].rowBytes
      for row in 0..<layout.samplesHigh(component) {
        for sample in 0..<layout.samplesWide(component) {
          let offset = start + row * rowBytes + sample * component.step
          let difference =
            memory.bytes.sample(component, at: offset, isBigEndian: layout.isBigEndian)
            - other.memory.bytes.sample(component, at: offset, isBigEndian: layout.isBigEndian)
          if 100 * difference.magnitude > UInt(white) { return false }
        }
      }
    }
    return true
  }

  /// Moves the samples held towards those of `other`, see ``Kernels/blend``; rounded towards what is
  /// held.
  mutating func feed(_ other: borrowing FrameCopy, weight: UInt32) {
    guard isHeld, other.isHeld else { return }
    let layout = tiles.layout
    for (index, plane) in layout.planes.enumerated() {
      let start = tiles.layout.start(ofPlane: index)
      var bytes = memory.mutableBytes
      Kernels.blend(
        &bytes, at: start, with: other.memory.bytes, at: start,
        byteCount: plane.rowBytes * plane.cellsHigh, weight: weight,
        samples: SlitScanSamples(plane, isBigEndian: layout.isBigEndian),
        rounding: .towardsTarget)
    }
  }

  /// The same, with the samples of `other` at their places; those whose places are outside of it stay.
  mutating func feed(
    _ other: borrowing FrameCopy, at places: borrowing FeedbackPlaces, weight: UInt32,
    workers: borrowing Workers
  ) {
    guard isHeld, other.isHeld else { return }
    let tiles = tiles
    var bytes = memory.mutableBytes
    Kernels.feed(
      &bytes, with: other.memory.bytes, at: places, tiles: tiles, weight: weight, workers: workers)
  }

  /// Blends what is held into a frame, rounded to the nearest.
  ///
  /// - Parameter share: The part of what is held, 0…1.
  func mix(into frame: inout MutableFrameSpan, share: Double) {
    guard isHeld, share > 0 else { return }
    let weight = UInt32((share * 65_536).rounded())
    for (index, plane) in tiles.layout.planes.enumerated() {
      let start = tiles.layout.start(ofPlane: index)
      let samples = SlitScanSamples(plane, isBigEndian: tiles.layout.isBigEndian)
      frame.withPlane(index) { rows, stride in
        for row in 0..<plane.cellsHigh {
          Kernels.blend(
            &rows, at: row * stride, with: memory.bytes, at: start + row * plane.rowBytes,
            byteCount: plane.rowBytes, weight: weight, samples: samples, rounding: .nearest)
        }
      }
    }
  }
}

extension RawSpan {
  /// The sample of `component` at `offset`, with its unused bits.
  fileprivate func sample(
    _ component: FrameLayout.Component, at offset: Int, isBigEndian: Bool
  ) -> Int {
    let first = unsafe Int(unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    guard component.bytes == 2 else { return first }
    let second = unsafe Int(unsafeLoad(fromByteOffset: offset + 1, as: UInt8.self))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }
}
