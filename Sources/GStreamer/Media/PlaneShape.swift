// The plane shape: width, height, stride and offset of one plane of a frame.

/// The shape of one plane of a mapped frame.
public struct PlaneShape: Sendable, Hashable {
  /// Bytes from the start of a row to the start of the next.
  public let stride: Int
  /// Bytes of a row that hold samples, at most the stride; the rest is padding.
  public let rowBytes: Int
  /// Rows.
  public let rows: Int

  /// Bytes from the first to the last sample.
  var byteCount: Int { rows == 0 ? 0 : stride * (rows - 1) + rowBytes }
}
