// A format change is a difference between the captured frames and those in the file: size, chroma, bits or alpha.

import GStreamer

/// A difference between frames and what is written of them.
///
/// Its description is a sentence for a person.
package enum FormatChange: Sendable, Hashable, CustomStringConvertible {
  /// Frames are scaled, as the encoder takes even sizes only, or those before had another size.
  case scaled(fromWidth: Int, fromHeight: Int, toWidth: Int, toHeight: Int)
  /// Colour has fewer samples than there were, as in 4:2:0.
  case lessColour(from: VideoFormat, to: VideoFormat)
  /// Samples have fewer bits.
  case fewerBits(from: Int, to: Int)
  /// Opacity is lost.
  case noOpacity(VideoFormat)

  /// The differences between two formats of raw video.
  package static func between(_ old: VideoInfo, _ new: VideoInfo) -> [FormatChange] {
    var changes: [FormatChange] = []
    if (old.width, old.height) != (new.width, new.height) {
      changes.append(
        .scaled(
          fromWidth: old.width, fromHeight: old.height, toWidth: new.width, toHeight: new.height))
    }
    if let before = old.chromaSubsampling,
      new.chromaSubsampling.map({ $0.across > before.across || $0.down > before.down }) ?? true
    {
      changes.append(.lessColour(from: old.format, to: new.format))
    }
    if old.bitDepth > new.bitDepth {
      changes.append(.fewerBits(from: old.bitDepth, to: new.bitDepth))
    }
    if old.hasAlpha, !new.hasAlpha { changes.append(.noOpacity(old.format)) }
    return changes
  }

  /// The change in a sentence.
  package var description: String {
    switch self {
    case .scaled(let fromWidth, let fromHeight, let toWidth, let toHeight):
      "Frames of \(fromWidth)x\(fromHeight) pixels were scaled to \(toWidth)x\(toHeight)."
    case .lessColour(let from, let to):
      "Colour has a lower resolution: \(from) was written as \(to)."
    case .fewerBits(let from, let to): "Samples of \(from) bits were written with \(to)."
    case .noOpacity(let from): "The opacity of \(from) was not written."
    }
  }
}

extension VideoFormat {
  /// The format, of several, that keeps most of frames.
  ///
  /// First their alpha counts, then their chroma, then their bits. Of formats that keep as much, it is the one with the
  /// least that the frames do not have.
  package static func closest(to frames: VideoInfo, of formats: [VideoFormat]) -> VideoFormat? {
    func area(_ info: VideoInfo) -> Int {
      info.chromaSubsampling.map { 16 / ($0.across * $0.down) } ?? 0
    }
    func cost(_ format: VideoFormat) -> [Int]? {
      guard let info = try? VideoInfo(format, width: frames.width, height: frames.height) else {
        return nil
      }
      let (chroma, bits) = (area(info) - area(frames), info.bitDepth - frames.bitDepth)
      return [
        frames.hasAlpha && !info.hasAlpha ? 1 : 0, max(0, -chroma), max(0, -bits),
        frames.isYUV == info.isYUV ? 0 : 1, info.hasAlpha && !frames.hasAlpha ? 1 : 0,
        max(0, chroma), max(0, bits), format == frames.format ? 0 : 1,
      ]
    }
    let costs = formats.compactMap { format in cost(format).map { (format, $0) } }
    return costs.min { $0.1.lexicographicallyPrecedes($1.1) }?.0
  }
}
