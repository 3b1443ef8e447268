// The recorder's audio: samples on their way into the file.

import GStreamer

/// Sound that waits for a frame to tell where it belongs.
struct HeldSound {
  /// The most that waits; more comes only where there are no frames at all.
  static let limit = ClockTime.seconds(2)

  private(set) var samples: [(sample: Sample, info: AudioInfo)] = []
  private var duration = ClockTime.zero

  mutating func append(_ sample: Sample, _ info: AudioInfo) {
    samples.append((sample, info))
    duration = duration + Self.duration(sample, info)
    while duration > Self.limit, !samples.isEmpty {
      let (sample, info) = samples.removeFirst()
      duration = duration - Self.duration(sample, info)
    }
  }

  static func duration(_ sample: Sample, _ info: AudioInfo) -> ClockTime {
    info.duration(ofFrames: (sample.buffer?.byteCount ?? 0) / info.bytesPerFrame)
  }
}

extension Recorder {
  /// Sound that is so far behind the frames is lost; silence takes its place.
  static let soundPatience = ClockTime.seconds(2)

  /// The bytes of sound that wait before those who append more of it do.
  static let soundLimit = 1 << 20

  /// Appends raw, interleaved sound, and returns once the encoder's queue has room.
  ///
  /// It can come before the frames that it belongs to, or up to two seconds after them.
  ///
  /// - Throws: As ``append(video:)``.
  public func append(audio sample: Sample) async throws(CaptureError) {
    do { try await take(audio: sample) } catch { throw Self.refusal(error) }
  }

  private func take(audio sample: Sample) async throws {
    try requireRecording()
    guard streams?.audio != nil else {
      throw CaptureError(.unsupportedFormat, "This recorder does not record sound.")
    }
    guard let buffer = sample.buffer, let caps = sample.caps, let info = try? AudioInfo(caps) else {
      throw CaptureError(
        .unsupportedFormat,
        "Sound must be raw and interleaved, not \(sample.caps?.description ?? "without caps").")
    }
    guard (sample.runningTime ?? buffer.presentationTime) != nil else {
      throw CaptureError(.noTime, "Sound must have a timestamp.")
    }
    audioCaps = caps
    try place(sample, info)
    if timeline.isWaiting { heldSound.append(sample, info) }
    try await sendSound()
    // Frames never wait here: the muxer may need them before it takes more sound.
    if waitingSound > Self.soundLimit { try await sending.run { try await sendWaitingSound() } }
  }

  private var waitingSound: Int { soundToSend.reduce(0) { $0 + ($1.buffer?.byteCount ?? 0) } }

  /// Sends what waits, unless another task does so: that takes it along.
  func sendSound() async throws {
    try fillSound()
    if !sending.isTaken { try await sending.run { try await sendWaitingSound() } }
  }

  private func sendWaitingSound() async throws {
    guard let source = streams?.audio else { return }
    while !soundToSend.isEmpty {
      let next = soundToSend.removeFirst()
      do {
        try await send(next, to: source)
        hasSentSound = true
      } catch let error as GStreamerError where error.code == .cancelled {
        // It has its place already, and others go on: who sends next takes it along.
        soundToSend.insert(next, at: 0)
        throw error
      }
    }
  }

  /// Makes the sound as long as the frames, and sends it.
  func sendLastSound() async throws {
    // Sound that another task is about to send may come back, as that is cancelled.
    try await sending.run {
      guard let source = streams?.audio, settings.video != nil else { return }
      if timeline.soundLag > 0 { try appendSilence(until: timeline.videoEnd) }
      // Without any, muxers declare a stream that cannot be read.
      if !hasSentSound, soundToSend.isEmpty { try appendSilence(at: 0, length: 20_000_000) }
      while !soundToSend.isEmpty { try await source.send(soundToSend.removeFirst()) }
    }
  }

  /// Finds the places of sound that came before the frame that began a span.
  func placeHeldSound() {
    let held = heldSound
    heldSound = HeldSound()
    for (sample, info) in held.samples { try? place(sample, info) }
  }

  /// Cuts out of a block of sound what is heard.
  private func place(_ sample: Sample, _ info: AudioInfo) throws(GStreamerError) {
    guard let buffer = sample.buffer, let caps = sample.caps,
      let time = sample.runningTime ?? buffer.presentationTime
    else { return }
    let count = buffer.byteCount / info.bytesPerFrame
    let duration = info.duration(ofFrames: count)
    for piece in timeline.placeSound(at: time.nanoseconds, duration: duration.nanoseconds) {
      let first = min(count, info.frames(in: ClockTime(nanoseconds: piece.offset)))
      let last = min(count, info.frames(in: ClockTime(nanoseconds: piece.offset + piece.length)))
      guard first < last else { continue }
      let part = try buffer.part(
        first * info.bytesPerFrame..<last * info.bytesPerFrame,
        at: ClockTime(nanoseconds: piece.time), duration: info.duration(ofFrames: last - first))
      soundToSend.append(Sample(part, caps: caps))
    }
  }

  /// Lets the video go on where sound stays away.
  private func fillSound() throws {
    let patience = Self.soundPatience.nanoseconds
    guard streams?.audio != nil, timeline.hasBegun, settings.video != nil,
      timeline.soundLag > patience
    else { return }
    try appendSilence(until: timeline.videoEnd - patience / 2)
  }

  private func appendSilence(until time: UInt64) throws {
    guard let piece = timeline.fillSound(until: time) else { return }
    try appendSilence(at: piece.time, length: piece.length)
  }

  /// In the file, in nanoseconds.
  private func appendSilence(at time: UInt64, length: UInt64) throws {
    let caps: Caps
    if let audioCaps {
      caps = audioCaps
    } else {
      caps = try Caps("audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved")
    }
    let info = try AudioInfo(caps)
    let frames = info.frames(in: ClockTime(nanoseconds: length))
    guard frames > 0 else { return }
    var silence = try info.silence(frames: frames)
    silence.presentationTime = ClockTime(nanoseconds: time)
    silence.duration = ClockTime(nanoseconds: length)
    soundToSend.append(Sample(silence.finish(), caps: caps))
  }
}
