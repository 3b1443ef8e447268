// The making of a strip photograph of a whole film of any length.

import Foundation
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

  private func take(_ progress: @escaping FilmRendering.Listener) async throws -> StripResult {
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

    let passage = try await StripPassage(film, settled, request.range, progress)

    let effect = try ValidatedScan.makeElement(name: "scan")
    try ValidatedScan(scan).apply(to: effect)
    let pixels = PNGPixels(of: film)
    do {
      try await file.create()
      // The decoder of GIF forgets the time after a seek, and its frames seem to come too early.
      for start in passage.seek == nil ? [nil] : [passage.seek, nil] {
        // Chroma of its own for each line.
        let result = try await FilmFrames(
          film.input, as: film.commonCaps(in: pixels.format), through: effect, from: start
        ).read { frames in
          try await spool(&frames, passage, tile, pixels, file, effect, progress)
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
    if let shortage = MemoryShortage(effect) {
      throw CaptureError(.scanFailed, "\(shortage.description) Raise max-memory.")
    }
    let info = try VideoInfo(first.caps)
    let direction: StripDirection = info.width == tile.lines ? .rightwards : .downwards
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

    var scale =
      request.hasScale
      ? TimeScale(
        times: times, linesPerFrame: tile.linesPerFrame,
        spacing: ScaleDrawing.spacing(direction), origin: request.startTime) : nil
    if request.isReversed { scale = scale?.reversed(lines: times.count * tile.linesPerFrame) }
    let title = try request.titleItems(film, tile, begin, end)
    let size = try await StripImage(spool: spool, pixels, scale: scale, title: title)
      .write(file, progress)
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

/// The frames of a film that a strip has.
private struct StripPassage {
  let film: FilmDescription
  /// The time of the first one, in the film.
  var start = ClockTime.zero
  /// The time of the first one after them; nil for all.
  var end: ClockTime?
  /// How many there are; nil for all of the film.
  var frameCount: Int?
  /// Where reading begins in the file; nil for the beginning.
  var seek: ClockTime?

  init(
    _ film: FilmDescription, _ scan: ValidatedScan, _ range: FilmRange,
    _ progress: @escaping FilmRendering.Listener
  ) async throws {
    self.film = film
    guard !range.isAll else { return }
    let times = try await FilmTimes(of: [film]) { count in
      progress(
        RenderProgress(stage: .looking, frames: count, total: film.frameCount, time: .zero))
    }
    let frames = try range.frames(of: times)
    start = times.times[frames.lowerBound]
    end = frames.upperBound < times.times.count ? times.times[frames.upperBound] : nil
    frameCount = frames.count
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
      items.append(
        "\(rate.formatted(.number.precision(.fractionLength(0...2)).locale(Locale(identifier: "en_US_POSIX")).grouping(.never))) frames/s"
      )
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

/// A strip photograph to be taken of a film: some lines of pixels of each frame, side by side.
public struct StripRequest: Sendable {
  /// The film: a file, an address, or an image sequence as in ``RenderRequest/inputs``.
  public var inputs: [String]
  /// Frames a second of an image sequence; nil for 25.
  public var frameRate: Fraction?
  /// The file to write, which ends in `.png`.
  public var output: String
  /// The settings of the effect, in mode `strip`; where the slit is, how wide, and which way the strip
  /// grows follows from it.
  public var scan: Scan
  /// Whether the newest lines are at the left or at the top, rather than at the right or at the bottom.
  public var isReversed = false
  /// The in and out points.
  public var range = FilmRange()
  /// Whether marks along the edge say when lines were taken.
  public var hasScale: Bool
  /// What a clock shows at the first frame of the film, from which scale and title count; nil for the time of the film.
  public var startTime: ClockTime?
  /// A text below the strip, with the date of the film, the time, the frame rate and the slit; nil for none.
  public var title: String?
  /// Whether a file that is there is replaced.
  public var replacesOutput: Bool

  /// A strip of a film.
  public init(
    _ inputs: String..., to output: String, scan: Scan = ["angle": 90], hasScale: Bool = false,
    replacesOutput: Bool = false
  ) {
    self.inputs = inputs
    self.output = output
    self.scan = scan
    self.hasScale = hasScale
    self.replacesOutput = replacesOutput
  }
}

/// A strip photograph that was taken.
public struct StripResult: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// Its size with scale and title, in pixels.
  public var width: Int
  /// Its size with scale and title, in pixels.
  public var height: Int
  /// Frames that it has lines of.
  public var frames: Int
  /// When the first of them was shown.
  public var start: ClockTime
  /// When the last of them was shown.
  public var end: ClockTime
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// The part of the film that could not be read; nil if all was.
  public var damage: FilmDamage?
  /// Warnings for the user.
  public var warnings: [String] = []
}
