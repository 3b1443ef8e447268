// The flow fields hold the motion from each frame of history to the one before.

import CSlitScanKernels

/// The motion between neighbouring frames of history, a field for each frame that came after another
/// while motion was asked for.
///
/// *Levels* are those of ``History``: the field of level k leads from there to level k + 1.
struct FlowFields: ~Copyable {
  private let layout: FrameLayout
  private let plan: SlitScanFlowPlan
  /// The samples of each plane's cells.
  private let lanes: [InlineArray<8, SlitScanLane>]
  private let sizes: [(cellBytes: Int32, sampleBytes: Int32)]
  /// The components of luma, and their weights in 1/256.
  private let lumaParts: [(component: FrameLayout.Component, weight: UInt32)]

  /// The fields, a slot each.
  private var nodes = LineMemory()
  /// The number of the frame whose field a slot holds, negative where it holds none.
  private var owners: [Int] = []
  /// The start of each level's field, in nodes; negative where there is none.
  private var starts: [Int] = []
  /// The number of the newest frame, counted from the first.
  private var newest = 0
  /// The number of the newest frame with a field.
  private var lastOwner = Int.min / 2

  /// The pyramids of the newest frame and the one before.
  private var pyramids = LineMemory()
  /// Whether the newest frame's is the second.
  private var isSecond = false
  /// Whether the newest frame has one.
  private var hasPyramid = false
  private var scratch = LineMemory()

  /// Whether the next frame is to have a pyramid, and a field.
  private var wanted = (pyramid: false, field: false)
  /// The last output, and whether any of it lay between two frames.
  private var drawn: (key: Standstill.Key?, revision: Int, liesBetween: Bool) = (nil, -1, true)

  init(_ tiles: TiledLayout) {
    layout = tiles.layout
    plan = slit_scan_flow_plan(tiles.layout.width, tiles.layout.height)
    lanes = tiles.layout.planes.indices.map { plane in
      InlineArray { SlitScanLane(ofSample: $0, plane: plane, layout: tiles.layout) }
    }
    sizes = tiles.layout.planes.map { (Int32($0.cellBytes), Int32($0.sampleBytes)) }
    lumaParts = Array(
      zip(
        tiles.layout.components.filter { $0.role == .colour },
        tiles.layout.isRGB ? [54, 183, 19] : [256]))
  }

  /// The longest side of frames between which motion is looked for.
  private static let longestSide = 1 << 20

  /// Bytes that each frame's field takes.
  static func slotBytes(_ tiles: TiledLayout) -> Int {
    slit_scan_flow_plan(tiles.layout.width, tiles.layout.height).node_count * nodeBytes
  }

  private static let nodeBytes = MemoryLayout<SlitScanFlowNode>.size

  /// The bytes of memory that fields take.
  var byteCount: Int { nodes.byteCount + pyramids.byteCount + scratch.byteCount }

  /// Whether no frame of history has a field.
  var isEmpty: Bool { newest - lastOwner >= owners.count }

  // MARK: Frames

  /// Forgets all fields; memory stays.
  mutating func forget() {
    for slot in owners.indices { owners[slot] = -1 }
    starts.removeAll(keepingCapacity: true)
    newest = 0
    lastOwner = Int.min / 2
    hasPyramid = false
  }

  /// Decides what the next frame gets, and makes room for it.
  ///
  /// - Parameters:
  ///   - stillness: What its delays follow from, nil where they may be any.
  ///   - depth: The frames that history holds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, stillness: Standstill.Key?, depth: Int
  ) throws(ScanError) {
    wanted = (false, false)
    guard settings.interpolation == .motion, layout.width <= Self.longestSide,
      layout.height <= Self.longestSide
    else {
      if isEmpty, byteCount > 0 { release() }
      return
    }
    try resize(to: depth)
    guard pyramids.grow(to: 2 * plan.pyramid_bytes),
      scratch.grow(to: Int(SLIT_SCAN_FLOW_SCRATCH) * plan.node_count * Self.nodeBytes)
    else { throw .refused(2 * plan.pyramid_bytes, for: "the motion between frames") }
    let isStill = stillness != nil && stillness == drawn.key
    wanted = (true, depth > 1 && (!isStill || drawn.liesBetween))
  }

  /// A frame has become the newest of history.
  mutating func push(_ frame: borrowing FrameSpan, workers: borrowing Workers) {
    newest += 1
    let isPair = hasPyramid
    hasPyramid = wanted.pyramid
    if wanted.pyramid {
      isSecond.toggle()
      buildPyramid(frame, workers)
      if wanted.field, isPair { find(workers) }
    }
    locate()
  }

  /// The newest frame of history has come once more: between the two nothing moves.
  mutating func repeatNewest() {
    newest += 1
    locate()
  }

  /// Delays have been drawn that follow from a key, if they are not any.
  mutating func draw(_ key: Standstill.Key?, delays: borrowing DelayMap) {
    guard key != drawn.key || delays.revision != drawn.revision else { return }
    drawn = (key, delays.revision, key == nil || delays.mayLieBetweenFrames)
  }

  private mutating func release() {
    nodes = LineMemory()
    pyramids = LineMemory()
    scratch = LineMemory()
    owners.removeAll()
    starts.removeAll()
    hasPyramid = false
  }

  /// Makes room for as many fields as history has frames, keeping those of the newest.
  private mutating func resize(to depth: Int) throws(ScanError) {
    guard depth != owners.count else { return }
    let slotBytes = plan.node_count * Self.nodeBytes
    var others = LineMemory()
    guard others.grow(to: depth * slotBytes) else {
      throw .refused(depth * slotBytes, for: "the motion between frames")
    }
    var newOwners = Array(repeating: -1, count: depth)
    var bytes = others.mutableBytes
    for (slot, owner) in owners.enumerated() where owner >= 0 && owner > newest - depth {
      Kernels.copy(
        slotBytes, from: nodes.bytes, at: slot * slotBytes, to: &bytes,
        at: owner % depth * slotBytes)
      newOwners[owner % depth] = owner
    }
    nodes = others
    owners = newOwners
    locate()
  }

  /// Finds where each level's field is.
  private mutating func locate() {
    starts.removeAll(keepingCapacity: true)
    for level in 0..<min(owners.count, newest + 1) {
      let slot = (newest - level) % owners.count
      starts.append(owners[slot] == newest - level ? slot * plan.node_count : -1)
    }
  }

  // MARK: Kernels

  private mutating func buildPyramid(_ frame: borrowing FrameSpan, _ workers: borrowing Workers) {
    guard frame.fits(layout), pyramids.byteCount >= 2 * plan.pyramid_bytes else { return }
    let start = isSecond ? plan.pyramid_bytes : 0
    let (plan, layout, lumaParts) = (plan, layout, lumaParts)
    let pool = unsafe workers.pool
    let strides = frame.strides
    var bytes = pyramids.mutableBytes
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe frame.withUnsafeStarts { planes in
        guard let base = bytes.baseAddress, let first = unsafe planes[0] else { return }
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
  }

  private mutating func find(_ workers: borrowing Workers) {
    let slotBytes = plan.node_count * Self.nodeBytes
    let slot = newest % owners.count
    guard nodes.byteCount >= owners.count * slotBytes, pyramids.byteCount >= 2 * plan.pyramid_bytes,
      scratch.byteCount >= Int(SLIT_SCAN_FLOW_SCRATCH) * slotBytes
    else { return }
    let newer = isSecond ? plan.pyramid_bytes : 0
    let pool = unsafe workers.pool
    let plan = plan
    unsafe Self.withBytes(pyramids, &scratch, &nodes) { pyramids, scratch, nodes in
      let images = unsafe pyramids.assumingMemoryBound(to: UInt8.self)
      unsafe withUnsafePointer(to: plan) { plan in
        unsafe slit_scan_flow_find(
          plan, images + newer, images + (plan.pointee.pyramid_bytes - newer),
          scratch.assumingMemoryBound(to: SlitScanFlowNode.self),
          (nodes + slot * slotBytes).assumingMemoryBound(to: SlitScanFlowNode.self), pool)
      }
    }
    owners[slot] = newest
    lastOwner = newest
  }

  @unsafe
  private static func withBytes(
    _ one: borrowing LineMemory, _ two: inout LineMemory, _ three: inout LineMemory,
    _ body: (UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    var second = two.mutableBytes
    var third = three.mutableBytes
    unsafe one.bytes.withUnsafeBytes { one in
      unsafe second.withUnsafeMutableBytes { two in
        unsafe third.withUnsafeMutableBytes { three in
          guard let one = one.baseAddress, let two = two.baseAddress, let three = three.baseAddress
          else { return }
          unsafe body(one, two, three)
        }
      }
    }
  }

  /// Draws planes along the motion, as the kernels know them.
  @unsafe
  func warp(
    _ history: UnsafePointer<SlitScanHistoryFrames>, _ readings: UnsafePointer<SlitScanReading>,
    count: Int,
    pool: OpaquePointer?
  ) {
    guard count == lanes.count, count > 0 else { return }
    let planes = unsafe InlineArray<4, SlitScanWarping> { index in
      let number = min(index, count - 1)
      let found = lanes[number]
      return unsafe SlitScanWarping(
        reading: readings[number], cell_bytes: sizes[number].cellBytes,
        sample_bytes: sizes[number].sampleBytes,
        lanes: (
          found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7]
        ))
    }
    unsafe nodes.bytes.withUnsafeBytes { nodes in
      unsafe starts.withUnsafeBufferPointer { starts in
        unsafe withUnsafePointer(to: plan) { plan in
          guard let nodes = nodes.baseAddress, let first = starts.baseAddress else { return }
          let flows = unsafe SlitScanFlows(
            plan: plan, nodes: nodes.assumingMemoryBound(to: SlitScanFlowNode.self),
            starts: first, count: starts.count)
          unsafe withUnsafePointer(to: flows) { flows in
            unsafe planes.span.withUnsafeBufferPointer { planes in
              guard let planes = planes.baseAddress else { return }
              unsafe slit_scan_warp(history, flows, planes, count, pool)
            }
          }
        }
      }
    }
  }
}

// MARK: Layouts

extension SlitScanLane {
  /// The component that a sample of a plane's cells belongs to; nothing beyond the last.
  fileprivate init(ofSample sample: Int, plane: Int, layout: FrameLayout) {
    self.init()
    let byte = sample * layout.planes[plane].sampleBytes
    guard byte < layout.planes[plane].cellBytes else { return }
    let owner = layout.components.first { component in
      component.plane == plane && byte >= component.offset
        && (byte - component.offset) % component.step < component.bytes
    }
    guard let owner else { return }
    first = Int32(owner.offset)
    step = Int32(owner.step)
    number = Int32((byte - owner.offset) / owner.step)
    count_shift = Int32(
      (layout.planes[plane].cellBytes / owner.step).trailingZeroBitCount)
    x_shift = Int32(owner.xShift)
    y_shift = Int32(owner.yShift)
    samples_wide = Int32(layout.samplesWide(owner))
    samples_high = Int32(layout.samplesHigh(owner))
    range_shift = owner.shiftToByte
  }
}

extension FrameLayout.Component {
  /// The low bits that samples have beyond eight.
  fileprivate var shiftToByte: Int32 {
    Int32(max(0, UInt16.bitWidth - white.leadingZeroBitCount - 8))
  }
}
