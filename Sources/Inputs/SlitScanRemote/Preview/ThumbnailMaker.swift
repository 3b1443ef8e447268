// The thumbnail maker draws what can be chosen, as long as a phone looks.

import FoundationEssentials
import GStreamer
import SlitScanCapture
import SlitScanStage

/// Makes thumbnails of presets, sources and map images, one after the other, in the background.
///
/// The streaming threads only hand over a frame now and then. Presets take as much time as they need, but no more than a
/// tenth of a processor.
actor ThumbnailMaker {
  private let performance: Performance
  private let feed: PreviewFeed?
  private let limits: Limits
  private let clock: any SteadyClock
  private let tell: @Sendable (Thumbnail, Data) async -> Void
  private var history = ThumbnailHistory()
  private var encoder: PreviewEncoder?
  private var scaler: FrameScaler?
  /// The images that were drawn.
  private var drawn: Set<MapFolder.Image> = []

  /// - Parameter tell: Gets each thumbnail, as a JPEG.
  init(
    _ performance: Performance, _ feed: PreviewFeed?, _ limits: Limits, clock: any SteadyClock,
    tell: @escaping @Sendable (Thumbnail, Data) async -> Void
  ) {
    self.performance = performance
    self.feed = feed
    self.limits = limits
    self.clock = clock
    self.tell = tell
  }

  /// Works until the task is cancelled.
  nonisolated func run() async {
    await withTaskGroup { group in
      group.addTask {
        await self.repeating(every: self.limits.drawings, rests: true) {
          try await $0.drawMapImage()
        }
      }
      guard let feed else { return }
      group.addTask {
        await self.repeating(every: self.limits.thumbnailFrames) { try await $0.gather(from: feed) }
      }
      group.addTask {
        var number = 0
        // The first of each comes soon; then they are only kept new.
        await self.repeating(
          every: number < self.performance.presets.count
            ? self.limits.drawings : self.limits.presets, rests: true
        ) { maker in
          guard await maker.hasHistory else { return }
          number += 1
          try await maker.drawPreset(number - 1)
        }
      }
      var known = 0
      while !Task.isCancelled {
        while known < self.performance.sources.count {
          let number = known
          group.addTask {
            await self.repeating(every: self.limits.sources) {
              try await $0.drawSource(number, from: feed)
            }
          }
          known += 1
        }
        guard (try? await self.clock.sleep(for: self.limits.sources)) != nil else { return }
      }
    }
  }

  /// Does something again and again.
  ///
  /// A picture that fails is tried again: the show goes on without it.
  ///
  /// - Parameters:
  ///   - pause: The least time from the end of one to the next.
  ///   - rests: Whether pauses are as long as ``Limits/rest`` says.
  private nonisolated func repeating(
    every pause: @autoclosure () -> Duration, rests: Bool = false,
    _ body: (ThumbnailMaker) async throws -> Void
  ) async {
    var next = Duration.zero
    repeat {
      let start = clock.now
      try? await body(self)
      next = pause()
      if rests { next = max(next, (clock.now - start) * limits.rest) }
    } while (try? await clock.sleep(for: next)) != nil
  }

  // MARK: What is drawn

  private func encode(_ sample: Sample, as thumbnail: Thumbnail) async throws {
    // A second encoder while the first is at work.
    var encoder =
      if let encoder { encoder } else {
        try await PreviewEncoder(size: limits.thumbnailSize, quality: 60)
      }
    self.encoder = nil
    let jpeg = try await encoder.encode(sample)
    self.encoder = encoder
    try Task.checkCancellation()
    await tell(thumbnail, jpeg)
  }

  private func drawSource(_ number: Int, from feed: PreviewFeed) async throws {
    guard let sample = await feed.source(number) else { return }
    try await encode(sample, as: Thumbnail(kind: .source, name: "\(number + 1)"))
  }

  private func gather(from feed: PreviewFeed) async throws {
    guard let sample = await feed.input() else { return }
    var scaler = if let scaler { scaler } else { try await FrameScaler(size: limits.thumbnailSize) }
    self.scaler = nil
    try history.add(try await scaler.scale(sample), of: sample, at: clock.now)
    self.scaler = scaler
  }

  private var hasHistory: Bool { history.frames.count > 1 }

  private func drawPreset(_ number: Int) async throws {
    let (history, names, parameters) = (history, performance.presets, performance.parameters)
    guard !names.isEmpty else { return }
    let name = names[number % names.count]
    let values = history.scaled(try await performance.content(of: name).values, parameters)
    guard let last = try await SmallScan.last(of: try history.samples(), values) else { return }
    try await encode(last, as: Thumbnail(kind: .preset, name: name))
  }

  /// Draws the next image that has not been drawn as it is.
  private func drawMapImage() async throws {
    guard let image = await performance.mapImages().first(where: { !drawn.contains($0) }) else {
      return
    }
    drawn.insert(image)
    guard await MapFolder.problem(with: image.path) == nil else {
      return await performance.leaveOut(image)
    }
    let values: [String: Value] = [
      "map": .nick("image"), "map-location": .string(image.path),
      "depth": .int(Int64(SmallScan.rampLength)),
    ]
    let ramp = try SmallScan.ramp(
      width: limits.thumbnailSize, height: limits.thumbnailSize * 9 / 16)
    guard let map = try await SmallScan.last(of: ramp, values) else { return }
    try await encode(map, as: Thumbnail(kind: .mapImage, name: image.name))
  }
}
