// The frozen output is kept and copied while neither the frames nor the map change.

/// The output of frozen frames, and what it was drawn with.
struct FrozenOutput: ~Copyable {
  /// The key that the output of frozen frames follows from.
  struct Key: Equatable {
    var settings: ScanSettings
    /// The revision of the delays.
    var delays: Int
  }

  private let tiles: TiledLayout
  private var output: FrameCopy
  private var key: Key?

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    output = FrameCopy(tiles)
  }

  /// The bytes of memory that the output takes.
  var byteCount: Int { output.byteCount }

  /// History has changed.
  mutating func forget() { key = nil }

  /// Gives the memory of the output back.
  mutating func release() {
    key = nil
    if byteCount > 0 { output = FrameCopy(tiles) }
  }

  /// Copies the output that was drawn with a key.
  ///
  /// - Returns: false if it is not held.
  func copy(_ key: Key, into target: inout MutableFrameSpan) -> Bool {
    guard key == self.key, output.isHeld else { return false }
    output.copy(into: &target)
    return true
  }

  /// Keeps an output, if it is the second one of its key.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func keep(_ key: Key, _ target: borrowing MutableFrameSpan) throws(ScanError) {
    if key == self.key {
      try output.hold(target.frame)
    } else {
      self.key = key
      output = FrameCopy(tiles)
    }
  }
}
