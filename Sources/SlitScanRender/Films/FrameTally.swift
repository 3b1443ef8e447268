// The frame tally counts frames that a decoder accepts but does not return.

import GStreamer
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
      // What was cut out of a stream begins with frames that refer to some before it.
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

/// Whether decoded video passes a pad.
private func isRaw(_ pad: Pad) -> Bool {
  (pad.caps ?? pad.possibleCaps)?.structures.first?.name == "video/x-raw"
}
