// The texture flow holds the motion between neighbouring frames of history in a texture.

import CSlitScanKernels
import SlitScan

/// The motion between neighbouring frames of history, a field for each frame that came after another
/// while motion was asked for.
///
/// The GPU reduces the luma of a frame to the first level of its pyramid; the processor finds the motion, as
/// without a GPU, and uploads it. It waits for the GPU for that: a frame that comes in may be shown at once.
struct TextureFlow: ~Copyable {
  private let gl: GL
  private let passes: Passes
  private let shape: FrameShape
  private var search: FlowSearch
  /// The field that was found last.
  private var found = LineMemory()
  private var slots = FlowSlots(stride: 1)
  /// All fields side by side, and how many are in a row.
  private var nodes: Texture?
  private var fieldsAcross = 1
  /// For each level the number of its field, in rows of `rowOfFields`.
  private var fields: Texture?
  private var areFieldsCurrent = false
  /// The first level of the newest frame's pyramid.
  private var level: Texture?
  /// Whether the next frame is to have a field, if the one before is known.
  private var isWanted = false
  private var depth = 0

  private static let rowOfFields = 1024

  init(_ gl: GL, _ passes: Passes, _ shape: FrameShape) {
    self.gl = gl
    self.passes = passes
    self.shape = shape
    search = FlowSearch(shape.layout)
  }

  /// Bytes that each frame's field takes.
  var slotBytes: Int { search.fieldBytes }

  /// The bytes of memory, of textures and other, that fields take.
  var byteCount: Int {
    (nodes?.byteCount ?? 0) + (fields?.byteCount ?? 0) + (level?.byteCount ?? 0) + search.byteCount
      + found.byteCount
  }

  /// Whether no frame of history has a field.
  var isEmpty: Bool { slots.isEmpty }

  /// Forgets all fields; memory stays.
  mutating func forget() {
    slots.forget()
    search.forget()
    areFieldsCurrent = false
  }

  // MARK: Frames

  /// Makes room for what the next frame gets.
  ///
  /// - Parameter depth: The frames that history holds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(_ settings: ScanSettings, depth: Int) throws(ScanError) {
    self.depth = depth
    isWanted = settings.interpolation == .motion && search.isPossible
    guard isWanted else {
      if isEmpty, byteCount > 0 { release() }
      return
    }
    try search.reserve()
    guard found.grow(to: slotBytes) else {
      throw .refused(slotBytes, for: "the motion between frames")
    }
    if depth > slots.count {
      // With room for as many again, as histories that begin get deeper with each frame.
      try resize(to: depth, orElse: max(depth, min(2 * slots.count, depth + 64)))
    } else if slots.count > 2 * depth + 64 {
      try resize(to: depth, orElse: depth)
    }
  }

  /// A frame has become the newest of history.
  mutating func push(_ frame: FrameTextures, workers: borrowing Workers) throws(ScanError) {
    slots.advance()
    areFieldsCurrent = false
    guard isWanted else { return search.forget() }
    let level = try drawLevel(frame)
    let gl = gl
    search.take(rowBytes: level.width * level.format.texelBytes) { gl.read(level, into: &$0) }
    guard depth > 1, search.find(in: &found, at: 0, workers: workers), let nodes else { return }
    let place = place(of: slots.newestSlot)
    gl.upload(
      found.bytes, to: nodes, x: place.x, y: place.y, width: fieldSize.wide, rows: fieldSize.high)
    slots.fillNewest()
  }

  /// The newest frame of history has come once more: between the two nothing moves.
  mutating func repeatNewest() {
    slots.advance()
    areFieldsCurrent = false
  }

  /// Draws the first level of a frame's pyramid.
  private mutating func drawLevel(_ frame: FrameTextures) throws(ScanError) -> Texture {
    let layout = shape.layout
    let first = search.plan.levels.0
    let level: Texture
    if let known = self.level {
      level = known
    } else {
      let width = (Int(first.width) + 3) / 4
      guard let made = gl.makeTexture(.fourBytes, width: width, height: Int(first.height)) else {
        throw .refusedTexture(for: "the motion between frames")
      }
      level = made
      self.level = made
    }
    var channel = SIMD4<Int32>.zero
    var lowBits = SIMD4<UInt32>.zero
    var shares = SIMD4<UInt32>.zero
    for (index, part) in search.lumaParts.enumerated() {
      let plane = shape.planes[part.component.plane]
      channel[index] =
        plane.words > 1 ? 0 : Int32(part.component.offset / plane.format.channelBytes)
      lowBits[index] = UInt32(part.component.shiftToByte)
      shares[index] = part.weight
      let unit: TextureUnit = index == 0 ? .source : index == 1 ? .other : .third
      gl.bind(frame.names[part.component.plane], to: unit)
    }
    let plane = search.lumaParts.first?.component.plane ?? 0
    let program = try passes.use(.level(words: shape.planes[plane].words))
    program.set(.partCount, search.lumaParts.count)
    program.set(.channel, channel)
    program.set(.lowBits, lowBits)
    program.set(.partShares, shares)
    program.set(.size, layout.width, layout.height)
    program.set(.blockShift, Int(search.plan.shift))
    gl.target(level)
    gl.draw()
    return level
  }

  // MARK: Slots

  private var fieldSize: (wide: Int, high: Int) {
    (Int(search.plan.levels.0.nodes_wide), Int(search.plan.levels.0.nodes_high))
  }

  private func place(of slot: Int) -> (x: Int, y: Int) {
    (slot % fieldsAcross * fieldSize.wide, slot / fieldsAcross * fieldSize.high)
  }

  private mutating func release() {
    nodes = nil
    fields = nil
    level = nil
    found = LineMemory()
    search.release()
    _ = slots.resize(to: 0)
  }

  /// Changes how many fields there may be, keeping those of the newest frames.
  ///
  /// - Parameters:
  ///   - least: As many as there have to be.
  ///   - wanted: As many as there are, if there is memory for them.
  private mutating func resize(to least: Int, orElse wanted: Int) throws(ScanError) {
    let (wide, high) = fieldSize
    func make(_ count: Int) -> (texture: Texture, across: Int)? {
      let across = min(count, max(1, gl.longestSide / wide))
      let down = (count + across - 1) / across
      guard down * high <= gl.longestSide,
        let texture = gl.makeTexture(.node, width: across * wide, height: down * high)
      else { return nil }
      return (texture, across)
    }
    var count = wanted
    var made = make(wanted)
    if made == nil {
      count = least
      made = make(least)
    }
    guard let (texture, across) = made else {
      throw .refusedTexture(for: "the motion between frames")
    }
    for (old, new) in slots.resize(to: count) {
      guard let nodes else { break }
      let from = place(of: old)
      gl.copy(
        width: wide, height: high, from: GL.Place(name: nodes.name, x: from.x, y: from.y),
        to: GL.Place(name: texture.name, x: new % across * wide, y: new / across * high))
    }
    nodes = texture
    fieldsAcross = across
    areFieldsCurrent = false
  }

  // MARK: Drawing

  /// Sets what a program needs to draw between frames of a plane along their motion.
  mutating func bind(to program: Program, _ plane: TexelPlane) throws(ScanError) {
    try uploadFields()
    guard let nodes, let fields else { return }
    program.set(.fieldSize, fieldSize.wide, fieldSize.high)
    program.set(.fieldsAcross, fieldsAcross)
    program.set(.blockShift, Int(search.plan.shift))
    program.set(.lanes, plane.lanes)
    program.set(.ends, plane.ends)
    program.set(.rangeShift, plane.rangeShift)
    program.set(.corners, 4)
    gl.bind(fields, to: .ages)
    gl.bind(nodes, to: .rows)
  }

  private mutating func uploadFields() throws(ScanError) {
    guard !areFieldsCurrent || fields == nil else { return }
    let width = Self.rowOfFields
    let rows = max(1, (slots.count + width - 1) / width)
    if fields?.height != rows {
      guard let texture = gl.makeTexture(.number, width: width, height: rows) else {
        throw .refusedTexture(for: "the motion between frames")
      }
      fields = texture
    }
    guard let fields else { return }
    var table = [UInt32](repeating: .max, count: rows * width)
    for (level, start) in slots.starts.enumerated() where start >= 0 {
      table[level] = UInt32(start)
    }
    gl.upload(table.span, to: fields, rows: rows)
    areFieldsCurrent = true
  }
}
