// Random and constant frames for tests.

import Reference
import SeededGenerator

extension Frame {
  /// Random samples, as many bits as the format's values have.
  static func noise(width: Int, height: Int, format: FormatDescription, seed: UInt64) -> Frame {
    var random = SeededGenerator(seed: seed)
    return Frame(
      width: width, height: height,
      samples: format.components.map { component in
        let count = component.columns(ofWidth: width) * component.rows(ofHeight: height)
        let bytes = random.bytes(2 * count)
        return (0..<count).map { index in
          (UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8) & component.mask
        }
      })
  }

  /// Every sample has this value.
  static func flat(_ word: UInt16, caps: VideoCaps, format: FormatDescription) -> Frame {
    Frame(
      width: caps.width, height: caps.height,
      samples: format.components.map { component in
        Array(
          repeating: word,
          count: component.columns(ofWidth: caps.width) * component.rows(ofHeight: caps.height))
      })
  }
}
