// A PNG image, read with all bits that it has.

import CPNGFiles
import GStreamer
import SlitScanCapture

extension PngReaderLayout {
  /// The least pixels of the same size that hold what these and others do.
  func union(_ other: PngReaderLayout) -> PngReaderLayout {
    PngReaderLayout(
      width: width, height: height, is_colour: is_colour | other.is_colour,
      has_alpha: has_alpha | other.has_alpha, is_deep: is_deep | other.is_deep)
  }

  var hasAlpha: Bool { has_alpha != 0 }

  /// GStreamer's format for these pixels; it has no colours of 16 bits without alpha.
  var format: VideoFormat {
    switch (is_colour != 0 || hasAlpha, is_deep != 0) {
    case (true, true): VideoFormat(rawValue: "ARGB64_LE")
    case (true, false): hasAlpha ? .rgba : .rgb
    case (false, true): .gray16
    case (false, false): .gray8
    }
  }
}

/// A PNG file that is being read.
@safe
struct PNGImage: ~Copyable {
  private let reader: OpaquePointer
  private let path: String

  /// Opens a file, and reads its header.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed``.
  static func open(_ path: String) throws(CaptureError) -> PNGImage {
    guard let reader = unsafe png_reader_open(path) else {
      throw CaptureError(.sourceFailed, "\(path): There is not enough memory to read the image.")
    }
    let image = unsafe PNGImage(reader: reader, path: path)
    if let failure = image.failure { throw failure }
    return image
  }

  deinit { unsafe png_reader_free(reader) }

  /// The pixels that it has.
  var layout: PngReaderLayout { unsafe png_reader_layout(reader) }

  /// Reads the pixels; once.
  ///
  /// - Parameters:
  ///   - layout: Pixels of the same size that hold those of the image.
  ///   - info: The frame that they become, in the format of the layout.
  consuming func read(as layout: PngReaderLayout, _ info: VideoInfo) throws -> WritableBuffer {
    var buffer = try WritableBuffer(info)
    let isRead = try buffer.withVideoFrame(info) { frame in
      let stride = frame.shape(ofPlane: 0).stride
      var bytes = frame.mutableBytes(ofPlane: 0)
      precondition(bytes.byteCount >= stride * Int(layout.height), "All rows have a place.")
      var wanted = layout
      return unsafe bytes.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return false }
        return unsafe png_reader_rows(
          reader, &wanted, start.assumingMemoryBound(to: UInt8.self), stride) != 0
      }
    }
    guard isRead else {
      throw failure ?? CaptureError(.sourceFailed, "\(path): The image cannot be decoded.")
    }
    return buffer
  }

  private var failure: CaptureError? {
    guard let reason = unsafe png_reader_error(reader) else { return nil }
    return unsafe CaptureError(
      .sourceFailed,
      "\(path): The PNG image cannot be decoded (\(String(cString: reason))): it is damaged or cut short."
    )
  }
}
