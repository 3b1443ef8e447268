// A video request names the size and frame rate that a source should deliver.

import GStreamer

/// A size and a frame rate; nil for whatever the source does best.
public struct VideoRequest: Sendable, Hashable {
  /// Pixels across.
  public var width: Int?
  /// Pixels down.
  public var height: Int?
  /// Frames a second.
  public var frameRate: Fraction?

  /// Whatever is not said is left to the source.
  public init(width: Int? = nil, height: Int? = nil, frameRate: Fraction? = nil) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
  }

  /// As it is written in a launch line.
  func caps(_ mediaType: String = "video/x-raw") -> String {
    var fields = [mediaType]
    if let width { fields.append("width=\(width)") }
    if let height { fields.append("height=\(height)") }
    if let frameRate { fields.append("framerate=\(frameRate)") }
    return fields.joined(separator: ",")
  }
}
