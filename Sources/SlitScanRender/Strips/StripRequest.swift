// The request for a strip photograph, and its result.

import GStreamer
import SlitScanCapture

/// A strip photograph to be taken of a film: some lines of pixels of each frame, side by side.
public struct StripRequest: Sendable {
  /// The film.
  public var input: String
  /// The file to write, which ends in `.png`.
  public var output: String
  /// What the effect is to do, in mode `strip`; where the slit is, how wide, and which way the strip
  /// grows follows from it.
  public var scan: Scan
  /// Whether marks along the edge say when lines were taken.
  public var hasScale: Bool
  /// Whether a file that is there is replaced.
  public var replacesOutput: Bool

  /// A strip of a film.
  public init(
    _ input: String, to output: String, scan: Scan = ["angle": 90], hasScale: Bool = false,
    replacesOutput: Bool = false
  ) {
    self.input = input
    self.output = output
    self.scan = scan
    self.hasScale = hasScale
    self.replacesOutput = replacesOutput
  }
}

/// A strip photograph that was taken.
public struct StripResult: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// Its size with the scale, in pixels.
  public var width: Int
  /// Its size with the scale, in pixels.
  public var height: Int
  /// Frames that it has lines of.
  public var pictures: Int
  /// When the first of them was shown.
  public var start: ClockTime
  /// When the last of them was shown.
  public var end: ClockTime
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// The part of the film that could not be read; nil if all was.
  public var damage: FilmDamage?
}
