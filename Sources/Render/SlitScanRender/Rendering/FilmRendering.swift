// The rendering of films through the effect into one film, as fast as the machine allows.

import GStreamer
import LibC
import SlitScanCapture

/// Makes a film of films: each frame through the effect, and their sound.
///
/// ```swift
/// let request = RenderRequest(["in.mp4"], to: "out.mp4", scan: ["map": "radial"])
/// let result = try await FilmRendering(request).run { print($0.frames) }
/// ```
///
/// A file at the place of the output stays until the film is complete, and nothing is left of a film where
/// it fails or its task is cancelled.
///
/// With ``RenderRequest/range`` or ``RenderRequest/part``, the effect first sees as much as it needs for the first frame
/// to be what it is in the whole film. Without loss, parts that are joined are the whole film, byte for byte
/// of its video and its sound.
public struct FilmRendering: Sendable {
  /// Called from time to time, on any thread.
  public typealias Listener = @Sendable (RenderProgress) -> Void

  private let request: RenderRequest
  /// The clock by which results say where the time went, and forecasts measure it.
  package var clock: any SteadyClock = ContinuousClock()

  /// A film to be made; nothing is opened yet.
  public init(_ request: RenderRequest) { self.request = request }

  /// Makes it.
  ///
  /// - Returns: What was written.
  /// - Throws: ``CaptureError``; where the task is cancelled, one of ``CaptureError/Code/cancelled``.
  public func run(_ progress: @escaping Listener = { _ in }) async throws(CaptureError)
    -> RenderResult
  {
    try await explained(otherwise: .encoderFailed) { try await render(progress) }
  }

  private func render(_ progress: @escaping Listener) async throws -> RenderResult {
    let settled = try await settle(progress)
    return try await settled.write(settled.plan, request, on: clock) { writer, pass in
      let frames = try await pass.run(progress)
      try await writer.finish()
      return RenderResult(
        path: request.output, frames: frames.rendered, preRoll: frames.preRoll,
        start: frames.start, end: frames.end, hasSound: !settled.contents.sounds.isEmpty,
        byteCount: settled.output.byteCount, times: pass.stopwatch.times,
        damage: frames.damage,
        warnings: settled.warnings + writer.warnings)
    }
  }

  /// Says what would come out, and writes nothing: looks into the films, and makes their first frames for a moment.
  ///
  /// - Throws: ``CaptureError``, as ``run(_:)`` does where it can be known before.
  public func forecast(
    _ progress: @escaping Listener = { _ in }
  ) async throws(CaptureError) -> RenderForecast {
    try await explained(otherwise: .encoderFailed) {
      try await settle(progress).forecast(of: request, on: clock, progress)
    }
  }

  /// All that is known before anything is written.
  struct Settled {
    let scan: ValidatedScan
    let output: any UnfinishedOutput
    let ages: AgeOutput?
    let films: [FilmDescription]
    let first: FilmDescription
    let contents: FilmContents
    let format: any WrittenFormat
    /// Of the frames that are encoded.
    let encoded: Caps
    let plan: RenderPlan
    /// Of the sound.
    let delay: ClockTime

    /// The losses of the films, in sentences.
    var warnings: [String] {
      films.flatMap { film in
        film.notes + film.warnings + format.losses(of: film, to: contents)
      }
    }

    /// Opens the output, and does something with its writer and the passage of frames to it.
    ///
    /// - Parameter isTrial: Whether nothing is written.
    func write<Result>(
      _ plan: RenderPlan, _ request: RenderRequest, isTrial: Bool = false,
      on clock: any SteadyClock,
      _ body: (FilmWriter, inout RenderPass) async throws -> Result
    ) async throws -> Result {
      let writer = try await FilmWriter(
        output, format, scan: scan, ages: ages, contents: contents, timeline: request.timeline,
        allowsLessHistory: isTrial || request.allowsLessHistory, isTrial: isTrial)
      return try await writer.cancelling {
        try await writer.prepare(for: encoded)
        let stopwatch = RenderStopwatch(on: clock)
        if let scan = writer.scan { try stopwatch.watch(effect: scan) }
        var pass = RenderPass(
          plan: plan, films: films, writer: writer, stopwatch: stopwatch,
          sounds: try SoundTracks(to: writer, delay: delay, origin: plan.part?.origin ?? .zero))
        return try await body(writer, &pass)
      }
    }
  }

  private func settle(_ progress: @escaping Listener) async throws -> Settled {
    var scan = request.scan
    // An out point and the end of a part are not the end of the film, which alone is drained.
    if request.range.to != nil || request.part?.isLast == false {
      scan.properties["drain"] = false
    }
    let settled = try ValidatedScan(scan)
    if settled.value(of: "map") == .nick("live"), request.timeline.mapImages == nil {
      throw CaptureError(
        .badRequest,
        "map=live needs a second video, which cannot be rendered. Choose another map.")
    }
    try await settled.requireMapImage()
    let inputs = try FilmInput.all(request.inputs, frameRate: request.frameRate)
    // Bad requests are refused before anything is opened.
    var images = try ImageFormat(request)
    let file = try images == nil ? unfinishedFile(inputs) : nil
    let films = try await describe(inputs)
    guard let first = films.first else {
      throw CaptureError(.badRequest, "There is nothing to render: name a film.")
    }
    var contents = FilmContents(of: films)
    images?.isOpaque = !first.hasAlpha
    if images != nil { contents = FilmContents() }
    let format: any WrittenFormat =
      try images
      ?? FilmFormat(
        request.output, request.settings, for: first.info, isOpaque: !first.hasAlpha,
        isPart: request.part != nil, hasSound: !contents.sounds.isEmpty)
    let encoded = try format.frameCaps(first.info, hasBlack: request.timeline.hasBlack)
    let delay = try request.soundDelay.settled(for: settled, of: first)
    let plan = try await RenderPlan(films, settled, request, progress)
    if let film = format as? FilmFormat {
      try await contents.complete(with: films, plan, as: film)
    }
    let output: any UnfinishedOutput =
      try images.map { try imageOutput($0, inputs, plan) } ?? file ?? unfinishedFile(inputs)
    let ages = try request.ageOutput.map { path throws(CaptureError) in
      try AgeOutput(path, of: request, inputs: inputs.flatMap(\.files)) {
        format throws(CaptureError) in
        try imageOutput(format, inputs, plan)
      }
    }
    return Settled(
      scan: settled, output: output, ages: ages, films: films, first: first, contents: contents,
      format: format, encoded: encoded, plan: plan, delay: delay)
  }

  /// The file of a film.
  private func unfinishedFile(_ inputs: [FilmInput]) throws(CaptureError) -> UnfinishedFile {
    let file = try UnfinishedFile(
      request.output, inputs: inputs.flatMap(\.files), replaces: request.replacesOutput)
    _ = try FilmFormat(request.output, request.settings, isPart: request.part != nil)
    return file
  }

  /// The files of images, whose numbers are those of the frames: as the images that are read, or from 1 on.
  private func imageOutput(
    _ format: ImageFormat, _ inputs: [FilmInput], _ plan: RenderPlan
  ) throws(CaptureError) -> ImageOutput {
    let first =
      (inputs.first?.images?.firstNumber ?? 1) + (plan.part?.frames.lowerBound ?? 0)
    let end = request.part?.isLast == false ? first + (plan.part?.frames.count ?? 0) : Int.max
    let images = try UnfinishedImages(
      format.pattern, numbers: first..<end, inputs: inputs.flatMap(\.files),
      replaces: request.replacesOutput)
    return ImageOutput(images, format, firstNumber: first)
  }

  private func describe(_ inputs: [FilmInput]) async throws -> [FilmDescription] {
    var films: [FilmDescription] = []
    for input in inputs {
      let film = try await FilmDescription(input, wantsSound: request.keepsSound)
      if let first = films.first { try film.requireSameShape(as: first) }
      films.append(film)
    }
    return films
  }
}

extension CaptureError {
  static var renderingCancelled: CaptureError {
    CaptureError(.cancelled, "The rendering was interrupted. Nothing was written.")
  }
}

/// The size of a file in bytes, 0 where there is none.
func byteCount(ofFile path: String) -> Int {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { return 0 }
  return Int(status.st_size)
}
