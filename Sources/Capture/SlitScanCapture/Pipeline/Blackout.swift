// Black instead of frames.

import GStreamer

/// Covers frames with black ones of the same kind.
///
/// A black frame is made in memory with the first frame of its kind that is to be covered.
struct Blackout: Sendable {
  var isOn = false
  /// The last black frame that was needed; nil where there is no memory for it.
  private var black: (caps: Caps, buffer: Buffer?)?

  /// The frame, or black in its place.
  mutating func cover(_ sample: Sample) -> Sample {
    guard isOn, let caps = sample.caps, let frame = sample.buffer,
      let time = frame.presentationTime
    else { return sample }
    if black?.caps != caps { black = (caps, try? Self.make(VideoInfo(caps))) }
    guard let covered = try? black?.buffer?.moved(to: time, duration: frame.duration) else {
      return sample
    }
    return Sample(covered, caps: caps)
  }

  private static func make(_ info: VideoInfo) throws -> Buffer {
    var frame = try WritableBuffer(info)
    try frame.withVideoFrame(info) { $0.paintBlack() }
    return frame.finish()
  }
}
