// The recorder's video: frames on their way into the file.

import CLinux
import GStreamer

/// The format of a recording's frames, taken from the first one.
struct VideoShape {
  /// The duration of a frame that has none of its own, in nanoseconds.
  let frameDuration: UInt64
  /// The first frame's caps, and what they are told to be; nil where frames are encoded.
  let first: (caps: Caps, told: Caps)?
  /// 0 where it varies or is not known.
  let frameRate: Fraction
  /// The last caps that were others, and what they are told to be.
  var other: (caps: Caps, told: Caps)?
}

extension Recorder {
  /// The longest time that encoded video may come without a key frame.
  static let keyFramePatience = ClockTime.seconds(5)

  /// Appends a frame, and returns once the encoder's queue has taken it.
  ///
  /// Raw frames of any format; those of another size than the first are scaled to that. Where the
  /// settings say so, encoded ones, of which the first few may be no key frames: those are skipped.
  ///
  /// - Throws: Why the recording failed; ``CaptureError/Code/noTime``,
  ///   ``CaptureError/Code/unsupportedFormat``, ``CaptureError/Code/wrongState``, ``CaptureError/Code/cancelled``, after
  ///   which the recording goes on without the frame.
  public func append(video sample: Sample) async throws(CaptureError) {
    do { try await take(video: sample) } catch { throw Self.refusal(error) }
  }

  /// Why one sample is not taken.
  static func refusal(_ error: any Error) -> CaptureError {
    .of(error, before: "the recorder had the sample") {
      CaptureError(.unsupportedFormat, "The sample cannot be recorded.", underlying: $0)
    }
  }

  private func take(video sample: Sample) async throws {
    try requireRecording()
    guard let source = streams?.video, let settings = settings.video else {
      throw CaptureError(.unsupportedFormat, "This recorder does not record video.")
    }
    guard let buffer = sample.buffer, let caps = sample.caps else {
      throw CaptureError(.unsupportedFormat, "A frame must have bytes and caps.")
    }
    guard let time = sample.runningTime ?? buffer.presentationTime else {
      throw CaptureError(.noTime, "A frame must have a timestamp.")
    }
    let shape = try videoShape ?? shape(of: caps, settings)
    videoShape = shape
    let told = try told(caps)
    let duration = buffer.duration ?? ClockTime(nanoseconds: shape.frameDuration)
    let place = timeline.placeFrame(
      at: time.nanoseconds, duration: duration.nanoseconds,
      isKeyFrame: !settings.isEncoded || !buffer.flags.contains(.deltaUnit),
      isReordered: settings.isEncoded)
    switch place {
    case .nowhere(let isLoss): skippedFrames += isLoss ? 1 : 0
    case .needsKeyFrame: try waitForKeyFrame(time)
    case .at(let place):
      keyFrameWait = nil
      let moved = try buffer.moved(
        to: ClockTime(nanoseconds: place), decodingTime: decodingTime(of: buffer, time, place),
        duration: duration)
      placeHeldSound()
      if encoderLevel > 0 { loweredFrames += 1 }
      // Before the sound, so that frames of two tasks do not change places.
      try await send(Sample(moved, caps: told), to: source)
      try await sendSound()
    }
  }

  func requireRecording() throws(CaptureError) {
    guard case .recording = state else { throw failure }
  }

  var missingKeyFrame: CaptureError {
    CaptureError(
      .noKeyFrame,
      "\(keyFrameWait?.count ?? 0) encoded frames arrived without a key frame. Ask the camera for key "
        + "frames, one in two seconds or more often.")
  }

  /// Sends a sample, and says why where that fails.
  func send(_ sample: Sample, to source: AppSrc) async throws {
    do throws(GStreamerError) {
      try await source.send(sample)
      keepFile()
    } catch {
      if error.code == .cancelled { throw error }
      // A sample that is broken ends nothing.
      if error.code == .notMappable {
        throw CaptureError(.unsupportedFormat, error.message, underlying: error)
      }
      if case .recording = state { throw fail(error, of: streams) }
      throw failure
    }
  }

  /// Sets up the encoder for what comes.
  private func shape(of caps: Caps, _ settings: VideoSettings) throws -> VideoShape {
    let said: Fraction
    if settings.isEncoded {
      guard let structure = caps.structures.first, structure.name == settings.codec?.mediaType
      else {
        throw CaptureError(
          .unsupportedFormat,
          "The frames do not have the format that the recorder was made for: \(caps).")
      }
      said = structure.get("framerate") ?? 0
    } else {
      guard let info = try? VideoInfo(caps) else {
        throw CaptureError(.unsupportedFormat, "The frames cannot be recorded: \(caps)")
      }
      said = info.frameRate
      do {
        try prepareEncoder(for: info, settings)
      } catch {
        throw fail(error, of: streams)
      }
    }
    let rate = said.isOfFrames ? said : 0
    let told = rate == said ? caps : try caps.told(rate)
    return VideoShape(
      frameDuration: ClockTime.seconds(1 / said.framesPerSecond).nanoseconds,
      first: settings.isEncoded ? nil : (caps, told), frameRate: rate)
  }

  /// The caps that a frame gets: those with the first one's frame rate, as a file has only one.
  ///
  /// Times say when frames are shown; a muxer refuses a stream that becomes another one.
  private func told(_ caps: Caps) throws -> Caps {
    guard let shape = videoShape, let first = shape.first else { return caps }
    if caps == first.caps { return first.told }
    if let other = shape.other, other.caps == caps { return other.told }
    guard let info = try? VideoInfo(caps) else {
      throw CaptureError(.unsupportedFormat, "The frames cannot be recorded: \(caps)")
    }
    if let written { note(FormatChange.between(info, written)) }
    let told = try caps.told(shape.frameRate)
    videoShape?.other = (caps, told)
    return told
  }

  private func prepareEncoder(for info: VideoInfo, _ settings: VideoSettings) throws {
    guard let streams, let encoder = plan.video?.encoder else { return }
    // Chroma has half the size, which players and phones expect; others than VP8 and VP9 have no half
    // samples of it.
    let width = encoder.takesOddSizes ? info.width : max(2, info.width & ~1)
    let height = encoder.takesOddSizes ? info.height : max(2, info.height & ~1)
    let size = settings.orientation.isSideways ? (height, width) : (width, height)
    let format = try streams.pipeline.element(named: "video-format")
    // That of the frames before they are scaled and turned.
    let source = info.isYUV ? info : try VideoInfo(.i420, width: info.width, height: info.height)
    let colours = source.colorimetry.map { ",colorimetry=\($0)" } ?? ""
    try format.set(
      "caps", to: Caps("video/x-raw,format=I420,width=\(size.0),height=\(size.1)\(colours)"))
    try format.keepsFirstCaps()
    let written = try VideoInfo(.i420, width: width, height: height)
    self.written = written
    note(FormatChange.between(info, written))
    guard encoder.factory == "x264enc" else { return }
    var encoding = settings.encoding
    encoderSpeed =
      encoding.speed ?? EncoderSpeed(ofLive: info, processors: Int(unsafe linux_processors("")))
    encoding.speed = encoderSpeed
    try setUp(encoder, encoding, in: streams)
  }

  private func note(_ changes: [FormatChange]) {
    for change in changes where !self.changes.contains(change) { self.changes.append(change) }
  }

  private func waitForKeyFrame(_ time: ClockTime) throws(CaptureError) {
    skippedFrames += 1
    let wait = (since: keyFrameWait?.since ?? time, count: (keyFrameWait?.count ?? 0) + 1)
    keyFrameWait = wait
    if time - wait.since > Self.keyFramePatience { throw fail(missingKeyFrame) }
  }

  /// As far from the presentation as before.
  private func decodingTime(of buffer: Buffer, _ time: ClockTime, _ place: UInt64) -> ClockTime? {
    guard let decoding = buffer.decodingTime, let presentation = buffer.presentationTime else {
      return nil
    }
    return ClockTime(nanoseconds: place) - (presentation - decoding)
  }
}

extension Element {
  /// Has a `capsfilter` keep the caps that are settled with the first frame until the end.
  package func keepsFirstCaps() throws(GStreamerError) {
    // On the streaming thread: a frame of another kind may wait behind it.
    try pad("src").addProbe(.buffer) { _, pad in
      if let settled = pad.caps { try? pad.element?.set("caps", to: settled) }
      return .remove
    }
  }
}
