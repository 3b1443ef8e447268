// A video frame gives read access to the pixels of a mapped buffer.

import CGStreamer

/// Read access to the pixels of a buffer.
///
/// Mapped when made, unmapped when it goes, each once.
///
/// ```swift
/// let frame = try sample.videoFrame()
/// let row = frame.row(0, ofPlane: 0)
/// print(row[0])
/// ```
///
/// Shapes are the buffer's own: those of its `GstVideoMeta`, where it has one. All planes are known to
/// lie inside the buffer.
public struct VideoFrame: ~Copyable {
  private let mapped: MappedFrame

  /// Maps a buffer as what `info` says it holds.
  ///
  /// - Throws: ``GStreamerError/Code/notMappable`` where the memory cannot be read or is too small.
  public init(_ buffer: Buffer, _ info: VideoInfo) throws(GStreamerError) {
    mapped = try MappedFrame(buffer.object, info, GST_MAP_READ)
  }

  /// Format and size.
  public var info: VideoInfo { mapped.info }

  /// The number of planes, 1 to 4.
  public var planeCount: Int { mapped.planeCount }

  /// The shape of a plane, 0 ..< ``planeCount``; there is nothing in others.
  public func shape(ofPlane plane: Int) -> PlaneShape { mapped.shape(plane) }

  /// The bytes of a plane, from its first to its last sample, with the padding between rows.
  @_lifetime(borrow self)
  public func bytes(ofPlane plane: Int) -> RawSpan {
    let span = unsafe RawSpan(
      _unsafeStart: mapped.start(plane), byteCount: mapped.shape(plane).byteCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The samples of a row, without padding, as bytes.
  ///
  /// - Precondition: The plane has such a row.
  @_lifetime(borrow self)
  public func row(_ row: Int, ofPlane plane: Int) -> Span<UInt8> {
    let shape = mapped.shape(plane)
    precondition(0..<shape.rows ~= row, "There is no row \(row) in plane \(plane).")
    let start = unsafe mapped.start(plane).assumingMemoryBound(to: UInt8.self)
    let span = unsafe Span(_unsafeStart: start + row * shape.stride, count: shape.rowBytes)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}

/// Write access to the pixels of a ``WritableBuffer``, as long as
/// ``WritableBuffer/withVideoFrame(_:_:)`` lasts.
public struct MutableVideoFrame: ~Copyable {
  private let mapped: MappedFrame

  init(_ object: MiniObject, _ info: VideoInfo) throws(GStreamerError) {
    mapped = try MappedFrame(
      object, info, GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue))
  }

  /// Format and size.
  public var info: VideoInfo { mapped.info }

  /// The number of planes, 1 to 4.
  public var planeCount: Int { mapped.planeCount }

  /// The shape of a plane, 0 ..< ``planeCount``; there is nothing in others.
  public func shape(ofPlane plane: Int) -> PlaneShape { mapped.shape(plane) }

  /// Makes all pixels black and opaque, in the range of the caps.
  package mutating func paintBlack() { mapped.paintBlack() }

  /// The bytes of a plane, from its first to its last sample, with the padding between rows.
  @_lifetime(&self)
  public mutating func mutableBytes(ofPlane plane: Int) -> MutableRawSpan {
    let span = unsafe MutableRawSpan(
      _unsafeStart: mapped.start(plane), byteCount: mapped.shape(plane).byteCount)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// The samples of a row, without padding, as bytes.
  ///
  /// - Precondition: The plane has such a row.
  @_lifetime(&self)
  public mutating func mutableRow(_ row: Int, ofPlane plane: Int) -> MutableSpan<UInt8> {
    let shape = mapped.shape(plane)
    precondition(0..<shape.rows ~= row, "There is no row \(row) in plane \(plane).")
    let start = unsafe mapped.start(plane).assumingMemoryBound(to: UInt8.self)
    let span = unsafe MutableSpan(_unsafeStart: start + row * shape.stride, count: shape.rowBytes)
    return unsafe _overrideLifetime(span, mutating: &self)
  }
}
