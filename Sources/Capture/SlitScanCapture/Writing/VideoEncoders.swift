// The video encoders of each codec, and the properties that set their quality and speed.

import GStreamer

/// The time that an encoder takes: a faster one writes larger files of the same quality.
///
/// ProRes and FFV1 have one speed.
public enum EncoderSpeed: String, Sendable, Hashable, CaseIterable {
  /// The smallest files: preset `veryslow` of x264 and x265.
  case slowest
  /// Preset `slow` of x264 and x265.
  case slow
  /// Preset `medium` of x264 and x265.
  case medium
  /// Preset `veryfast` of x264 and x265.
  case fast
  /// Preset `ultrafast` of x264 and x265.
  case fastest

  /// The preset of x264 and x265.
  fileprivate var x264: String {
    switch self {
    case .slowest: "veryslow"
    case .slow: "slow"
    case .medium: "medium"
    case .fast: "veryfast"
    case .fastest: "ultrafast"
    }
  }

  /// The property `cpu-used` of VP8, VP9 and AV1.
  fileprivate var cpuUsed: Int {
    switch self {
    case .slowest: 1
    case .slow: 2
    case .medium: 4
    case .fast: 6
    case .fastest: 8
    }
  }
}

extension EncoderSpeed {
  /// The speed at which x264 encodes frames as they come, and leaves half of the processors to others.
  ///
  /// On one processor (AMD EPYC, Zen 4), it encodes 6 million pixels a second of grainy video at medium speed, 39 at
  /// fast.
  init(ofLive frames: VideoInfo, processors: Int) {
    let rate = Double(frames.width * frames.height) * frames.frameRate.framesPerSecond
    self =
      switch rate / Double(max(1, processors)) {
      case ..<3e6: .medium
      case ..<20e6: .fast
      default: .fastest
      }
  }
}

/// The settings of an encoder of video.
package struct VideoEncoding: Sendable, Hashable {
  /// The quality where nothing else is said: constant rate factor 18 of x264 and x265.
  package static let defaultQuality = 65

  /// The quality from 0 to 100.
  package var quality: Int
  /// Bits a second, at most as many as the encoder can be set to; nil for as many as the quality takes.
  package var bitRate: Int?
  package var isLossless: Bool
  /// Nil for the encoder's usual speed.
  package var speed: EncoderSpeed?
  /// Whether frames leave in the order in which they are shown.
  package var keepsOrder: Bool
  /// Whether no frame may wait for others: what goes in comes out at once, and is in the file whatever happens next.
  package var isLive: Bool
  /// The most frames from one key frame to the next; nil for what the encoder thinks best.
  package var keyFrameInterval: Int?

  package init(
    quality: Int? = nil, bitRate: Int? = nil, isLossless: Bool = false, speed: EncoderSpeed? = nil,
    keepsOrder: Bool = false, isLive: Bool = false, keyFrameInterval: Int? = nil
  ) {
    self.quality = quality ?? Self.defaultQuality
    self.bitRate = bitRate
    self.isLossless = isLossless
    self.speed = speed
    self.keepsOrder = keepsOrder
    self.isLive = isLive
    self.keyFrameInterval = keyFrameInterval
  }

  /// The same with a quality that is so many steps lower.
  func lowered(by steps: Int) -> VideoEncoding {
    var encoding = self
    encoding.quality = max(min(quality, 10), quality - 10 * steps)
    return encoding
  }

  /// The quantizer for the quality, where the coarsest is `worst`.
  fileprivate func quantizer(of worst: Int) -> Int { (worst * (100 - quality) + 50) / 100 }

  /// The bit rate in units of so many bits, as far as the encoder goes.
  fileprivate func bitRate(in unit: Int = 1, upTo largest: Int) -> Int? {
    bitRate.map { min(max(1, $0 / unit), largest) }
  }

  fileprivate func keyFrames(_ property: String, _ usual: Int? = nil) -> String {
    (keyFrameInterval ?? usual).map { " \(property)=\($0)" } ?? ""
  }
}

extension VideoCodec {
  /// The elements that encode it, best first.
  package var encoders: [EncoderChoice] {
    switch self {
    case .h264:
      [
        EncoderChoice(factory: "x264enc", package: .ugly, properties: \.x264),
        EncoderChoice(
          factory: "openh264enc", package: .bad, parser: "h264parse", properties: \.openH264),
      ]
    case .h265:
      [EncoderChoice(factory: "x265enc", package: .bad, parser: "h265parse", properties: \.x265)]
    case .vp8:
      [EncoderChoice(factory: "vp8enc", package: .good, takesOddSizes: true, properties: \.vp8)]
    case .vp9:
      [EncoderChoice(factory: "vp9enc", package: .good, takesOddSizes: true, properties: \.vp9)]
    case .av1:
      [
        EncoderChoice(
          factory: "av1enc", package: .bad, parser: "av1parse", takesOddSizes: true,
          properties: \.av1
        )
      ]
    case .proRes:
      [
        EncoderChoice(
          factory: "avenc_prores_ks", package: .libav, takesOddSizes: true, properties: \.proRes)
      ]
    case .ffv1: [EncoderChoice(factory: "avenc_ffv1", package: .libav, takesOddSizes: true)]
    }
  }

  /// Whether a recording can be encoded with it while it is made.
  package var isForRecordings: Bool { [.h264, .vp8, .vp9].contains(self) }

  /// Whether it can write every pixel as it is.
  package var canBeLossless: Bool { [.h264, .h265, .ffv1].contains(self) }

  /// The meaning of a quality from 0 to 100, for people.
  package static let qualityHelp =
    "for H.264 and HEVC a constant rate factor of 51 (0) to 0 (100), for VP8 a quantizer of 63 to 4, for VP9 and AV1 "
    + "one of 60 to 0, for ProRes 422 Proxy, LT, 422 or HQ (0, 20, 40, 60), for JPEG images JPEG's own scale"
}

// MARK: Properties of each element

extension VideoEncoding {
  // The bit rate of x264enc, 2 Mbit/s by default, limits every other mode, too, unless the buffer of a decoder is none.
  fileprivate var x264: String {
    let usual: EncoderSpeed = isLive || isLossless ? .fast : .medium
    var line = "speed-preset=\((speed ?? usual).x264)"
    // The same headers, whatever the quality: it may change in the middle of a file.
    if isLive { line += " tune=zerolatency option-string=stitchable=1" }
    if isLossless {
      line += " pass=quant quantizer=0"
    } else if let rate = bitRate(in: 1000, upTo: 2_048_000) {
      line += " pass=cbr bitrate=\(rate)"
    } else {
      // Lossless is another profile, which few players have.
      line += " pass=qual quantizer=\(max(1, quantizer(of: 51))) vbv-buf-capacity=0"
    }
    if keepsOrder || isLossless { line += " bframes=0" }
    return line + keyFrames("key-int-max", isLossless ? 50 : nil)
  }

  fileprivate var openH264: String {
    let isSlow = [.slowest, .slow, .medium].contains(speed ?? (isLive ? .fast : .medium))
    var line = "complexity=\(isSlow ? "high" : "low")"
    if let rate = bitRate(upTo: Int(UInt32.max)) {
      line += " rate-control=bitrate bitrate=\(rate)"
    } else {
      // A bit rate that is never reached, but less than OpenH264 refuses: so quantizers stay at the lower limit.
      let quantizer = min(self.quantizer(of: 51) + 4, 49)
      line += " rate-control=quality qp-min=\(quantizer) qp-max=\(quantizer + 2) bitrate=200000000"
    }
    return line + keyFrames("gop-size")
  }

  fileprivate var x265: String {
    // Without a tune of its own, for the measure of one metric.
    var line = "speed-preset=\((speed ?? .medium).x264) tune=0"
    var options: [String] = []
    if isLossless {
      options.append("lossless=1")
    } else if let rate = bitRate(in: 1000, upTo: 102_400) {
      line += " bitrate=\(rate)"
    } else {
      options.append("crf=\(quantizer(of: 51))")
    }
    if keepsOrder { options.append("bframes=0") }
    if !options.isEmpty { line += " option-string=\(options.joined(separator: ":"))" }
    return line + keyFrames("key-int-max")
  }

  /// The properties that VP8 and VP9 have in common.
  ///
  /// Without frames under way: at the end, the element takes from libvpx as many of them as fit into one frame's buffer,
  /// and leaves the others. The bit rate is the largest whose six seconds, the buffer of a decoder, libvpx can count.
  private func vpx(quality: String) -> String {
    let speed =
      isLive
      ? "deadline=1 cpu-used=\((speed ?? .fastest).cpuUsed) threads=4"
      : "deadline=1000000 cpu-used=\((speed ?? .medium).cpuUsed) threads=16"
    let rate =
      bitRate(upTo: Int(Int32.max)).map { "end-usage=vbr target-bitrate=\($0)" }
      ?? "end-usage=cq target-bitrate=300000000 \(quality)"
    return "lag-in-frames=0 \(speed) \(rate)" + keyFrames("keyframe-max-dist")
  }

  fileprivate var vp8: String {
    let quantizer = max(4, self.quantizer(of: 63))
    return vpx(quality: "cq-level=\(quantizer) min-quantizer=4")
  }

  fileprivate var vp9: String {
    let quantizer = finestQuantizer
    return vpx(quality: "cq-level=\(quantizer) min-quantizer=\(quantizer)") + " row-mt=true"
  }

  fileprivate var av1: String {
    let line = "cpu-used=\((speed ?? .medium).cpuUsed) threads=16"
    let quantizer = finestQuantizer
    return line
      + (bitRate(in: 1000, upTo: 2_048_000).map { " end-usage=vbr target-bitrate=\($0)" }
        ?? " end-usage=q min-quantizer=\(quantizer) max-quantizer=\(quantizer)")
      + keyFrames("keyframe-max-dist", 250)
  }

  /// The quantizer of all frames that is as good, by SSIM, as the constant quality of libvpx and libaom.
  ///
  /// GStreamer does not offer that mode. At a level of q, it encodes frames on which others depend with a fraction of q.
  fileprivate var finestQuantizer: Int { quantizer(of: 63) * quantizer(of: 63) / 66 }

  fileprivate var proRes: String {
    // With alpha or full chroma, it is 4444 whatever the quality.
    switch quality {
    case ..<20: "profile=proxy"
    case ..<40: "profile=lt"
    case ..<60: "profile=standard"
    default: "profile=auto"
    }
  }
}
