// A tile line is one cache line of a plane, the unit that the kernels read, blend and write.

/// A part of a tile.
enum TileLine {
  /// Bytes of a line.
  static let byteCount = 64
}
