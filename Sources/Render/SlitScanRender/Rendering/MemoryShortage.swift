// The memory shortage says what an effect has no memory or disk for, so that a film is not made without it.

import GStreamer
import SlitScanCapture

/// The part of the history, or of the canvas of a strip, that an effect has memory for, where it is less than
/// all that is wanted.
struct MemoryShortage {
  /// A sentence that says what there is memory for, and how much is needed for all.
  let description: String
  /// The parameter to set smaller.
  let remedy: String
  /// The beginning of a sentence that says how to have more.
  let advice: String

  /// The shortage of an effect since its last frame; nil where there is none.
  init?(_ scan: Element) {
    guard let stats = try? scan.get("stats", as: Structure.self) else { return nil }
    func shortage(_ field: String) -> (there: Int, wanted: Int)? {
      guard let there = stats.get(field, as: Int.self),
        let wanted = stats.get("wanted-\(field)", as: Int.self), there < wanted
      else { return nil }
      return (there, wanted)
    }
    if let (there, wanted) = shortage("depth") {
      let frame = (try? scan.pad("sink").caps.map(VideoInfo.init))??.byteCount ?? 0
      let bytes = text(ofBytes: frame * wanted)
      let isOnDisk = (try? scan.get("disk-bytes", as: Int.self)) ?? 0 > 0
      let place = isOnDisk ? "room in history-location" : "memory"
      description =
        "There is \(place) for only \(there) of \(wanted) frames of history, which need about \(bytes)."
      remedy = "depth"
      advice = isOnDisk ? "Free space there or raise max-disk" : "Raise max-memory"
    } else if let (there, wanted) = shortage("lines") {
      let taken = stats.get("history-bytes", as: Int.self) ?? 0
      let bytes = text(ofBytes: taken / max(there, 1) * wanted)
      description =
        "There is memory for only \(there) of the \(wanted) lines of the canvas, which need about \(bytes)."
      remedy = "canvas-length"
      advice = "Raise max-memory"
    } else {
      return nil
    }
  }
}
