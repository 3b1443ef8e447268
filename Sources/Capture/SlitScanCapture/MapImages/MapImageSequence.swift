// A map image sequence is images that are the map, by the time in the video.

import GStreamer

/// Images that are the map `live` in the course of a video, made when their frames come.
package struct MapImageSequence: Sendable, Equatable {
  /// The image for a frame, by its time since the first frame; nil for 0 everywhere.
  ///
  /// Times do not decrease.
  package typealias Maker = @Sendable (_ time: ClockTime) throws -> MapImage?

  /// The text that the images are made from: sequences of the same content are equal.
  package let content: String
  private let make: @Sendable (_ aspect: Double) -> Maker

  /// A sequence.
  ///
  /// - Parameters:
  ///   - content: What the images follow from, and nothing else but times and shape.
  ///   - make: Makes a maker for frames of a shape, their width over their height. It begins anew.
  package init(content: String, _ make: @escaping @Sendable (_ aspect: Double) -> Maker) {
    self.content = content
    self.make = make
  }

  /// The images for frames of a shape, their width over their height, from the first frame on.
  package func maker(aspect: Double) -> Maker { make(aspect) }

  /// Whether both follow from the same.
  package static func == (left: Self, right: Self) -> Bool { left.content == right.content }
}
