// How raw sound lies in memory.

import CGStreamer
import CGStreamerAudio

/// The layout of raw, interleaved sound, as its caps describe it: `GstAudioInfo`.
@safe
public struct AudioInfo: @unchecked Sendable {
  // Why @unchecked Sendable is sound: the one pointer in it is to GStreamer's table of formats, which
  // is never changed and never goes.
  private let raw: GstAudioInfo

  /// The layout that caps describe.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where they are not fixed, or not raw sound whose
  ///   channels are interleaved.
  public init(_ caps: Caps) throws(GStreamerError) {
    var info = unsafe GstAudioInfo()
    guard caps.isFixed,
      unsafe caps.withGstCaps({ unsafe gst_audio_info_from_caps(&info, $0) }) != 0,
      unsafe info.finfo != nil, unsafe info.rate > 0, unsafe info.bpf > 0,
      unsafe info.layout == GST_AUDIO_LAYOUT_INTERLEAVED || info.channels == 1
    else {
      throw GStreamerError(.wrongType, "These caps are not those of interleaved raw sound: \(caps)")
    }
    unsafe raw = info
  }

  /// Frames (one sample for each channel) a second.
  public var sampleRate: Int { unsafe Int(raw.rate) }
  /// The channels of a frame.
  public var channels: Int { unsafe Int(raw.channels) }
  /// The bytes of a frame.
  public var bytesPerFrame: Int { unsafe Int(raw.bpf) }

  /// How long so many frames last, to the nearest nanosecond.
  public func duration(ofFrames frames: Int) -> ClockTime {
    .seconds(Double(frames) / Double(sampleRate))
  }

  /// The frames of a time, to the nearest.
  public func frames(in duration: ClockTime) -> Int {
    Int((duration.seconds * Double(sampleRate)).rounded())
  }

  /// A buffer of so many frames of silence.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory``.
  public func silence(frames: Int) throws(GStreamerError) -> WritableBuffer {
    var buffer = try WritableBuffer(byteCount: frames * bytesPerFrame)
    do {
      try buffer.withMutableBytes { bytes in
        unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe gst_audio_format_info_fill_silence(
            raw.finfo, bytes.baseAddress, gsize(bytes.count))
        }
      }
    } catch {
      throw GStreamerError(.notMappable, "The memory of a new buffer cannot be written.")
    }
    return buffer
  }
}
