// The making of a strip photograph of a whole film of any length.

import GStreamer
import SlitScanCapture

/// Takes a strip photograph that need not fit into memory.
///
/// ```swift
/// let request = StripRequest("race.mp4", to: "finish.png", scan: ["angle": 90, "position": 0.7])
/// let result = try await StripPhotographing(request).run()
/// ```
///
/// The effect draws on a small canvas; each time that is full, it is put into a file without a name. The
/// whole is written from there, row by row.
public struct StripPhotographing: Sendable {
  private let request: StripRequest

  /// A strip to be taken; nothing is opened yet.
  public init(_ request: StripRequest) { self.request = request }

  /// Takes it.
  ///
  /// - Returns: What was written.
  /// - Throws: ``CaptureError``; where the task is cancelled, one of ``CaptureError/Code/cancelled``.
  public func run(
    _ progress: @escaping FilmRendering.Listener = { _ in }
  ) async throws(CaptureError) -> StripResult {
    try await explained(otherwise: .sourceFailed) { try await take(progress) }
  }

  /// Says what would come out, and writes nothing.
  ///
  /// - Throws: ``CaptureError``, as ``run(_:)`` does where it can be known before.
  public func forecast(
    _ progress: @escaping FilmRendering.Listener = { _ in }
  ) async throws(CaptureError) -> StripForecast {
    try await explained(otherwise: .sourceFailed) {
      let settled = try await settle(progress)
      try settled.file.requireFolder()
      let (film, tile, pixels) = (settled.passage.film, settled.tile, settled.pixels)
      let effect = try ValidatedScan.makeElement(name: "scan")
      settled.scan.apply(to: effect)
      let caps = try await FilmFrames(
        film.input, as: film.commonCaps(in: pixels.format), through: effect
      ).read { frames in try await frames.next()?.caps }
      try Self.requireMemory(effect)
      let info = try caps.map(VideoInfo.init) ?? film.info
      let direction = tile.direction(of: info)
      var times = settled.passage.times
      if times.isEmpty { times = try await FilmTimes(of: [film]).times }
      let lines = times.count * tile.linesPerFrame
      let layout = try layout(
        film, tile, direction, times,
        strip: direction == .rightwards ? (lines, info.height) : (info.width, lines))
      let step = film.frameDuration ?? .zero
      return StripForecast(
        path: request.output, width: layout.size.width, height: layout.size.height,
        channels: pixels.isOpaque ? min(3, pixels.channels) : 4, bits: pixels.bits,
        frames: times.count,
        duration: (times.last ?? .zero) - (times.first ?? .zero) + step, warnings: film.notes)
    }
  }

  /// All that is known before anything is written.
  private struct Settled {
    let file: UnfinishedFile
    let passage: StripPassage
    let scan: ValidatedScan
    let tile: StripTile
    let pixels: PNGPixels
  }

  private func settle(_ progress: @escaping FilmRendering.Listener) async throws -> Settled {
    guard Photo.Format(path: request.output) == .png else {
      throw CaptureError(
        .unknownContainer,
        "\(request.output): A strip photograph is a PNG file. Use the extension .png.")
    }
    let inputs = try FilmInput.all(request.inputs, frameRate: request.frameRate)
    guard let input = inputs.first, inputs.count == 1 else {
      throw CaptureError(
        .badRequest, "A photograph is taken of one film or image sequence, not of \(inputs.count).")
    }
    let file = try UnfinishedFile(
      request.output, inputs: input.files, replaces: request.replacesOutput)
    guard !file.isStream else {
      throw CaptureError(
        .badRequest,
        "\(request.output) is a pipe or a device, which takes no PNG file. Name a file.")
    }
    var scan = request.scan
    scan.properties["mode"] = "strip"
    scan.properties["canvas"] = "wrap"
    let settled = try ValidatedScan(scan)
    guard settled.value(of: "map") != .nick("live") else {
      throw CaptureError(
        .badRequest,
        "map=live needs a second video, which a photograph has not. Choose another map.")
    }
    try await settled.requireMapImage()
    let film = try await FilmDescription(input, wantsSound: false)
    let tile = StripTile(settled, film.info)
    scan.properties["canvas-length"] = .int(Int64(tile.lines))

    return Settled(
      file: file, passage: try await StripPassage(film, settled, request.range, progress),
      scan: try ValidatedScan(scan), tile: tile, pixels: PNGPixels(of: film))
  }

  private func take(_ progress: @escaping FilmRendering.Listener) async throws -> StripResult {
    let settled = try await settle(progress)
    let (file, passage, pixels) = (settled.file, settled.passage, settled.pixels)
    let film = passage.film
    let effect = try ValidatedScan.makeElement(name: "scan")
    settled.scan.apply(to: effect)
    do {
      try await file.create()
      // The decoder of GIF forgets the time after a seek, and its frames seem to come too early.
      for start in passage.seek == nil ? [nil] : [passage.seek, nil] {
        // Chroma of its own for each line.
        let result = try await FilmFrames(
          film.input, as: film.commonCaps(in: pixels.format), through: effect, from: start
        ).read { frames in
          try await spool(&frames, passage, settled.tile, pixels, file, effect, progress)
        }
        if let result { return result }
      }
      throw CaptureError(
        .timesDiffer,
        "\(film.path): No frame is decoded at the times that its packets have. Leave out --from and --to."
      )
    } catch {
      file.remove()
      guard let error = error as? CaptureError else { throw error }
      throw error.underlying.flatMap(CaptureError.init(ofEffect:)) ?? error
    }
  }

  /// Reads the film, then writes the image; nil where no frame is wanted.
  private func spool(
    _ frames: inout FilmFrames, _ passage: StripPassage, _ tile: StripTile, _ pixels: PNGPixels,
    _ file: UnfinishedFile, _ effect: Element, _ progress: FilmRendering.Listener
  ) async throws -> StripResult? {
    let film = passage.film
    guard let first = try await frames.next() else {
      throw CaptureError(
        .sourceFailed, "\(film.path): No frame of this file can be decoded.")
    }
    try Self.requireMemory(effect)
    let info = try VideoInfo(first.caps)
    let direction = tile.direction(of: info)
    var spool = try StripSpool(
      beside: file.temporaryPath, called: file.path, direction,
      breadth: direction == .rightwards ? info.height : info.width, tileLines: tile.lines,
      reversedFrameLines: request.isReversed ? tile.linesPerFrame : nil,
      bytesPerPixel: pixels.byteCount)
    var (count, times) = (0, [ClockTime]())
    var (last, next) = (first, Optional(first))
    while let frame = next {
      let time = frame.time - film.start
      if let end = passage.end, time >= end { break }
      // A canvas is full with each so many frames.
      if count > 0, count.isMultiple(of: tile.frames) {
        try spool.append(last, info, lines: tile.lines)
      }
      last = frame
      count += 1
      if time >= passage.start {
        times.append(time)
        let total =
          passage.frameCount
          ?? RenderProgress.total(after: times.count - 1, in: time - times[0], of: film.duration)
        progress(RenderProgress(stage: .rendering, frames: times.count, total: total, time: time))
      } else {
        progress(RenderProgress(stage: .warmingUp, frames: count, total: nil, time: time))
      }
      next = try await frames.next()
    }
    guard let begin = times.first, let end = times.last else { return nil }
    let left = (count - 1) % tile.frames + 1
    try spool.append(last, info, lines: left * tile.linesPerFrame)
    spool.skip((count - times.count) * tile.linesPerFrame)

    let layout = try layout(film, tile, direction, times, strip: spool.size)
    let size = try await StripImage(spool: spool, pixels, layout).write(file, progress)
    try file.complete()
    let isWhole = passage.frameCount == nil
    return StripResult(
      path: request.output, width: size.width, height: size.height, frames: times.count,
      start: begin, end: end, byteCount: byteCount(ofFile: request.output),
      damage: FilmDamage(
        film, readFrames: isWhole ? times.count : nil, isWhole ? frames.tally : nil),
      warnings: film.notes)
  }
}

extension StripPhotographing {
  private static func requireMemory(_ effect: Element) throws(CaptureError) {
    if let shortage = MemoryShortage(effect) {
      throw CaptureError(.scanFailed, "\(shortage.description) Raise max-memory.")
    }
  }

  /// The strip of so many pixels, with its scale and title.
  private func layout(
    _ film: FilmDescription, _ tile: StripTile, _ direction: StripDirection, _ times: [ClockTime],
    strip: (width: Int, height: Int)
  ) throws -> StripLayout {
    var scale =
      request.hasScale
      ? TimeScale(
        times: times, linesPerFrame: tile.linesPerFrame,
        spacing: ScaleDrawing.spacing(direction), origin: request.startTime) : nil
    if request.isReversed { scale = scale?.reversed(lines: times.count * tile.linesPerFrame) }
    let title = try request.titleItems(film, tile, times.first ?? .zero, times.last ?? .zero)
    return try StripLayout(direction, strip: strip, scale: scale, title: title)
  }
}

/// The frames of a film that a strip has.
private struct StripPassage {
  let film: FilmDescription
  /// The time of the first one, in the film.
  var start = ClockTime.zero
  /// The time of the first one after them; nil for all.
  var end: ClockTime?
  /// Their times; none where they are all of the film.
  var times: [ClockTime] = []
  /// Their number; nil for all of the film.
  var frameCount: Int? { times.isEmpty ? nil : times.count }
  /// Where reading begins in the file; nil for the beginning.
  var seek: ClockTime?

  init(
    _ film: FilmDescription, _ scan: ValidatedScan, _ range: FilmRange,
    _ progress: @escaping FilmRendering.Listener
  ) async throws {
    self.film = film
    guard !range.isAll else { return }
    let times = try await FilmTimes(of: [film], total: film.frameCount, progress)
    let frames = try range.frames(of: times)
    start = times.times[frames.lowerBound]
    end = frames.upperBound < times.times.count ? times.times[frames.upperBound] : nil
    self.times = Array(times.times[frames])
    // Motion follows from all frames before.
    guard scan.value(of: "map") != .nick("motion"), frames.lowerBound > 1,
      times.areSeekable == [true]
    else { return }
    // One before, as what is at the very place may be cut.
    seek = film.start + times.times[frames.lowerBound - 1]
  }
}

extension PNGPixels {
  /// The pixels that keep the bits and the opacity of a film's.
  init(of film: FilmDescription) {
    let info = film.info
    let isDeep = info.bitDepth > 8
    // Grey of the full range stays as it is: GStreamer's conversion to RGB tints it a little.
    if info.chromaSubsampling == nil, !film.hasAlpha, info.colorimetry?.hasPrefix("1:") == true {
      self.init(channels: 1, bits: isDeep ? 16 : 8)
      return
    }
    // GStreamer has no format of three samples of 16 bits.
    self.init(
      channels: isDeep || film.hasAlpha ? 4 : 3, bits: isDeep ? 16 : 8, isOpaque: !film.hasAlpha)
  }

  /// The video format of such rows.
  var format: String {
    switch (channels, bits) {
    case (1, 16): "GRAY16_BE"
    case (1, _): "GRAY8"
    case (_, 16): "RGBA64_BE"
    case (4, _): "RGBA"
    default: "RGB"
    }
  }
}

extension StripRequest {
  /// The texts below the strip: the title, and how it was taken; none where there is no title.
  fileprivate func titleItems(
    _ film: FilmDescription, _ tile: StripTile, _ begin: ClockTime, _ end: ClockTime
  ) throws -> [String] {
    guard let title else { return [] }
    var items = [title]
    if let date = film.streams?.tags["datetime"].flatMap(String.init(from:)) {
      items.append(String(date.prefix(10)))
    }
    let times = [begin, end].map { time in
      TimeScale.text(time + (startTime ?? .zero), step: 10, isOfDay: startTime != nil)
    }
    items.append(times.joined(separator: " – "))
    if let rate = film.info.frameRate.quotient, rate > 0 {
      items.append("\(rate.decimals(atMost: 2)) frames/s")
    }
    let settled = try ValidatedScan(scan)
    let position = settled.value(of: "position").flatMap(Double.init(from:)) ?? 0.5
    items.append("slit at \(position), \(tile.linesPerFrame) px")
    return items
  }
}

/// The part of a strip that is drawn before it is stored.
struct StripTile: Sendable, Equatable {
  /// Lines that each frame gives.
  let linesPerFrame: Int
  /// Frames of a tile.
  let frames: Int

  /// Lines of a tile.
  var lines: Int { linesPerFrame * frames }

  /// Which way the strip grows of which a tile has such frames.
  func direction(of info: VideoInfo) -> StripDirection {
    info.width == lines ? .rightwards : .downwards
  }

  /// About as many lines as make it worth a write.
  private static let usualLines = 128

  /// A tile for a scan of such frames, whose length is neither of their sides: so its shape says which
  /// way the strip grows.
  init(_ scan: ValidatedScan, _ info: VideoInfo) {
    var width = 1
    if let value = scan.value(of: "slit-width"), let number = Int(from: value) {
      width = max(1, min(number, 65_536))
    }
    linesPerFrame = width
    var count = max(1, Self.usualLines / width)
    while [info.width, info.height].contains(count * width) { count += 1 }
    frames = count
  }
}

extension StripSpool {
  mutating func append(_ canvas: FilmFrame, _ info: VideoInfo, lines: Int) throws {
    try Task.checkCancellation()
    let frame = try VideoFrame(canvas.buffer, info)
    try append(lines) { row, bytes in
      let source = frame.row(row, ofPlane: 0)
      precondition(source.count >= bytes, "A row of the canvas has as many bytes.")
      return unsafe source.withUnsafeBufferPointer { unsafe Array($0.prefix(bytes)) }
    }
  }
}
