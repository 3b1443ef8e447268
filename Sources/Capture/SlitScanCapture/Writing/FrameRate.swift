// The frame rate that caps tell encoders, which share out their bits by it.

import GStreamer

extension Caps {
  /// The caps with another frame rate.
  package func told(_ rate: Fraction) throws(GStreamerError) -> Caps {
    guard var structure = structures.first else { return self }
    structure.fields["framerate"] = .fraction(rate)
    return try Caps(structure)
  }
}

extension Fraction {
  /// Whether it is a number of frames a second: not 0, where that varies, nor the ticks of a clock, as RTP's
  /// 90000/1.
  package var isOfFrames: Bool { quotient.map { $0 > 0 && $0 <= 1000 } ?? false }

  /// Frames a second; 30 where it does not say.
  package var framesPerSecond: Double { isOfFrames ? quotient ?? 30 : 30 }

  /// The frame rate, in whole frames or whole seconds, that is about one frame in a time.
  package init(ofFramesEvery duration: ClockTime) {
    let rate = 1 / max(duration.seconds, 0.001)
    self =
      rate >= 1
      ? Fraction(Int32(rate.rounded()), 1)
      : Fraction(1, Int32(clamping: Int(min(1e9, 1 / rate).rounded())))
  }
}
