// A PNG file that is written row by row and never held in memory as a whole.

import CPNGFiles
import LibC
import SlitScanCapture

/// The pixels of rows, and what is written of them.
struct PNGPixels: Sendable, Hashable {
  /// The channels of rows: 1 for grey, 3 for RGB, 4 for RGBA.
  var channels = 3
  /// The bits of a sample: 8, or 16 with the higher byte first.
  var bits = 8
  /// Whether alpha is left out.
  var isOpaque = true

  /// Bytes of a pixel in a row.
  var byteCount: Int { channels * bits / 8 }

  /// Grey pixels of 8 bits as these, opaque.
  func pixels(ofGray gray: [UInt8]) -> [UInt8] {
    let sampleBytes = bits / 8
    var pixels = [UInt8](repeating: .max, count: gray.count * byteCount)
    for (index, sample) in gray.enumerated() {
      let start = index * byteCount
      for place in start..<start + min(channels, 3) * sampleBytes { pixels[place] = sample }
    }
    return pixels
  }
}

/// A PNG file that is being written.
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
    _ path: String, called name: String, width: Int, height: Int, _ pixels: PNGPixels = PNGPixels()
  ) throws(CaptureError) -> PNGFile {
    let format = PngWriterPixels(
      channels: Int32(pixels.channels), bits: Int32(pixels.bits), is_opaque: pixels.isOpaque ? 1 : 0
    )
    guard 1...longestSide ~= width, 1...longestSide ~= height,
      let writer = unsafe png_writer_open(path, UInt32(width), UInt32(height), format)
    else {
      throw CaptureError(
        .badRequest,
        "\(name): A PNG file cannot have \(width)x\(height) pixels. Make a smaller image.")
    }
    let file = unsafe PNGFile(writer: writer, name: name, rowBytes: pixels.byteCount * width)
    if let failure = file.firstFailure { throw failure }
    return file
  }

  deinit { unsafe png_writer_free(writer) }

  /// Writes the next row.
  ///
  /// - Parameter pixels: At least as many bytes as a row has.
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
