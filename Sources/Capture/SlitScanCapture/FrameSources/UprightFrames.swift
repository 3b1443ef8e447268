// Upright frames: a phone writes them as its sensor lies, with a tag that says how to turn them.

import GStreamer

extension Pad {
  /// Links a decoder's pad to that of an element, unless that has a link already.
  ///
  /// Frames are turned and mirrored as their tag `image-orientation` says. Those without it go straight to the element,
  /// in formats, too, that `videoflip` does not take.
  func linkUpright(to entry: Pad) {
    // A decoder that starts again has new pads, perhaps of other frames.
    if let last = entry.peer, let turner = last.element, let input = try? turner.pad("sink"),
      !input.isLinked
    {
      last.unlink(from: entry)
    }
    guard !entry.isLinked else { return }
    if let direction = orientation.flatMap({ videoDirections[$0] }) {
      try? link(to: entry, turned: direction)
    } else {
      try? link(to: entry)
    }
  }
}

/// The values of `videoflip`'s `video-direction` that bring frames upright, by those of the tag.
private let videoDirections = [
  "rotate-90": "90r", "rotate-180": "180", "rotate-270": "90l", "flip-rotate-0": "horiz",
  "flip-rotate-90": "ur-ll", "flip-rotate-180": "vert", "flip-rotate-270": "ul-lr",
]

extension Pad {
  /// The tag `image-orientation` of the frames that come from a decoder's pad; nil where they have none.
  ///
  /// The pad is there with the caps of the frames, before tags have passed it: they have come as far as the
  /// decoder.
  fileprivate var orientation: String? {
    var place: Pad? = self
    while let pad = place {
      if let orientation = pad.tags["image-orientation"] { return orientation.text }
      let input = pad.element.flatMap { try? $0.pad("sink") }
      place = pad.direction == .sink ? pad.peer : pad.target ?? input
    }
    return nil
  }

  /// Has frames of another size keep the colours that these have: where their caps do not say which, those
  /// follow from the size.
  private func colourFilter(behind flip: Element) throws(GStreamerError) -> Element? {
    guard let info = caps.flatMap({ try? VideoInfo($0) }), info.isYUV,
      let colorimetry = info.colorimetry,
      let flipped = try flip.pad("src").possibleCaps?.structures.first,
      case .array(let formats)? = flipped.fields["format"]
    else { return nil }
    // RGB has no colorimetry of luma and chroma.
    let taken = formats.map(\.text).filter {
      (try? VideoInfo(VideoFormat(rawValue: $0), width: 16, height: 16))?.isYUV == true
    }
    return try Element(
      filter: Caps(
        "video/x-raw,format={\(taken.joined(separator: ","))},colorimetry=\(colorimetry)"))
  }

  /// Links a decoder's pad to that of an element, in the same bin, by way of elements that turn frames.
  fileprivate func link(to entry: Pad, turned direction: String) throws(GStreamerError) {
    guard let bin = entry.element?.parent else { return }
    let flip = try Element("videoflip")
    try flip.set("video-direction", to: direction)
    let turner = try Element(
      chaining: [Element("videoconvert"), flip] + [colourFilter(behind: flip)].compactMap(\.self))
    let input = try turner.pad("sink")
    // Or an element downstream might turn them once more.
    input.addProbe(.eventDownstream) { item in
      guard case .event(let event) = item, event.kind == .tag else { return .pass }
      return event.tags?["image-orientation"] == nil ? .pass : .drop
    }
    try bin.add(turner)
    try turner.pad("src").link(to: entry)
    try turner.syncStateWithParent()
    try link(to: input)
  }
}
