// The options --from and --to: the in and out points of a film.

import ArgumentParser
import SlitScanRender

struct PointOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In point: a time such as 10, 0:10, 1:02:03.5 or 2min, or a frame such as 300f, from 0f on.",
      valueName: "point"), transform: point)
  var from: FilmPoint?

  @Option(
    help: ArgumentHelp(
      "Out point, likewise: the first frame that is left out.", valueName: "point"),
    transform: point)
  var to: FilmPoint?

  var range: FilmRange { FilmRange(from: from, to: to) }

  private static func point(_ text: String) throws -> FilmPoint {
    guard let point = FilmPoint(text) else {
      throw ValidationError(
        "A point is a time such as 10, 0:10, 1:02:03.5 or 2min, or a frame such as 300f.")
    }
    return point
  }
}
