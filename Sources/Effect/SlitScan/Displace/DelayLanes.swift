// The delay lanes hold delays line by line in the order in which the kernels read.

import CSlitScanKernels

/// The delays of one cache line: `base` is the smallest level that it shows something of, `reach` the
/// way to the largest.
typealias LineDelay = SlitScanLineDelay

/// The delay of one row, where it is the same all along: `level`, and the `weight` of the level after it.
typealias RowDelay = SlitScanRowDelay

/// The delays of all lines of a map.
///
/// Each byte (or sample) of a line is a *lane* and has a delay of its own, equal for all lanes of a
/// cell but for what `component-spread` adds. Lines whose delays lie close together keep them as small
/// numbers above the line's base, so that whole vectors of them can be compared with a level; the
/// others, and all lines of two-byte samples when interpolating, keep them as they are.
struct DelayLanes: ~Copyable {
  /// The delays of every line.
  private(set) var lines = LineMemory()
  /// Each lane's delay above its line's base, where that reaches no farther than
  /// `SLIT_SCAN_NARROW_REACH`.
  private(set) var narrow = LineMemory()
  /// Each lane's delay, elsewhere.
  private(set) var wide = LineMemory()

  /// No lines yet.
  init() {}

  /// The bytes of memory that the lines take, at most.
  var byteCount: Int { lines.byteCount + narrow.byteCount }

  /// Makes room for the lines of planes, `lineCount` in all.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func grow(to lineCount: Int, for planes: [MappedPlane]) throws(ScanError) {
    let narrowBytes = planes.map(\.narrowBytes).max() ?? 0
    let wideBytes = planes.map(\.wideBytes).max() ?? 0
    guard lines.grow(to: lineCount * MemoryLayout<LineDelay>.size),
      narrow.grow(to: lineCount * narrowBytes), wide.grow(to: lineCount * wideBytes)
    else {
      throw .refused(lineCount * (narrowBytes + wideBytes), for: "the delays of the map")
    }
  }

  /// Whether there is room for the lines of planes.
  func fit(_ planes: [MappedPlane]) -> Bool {
    planes.allSatisfy { plane in
      let end = plane.firstLine + plane.grid.lineCount
      return plane.firstLine >= 0 && lines.byteCount >= end * MemoryLayout<LineDelay>.size
        && narrow.byteCount >= end * plane.narrowBytes && wide.byteCount >= end * plane.wideBytes
    }
  }

  /// The delays of a line.
  func delay(ofLine line: Int) -> LineDelay {
    unsafe lines.bytes.unsafeLoad(
      fromByteOffset: line * MemoryLayout<LineDelay>.size, as: LineDelay.self)
  }

  /// Whether the lanes of two lines have the same delays; `second` is in the next tile to the right.
  func areAlike(_ first: Int, _ second: Int, of plane: MappedPlane) -> Bool {
    let (one, other) = (delay(ofLine: first), delay(ofLine: second))
    guard one.base == other.base, one.reach == other.reach else { return false }
    guard plane.isWide(reach: one.reach) else { return one.pattern == other.pattern }
    let byteCount = plane.wideBytes
    return Kernels.areEqual(
      wide.bytes.extracting((first * byteCount)..<((first + 1) * byteCount)),
      wide.bytes.extracting((second * byteCount)..<((second + 1) * byteCount)))
  }

  /// The delay of a byte of a tile, in frames of 2^`fractionBits` parts.
  func delay(ofByte byte: Int, inTileAt firstLine: Int, of plane: MappedPlane) -> UInt32 {
    let (tileLine, lane) = byte.quotientAndRemainder(dividingBy: TileLine.byteCount)
    let line = firstLine + tileLine
    let delay = delay(ofLine: line)
    guard !plane.isWide(reach: delay.reach) else {
      let start = line * plane.wideBytes + lane * plane.wideBytes / TileLine.byteCount / 4 * 4
      return plane.delay(
        ofWide: unsafe wide.bytes.unsafeLoad(fromByteOffset: start, as: UInt32.self))
    }
    let laneBytes = plane.narrowBytes / TileLine.byteCount
    let start = (plane.firstLine + Int(delay.pattern)) * plane.narrowBytes + lane * laneBytes
    let above =
      laneBytes == 1
      ? unsafe UInt32(narrow.bytes.unsafeLoad(fromByteOffset: start, as: UInt8.self))
      : unsafe UInt32(narrow.bytes.unsafeLoad(fromByteOffset: start, as: UInt16.self))
    return (delay.base << plane.fractionBits) + above
  }
}
