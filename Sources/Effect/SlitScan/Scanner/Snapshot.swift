// A snapshot is a copy of the last output for the task that asked for it.

/// A frame in one buffer, without gaps between rows or planes.
public struct Snapshot: Sendable {
  /// The layout of the bytes.
  public let layout: FrameLayout
  /// The ``FrameLayout/byteCount`` bytes of the frame.
  public let bytes: [UInt8]

  /// Draws the last output of `scan` again; nil if there was none.
  ///
  /// The output went downstream with its buffer, so nothing is kept of it; history still holds what
  /// it was made from.
  init?(of scan: inout ScanCore<SystemMemory>) {
    guard let layout = scan.outputLayout else { return nil }
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    do throws(ScanError) {
      var frame = try MutableFrameSpan(bytes.mutableSpan, layout: layout)
      try scan.draw(into: &frame)
    } catch {
      return nil
    }
    self.layout = layout
    self.bytes = bytes
  }
}
