// A decoded stream: the one of a file or an address that is wanted, of all that it has.

import GStreamer
import StreamingThread

package enum StreamKind: Sendable {
  case video, sound

  /// The prefixes of the media types of its encoded streams.
  var mediaTypes: [String] {
    switch self {
    case .video: ["video/", "image/"]
    case .sound: ["audio/"]
    }
  }

  /// The prefixes of the media types of other streams, which need not be decoded.
  var others: [String] {
    let texts = ["text/", "subpicture/", "closedcaption/"]
    return (self == .video ? Self.sound : .video).mediaTypes + texts
  }

  /// Whether a media type is that of a stream of this kind.
  package func has(_ mediaType: String?) -> Bool {
    mediaTypes.contains { mediaType?.hasPrefix($0) == true }
  }
}

extension Element {
  /// A bin of elements, one of which is a `decodebin` or `uridecodebin` that decodes one stream.
  package init(
    decoding kind: StreamKind, stream: String? = nil, by elements: [Element]
  ) throws(GStreamerError) {
    try self.init(chaining: elements) { decoder, next throws(GStreamerError) in
      try decoder.decodes(kind, stream, into: next)
    }
  }

  /// Links one stream of a `decodebin` or `uridecodebin` to the next element, and decodes no stream of another kind.
  ///
  /// It is the stream with an identifier, or else the one that the container selects by default, or else the first.
  /// Video comes upright. An error of the
  /// next element says that there is no such stream, or no decoder for it.
  private func decodes(
    _ kind: StreamKind, _ stream: String?, into next: Element
  ) throws(GStreamerError) {
    let entry = try next.pad("sink")
    let found = Lock<[Pad]>([])
    let undecoded = Lock<String?>(nil)
    // `expose-all-streams` would do this, but leaves out decoders that say only once they run that they give raw
    // video, such as those of VP8 and VP9 with alpha.
    try connect("autoplug-continue") { arguments in
      guard case .pad(let pad)? = arguments.first, case .caps(let caps)? = arguments.last,
        let structure = caps.structures.first
      else { return .bool(true) }
      let isElementary =
        pad.target?.element?.isDemuxer == true
        && structure.get("systemstream", as: Bool.self) != true
      guard isElementary else { return .bool(true) }
      if let stream, let id = pad.streamID, id != stream { return .bool(false) }
      return .bool(!kind.others.contains(where: structure.name.hasPrefix))
    }
    // Where GStreamer has no name for the format of frames, as those of FFV1, a decoder of libav crashes unless it
    // copies them.
    try connect("deep-element-added") { arguments in
      if case .element(let element)? = arguments.last, element.factoryName == "avdec_ffv1" {
        try? element.set("direct-rendering", to: false)
      }
      return nil
    }
    try connect("unknown-type") { arguments in
      if case .caps(let caps)? = arguments.last, kind.has(caps.structures.first?.name),
        let structure = caps.structures.first
      {
        undecoded.withLock { $0 = structure.name }
      }
      return nil
    }
    try connect("pad-added") { arguments in
      if case .pad(let pad)? = arguments.first,
        kind.has((pad.caps ?? pad.possibleCaps)?.structures.first?.name)
      {
        found.withLock { $0.append(pad) }
      }
      return nil
    }
    // Nothing has passed the pads yet.
    try connect("no-more-pads") { _ in
      let pads = found.withLock { pads in
        defer { pads = [] }
        if let stream { return pads.filter { $0.streamID == stream } }
        return [.selected, .undecided, .deselected].flatMap { (selection: StreamSelection) in
          pads.filter { $0.selection == selection }
        }
      }
      for pad in pads { pad.linkUpright(to: entry) }
      guard !entry.isLinked else { return nil }
      if let codec = undecoded.withLock({ $0 }) {
        entry.element?.fail("There is no decoder for \(codec).", .codecNotFound)
      } else {
        entry.element?.fail("There is no \(kind) in this file.", .noStream)
      }
      return nil
    }
  }

  /// Gives frames that come without a time one, and a duration that follows from the frame rate.
  ///
  /// A stream of images has no times, and the frames of a GIF all have the same. 25 frames a second are assumed where
  /// nothing is said.
  func timesFrames() throws(GStreamerError) {
    struct Latest {
      /// The presentation time that the frame before came with.
      var told: ClockTime?
      /// The time that it was given.
      var time: ClockTime?
      var duration = ClockTime.zero
    }
    let latest = Lock(Latest())
    try pad("src").addProbe([.buffer, .eventDownstream, .eventFlush]) { item, pad in
      switch item {
      case .event(let event) where event.kind == .segment || event.kind == .flushStop:
        latest.withLock { $0 = Latest() }
        return .pass
      case .buffer(let buffer):
        let told = buffer.presentationTime
        let isTimed = latest.withLock { latest in
          guard let told, told != latest.told || latest.time == nil else { return false }
          latest = Latest(told: told, time: told, duration: buffer.duration ?? .zero)
          return true
        }
        if isTimed { return .pass }
        let rate = pad.caps?.structures.first?.get("framerate", as: Fraction.self)?.quotient ?? 0
        let duration = buffer.duration ?? .seconds(1 / (rate > 0 ? rate : 25))
        let time = latest.withLock { latest in
          let step = latest.duration > .zero ? latest.duration : duration
          let time = latest.time.map { $0 + step } ?? .zero
          latest = Latest(told: told, time: time, duration: duration)
          return time
        }
        return (try? buffer.moved(to: time, duration: duration)).map { .replace($0) } ?? .pass
      default: return .pass
      }
    }
  }
}
