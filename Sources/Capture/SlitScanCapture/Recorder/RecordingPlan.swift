// A recording plan chooses the elements that write a file, before the file is touched.

import GStreamer

/// The elements of a recording: everything that can be said without a sample.
struct RecordingPlan: Sendable {
  let container: Container
  let video: Track?
  let audio: Track?

  /// The way of one kind of stream into the file.
  struct Track: Sendable {
    /// The encoder of the stream; nil where it comes encoded.
    let encoder: EncoderChoice?
    /// The elements from the appsrc to the muxer.
    let line: String
  }

  /// Chooses what is installed.
  init(
    path: String, _ settings: RecorderSettings, _ catalog: EncoderCatalog = EncoderCatalog()
  ) throws(CaptureError) {
    guard let container = settings.container ?? Container(path: path) else {
      throw CaptureError(
        .unknownContainer,
        "\(path) has no known extension. Use .mp4, .mov, .mkv or .webm, or "
          + "name the container.")
    }
    guard settings.video != nil || settings.audio != nil else {
      throw CaptureError(
        .unsupportedFormat, "There is nothing to record: ask for video, audio, or both.")
    }
    self.container = container
    try catalog.require(muxerOf: container)
    video = try settings.video.map { (video) throws(CaptureError) in
      video.isEncoded
        ? try Self.copying(video, container, catalog) : try Self.encoding(video, container, catalog)
    }
    audio = try settings.audio.map { (audio) throws(CaptureError) in
      try Self.encoding(audio, container, catalog)
    }
  }

  /// The whole pipeline as a launch line.
  ///
  /// `video-in` and `audio-in` are where samples enter, `video-out` and `audio-out` the queues before
  /// the muxer.
  ///
  /// - Parameter isStream: Whether what is written goes into a device or a pipe.
  func launchLine(isStream: Bool) -> String {
    // Without fragments, the index of MP4 and QuickTime comes last, and until then nothing can be decoded. The mode
    // first-moov-then-finalise would turn fragments into one index at the end; but in GStreamer 1.22
    // its unfinished files cannot be decoded where there is sound.
    let fragments = [.mp4, .quickTime].contains(container) ? "fragment-duration=200" : ""
    // Whole blocks of a buffered file would be lost with the process.
    let sink = isStream ? "fdsink" : "filesink buffer-mode=unbuffered"
    let file = "\(sink) name=file sync=false async=false"
    var lines = ["\(container.muxer) name=mux \(fragments) ! \(file)"]
    // The muxer waits for whichever stream is behind. The recorder sends silence where sound is two
    // seconds behind, so the frames need no more than that; sound is small.
    let queue = "max-size-buffers=0 max-size-bytes=0"
    if let video {
      lines.append("\(video.line) ! queue name=video-out \(queue) max-size-time=5000000000 ! mux.")
    }
    if let audio {
      lines.append(
        "\(audio.line) ! queue name=audio-out \(queue) max-size-time=300000000000 ! mux.")
    }
    return lines.joined(separator: " ")
  }

  // MARK: Tracks

  private static func requirePositive(
    _ settings: KeyValuePairs<String, Int?>
  ) throws(CaptureError) {
    for case (let name, let value?) in settings where value < 1 {
      throw CaptureError(
        .badConfiguration, "\(name) of a recording must be 1 or more, not \(value).")
    }
  }

  private static func encoding(
    _ settings: VideoSettings, _ container: Container, _ catalog: EncoderCatalog
  ) throws(CaptureError) -> Track {
    try requirePositive([
      "The bit rate of the video": settings.encoding.bitRate,
      "The key frame interval": settings.encoding.keyFrameInterval,
    ])
    let codecs = try container.choices(
      settings.codec, of: container.videoCodecs.filter(\.isForRecordings))
    let (_, encoder) = try catalog.choose(among: codecs, \.encoders)
    var line = ["appsrc name=video-in", "videoconvert", "videoscale"]
    try catalog.require([("videoconvert", .base), ("videoscale", .base)])
    if settings.orientation != .up {
      try catalog.require([("videoflip", .good)])
      line.append("videoflip video-direction=\(settings.orientation.direction)")
    }
    line.append("capsfilter name=video-format")
    line.append(encoder.videoLine(settings.encoding))
    if !encoder.parser.isEmpty { try catalog.require([(encoder.parser, .bad)]) }
    return Track(encoder: encoder, line: line.joined(separator: " ! "))
  }

  private static func copying(
    _ settings: VideoSettings, _ container: Container, _ catalog: EncoderCatalog
  ) throws(CaptureError) -> Track {
    guard settings.orientation == .up else {
      throw CaptureError(
        .unsupportedFormat, "Encoded video cannot be rotated. Decode it, or leave it upright."
      )
    }
    guard let codec = settings.codec else {
      throw CaptureError(
        .unsupportedFormat,
        "The codec of the encoded video is missing. Set it in the video settings.")
    }
    try catalog.require(copying: codec, into: container)
    return Track(
      encoder: nil, line: "appsrc name=video-in" + (codec == .h264 ? " ! h264parse" : ""))
  }

  private static func encoding(
    _ settings: AudioSettings, _ container: Container, _ catalog: EncoderCatalog
  ) throws(CaptureError) -> Track {
    try requirePositive([
      "The bit rate of the sound": settings.bitRate, "The sample rate": settings.sampleRate,
      "The number of channels": settings.channels,
    ])
    let encoder = try catalog.audioEncoder(settings.codec, for: container)
    try catalog.require([
      ("audioconvert", .base), ("audioresample", .base), ("audiorate", .base),
    ])
    // Gaps become silence; a time may be wrong by 10 ms before it counts.
    let line = [
      "appsrc name=audio-in", "audioconvert", "audioresample",
      "audio/x-raw,rate=\(settings.sampleRate),channels=\(settings.channels)",
      "audiorate tolerance=10000000", "audioconvert",
      encoder.audioLine(bitRate: settings.bitRate),
    ]
    return Track(encoder: encoder, line: line.joined(separator: " ! "))
  }
}
