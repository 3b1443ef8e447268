// The texture history holds the most recent frames in texture arrays.

import SlitScan

/// The last frames, each in a *slot*: a layer of a texture array for each plane, or a part of a layer where there
/// are more frames than layers.
///
/// Slots form a ring, and are never moved while there is room. Where the ring grows, a *block* of slots is put into
/// it between the oldest frame and the newest; so the ring is a row of *runs*, each of slots that follow each other
/// in one block.
struct TextureHistory {
  /// Blocks that shaders can read.
  static let mostBlocks = 8
  /// Bytes of one texture, at most; drivers refuse larger ones.
  private static let mostBytes = 1 << 31 - 1

  private let gl: GL
  private let shape: FrameShape
  /// When the frames that are held were taken in.
  private(set) var times = FrameTimes()
  /// The textures of each block, one for each plane.
  private(set) var blocks: [[Texture]] = []
  /// For each run: its place in the ring, its block, and its first slot there.
  private(set) var runs: [SIMD4<Int32>] = []
  /// The place in the ring of the newest frame; older ones follow.
  private(set) var newest = 0
  /// Slots in the ring.
  private(set) var capacity = 0
  /// Slots in a layer, across and down.
  private(set) var slotsInLayer = (across: 1, down: 1)
  /// Slots that there may be.
  var ceiling = Int.max

  init(_ gl: GL, _ shape: FrameShape) {
    self.gl = gl
    self.shape = shape
  }

  /// The frames that are held.
  var count: Int { times.count }
  /// The frames that fit.
  var depth: Int { times.depth }
  /// Bytes that each frame takes.
  var slotBytes: Int { shape.byteCount }
  /// The bytes of texture memory that slots take.
  var byteCount: Int { capacity * slotBytes }

  // MARK: Frames

  /// Turns to a new level 0, in place of the oldest if the history is full; nothing is there yet.
  mutating func advance(to time: UInt64) {
    guard depth > 0 else { return }
    times.advance(to: time)
    newest = (newest == 0 ? capacity : newest) - 1
  }

  /// Takes a frame in as level 0.
  mutating func push(_ frame: FrameTextures, time: UInt64) {
    advance(to: time)
    for index in shape.planes.indices {
      copy(index, from: GL.Place(name: frame.names[index]), to: place(ofLevel: 0, plane: index))
    }
  }

  /// Takes the newest frame in once more, as level 0.
  mutating func repeatNewest(time: UInt64) {
    guard count > 0 else { return }
    let last = newest
    advance(to: time)
    guard newest != last else { return }
    for index in shape.planes.indices {
      copy(
        index, from: place(inRing: last, plane: index), to: place(ofLevel: 0, plane: index))
    }
  }

  /// Copies the frame of a level, if it is held.
  func copy(_ level: Int, to target: FrameTextures) {
    guard level < count else { return }
    for index in shape.planes.indices {
      copy(
        index, from: place(ofLevel: level, plane: index), to: GL.Place(name: target.names[index]))
    }
  }

  private func copy(_ plane: Int, from source: GL.Place, to target: GL.Place) {
    let plane = shape.planes[plane]
    gl.copy(width: plane.width, height: plane.height, from: source, to: target)
  }

  private func place(ofLevel level: Int, plane: Int) -> GL.Place {
    place(inRing: (newest + level) % capacity, plane: plane)
  }

  private func place(inRing index: Int, plane: Int) -> GL.Place {
    var run = runs[0]
    for next in runs where Int(next.x) <= index { run = next }
    let slot = index - Int(run.x) + Int(run.z)
    let inLayer = slotsInLayer.across * slotsInLayer.down
    let rest = slot % inLayer
    return GL.Place(
      name: blocks[Int(run.y)][plane].name, layer: slot / inLayer,
      x: rest % slotsInLayer.across * shape.planes[plane].width,
      y: rest / slotsInLayer.across * shape.planes[plane].height)
  }

  /// Forgets all frames; their memory stays for the next.
  mutating func forget() { times.keep(0) }

  /// Drops the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) { times.keep(kept) }

  // MARK: Depth

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// - Returns: false if the driver refuses the memory; everything is as before then.
  mutating func setDepth(_ newDepth: Int) -> Bool {
    if newDepth > capacity {
      guard blocks.isEmpty ? rebuild(newDepth) : grow(to: newDepth) else { return false }
    } else if capacity > 2 * newDepth || capacity > ceiling {
      // If there is no memory for both, the old history stays.
      _ = rebuild(newDepth)
    }
    if newDepth != depth { times.setDepth(newDepth) }
    return true
  }

  /// Whether the driver would give so many slots now.
  func isThere(_ slots: Int) -> Bool {
    var other = TextureHistory(gl, shape)
    return other.rebuild(slots)
  }

  /// Adds a block, with as many slots as there are already: so blocks remain few.
  private mutating func grow(to wanted: Int) -> Bool {
    let missing = wanted - capacity
    let most = mostSlots(in: slotsInLayer)
    guard blocks.count < Self.mostBlocks, missing <= most else { return rebuild(wanted) }
    let added = min(max(missing, min(capacity, ceiling - capacity)), most)
    guard let block = makeBlock(added) ?? makeBlock(missing) else { return false }
    insert(block, slots: block.slots)
    return true
  }

  /// Makes new blocks for all slots, and copies the frames that still fit.
  private mutating func rebuild(_ slots: Int) -> Bool {
    var other = TextureHistory(gl, shape)
    other.ceiling = ceiling
    other.arrange(slots)
    let most = other.mostSlots(in: other.slotsInLayer)
    var rest = slots
    while rest > 0 {
      guard other.blocks.count < Self.mostBlocks, most > 0,
        let block = other.makeBlock(min(rest, most))
      else { return false }
      other.insert(block, slots: block.slots)
      rest -= block.slots
    }
    let kept = min(count, slots)
    other.times = times
    other.times.keep(kept)
    for level in 0..<kept {
      for plane in shape.planes.indices {
        copy(
          plane, from: place(ofLevel: level, plane: plane),
          to: other.place(ofLevel: level, plane: plane))
      }
    }
    self = other
    return true
  }

  /// Puts several slots into a layer, where blocks have too few layers.
  private mutating func arrange(_ slots: Int) {
    let layers = gl.mostLayers * Self.mostBlocks
    let wanted = (slots + layers - 1) / layers
    guard wanted > 1 else { return }
    let width = shape.planes.reduce(1) { max($0, $1.width) }
    let height = shape.planes.reduce(1) { max($0, $1.height) }
    let across = min(wanted, max(1, gl.longestSide / width))
    slotsInLayer = (
      across, min((wanted + across - 1) / across, max(1, gl.longestSide / height))
    )
  }

  /// Slots that one block can have.
  private func mostSlots(in slotsInLayer: (across: Int, down: Int)) -> Int {
    let largest = shape.planes.reduce(1) { max($0, $1.width * $1.height * $1.format.texelBytes) }
    let inLayer = slotsInLayer.across * slotsInLayer.down
    return min(gl.mostLayers, Self.mostBytes / (largest * inLayer)) * inLayer
  }

  private func makeBlock(_ slots: Int) -> (textures: [Texture], slots: Int)? {
    guard slots > 0 else { return nil }
    let inLayer = slotsInLayer.across * slotsInLayer.down
    var textures: [Texture] = []
    for plane in shape.planes {
      guard
        let texture = gl.makeTexture(
          plane.format, width: plane.width * slotsInLayer.across,
          height: plane.height * slotsInLayer.down, layers: (slots + inLayer - 1) / inLayer)
      else { return nil }
      textures.append(texture)
    }
    return (textures, slots)
  }

  private mutating func insert(_ block: (textures: [Texture], slots: Int), slots: Int) {
    let number = Int32(blocks.count)
    blocks.append(block.textures)
    // Between the oldest frames, which end before `newest`, and the newest.
    let place = count > 0 ? Int32(newest) : 0
    let added = Int32(slots)
    let run = SIMD4<Int32>(place, number, 0, 0)
    var parts = runs.filter { $0.x < place } + [run]
    if let cut = runs.last(where: { $0.x < place }), place < end(of: cut) {
      parts.append(SIMD4(place + added, cut.y, cut.z + place - cut.x, 0))
    }
    parts += runs.filter { $0.x >= place }.map { SIMD4($0.x + added, $0.y, $0.z, 0) }
    runs = parts
    capacity += slots
    if count > 0 { newest += slots }
  }

  /// The end of a run in the ring.
  private func end(of run: SIMD4<Int32>) -> Int32 {
    runs.first { $0.x > run.x }?.x ?? Int32(capacity)
  }
}
