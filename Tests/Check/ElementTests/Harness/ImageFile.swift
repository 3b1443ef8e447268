// Writes image files for `map-location` as PGM, the simplest format there is.

import Foundation
import Reference

/// The image in a file for `map-location`: grey noise.
struct ImageDescription: Sendable {
  var width: Int
  var height: Int
  /// Whether values have 16 bits, not 8.
  var isDeep: Bool
  /// Where the noise comes from.
  var noise: UInt64

  /// The noise.
  func frame() throws -> Frame {
    try Frame.noise(width: width, height: height, format: format(), seed: noise)
  }

  /// Black is 0 and white is all ones, as it is in every PGM.
  func format() throws -> FormatDescription {
    let caps = VideoCaps(format: isDeep ? "GRAY16_BE" : "GRAY8", width: width, height: height)
    return try unsafe FormatDescription(videoInfo(of: caps))
  }
}

/// An image file of its own, for as long as this object lives.
final class ImageFile {
  let path: String

  /// A PGM of one component.
  init(_ frame: Frame, isDeep: Bool) throws {
    let folder = FileManager.default.temporaryDirectory
    path = folder.appendingPathComponent("slitscan-\(UUID().uuidString).pgm").path
    let header = "P5\n# grey noise\n\(frame.width) \(frame.height)\n\(isDeep ? 65535 : 255)\n"
    let bytes = frame.samples[0].flatMap { word -> [UInt8] in
      let low = UInt8(truncatingIfNeeded: word)
      return isDeep ? [UInt8(word >> 8), low] : [low]
    }
    try (Data(header.utf8) + Data(bytes)).write(to: URL(fileURLWithPath: path))
  }

  /// A file that shows this.
  convenience init(_ description: ImageDescription) throws {
    try self.init(description.frame(), isDeep: description.isDeep)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
