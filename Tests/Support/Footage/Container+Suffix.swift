// The ends of paths of recordings.

import SlitScanCapture

extension Container {
  /// The end of a path.
  package var suffix: String {
    switch self {
    case .mp4: "mp4"
    case .matroska: "mkv"
    case .webm: "webm"
    }
  }
}
