// The flow search finds the motion between the two newest frames.

import CSlitScanKernels

/// The pyramids of the newest frame and the one before, and the search for the motion between them.
package struct FlowSearch: ~Copyable {
  package let plan: SlitScanFlowPlan
  private let layout: FrameLayout
  /// The components of luma, and their weights in 1/256.
  package let lumaParts: [(component: FrameLayout.Component, weight: UInt32)]

  private var pyramids = LineMemory()
  /// Whether the newest frame's is the second.
  private var isSecond = false
  /// Whether the newest frame has one.
  private var hasPyramid = false
  /// Whether the frame before has one, too.
  package private(set) var isPair = false
  private var scratch = LineMemory()

  package init(_ layout: FrameLayout) {
    self.layout = layout
    plan = slit_scan_flow_plan(layout.width, layout.height)
    lumaParts = Array(
      zip(
        layout.components.filter { $0.role == .colour }, layout.isRGB ? [54, 183, 19] : [256]))
  }

  /// The longest side of frames between which motion is looked for.
  private static let longestSide = 1 << 20

  /// Whether motion is looked for between frames of this size.
  package var isPossible: Bool {
    layout.width <= Self.longestSide && layout.height <= Self.longestSide
  }

  /// Bytes of a field.
  package static func fieldBytes(_ layout: FrameLayout) -> Int {
    slit_scan_flow_plan(layout.width, layout.height).node_count * nodeBytes
  }

  /// Bytes of a field.
  package var fieldBytes: Int { plan.node_count * Self.nodeBytes }

  private static let nodeBytes = MemoryLayout<SlitScanFlowNode>.size

  /// The bytes of memory that pyramids and search take.
  package var byteCount: Int { pyramids.byteCount + scratch.byteCount }

  /// Takes the memory for it.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package mutating func reserve() throws(ScanError) {
    guard pyramids.grow(to: 2 * plan.pyramid_bytes),
      scratch.grow(to: Int(SLIT_SCAN_FLOW_SCRATCH) * fieldBytes)
    else { throw .refused(2 * plan.pyramid_bytes, for: "the motion between frames") }
  }

  /// Forgets the frames, and gives their memory back.
  package mutating func release() {
    forget()
    pyramids = LineMemory()
    scratch = LineMemory()
  }

  /// Forgets the frames; as if the next one had none before it.
  package mutating func forget() {
    hasPyramid = false
    isPair = false
  }

  // MARK: Frames

  /// Takes a frame in.
  mutating func take(_ frame: borrowing FrameSpan, workers: borrowing Workers) {
    advance()
    guard frame.fits(layout), pyramids.byteCount >= 2 * plan.pyramid_bytes else { return }
    let start = isSecond ? plan.pyramid_bytes : 0
    let pool = unsafe workers.pool
    let strides = frame.strides
    unsafe frame.withUnsafeStarts { planes in
      guard let base = unsafe pyramids.start, let first = unsafe planes[0] else { return }
      let parts = unsafe InlineArray<3, SlitScanFlowPart> { index in
        let (component, weight) = lumaParts[min(index, lumaParts.count - 1)]
        let rows = unsafe (planes[component.plane] ?? first) + component.offset
        return unsafe SlitScanFlowPart(
          rows: rows.assumingMemoryBound(to: UInt8.self), stride: strides[component.plane],
          step: component.step, bytes: Int32(component.bytes),
          is_big_endian: layout.isBigEndian, shift: component.shiftToByte, weight: weight)
      }
      unsafe parts.span.withUnsafeBufferPointer { parts in
        guard let parts = parts.baseAddress else { return }
        unsafe withUnsafePointer(to: plan) { plan in
          unsafe slit_scan_make_pyramid(
            plan, parts, lumaParts.count, layout.width, layout.height,
            (base + start).assumingMemoryBound(to: UInt8.self), pool)
        }
      }
    }
  }

  /// Takes the first level of a frame in.
  ///
  /// - Parameters:
  ///   - rowBytes: Bytes from row to row, of which the level has fewer than four more than its width.
  ///   - read: Writes the rows.
  package mutating func take(rowBytes: Int, _ read: (inout MutableRawSpan) -> Void) {
    advance()
    let level = plan.levels.0
    let (width, height) = (Int(level.width), Int(level.height))
    let start = isSecond ? plan.pyramid_bytes : 0
    guard pyramids.byteCount >= 2 * plan.pyramid_bytes, scratch.byteCount >= rowBytes * height
    else { return }
    do {
      var bytes = scratch.mutableBytes
      read(&bytes)
    }
    guard let rows = unsafe scratch.start, let pyramids = unsafe pyramids.start else { return }
    let pyramid = unsafe (pyramids + start).assumingMemoryBound(to: UInt8.self)
    for row in 0..<height {
      unsafe (pyramid + row * width).update(
        from: (rows + row * rowBytes).assumingMemoryBound(to: UInt8.self), count: width)
    }
    unsafe withUnsafePointer(to: plan) { unsafe slit_scan_finish_pyramid($0, pyramid) }
  }

  private mutating func advance() {
    isPair = hasPyramid
    hasPyramid = true
    isSecond.toggle()
  }

  /// Finds the motion from the newest frame to the one before.
  ///
  /// - Parameters:
  ///   - fields: Has room for it.
  ///   - offset: Where in `fields`, in bytes.
  /// - Returns: Whether there is any.
  package mutating func find(
    in fields: inout LineMemory, at offset: Int, workers: borrowing Workers
  ) -> Bool {
    guard isPair, offset >= 0, fields.byteCount - offset >= fieldBytes,
      pyramids.byteCount >= 2 * plan.pyramid_bytes,
      scratch.byteCount >= Int(SLIT_SCAN_FLOW_SCRATCH) * fieldBytes,
      let images = unsafe pyramids.start?.assumingMemoryBound(to: UInt8.self),
      let scratch = unsafe scratch.start, let fields = unsafe fields.start
    else { return false }
    let newer = isSecond ? plan.pyramid_bytes : 0
    let pool = unsafe workers.pool
    unsafe withUnsafePointer(to: plan) { plan in
      unsafe slit_scan_flow_find(
        plan, images + newer, images + (plan.pointee.pyramid_bytes - newer),
        scratch.assumingMemoryBound(to: SlitScanFlowNode.self),
        (fields + offset).assumingMemoryBound(to: SlitScanFlowNode.self), pool)
    }
    return true
  }
}

extension FrameLayout.Component {
  /// The low bits that samples have beyond eight.
  package var shiftToByte: Int32 {
    Int32(max(0, UInt16.bitWidth - white.leadingZeroBitCount - 8))
  }
}
