// Film damage describes the frames of a film that could not be read.

import SlitScanCapture

/// Frames of a film that could not be read, or a file that is not whole.
public struct FilmDamage: Sendable, Hashable {
  /// The film.
  public let path: String
  /// The frames that are missing; nil where that is not known.
  public let lostFrames: Int?
  /// A sentence for a person, which begins with the path.
  public let message: String

  /// The damage of a film that was read to its end; nil where there is none.
  ///
  /// - Parameters:
  ///   - readFrames: How many of its frames were read; nil where only some were wanted.
  ///   - tally: The frames that its decoder lost.
  init?(_ film: FilmDescription, readFrames: Int?, _ tally: FrameTally?) {
    path = film.path
    // A duration that is shorter than the frames is none of the whole film.
    let expected = film.pictureCount.flatMap { $0 > readFrames ?? .max ? $0 : nil }
    let lost = tally?.lost
    let corrupted = tally?.corruptedCount ?? 0
    if let damage = film.damage {
      lostFrames = expected.map { $0 - (readFrames ?? 0) }
      let place =
        switch damage {
        case .truncated(let size, let expected): "the file ends after \(size) of \(expected) bytes"
        case .broken(let position): "the file is damaged at byte \(position)"
        }
      let frames =
        if let expected, let lostFrames {
          "About \(lostFrames) of \(expected) frames could not be read."
        } else {
          "Frames may be missing."
        }
      message = "\(film.path): \(place). \(frames)"
    } else if let lost {
      // A parser drops what is no frame at all before the decoder sees it.
      let total = expected.map { lost.total...(lost.total + lost.count) ~= $0 ? $0 : lost.total }
      let count = lost.count + (total ?? lost.total) - lost.total
      lostFrames = count
      message =
        "\(film.path): \(count) of \(total ?? lost.total) frames could not be decoded. The file is "
        + "damaged."
    } else if corrupted > 0 {
      lostFrames = 0
      message = "\(film.path): \(corrupted) frame\(corrupted == 1 ? " is" : "s are") damaged."
    } else {
      return nil
    }
  }
}
