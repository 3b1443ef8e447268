// A drawing move changes a map that is drawn, or was drawn before.

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
}

extension MoveArguments {
  static let mapSource = MoveArgument<Move>(
    .ordinal("number of a source, or draw"), "NUMBER|draw",
    read: { $0 == "draw" ? .drawing(.mapSource) : Int($0).map { .mapSource($0) } },
    write: { if case .mapSource(let number) = $0 { "\(number)" } else { "draw" } })
  static let mapImage = MoveArgument(
    .ordinal("name or number of an image"), "NAME|NUMBER", read: { $0 }, write: { $0 })
  static let fade = MoveArgument(
    .number("seconds"), "SECONDS",
    read: { word in number(word).map { min(max($0, 0), DrawingMove.longestFade) } })
  static let stroke = MoveArgument(
    .stroke, ["VALUE SIZE SOFTNESS none|x|y|xy X Y [X Y …]"], read: { readStroke(&$0) },
    write: { (stroke: Stroke) in
      ["\(stroke.value)", "\(stroke.size)", "\(stroke.softness)", stroke.mirror.rawValue]
        + stroke.points.flatMap { ["\($0.x)", "\($0.y)"] }
    })

  private static func readStroke(_ rest: inout ArraySlice<String>) -> Stroke? {
    let words = Array(rest)
    rest = []
    guard words.count >= 6, words.count.isMultiple(of: 2),
      let mirror = Stroke.Mirror(rawValue: words[3])
    else { return nil }
    let numbers = (words[..<3] + words[4...]).compactMap { number($0) }
    guard numbers.count == words.count - 1 else { return nil }
    let points = stride(from: 3, to: numbers.count, by: 2).map {
      Stroke.Point(numbers[$0], numbers[$0 + 1])
    }
    return Stroke(
      value: numbers[0], size: numbers[1], softness: numbers[2], mirror: mirror, points: points)
  }
}
