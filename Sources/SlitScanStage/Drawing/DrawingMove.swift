// A drawing move is what a hand does to a map that it draws, or has drawn before, and its text.

/// Something that is done to pictures that are maps: to the drawing, which can be the map `live`, or to the images
/// of a folder.
public enum DrawingMove: Sendable, Hashable {
  /// Draws a stroke. Where nothing was the map `live` before, the drawing is from then on.
  case stroke(Stroke)
  /// Takes all strokes away: the map is 0, now, everywhere.
  case clear
  /// Has strokes fade to 0 by themselves, the whole range in some seconds; 0 for strokes that stay.
  case fade(Double)
  /// Has the drawing be the map `live`.
  case mapSource
  /// Has an image of the folder of maps be the map `image`, by its name, with or without its ending, or by its
  /// number from 1 on.
  case image(String)
  /// Has the next image of the folder be the map `image`, round at the end.
  case nextImage
  /// Has the image before be the map `image`, round at the beginning.
  case previousImage

  /// The longest time in which strokes fade, in seconds.
  public static let longestFade = 3600.0

  // MARK: Text

  /// The forms of the lines.
  static let forms = [
    "draw VALUE SIZE SOFTNESS none|x|y|xy X Y [X Y …]",
    "draw-clear",
    "draw-fade SECONDS",
    "map-source draw",
    "map-image NAME|NUMBER",
    "next-map",
    "previous-map",
  ]

  /// A drawing move from the words of a line; nil where they are none.
  init?(_ verb: String, _ words: [String]) {
    switch (verb, words.count) {
    case ("draw", 6...):
      let numbers = (words[..<3] + words[4...]).compactMap { Double($0) }
      guard numbers.count == words.count - 1, words.count.isMultiple(of: 2),
        let mirror = Stroke.Mirror(rawValue: words[3])
      else { return nil }
      let points = stride(from: 3, to: numbers.count, by: 2).map {
        Stroke.Point(numbers[$0], numbers[$0 + 1])
      }
      guard numbers.allSatisfy(\.isFinite),
        let stroke = Stroke(
          value: numbers[0], size: numbers[1], softness: numbers[2], mirror: mirror, points: points)
      else { return nil }
      self = .stroke(stroke)
    case ("draw-clear", 0): self = .clear
    case ("draw-fade", 1):
      guard let seconds = Double(words[0]), seconds.isFinite else { return nil }
      self = .fade(min(max(seconds, 0), Self.longestFade))
    case ("map-source", 1) where words[0] == "draw": self = .mapSource
    case ("map-image", 1): self = .image(words[0])
    case ("next-map", 0): self = .nextImage
    case ("previous-map", 0): self = .previousImage
    default: return nil
    }
  }

  /// The words of the line that stands for it.
  var words: [String] {
    switch self {
    case .stroke(let stroke):
      ["draw", "\(stroke.value)", "\(stroke.size)", "\(stroke.softness)", stroke.mirror.rawValue]
        + stroke.points.flatMap { ["\($0.x)", "\($0.y)"] }
    case .clear: ["draw-clear"]
    case .fade(let seconds): ["draw-fade", "\(seconds)"]
    case .mapSource: ["map-source", "draw"]
    case .image(let name): ["map-image", name]
    case .nextImage: ["next-map"]
    case .previousImage: ["previous-map"]
    }
  }
}
