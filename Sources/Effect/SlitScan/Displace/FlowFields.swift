// The flow fields hold the motion from each frame of history to the one before.

import CSlitScanKernels

/// The motion between neighbouring frames of history, a field for each frame that came after another
/// while motion was asked for.
///
/// *Levels* are those of ``History``: the field of level k leads from there to level k + 1.
struct FlowFields: ~Copyable {
  private var search: FlowSearch
  /// The samples of each plane's cells.
  private let lanes: [InlineArray<8, SlitScanLane>]
  private let sizes: [(cellBytes: Int32, sampleBytes: Int32)]

  /// The fields, a slot each.
  private var nodes = LineMemory()
  /// Where they start, in nodes.
  private var slots: FlowSlots

  /// Whether the next frame is to have a pyramid, and a field.
  private var wanted = (pyramid: false, field: false)
  /// The last output, and whether any of it lay between two frames.
  private var drawn: (key: Int?, revision: Int, liesBetween: Bool) = (nil, -1, true)

  init(_ tiles: TiledLayout) {
    search = FlowSearch(tiles.layout)
    slots = FlowSlots(stride: search.plan.node_count)
    lanes = tiles.layout.planes.indices.map { plane in
      InlineArray { SlitScanLane(ofSample: $0, plane: plane, layout: tiles.layout) }
    }
    sizes = tiles.layout.planes.map { (Int32($0.cellBytes), Int32($0.sampleBytes)) }
  }

  /// Bytes that each frame's field takes.
  static func slotBytes(_ tiles: TiledLayout) -> Int { FlowSearch.fieldBytes(tiles.layout) }

  /// The bytes of memory that fields take.
  var byteCount: Int { nodes.byteCount + search.byteCount }

  /// Whether no frame of history has a field.
  var isEmpty: Bool { slots.isEmpty }

  // MARK: Frames

  /// Forgets all fields; memory stays.
  mutating func forget() {
    slots.forget()
    search.forget()
  }

  /// Decides what the next frame gets, and makes room for it.
  ///
  /// - Parameters:
  ///   - stillness: The number of the key that its delays follow from, nil where they may be any.
  ///   - depth: The frames that history holds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, stillness: Int?, depth: Int
  ) throws(ScanError) {
    wanted = (false, false)
    guard settings.interpolation == .motion, search.isPossible else {
      if isEmpty, byteCount > 0 { release() }
      return
    }
    try resize(to: depth)
    try search.reserve()
    let isStill = stillness != nil && stillness == drawn.key
    wanted = (true, depth > 1 && (!isStill || drawn.liesBetween))
  }

  /// A frame has become the newest of history.
  mutating func push(_ frame: borrowing FrameSpan, workers: borrowing Workers) {
    slots.advance()
    guard wanted.pyramid else { return search.forget() }
    search.take(frame, workers: workers)
    guard wanted.field else { return }
    let start = slots.newestSlot * search.fieldBytes
    if search.find(in: &nodes, at: start, workers: workers) { slots.fillNewest() }
  }

  /// The newest frame of history has come once more: between the two nothing moves.
  mutating func repeatNewest() { slots.advance() }

  /// Delays have been drawn that follow from the key of this number, if they are not any.
  mutating func draw(_ key: Int?, delays: borrowing DelayMap) {
    guard key != drawn.key || delays.revision != drawn.revision else { return }
    drawn = (key, delays.revision, key == nil || delays.mayLieBetweenFrames)
  }

  private mutating func release() {
    nodes = LineMemory()
    search.release()
    _ = slots.resize(to: 0)
  }

  /// Makes room for as many fields as history has frames, keeping those of the newest.
  private mutating func resize(to depth: Int) throws(ScanError) {
    guard depth != slots.count else { return }
    let slotBytes = search.fieldBytes
    var others = LineMemory()
    guard others.grow(to: depth * slotBytes) else {
      throw .refused(depth * slotBytes, for: "the motion between frames")
    }
    var bytes = others.mutableBytes
    for (old, new) in slots.resize(to: depth) {
      Kernels.copy(
        slotBytes, from: nodes.bytes, at: old * slotBytes, to: &bytes, at: new * slotBytes)
    }
    nodes = others
  }

  // MARK: Kernels

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
    unsafe slots.starts.withUnsafeBufferPointer { starts in
      unsafe withUnsafePointer(to: search.plan) { plan in
        guard let nodes = unsafe nodes.start, let first = starts.baseAddress else { return }
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

// MARK: Layouts

extension SlitScanLane {
  /// The component that a sample of a plane's cells belongs to; nothing beyond the last.
  package init(ofSample sample: Int, plane: Int, layout: FrameLayout) {
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
