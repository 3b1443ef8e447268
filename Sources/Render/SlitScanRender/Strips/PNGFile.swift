// A PNG file that is written row by row and never held in memory as a whole.

import CPNGWriter
import LibC
import SlitScanCapture

/// A PNG file of 8-bit RGB that is being written.
@safe
struct PNGFile: ~Copyable {
  /// The most pixels that a side can have.
  static let longestSide = Int(PNG_WRITER_LONGEST_SIDE)

  private let writer: OpaquePointer
  /// The name that a person knows it by.
  private let name: String
  private let rowBytes: Int

  /// Creates a file, over what is there.
  ///
  /// - Parameter name: What errors call it.
  static func create(
    _ path: String, called name: String, width: Int, height: Int
  ) throws(CaptureError) -> PNGFile {
    guard 1...longestSide ~= width, 1...longestSide ~= height,
      let writer = unsafe png_writer_open(path, UInt32(width), UInt32(height))
    else {
      throw CaptureError(
        .badRequest,
        "\(name): A PNG file cannot have \(width)x\(height) pixels. Make a shorter strip.")
    }
    let file = unsafe PNGFile(writer: writer, name: name, rowBytes: 3 * width)
    if let failure = file.firstFailure { throw failure }
    return file
  }

  deinit { unsafe png_writer_free(writer) }

  /// Writes the next row.
  ///
  /// - Parameter pixels: Three bytes for each pixel, no fewer.
  func write(_ pixels: Span<UInt8>) throws(CaptureError) {
    precondition(pixels.count >= rowBytes, "A row has \(rowBytes) bytes.")
    let isWritten = unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe pixels.baseAddress.map { unsafe png_writer_row(writer, $0) != 0 } ?? false
    }
    if !isWritten { throw failure }
  }

  /// Writes what is left, once all rows are.
  func finish() throws(CaptureError) {
    if unsafe png_writer_finish(writer) == 0 { throw failure }
  }

  private var firstFailure: CaptureError? {
    guard let reason = unsafe png_writer_error(writer) else { return nil }
    return unsafe CaptureError(
      system: png_writer_error_number(writer), writing: name, String(cString: reason))
  }

  private var failure: CaptureError {
    firstFailure ?? CaptureError(.notWritable, "\(name) cannot be written.")
  }
}

extension CaptureError {
  /// The meaning of a system error for a file that is written.
  init(system number: Int32, writing path: String, _ reason: String) {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      self.init(
        .diskFull, "The disk is full: \(path) was not written. Free some space, or write elsewhere."
      )
    default:
      self.init(
        .notWritable,
        "\(path) cannot be written (\(reason)). Check that the folder exists and is writable.")
    }
  }
}
