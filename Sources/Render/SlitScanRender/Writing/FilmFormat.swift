// The film format chooses the container and encoders of a rendered film.

import GStreamer
import SlitScanCapture

/// The output format of a film.
public struct FilmSettings: Sendable, Hashable {
  /// The container; nil for the one of the output's extension.
  public var container: Container?
  /// The video codec; nil for the container's best that is installed.
  public var codec: VideoCodec?
  /// Bits per second of the video; nil for good quality.
  public var bitRate: Int?
  /// Whether every pixel is written as it is, with H.264.
  public var isLossless: Bool
  /// The audio codec; nil for the container's best that is installed.
  public var audioCodec: AudioCodec?
  /// Bits a second of the sound.
  public var audioBitRate: Int

  /// Good video and sound.
  public init(
    codec: VideoCodec? = nil, bitRate: Int? = nil, isLossless: Bool = false,
    audioCodec: AudioCodec? = nil, audioBitRate: Int = 160_000, container: Container? = nil
  ) {
    self.container = container
    self.codec = codec
    self.bitRate = bitRate
    self.isLossless = isLossless
    self.audioCodec = audioCodec
    self.audioBitRate = audioBitRate
  }
}

/// The elements of a film that is written, settled before its file is touched.
struct FilmFormat: Sendable {
  /// The formats of frames that lossless H.264 keeps as they are.
  static let losslessFormats = [
    "I420", "YV12", "NV12", "Y42B", "Y444", "I420_10LE", "I422_10LE", "Y444_10LE",
  ]
  /// The encoded frames that wait for their sound; an encoder of sound has some of it under way.
  private static let waitingFrames = 200

  let container: Container
  let settings: FilmSettings
  /// Whether the file is a part of a film, whose sound stays as it is until it is joined.
  let isPart: Bool
  /// Nil where the video comes encoded.
  let videoEncoder: EncoderChoice?
  /// Nil in parts.
  let audioEncoder: EncoderChoice?

  /// Chooses what is installed.
  ///
  /// - Parameter copies: The codec of frames that come encoded.
  /// - Throws: What contradicts itself, and what is not installed.
  init(
    _ path: String, _ settings: FilmSettings, isPart: Bool = false, copies: VideoCodec? = nil,
    hasSound: Bool = true, _ catalog: EncoderCatalog = EncoderCatalog()
  ) throws(CaptureError) {
    for rate in [settings.bitRate ?? 1, settings.audioBitRate] where rate < 1 {
      throw CaptureError(.badRequest, "A bit rate must be 1 bit a second or more, not \(rate).")
    }
    guard let container = settings.container ?? Container(path: path) else {
      guard path != UnfinishedFile.standardOutput else {
        throw CaptureError(
          .unknownContainer,
          "Standard output has no file extension that selects the container. Add --container mkv or "
            + "--container webm.")
      }
      throw CaptureError(
        .unknownContainer,
        "\(path) has no known extension. Use .mp4, .mkv or .webm.")
    }
    guard container != .mp4 || !UnfinishedFile.isStream(path) else {
      let place =
        path == UnfinishedFile.standardOutput
        ? "to standard output" : "into a pipe or device, as \(path)"
      throw CaptureError(
        .badRequest,
        "MP4 cannot be written \(place), as its header is written last. Use "
          + "--container mkv or --container webm.")
    }
    guard !isPart || container == .matroska else {
      throw CaptureError(
        .badRequest,
        "\(path): A part must be a Matroska file, which can hold uncompressed sound. Use .mkv; "
          + "the joined film can have any container.")
    }
    self.container = container
    self.settings = settings
    self.isPart = isPart
    try catalog.require(muxerOf: container)
    if let copies {
      videoEncoder = nil
      try catalog.require(copying: copies, into: container)
    } else {
      videoEncoder = try Self.videoEncoder(settings, container, catalog)
    }
    audioEncoder =
      hasSound && !isPart ? try catalog.audioEncoder(settings.audioCodec, for: container) : nil
  }

  private static func videoEncoder(
    _ settings: FilmSettings, _ container: Container, _ catalog: EncoderCatalog
  ) throws(CaptureError) -> EncoderChoice {
    // A render has time: VP9 before VP8.
    let best: [VideoCodec] = [.h264, .vp9, .vp8].filter(container.videoCodecs.contains)
    var codecs = try container.choices(settings.codec, of: best)
    if settings.isLossless {
      codecs = codecs.filter { $0 == .h264 }
      guard !codecs.isEmpty else {
        throw CaptureError(
          .badRequest,
          "Without loss, there is only H.264, in .mkv and .mp4. Choose one of these, or leave "
            + "--lossless out.")
      }
      guard settings.bitRate == nil else {
        throw CaptureError(
          .badRequest, "A bit rate cannot be set with --lossless. Leave one of them out."
        )
      }
    }
    return try catalog.choose(among: codecs) { codec in
      let encoders = codec.encoders(isLive: false)
      // Settings that openh264enc does not have.
      return settings.isLossless ? Array(encoders.prefix(1)) : encoders
    }.encoder
  }

  // MARK: The pipeline

  /// The whole pipeline as a launch line.
  ///
  /// `video-in` and `audio-in` are where samples enter, `scan` is the effect, and `cover` covers frames
  /// with black.
  ///
  /// - Parameter isStream: Whether what is written goes into something that only takes more.
  func launchLine(sound: SoundFormat?, hasBlack: Bool, isStream: Bool) -> String {
    let queue = "max-size-bytes=0 max-size-time=0 max-size-buffers"
    var lines = [
      "\(container.muxer) name=mux \(isStream ? "streamable=true ! fdsink" : "! filesink") "
        + "name=file sync=false async=false"
    ]
    let encoding: String
    if let videoEncoder {
      // The effect is on one thread, the encoder on others.
      encoding =
        "slitscan name=scan ! queue \(queue)=4 ! videoconvert ! "
        + (settings.isLossless ? "" : "videoscale ! ")
        + "capsfilter name=video-format ! "
        + (hasBlack ? "videobalance name=cover ! " : "")
        + videoEncoder.line(settings, isPart: isPart)
    } else {
      let kinds = VideoCodec.allCases.map(\.mediaType).joined(separator: ";")
      encoding = "capsfilter name=video-format caps=\"\(kinds)\""
    }
    lines.append(
      "appsrc name=video-in ! \(encoding) ! queue \(queue)=\(Self.waitingFrames) ! mux.")
    if let sound {
      // As far as the encoder of the frames looks ahead.
      lines.append(
        "appsrc name=audio-in ! \(audioLine(sound)) ! queue \(queue)=0 ! mux.")
    }
    return lines.joined(separator: " ")
  }

  private func audioLine(_ sound: SoundFormat) -> String {
    guard let audioEncoder else {
      // Says of which kind it is, or the muxer would take it for frames.
      return "audio/x-raw,format=F32LE"
    }
    let isOpus = container.audioCodecs.first == .opus && settings.audioCodec != .aac
    let rates = [8000, 12000, 16000, 24000, 32000, 44100, 48000]
    let rate = isOpus || !rates.contains(sound.sampleRate) ? 48_000 : sound.sampleRate
    return "audioconvert ! audioresample ! audio/x-raw,rate=\(rate) ! audioconvert ! "
      + audioEncoder.audioLine(bitRate: settings.audioBitRate)
  }

  /// The delay of decoded sound, where nothing in the file says so.
  var soundDelay: Int { audioEncoder?.delay ?? 0 }

  /// Whether frames are encoded with more than 8 bits.
  func isDeep(_ format: VideoFormat) -> Bool {
    settings.isLossless && format.rawValue.contains("_10")
  }

  /// The format in which frames are encoded.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where they would lose something and must not.
  func frameCaps(_ info: VideoInfo) throws -> Caps {
    let format = info.format
    // An even size may suggest another than the odd one.
    let colours = info.isYUV ? info.colorimetry.map { ",colorimetry=\($0)" } ?? "" : ""
    guard settings.isLossless else {
      // VP8 and VP9 round the size of the chroma up; H.264 has no odd sides with chroma of half the size.
      guard videoEncoder?.takesOddSizes == false else {
        return try Caps("video/x-raw,format=I420\(colours)")
      }
      let even = "(int)[2,2147483646,2]"
      return try Caps("video/x-raw,format=I420,width=\(even),height=\(even)\(colours)")
    }
    // Grey is luma without chroma.
    let written = format == .gray8 ? "I420" : format.rawValue
    guard Self.losslessFormats.contains(written) else {
      throw CaptureError(
        .badRequest,
        "Frames in \(format) cannot be written without loss; those in "
          + "\(Self.losslessFormats.joined(separator: ", ")) can. Leave --lossless out.")
    }
    return try Caps("video/x-raw,format=\(written)\(colours)")
  }

  /// The losses of frames between the effect and the encoder, in sentences.
  func losses(from scanned: VideoInfo, to encoded: VideoInfo) -> [String] {
    var losses = FormatChange.between(scanned, encoded).compactMap { change -> String? in
      switch change {
      case .scaled(let width, let height, let newWidth, let newHeight):
        max(abs(width - newWidth), abs(height - newHeight)) > 1
          ? "Frames of \(width)x\(height) pixels are scaled to \(newWidth)x\(newHeight), the size of "
            + "the first frame. Set canvas-length from the beginning."
          : "Frames of \(width)x\(height) pixels are written as \(newWidth)x\(newHeight), as H.264 "
            + "has even sides only. --codec vp9 in .mkv or .webm keeps the size."
      case .noOpacity(let format):
        "The transparency of frames in \(format) is not written."
      // Both in one sentence.
      case .lessColour, .fewerBits: nil
      }
    }
    // Those have as many samples of chroma, or none.
    let kept = ["I420", "YV12", "NV12", "NV21", "GRAY8"]
    if scanned.format != encoded.format, !kept.contains(scanned.format.rawValue) {
      let advice =
        Self.losslessFormats.contains(scanned.format.rawValue)
        ? " --lossless keeps them as they are." : ""
      losses.append(
        "Frames in \(scanned.format) are written in \(encoded.format): 8 bits, with a quarter of the "
          + "chroma.\(advice)")
    }
    return losses
  }
}

extension EncoderChoice {
  /// The elements that encode the video of a film, as a launch line has them.
  fileprivate func line(_ film: FilmSettings, isPart: Bool) -> String {
    var settings: String
    if let rate = film.bitRate {
      settings = "\(bitRate.property)=\(max(1, rate / bitRate.unit)) \(rateControl?.bitRate ?? "")"
    } else if film.isLossless {
      settings = "pass=quant quantizer=0 speed-preset=veryfast key-int-max=50"
    } else {
      settings = rateControl?.quality ?? ""
    }
    // The frames of a part must not come in another order: the next part could not follow.
    if factory == "x264enc" { settings += isPart || film.isLossless ? " bframes=0" : " bframes=2" }
    return videoLine(settings)
  }
}
