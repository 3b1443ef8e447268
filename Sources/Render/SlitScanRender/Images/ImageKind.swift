// The kinds of image files that can be frames of a film.

import LibC
import SlitScanCapture

/// A kind of image file.
enum ImageKind: String, Sendable, CaseIterable {
  case png = "PNG"
  case jpeg = "JPEG"
  case tiff = "TIFF"
  case exr = "OpenEXR"
  case bmp = "BMP"
  case webp = "WebP"

  /// All kinds, for a person.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The kind that the end of a path stands for; nil if it is none of these.
  init?(ofName path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "png": self = .png
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "tif", "tiff": self = .tiff
    case "exr": self = .exr
    case "bmp": self = .bmp
    case "webp": self = .webp
    default: return nil
    }
  }

  /// Whether a file is called as images are.
  static func isNamed(_ path: String) -> Bool { ImageKind(ofName: path) != nil }

  /// The kind of a file by its first bytes; nil where it is no image, or cannot be read.
  init?(ofFile path: String) {
    guard let file = FileBytes(path) else { return nil }
    let start = file.bytes(at: 0, count: min(16, file.size)) ?? []
    func begins(_ bytes: [UInt8], at place: Int = 0) -> Bool {
      start.dropFirst(place).starts(with: bytes)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if begins([0x76, 0x2F, 0x31, 0x01]) {
      self = .exr
    } else if begins(Array("BM".utf8)) {
      self = .bmp
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// The name that caps have for it.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .tiff: "image/tiff"
    case .exr: "image/x-exr"
    case .bmp: "image/bmp"
    case .webp: "image/webp"
    }
  }

  /// Makes sure that GStreamer's decoders make of a file what it is.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed``.
  func requireDecodable(_ path: String) throws(CaptureError) {
    guard let file = FileBytes(path) else { return }
    switch self {
    case .jpeg where !hasJPEGEnd(file):
      // jpegdec makes the rest of such an image grey, and says nothing.
      throw CaptureError(
        .sourceFailed, "\(path): The JPEG image is cut short. Copy or save it again.")
    case .tiff:
      guard let bits = tiffBits(file), !Self.decodedTIFFBits.contains(bits) else { return }
      throw CaptureError(
        .missingElement,
        "\(path): GStreamer cannot decode TIFF images with \(bits.map(String.init).joined(separator: ", ")) bits. "
          + "Convert them to PNG, for example with ffmpeg, which keeps 16 bits.")
    default: break
    }
  }

  /// The bits of each sample of a pixel; for others, avdec_tiff of GStreamer 1.22 has no format, and may crash.
  private static let decodedTIFFBits: [[Int]] = [[8], [8, 8, 8], [8, 8, 8, 8], [16]]
}

/// Whether a JPEG image has its end: ITU-T T.81, annex B.
private func hasJPEGEnd(_ file: borrowing FileBytes) -> Bool {
  guard let bytes = file.bytes(at: 0, count: file.size) else { return false }
  var place = 2
  while place + 1 < bytes.count {
    guard bytes[place] == 0xFF else {
      // Data of a scan.
      place += 1
      continue
    }
    switch bytes[place + 1] {
    case 0xD9: return true
    case 0xFF: place += 1
    case 0x00, 0x01, 0xD0...0xD8: place += 2
    default:
      guard place + 3 < bytes.count else { return false }
      place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
    }
  }
  return false
}

/// The bits of each sample of a pixel of a TIFF image; nil where the file does not say: TIFF 6.0, section 2.
private func tiffBits(_ file: borrowing FileBytes) -> [Int]? {
  guard let start = file.bytes(at: 0, count: 8) else { return nil }
  let isLittle = start[0] == 0x49
  func number(_ position: Int, _ count: Int) -> Int? {
    file.bytes(at: position, count: count).map { bytes in
      (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
    }
  }
  guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
  for entry in 0..<count {
    let place = directory + 2 + 12 * entry
    guard let tag = number(place, 2), let values = number(place + 4, 4) else { return nil }
    guard tag == 258, 1...16 ~= values else { continue }
    let first = values > 2 ? number(place + 8, 4) : place + 8
    return first.flatMap { first in
      let bits = (0..<values).compactMap { number(first + 2 * $0, 2) }
      return bits.count == values ? bits : nil
    }
  }
  // One bit is usual.
  return [1]
}
