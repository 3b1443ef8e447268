// A blackout replaces frames by black ones.

import GStreamer

/// Covers frames with black ones of the same kind.
struct Blackout: Sendable {
  /// Whether it does.
  var isOn = false
  /// The last black frame that was needed; nil where none can be made.
  private var black: (caps: Caps, buffer: Buffer?)?

  /// Whether there is no black of this kind yet, and some is needed.
  func isMissing(_ caps: Caps) -> Bool { isOn && black?.caps != caps }

  /// Keeps a black frame.
  mutating func keep(_ buffer: Buffer?, _ caps: Caps) { black = (caps, buffer) }

  /// The frame, or black in its place.
  func cover(_ sample: Sample) -> Sample {
    guard isOn, let caps = sample.caps, black?.caps == caps, let picture = sample.buffer,
      let time = picture.presentationTime,
      let covered = try? black?.buffer?.moved(to: time, duration: picture.duration)
    else { return sample }
    return Sample(covered, caps: caps)
  }

  /// A black frame of any kind; nil where GStreamer makes none.
  static func make(_ caps: Caps) async -> Buffer? {
    guard
      let sample = try? await {
        let source = try Element("videotestsrc")
        try source.set("pattern", to: "black")
        try source.set("num-buffers", to: 1)
        let format = try Element("capsfilter")
        try format.set("caps", to: caps)
        let sink = try AppSink(isSynchronized: false)
        let pipeline = try Pipeline()
        let maker = try Element(chaining: [source, Element("videoconvert"), format])
        try await pipeline.add(maker, sink.element)
        try await pipeline.link(maker, sink.element)
        try await pipeline.play()
        let sample = try await sink.samples.first { _ in true }
        await pipeline.stop()
        return sample
      }()
    else { return nil }
    return sample.buffer
  }
}
