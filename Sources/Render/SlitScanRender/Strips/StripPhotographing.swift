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

  private func take(_ progress: @escaping FilmRendering.Listener) async throws -> StripResult {
    guard Photo.Format(path: request.output) == .png else {
      throw CaptureError(
        .unknownContainer,
        "\(request.output): A strip photograph is a PNG file. Use the extension .png.")
    }
    try FilmInputs.require([request.input])
    let input = FileSource.localPath(request.input)
    let file = try UnfinishedFile(
      request.output, inputs: [input], replaces: request.replacesOutput)
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

    let effect = try ValidatedScan.makeElement(name: "scan")
    try ValidatedScan(scan).apply(to: effect)
    do {
      // Chroma of its own for each line.
      return try await FilmFrames(film.path, as: film.commonCaps(in: "RGB"), through: effect)
        .read { frames in try await spool(&frames, film, tile, file, effect, progress) }
    } catch {
      file.remove()
      guard let error = error as? CaptureError else { throw error }
      throw error.underlying.flatMap(CaptureError.init(ofEffect:)) ?? error
    }
  }

  /// Reads the film, then writes the image.
  private func spool(
    _ frames: inout FilmFrames, _ film: FilmDescription, _ tile: StripTile,
    _ file: UnfinishedFile, _ effect: Element, _ progress: FilmRendering.Listener
  ) async throws -> StripResult {
    guard var last = try await frames.next() else {
      throw CaptureError(
        .sourceFailed, "\(film.path): No frame of this file can be decoded.")
    }
    if let shortage = MemoryShortage(effect) {
      throw CaptureError(.scanFailed, "\(shortage.description) Raise max-memory.")
    }
    let info = try VideoInfo(last.caps)
    try await file.create()
    let direction: StripDirection = info.width == tile.lines ? .rightwards : .downwards
    var spool = try StripSpool(
      beside: file.temporaryPath, called: file.path, direction,
      breadth: direction == .rightwards ? info.height : info.width, tileLines: tile.lines)
    var times = [last.time - film.start]
    while let frame = try await frames.next() {
      // A canvas is full with each so many frames.
      if times.count.isMultiple(of: tile.frames) {
        try spool.append(last, info, lines: tile.lines)
      }
      last = frame
      let time = frame.time - film.start
      times.append(time)
      let total = RenderProgress.total(
        after: times.count - 1, in: time - times[0], of: film.duration)
      progress(
        RenderProgress(stage: .rendering, frames: times.count, total: total, time: time))
    }
    let left = (times.count - 1) % tile.frames + 1
    try spool.append(last, info, lines: left * tile.linesPerFrame)

    let scale =
      request.hasScale
      ? TimeScale(
        times: times, linesPerFrame: tile.linesPerFrame,
        spacing: ScaleDrawing.spacing(direction)) : nil
    let size = try await StripImage(spool: spool, scale: scale).write(file, progress)
    try file.complete()
    return StripResult(
      path: request.output, width: size.width, height: size.height, frames: times.count,
      start: times.first ?? .zero, end: times.last ?? .zero,
      byteCount: byteCount(ofFile: request.output),
      damage: FilmDamage(film, readFrames: times.count, frames.tally))
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
    let frame = try VideoFrame(canvas.buffer, info)
    try append(lines) { row, bytes in
      let source = frame.row(row, ofPlane: 0)
      // A row of the canvas has as many.
      return (0..<bytes).map { $0 < source.count ? source[$0] : 0 }
    }
  }
}

/// A strip photograph to be taken of a film: some lines of pixels of each frame, side by side.
public struct StripRequest: Sendable {
  /// The film.
  public var input: String
  /// The file to write, which ends in `.png`.
  public var output: String
  /// The settings of the effect, in mode `strip`; where the slit is, how wide, and which way the strip
  /// grows follows from it.
  public var scan: Scan
  /// Whether marks along the edge say when lines were taken.
  public var hasScale: Bool
  /// Whether a file that is there is replaced.
  public var replacesOutput: Bool

  /// A strip of a film.
  public init(
    _ input: String, to output: String, scan: Scan = ["angle": 90], hasScale: Bool = false,
    replacesOutput: Bool = false
  ) {
    self.input = input
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
  /// Its size with the scale, in pixels.
  public var width: Int
  /// Its size with the scale, in pixels.
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
}
