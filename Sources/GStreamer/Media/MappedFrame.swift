// The mapping behind VideoFrame and MutableVideoFrame: mapped once, checked, unmapped once.

import CGStreamer

/// A mapped `GstVideoFrame`, whose planes are known to lie inside the buffer's memory.
@safe
struct MappedFrame: ~Copyable {
  let info: VideoInfo
  private let frame: GstVideoFrame
  private var shapes: [4 of PlaneShape]

  init(
    _ object: MiniObject, _ info: VideoInfo, _ access: GstMapFlags
  ) throws(GStreamerError) {
    // A meta that does not fit the caps would be a programmer's mistake to GStreamer.
    _ = unsafe try object.withPointer { (buffer) throws(GStreamerError) in
      unsafe try info.byteCount(in: buffer.assumingMemoryBound(to: GstBuffer.self))
    }
    var frame = unsafe GstVideoFrame()
    let isMapped = unsafe info.withGstVideoInfo { info in
      unsafe object.withPointer { buffer in
        unsafe gst_video_frame_map(
          &frame, info, buffer.assumingMemoryBound(to: GstBuffer.self), access) != 0
      }
    }
    guard isMapped else { throw access == GST_MAP_READ ? .notReadable : .notWritable }
    do {
      shapes = unsafe try Self.shapes(&frame, planeCount: info.planeCount)
    } catch {
      unsafe gst_video_frame_unmap(&frame)
      throw error
    }
    unsafe self.frame = frame
    self.info = info
  }

  deinit {
    var frame = unsafe frame
    unsafe gst_video_frame_unmap(&frame)
  }

  var planeCount: Int { info.planeCount }

  /// The shape of a plane, an empty one where there is none.
  func shape(_ plane: Int) -> PlaneShape {
    0..<planeCount ~= plane ? shapes[plane] : PlaneShape(stride: 0, rowBytes: 0, rows: 0)
  }

  /// The first byte of a plane; it has `shape(plane).byteCount` of them.
  func start(_ plane: Int) -> UnsafeMutableRawPointer {
    let data =
      switch plane {
      case 0: unsafe frame.data.0
      case 1: unsafe frame.data.1
      case 2: unsafe frame.data.2
      default: unsafe frame.data.3
      }
    return unsafe data ?? UnsafeMutableRawPointer(mutating: noBytes)
  }

  /// Makes all pixels black and opaque; only where it is mapped for writing.
  func paintBlack() {
    var frame = unsafe frame
    unsafe cgst_paint_black(&frame)
  }

  /// The shapes of all planes, as the buffer's `GstVideoMeta` or else the caps say.
  private static func shapes(
    _ frame: inout GstVideoFrame, planeCount: Int
  ) throws(GStreamerError) -> [4 of PlaneShape] {
    var shapes = [4 of PlaneShape](repeating: PlaneShape(stride: 0, rowBytes: 0, rows: 0))
    for plane in 0..<planeCount {
      let stride = unsafe Int(
        [frame.info.stride.0, frame.info.stride.1, frame.info.stride.2, frame.info.stride.3][plane])
      let rows = unsafe Int(clamping: cgst_plane_rows(&frame.info, guint(plane)))
      let used = unsafe Int(clamping: cgst_plane_row_bytes(&frame.info, guint(plane)))
      // Where pixels are in no simple order, a row is all of its stride.
      let rowBytes = used == 0 ? stride : used
      let available = unsafe Int(clamping: cgst_plane_bytes(&frame, guint(plane)))
      let (before, overflow) = stride.multipliedReportingOverflow(by: max(0, rows - 1))
      guard rows > 0, rowBytes > 0, stride >= rowBytes, !overflow, before <= available,
        rowBytes <= available - before
      else {
        throw GStreamerError(
          .notMappable,
          "Plane \(plane) has \(available) bytes for \(rows) rows of \(rowBytes) bytes, each "
            + "\(stride) bytes after the previous one. The upstream element sent an invalid buffer."
        )
      }
      shapes[plane] = PlaneShape(stride: stride, rowBytes: rowBytes, rows: rows)
    }
    return shapes
  }
}
