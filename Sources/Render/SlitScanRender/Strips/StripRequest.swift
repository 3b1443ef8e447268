// The strip request, its forecast and its result.

import GStreamer
import SlitScanCapture

/// A strip photograph to be taken of a film: some lines of pixels of each frame, side by side.
public struct StripRequest: Sendable {
  /// The film: a file, an address, or an image sequence as in ``RenderRequest/inputs``.
  public var inputs: [String]
  /// Frames a second of an image sequence; nil for 25.
  public var frameRate: Fraction?
  /// The file to write, which ends in `.png`.
  public var output: String
  /// The settings of the effect, in mode `strip`; where the slit is, how wide, and which way the strip
  /// grows follows from it.
  public var scan: Scan
  /// Whether the newest lines are at the left or at the top, rather than at the right or at the bottom.
  public var isReversed = false
  /// The in and out points.
  public var range = FilmRange()
  /// Whether marks along the edge say when lines were taken.
  public var hasScale: Bool
  /// The time of a clock at the first frame of the film, from which scale and title count; nil for the time of the film.
  public var startTime: ClockTime?
  /// A text below the strip, with the date of the film, the time, the frame rate and the slit; nil for none.
  public var title: String?
  /// Whether a file that is there is replaced.
  public var replacesOutput: Bool

  /// A strip of a film.
  public init(
    _ inputs: String..., to output: String, scan: Scan = ["angle": 90], hasScale: Bool = false,
    replacesOutput: Bool = false
  ) {
    self.inputs = inputs
    self.output = output
    self.scan = scan
    self.hasScale = hasScale
    self.replacesOutput = replacesOutput
  }
}

/// The output of a strip photograph, foretold.
public struct StripForecast: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// Its size with scale and title, in pixels.
  public var width: Int
  /// Its size with scale and title, in pixels.
  public var height: Int
  /// 1 for grey, 3 for RGB, 4 for RGBA.
  public var channels: Int
  /// The bits of a sample.
  public var bits: Int
  /// Frames that it has lines of.
  public var frames: Int
  /// The time for which they are shown.
  public var duration: ClockTime
  /// Warnings for the user.
  public var warnings: [String]
}

/// A strip photograph that was taken.
public struct StripResult: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// Its size with scale and title, in pixels.
  public var width: Int
  /// Its size with scale and title, in pixels.
  public var height: Int
  /// Frames that it has lines of.
  public var frames: Int
  /// When the first of them was shown.
  public var start: ClockTime
  /// When the last of them was shown.
  public var end: ClockTime
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// The part of the film that could not be read; nil if all was.
  public var damage: FilmDamage?
  /// Warnings for the user.
  public var warnings: [String] = []
}
