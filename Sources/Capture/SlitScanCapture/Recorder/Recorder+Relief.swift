// The recorder's relief: an encoder that is too slow goes on with less quality, within the file.

import GStreamer

extension Recorder {
  /// Lowers the quality where more and more frames wait for the encoder, and raises it again where none does.
  ///
  /// - Parameter fill: The part of the queue of frames that is full, from 0 to 1.
  func adapt(toFill fill: Double) {
    // Before the first frame, there is nothing to judge by. A bit rate that was asked for is kept.
    guard videoShape != nil, plan.video?.encoder != nil, settings.video?.encoding.bitRate == nil,
      relief.take(fill: fill)
    else { return }
    resetEncoder()
  }

  /// Sets up the encoder anew when its next frame comes.
  private func resetEncoder() {
    guard reset == nil, case .recording = state,
      let place = try? streams?.pipeline.element(named: "video-format").pad("src")
    else { return }
    reset = Task { [weak self] in
      // Encoders of recordings hold no frame back, so nothing is in the one behind a pad that is held up.
      guard let hold = try? await place.block() else { return }
      await self?.lowerQuality()
      hold.release()
    }
  }

  private func lowerQuality() {
    reset = nil
    guard let streams, var encoding = settings.video?.encoding, let choice = plan.video?.encoder
    else { return }
    encoding.speed = encoderSpeed ?? encoding.speed
    do {
      try setUp(choice, encoding.lowered(by: relief.level), in: streams)
      encoderLevel = relief.level
    } catch {
      fail(error, of: streams)
    }
  }

  /// Sets the properties of the encoder, which takes them only while it is stopped; nothing may pass it meanwhile.
  func setUp(
    _ choice: EncoderChoice, _ encoding: VideoEncoding, in streams: RecordingStreams
  ) throws(GStreamerError) {
    let format = try streams.pipeline.element(named: "video-format")
    let encoder = try streams.pipeline.element(named: "video-encoder")
    // Linked again, it gets the events that it has forgotten.
    format.unlink(from: encoder)
    try encoder.whileStopped { () throws(GStreamerError) in try choice.set(encoder, to: encoding) }
    try format.link(to: encoder)
  }

  /// Has the file say how many frames are missing; Matroska and WebM have their tags at the end.
  func noteMissing(_ count: UInt64) {
    guard [.matroska, .webm].contains(container), let streams else { return }
    // Without spaces: GStreamer 1.22 writes others into quotation marks, with backslashes.
    let words = "frames-missing:\(count)"
    try? streams.pipeline.element(named: "mux").setTags(TagList(["comment": .string(words)]))
  }
}
