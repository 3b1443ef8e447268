// The map feed gives images in memory to the pad `map` of a running effect.

import GStreamer

/// An `appsrc` on the pad `map`, and a task that sends it the newest image.
///
/// It never blocks: neither the caller that sets an image, nor a frame of the video. The task ends with it.
final class MapFeed: Sendable {
  let element: Element
  private let images = Handoff()
  private let sending: Task<Void, Never>

  init() throws(GStreamerError) {
    let source = try AppSrc(queue: 1)
    // That it is taken out is no error of the pipeline.
    source.element.keepsErrors = true
    element = source.element
    sending = Task.detached { [images] in
      var isFirst = true
      while let image = try? await images.next() {
        // The first has no time, so that video which is not live waits for it and for nothing after it. The
        // others begin with the stream: each takes the place of one that no frame has reached.
        let next = isFirst ? image : Self.fromTheStart(image)
        isFirst = false
        guard (try? await source.send(next)) != nil else { return }
      }
    }
  }

  deinit { finish() }

  private static func fromTheStart(_ image: Sample) -> Sample {
    guard let caps = image.caps, let buffer = try? image.buffer?.moved(to: .zero, duration: nil)
    else { return image }
    return Sample(buffer, caps: caps)
  }

  /// Has an image be the map with the next frame, in the place of one that was not shown yet.
  func send(_ image: Sample) {
    _ = images.leave(image, limit: Handoff.Limit(samples: 1, bytes: .max), replacing: true)
  }

  /// No image comes any more.
  func finish() { sending.cancel() }
}

extension CaptureStream {
  /// Has images in memory be what comes to the pad `map`, in the place of what does now.
  mutating func startMapFeed(with image: Sample) async throws(GStreamerError) {
    let feed = try MapFeed()
    let pad = try mapPad()
    try await pipeline.add(feed.element)
    do throws(GStreamerError) {
      if let other = pad.peer {
        try await (input.source as? SourceMixer)?.setMapPaused(true)
        other.unlink(from: pad)
      }
      try feed.element.pad("src").link(to: pad)
      feed.send(image)
      try await pipeline.syncState(of: feed.element)
    } catch {
      feed.finish()
      await pipeline.remove(feed.element)
      throw error
    }
    mapFeed = feed
  }

  /// Takes the images away; where the source has a map, that is back.
  mutating func endMapFeed() async throws(GStreamerError) {
    guard let feed = mapFeed else { return }
    mapFeed = nil
    feed.finish()
    let pad = try mapPad()
    // First of all, so that its thread does not wait there while it is to end.
    try feed.element.pad("src").unlink(from: pad)
    await pipeline.remove(feed.element)
    // With another pad, the effect forgets the image.
    scan.release(pad)
    guard let mixer = input.source as? SourceMixer else { return }
    try input.element.pad("map").link(to: scan.requestPad("map"))
    try await mixer.setMapPaused(false)
  }

  func mapPad() throws(GStreamerError) -> Pad {
    if let pad = try? scan.pad("map") { return pad }
    return try scan.requestPad("map")
  }
}

extension CapturePipeline {
  /// Has an image in memory be the map `live`, see ``CaptureSession/setMapImage(_:)``.
  ///
  /// Without one, the pad `map` is free; with a ``SourceMixer``, it gets the source of ``setMapInput(_:)`` again.
  package func setMapImage(_ image: MapImage?) async throws(CaptureError) {
    let sample = try image?.sample()
    mapImage = sample
    if let sample, let feed = stream?.mapFeed {
      feed.send(sample)
      return
    }
    try await mutex.run { () async throws(CaptureError) in try await settleMapFeed() }
  }

  /// Gives the stream a feed where there is an image, and takes it away where there is none.
  func settleMapFeed() async throws(CaptureError) {
    guard var stream else { return }
    do throws(GStreamerError) {
      switch (mapImage, stream.mapFeed) {
      case (let image?, let feed?): feed.send(image)
      case (let image?, nil): try await stream.startMapFeed(with: image)
      case (nil, _):
        // An image that comes meanwhile gets a new one.
        self.stream?.mapFeed = nil
        try await stream.endMapFeed()
      }
    } catch {
      throw CaptureError(
        .missingElement,
        "The effect cannot be given an image as its map. Install gstreamer1.0-plugins-base.",
        underlying: error)
    }
    self.stream?.mapFeed = stream.mapFeed
  }
}
