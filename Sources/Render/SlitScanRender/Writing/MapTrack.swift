// The map track sends each frame of a film its map.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Images for the pad `map` of the effect: one for each frame, sent before it.
final class MapTrack: Sendable {
  private let source: AppSrc
  private let images: MapImageSequence
  private let state = Lock(State())

  private struct State {
    var first: ClockTime?
    var maker: MapImageSequence.Maker?
  }

  /// Links an effect; before its pipeline plays.
  init(_ images: MapImageSequence, to scan: Element, in pipeline: Pipeline) async throws {
    self.images = images
    // More than wait for the frames, so that these are what is waited for.
    source = try AppSrc(queue: 64)
    try await pipeline.add(source.element)
    try source.element.pad("src").link(to: scan.requestPad("map"))
  }

  func send(before frame: Sample) async throws {
    guard let time = frame.buffer?.presentationTime, let caps = frame.caps else { return }
    let info = try VideoInfo(caps)
    let (maker, first) = state.withLock { state in
      let maker = state.maker ?? images.maker(aspect: Double(info.width) / Double(info.height))
      let first = state.first ?? time
      state = State(first: first, maker: maker)
      return (maker, first)
    }
    let image =
      try maker(time > first ? time - first : .zero)
      ?? MapImage(width: 1, height: 1, gray8: [0])
    let sample = try image.sample()
    // Its end is after the frame's beginning: the frame waits for this map, and not for the next one.
    guard let caps = sample.caps,
      let buffer = try sample.buffer?.moved(to: time, duration: ClockTime(nanoseconds: 1))
    else { return }
    try await source.send(Sample(buffer, caps: caps))
  }

  /// No frame comes any more.
  func finish() async throws { try await source.finish() }
}
