// The film format chooses the container and encoders of a rendered film.

import GStreamer
import SlitScanCapture

/// The output format of a film.
public struct FilmSettings: Sendable, Hashable {
  /// The container; nil for the one of the output's extension.
  public var container: Container?
  /// The video codec; nil for the container's best that is installed.
  public var codec: VideoCodec?
  /// The quality of the video, from 0 to 100 on the scale of its codec; nil for a good one, 65.
  ///
  /// For H.264 and HEVC, a constant rate factor of 51 (0) to 0 (100), for VP8 a quantizer of 63 to 4, for VP9 and AV1 one
  /// of 60 to 0. For ProRes 422, Proxy, LT, 422 and HQ begin at 0, 20, 40 and 60. FFV1 is lossless.
  public var quality: Int?
  /// Bits per second of the video, instead of a quality; nil for as many as the quality takes.
  public var bitRate: Int?
  /// The speed of the video encoder; nil for the usual one.
  public var speed: EncoderSpeed?
  /// The format of encoded frames; nil for the one that keeps most of what the effect gives.
  public var pixelFormat: VideoFormat?
  /// Whether every pixel is written as it is.
  public var isLossless: Bool
  /// The audio codec; nil for the container's best that is installed.
  public var audioCodec: AudioCodec?
  /// Bits a second of a stereo track; tracks with more channels get as much for each channel.
  public var audioBitRate: Int

  /// Good video and sound.
  public init(
    codec: VideoCodec? = nil, quality: Int? = nil, bitRate: Int? = nil, speed: EncoderSpeed? = nil,
    pixelFormat: VideoFormat? = nil, isLossless: Bool = false,
    audioCodec: AudioCodec? = nil, audioBitRate: Int = 160_000, container: Container? = nil
  ) {
    self.container = container
    self.codec = codec
    self.quality = quality
    self.bitRate = bitRate
    self.speed = speed
    self.pixelFormat = pixelFormat
    self.isLossless = isLossless
    self.audioCodec = audioCodec
    self.audioBitRate = audioBitRate
  }
}

/// The elements of a film that is written, settled before its file is touched.
struct FilmFormat: WrittenFormat {
  /// The encoded frames that wait for their sound; an encoder of sound has some of it under way.
  private static let waitingFrames = 200

  let container: Container
  let settings: FilmSettings
  /// Whether the file is a part of a film, whose sound stays as it is until it is joined.
  let isPart: Bool
  /// Whether frames have no opacity, also where their format has room for it.
  private let isOpaque: Bool
  /// Nil where the video comes encoded.
  let video: (codec: VideoCodec, encoder: EncoderChoice)?
  /// Nil in parts.
  let audioEncoder: EncoderChoice?

  /// Chooses what is installed.
  ///
  /// - Parameters:
  ///   - frames: The frames that the effect gives, where they are known.
  ///   - isOpaque: Whether these have no opacity, also where their format has room for it.
  ///   - copies: The codec of frames that come encoded.
  /// - Throws: What contradicts itself, and what is not installed.
  init(
    _ path: String, _ settings: FilmSettings, for frames: VideoInfo? = nil, isOpaque: Bool = false,
    isPart: Bool = false, copies: VideoCodec? = nil, hasSound: Bool = true,
    _ catalog: EncoderCatalog = EncoderCatalog()
  ) throws(CaptureError) {
    for rate in [settings.bitRate ?? 1, settings.audioBitRate] where rate < 1 {
      throw CaptureError(.badRequest, "A bit rate must be 1 bit a second or more, not \(rate).")
    }
    if let quality = settings.quality, !(0...100 ~= quality) {
      throw CaptureError(.badRequest, "The quality must be from 0 to 100, not \(quality).")
    }
    container = try Self.container(path, settings, isPart: isPart)
    self.settings = settings
    self.isPart = isPart
    self.isOpaque = isOpaque
    try catalog.require(muxerOf: container)
    if let copies {
      video = nil
      try catalog.require(copying: copies, into: container)
    } else {
      video = try Self.video(settings, for: frames, container, catalog)
    }
    audioEncoder =
      hasSound && !isPart ? try catalog.audioEncoder(settings.audioCodec, for: container) : nil
  }

  private static func container(
    _ path: String, _ settings: FilmSettings, isPart: Bool
  ) throws(CaptureError) -> Container {
    guard let container = settings.container ?? Container(path: path) else {
      guard path != UnfinishedFile.standardOutput else {
        throw CaptureError(
          .unknownContainer,
          "Standard output has no file extension that selects the container. Add --container mkv or "
            + "--container webm.")
      }
      throw CaptureError(
        .unknownContainer,
        "\(path) has no known extension. Use .mp4, .mov, .mkv or .webm. For images, use a pattern such as out.%04d.png."
      )
    }
    guard ![.mp4, .quickTime].contains(container) || !UnfinishedFile.isStream(path) else {
      let place =
        path == UnfinishedFile.standardOutput
        ? "to standard output" : "into a pipe or device, as \(path)"
      throw CaptureError(
        .badRequest,
        "\(container == .mp4 ? "MP4" : "QuickTime") cannot be written \(place), as its header is written last. Use "
          + "--container mkv or --container webm.")
    }
    guard !isPart || container == .matroska else {
      throw CaptureError(
        .badRequest,
        "\(path): A part must be a Matroska file, which can hold uncompressed sound. Use .mkv; "
          + "the joined film can have any container.")
    }
    return container
  }

  private static func video(
    _ settings: FilmSettings, for frames: VideoInfo?, _ container: Container,
    _ catalog: EncoderCatalog
  ) throws(CaptureError) -> (VideoCodec, EncoderChoice) {
    // A render has time: VP9 before VP8.
    let usual: [VideoCodec] = settings.isLossless ? [.h264, .ffv1] : [.h264, .vp9, .vp8]
    let fitting = container.videoCodecs
    var codecs =
      settings.codec == nil
      ? usual.filter(fitting.contains) : try container.choices(settings.codec, of: fitting)
    if settings.isLossless {
      codecs = codecs.filter(\.canBeLossless)
      let lossless = codecs.filter { codec in frames.map { codec.keepsAll(of: $0) } ?? true }
      if !lossless.isEmpty { codecs = lossless }
    }
    guard !codecs.isEmpty else {
      throw CaptureError(
        .badRequest,
        "Without loss, there is H.264 or HEVC in .mp4, .mov and .mkv, and FFV1 in .mkv. Choose one of these, or leave "
          + "--lossless out.")
    }
    let best = try catalog.choose(among: codecs) {
      // OpenH264 cannot do without loss.
      settings.isLossless ? Array($0.encoders.prefix(1)) : $0.encoders
    }
    try requireSense(settings, best.codec)
    return best
  }

  /// Makes sure that the settings of the video say one thing.
  private static func requireSense(
    _ settings: FilmSettings, _ codec: VideoCodec
  ) throws(CaptureError) {
    let isLossless = settings.isLossless || codec == .ffv1
    let said = [
      ("--lossless", settings.isLossless), ("--bit-rate", settings.bitRate != nil),
      ("--quality", settings.quality != nil),
    ].filter(\.1).map(\.0)
    guard said.count < 2 else {
      throw CaptureError(
        .badRequest,
        "\(said.joined(separator: " and ")) exclude each other. Leave one of them out.")
    }
    guard !isLossless || said.isEmpty || settings.isLossless else {
      throw CaptureError(
        .badRequest, "\(codec) is lossless. Leave \(said[0]) out.")
    }
    guard settings.bitRate == nil || codec != .proRes else {
      throw CaptureError(
        .badRequest, "ProRes has no bit rate that can be set. Set --quality instead.")
    }
  }

  // MARK: The pipeline

  func launchLine(sounds: [SoundFormat], textCount: Int, hasBlack: Bool, isStream: Bool) -> String {
    let queue = "max-size-bytes=0 max-size-time=0 max-size-buffers"
    var lines = [
      "\(container.muxer) name=mux \(isStream ? "streamable=true ! fdsink" : "! filesink") "
        + "name=file sync=false async=false"
    ]
    let encoding: String
    if let video {
      // The effect is on one thread, the encoder on others.
      encoding =
        "slitscan name=scan ! queue \(queue)=4 ! videoconvert ! "
        + (settings.isLossless ? "" : "videoscale ! ")
        + "capsfilter name=video-format ! "
        + (hasBlack ? "videobalance name=cover ! " : "")
        + "capssetter name=colours-before ! "
        + video.encoder.videoLine(
          VideoEncoding(
            quality: settings.quality, bitRate: settings.bitRate, isLossless: settings.isLossless,
            speed: settings.speed,
            // The next part could not follow frames in another order.
            keepsOrder: isPart))
        + " ! capssetter name=colours-after"
    } else {
      let kinds = VideoCodec.allCases.map(\.mediaType).joined(separator: ";")
      encoding = "capsfilter name=video-format caps=\"\(kinds)\""
    }
    lines.append(
      "appsrc name=video-in ! \(encoding) ! queue \(queue)=\(Self.waitingFrames) ! mux.")
    for (index, sound) in sounds.enumerated() {
      // As far as the encoder of the frames looks ahead.
      lines.append(
        "appsrc name=audio-in-\(index) ! \(audioLine(sound)) ! queue \(queue)=0 ! mux.")
    }
    for index in 0..<textCount {
      lines.append("appsrc name=text-in-\(index) ! queue \(queue)=0 ! mux.subtitle_\(index)")
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
    let channels = writtenChannels(of: sound)
    // As much for each channel as stereo has, up to what Opus takes.
    let most = max(settings.audioBitRate, 510_000)
    let bitRate = min(most, settings.audioBitRate * max(2, channels) / 2)
    return "audioconvert ! audioresample ! audio/x-raw,rate=\(rate),"
      + "\(SoundFormat.layout(channels)) ! audioconvert ! "
      + audioEncoder.audioLine(bitRate: bitRate)
  }

  /// The channels that sound is written with: as many as it has and the encoder takes.
  func writtenChannels(of sound: SoundFormat) -> Int {
    SoundFormat.channelCounts.last { $0 <= min(sound.channels, audioEncoder?.channels ?? .max) }
      ?? 1
  }

  /// The tracks of a film that are written with fewer channels than they have, in sentences.
  func mixdowns(of streams: [SoundStream], to contents: FilmContents) -> [String] {
    zip(streams, contents.sounds).enumerated().compactMap { index, pair in
      let (stream, track) = pair
      let channels = writtenChannels(of: track.format)
      guard stream.channels > channels else { return nil }
      let layout = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
      let name = streams.count > 1 ? "sound track \(index + 1)" : "its sound"
      return "\(stream.path): The \(stream.channels) channels of \(name) are written as \(layout)."
    }
  }

  var hasEncoder: Bool { video != nil }

  var soundDelay: Int { audioEncoder?.delay ?? 0 }

  func frameCaps(_ info: VideoInfo, hasBlack: Bool) throws -> Caps {
    guard let (codec, encoder) = video else { return try Caps("ANY") }
    var formats = try VideoFormat.all(ofElement: encoder.factory)
    // Not all of them can be covered with black.
    if hasBlack {
      formats = try formats.filter(VideoFormat.all(ofElement: "videobalance").contains)
    }
    if let wanted = settings.pixelFormat {
      guard formats.contains(wanted) else {
        throw CaptureError(
          .badRequest,
          "\(codec) cannot be written in \(wanted). Use "
            + formats.map(\.rawValue).joined(separator: ", ") + ".")
      }
      formats = [wanted]
    }
    guard let format = VideoFormat.closest(to: info, of: formats) else {
      throw CaptureError(.encoderFailed, "\(codec) has no format for frames in \(info.format).")
    }
    let written = try VideoInfo(format, width: info.width, height: info.height)
    if settings.isLossless, !info.isKept(in: written) {
      throw CaptureError(
        .badRequest,
        "Frames in \(info.format) cannot be written without loss in \(codec)\(hasBlack ? " with a blackout" : "")."
          + (codec == .ffv1
            ? " Leave --lossless out." : " Use --codec ffv1 in .mkv, or leave --lossless out."))
    }
    var caps = "video/x-raw,format=\(format)"
    if let chroma = written.chromaSubsampling, !encoder.takesOddSizes, !settings.isLossless {
      if chroma.across > 1 { caps += ",width=(int)[2,2147483646,2]" }
      if chroma.down > 1 { caps += ",height=(int)[2,2147483646,2]" }
    }
    // An even size may suggest another colorimetry than the odd one.
    if info.isYUV, written.isYUV, let colours = info.colorimetry {
      // ProRes cannot say that it has the full range: the first number of a colorimetry.
      let isLimited = codec == .proRes && colours.hasPrefix("1:")
      caps += ",colorimetry=\(isLimited ? "2" + colours.dropFirst() : colours)"
    }
    return try Caps(caps)
  }

  func losses(from scanned: VideoInfo, to encoded: VideoInfo) -> [String] {
    guard let codec = video?.codec else { return [] }
    var losses: [String] = []
    for change in FormatChange.between(scanned, encoded) {
      switch change {
      case .scaled(let width, let height, let newWidth, let newHeight):
        losses.append(
          max(abs(width - newWidth), abs(height - newHeight)) > 1
            ? "Frames of \(width)x\(height) pixels are scaled to \(newWidth)x\(newHeight), the size of "
              + "the first frame. Set canvas-length from the beginning."
            : "Frames of \(width)x\(height) pixels are written as \(newWidth)x\(newHeight), as \(codec) in "
              + "\(encoded.format) has even sides only. --codec vp9 in .mkv or .webm keeps the size."
        )
      case .noOpacity where isOpaque: break
      case .noOpacity(let format):
        losses.append("The alpha channel of frames in \(format) is not written.")
      case .lessColour(let from, let to):
        losses.append("Frames in \(from) are written in \(to), with less chroma.")
      case .fewerBits(let from, let to):
        losses.append("Frames of \(from) bits are written with \(to).")
      }
    }
    if let last = losses.indices.last, let advice = advice(for: scanned) {
      losses[last] += advice
    }
    let isRare =
      [.h264, .h265].contains(codec) && encoded.chromaSubsampling.map { $0 != (2, 2) } == true
    if isRare, settings.pixelFormat == nil {
      losses.append(
        "\(codec) in \(encoded.format) plays in few browsers and on few devices. --pixel-format I420 plays everywhere."
      )
    }
    return losses
  }

  /// Advice where another codec keeps what is lost; nil where none does.
  private func advice(for frames: VideoInfo) -> String? {
    guard settings.pixelFormat == nil else { return nil }
    for (codec, container) in [(VideoCodec.proRes, Container.quickTime), (.ffv1, .matroska)]
    where codec.keepsAll(of: frames) {
      return " --codec \(codec.rawValue) in .\(container.pathExtension) keeps all of it."
    }
    return nil
  }
}

extension VideoCodec {
  /// Whether an installed encoder has a format that keeps all of frames.
  fileprivate func keepsAll(of frames: VideoInfo) -> Bool {
    guard let encoder = encoders.first(where: { Element.isInstalled($0.factory) }),
      let formats = try? VideoFormat.all(ofElement: encoder.factory),
      let format = VideoFormat.closest(to: frames, of: formats),
      let written = try? VideoInfo(format, width: frames.width, height: frames.height)
    else { return false }
    return frames.isKept(in: written)
  }
}

extension VideoInfo {
  /// Whether frames in this format can be converted to another and back without a change.
  fileprivate func isKept(in written: VideoInfo) -> Bool {
    FormatChange.between(self, written).isEmpty
      && (isYUV == written.isYUV || chromaSubsampling == nil)
  }
}
