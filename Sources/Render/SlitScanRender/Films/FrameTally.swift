// The frame tally counts frames that a decoder accepts but does not return.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Counts the encoded frames that enter a film's video decoder and the decoded frames that leave it.
///
/// GStreamer's decoders log a frame that they cannot decode, and go on without a word on the bus. Each packet of a
/// progressive video is one frame, so what is missing can be counted.
final class FrameTally: Sendable {
  private struct State {
    var packets = 0
    var frames = 0
    var corrupted = 0
    var hasCleanFrame = false
    /// Whether a packet is a frame: two fields of an interlaced frame may come in two packets.
    var isProgressive = true
  }

  private let state = Lock(State())

  /// Counts in the decoders that a bin adds from now on.
  func watch(_ bin: Element) throws(GStreamerError) {
    try bin.connect("deep-element-added") { [self] arguments in
      guard case .element(let element)? = arguments.last, let input = try? element.pad("sink"),
        let output = try? element.pad("src"), isRaw(output), !isRaw(input)
      else { return nil }
      watch(input, output)
      return nil
    }
  }

  private func watch(_ input: Pad, _ output: Pad) {
    input.addProbe([.buffer, .eventFlush]) { [self] item, pad in
      switch item {
      case .buffer(let packet): countPacket(packet, pad)
      // A flush throws away what is under way.
      case .event(let event) where event.kind == .flushStop: state.withLock { $0 = State() }
      default: break
      }
      return .pass
    }
    output.addProbe(.buffer) { [self] item, pad in
      if case .buffer(let frame) = item { countFrame(frame, pad) }
      return .pass
    }
  }

  private func countPacket(_ packet: Buffer, _ pad: Pad) {
    // Smaller ones repeat the frame before, as in DivX.
    guard packet.byteCount > 8, packet.flags.isDisjoint(with: [.decodeOnly, .header]),
      // An edit list cuts off what lies outside the segment.
      pad.streamTime(of: packet) != nil
    else { return }
    state.withLock { $0.packets += 1 }
  }

  private func countFrame(_ frame: Buffer, _ pad: Pad) {
    state.withLock { state in
      if state.frames == 0, let mode = pad.caps?.structures.first?.fields["interlace-mode"] {
        state.isProgressive = mode.text == "progressive"
      }
      state.frames += 1
      // A cut out of a stream begins with frames that refer to some before it.
      if !frame.flags.contains(.corrupted) {
        state.hasCleanFrame = true
      } else if state.hasCleanFrame {
        state.corrupted += 1
      }
    }
  }

  /// The frames that were not decoded, of all; nil where none is known to be missing.
  var lost: (count: Int, total: Int)? {
    state.withLock { state in
      let lost = state.packets - state.frames
      return state.isProgressive && lost > 0 ? (lost, state.packets) : nil
    }
  }

  /// The frames that were decoded and are known to be damaged.
  var corruptedCount: Int { state.withLock { $0.corrupted } }
}

/// True for a pad that decoded video passes.
private func isRaw(_ pad: Pad) -> Bool {
  (pad.caps ?? pad.possibleCaps)?.structures.first?.name == "video/x-raw"
}

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
  /// - Parameter readFrames: How many of its frames were read; nil where only some were wanted.
  init?(_ film: FilmDescription, readFrames: Int?, _ tally: FrameTally?) {
    path = film.path
    // A duration that is shorter than the frames is none of the whole film.
    let known = film.damage?.frameCount ?? film.frameCount
    let expected = known.flatMap { $0 > readFrames ?? .max ? $0 : nil }
    let lost = tally?.lost
    let corrupted = tally?.corruptedCount ?? 0
    if let damage = film.damage {
      lostFrames = expected.map { $0 - (readFrames ?? 0) }
      let place =
        switch damage {
        case .truncated(let size, let expected): "the file ends after \(size) of \(expected) bytes"
        case .broken(let position): "the file is damaged at byte \(position)"
        case .appended(let position): "another film begins at byte \(position), which is not read"
        case .animated: "GStreamer reads only the first frame of an animated PNG file"
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
