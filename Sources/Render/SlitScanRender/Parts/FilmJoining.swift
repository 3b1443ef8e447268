// The joining of the rendered parts of a film without encoding the video again.

import GStreamer
import SlitScanCapture

/// Joins the parts that ``FilmRendering`` made: frames as they are, and sound encoded once.
///
/// ```swift
/// try await FilmJoining(["2.mkv", "1.mkv"], to: "film.mp4").run()
/// ```
public struct FilmJoining: Sendable {
  private let parts: [String]
  private let output: String
  private let settings: FilmSettings
  private let replacesOutput: Bool

  /// Parts to be joined, in any order; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - output: The file to write, which ends in `.mp4`, `.mov`, `.mkv` or `.webm`.
  ///   - settings: How sound is encoded; what they say of frames does not count.
  public init(
    _ parts: [String], to output: String, settings: FilmSettings = FilmSettings(),
    replacesOutput: Bool = false
  ) {
    self.parts = parts
    self.output = output
    self.settings = settings
    self.replacesOutput = replacesOutput
  }

  /// Joins them.
  ///
  /// - Returns: What was written.
  /// - Throws: ``CaptureError``: ``CaptureError/Code/badParts`` where they do not make a film; where the
  ///   task is cancelled, one of ``CaptureError/Code/cancelled``.
  public func run(
    _ progress: @escaping FilmRendering.Listener = { _ in }
  ) async throws(CaptureError) -> RenderResult {
    try await explained(otherwise: .encoderFailed) { try await join(progress) }
  }

  private func join(_ progress: @escaping FilmRendering.Listener) async throws -> RenderResult {
    try FilmInput.requireFiles(parts)
    let file = try UnfinishedFile(output, inputs: parts, replaces: replacesOutput)
    let chapters = try Self.inOrder(try await describe())
    guard let first = chapters.first else {
      throw CaptureError(.badParts, "There is nothing to join: name all parts of a film.")
    }
    var contents = FilmContents([first.sounds], first.streams)
    contents.frames = first.video.caps
    contents.removeLabel()
    contents.chapters = first.streams.chapters
    let format = try FilmFormat(
      output, settings, copies: first.codec, hasSound: !contents.sounds.isEmpty)
    try contents.add([await SubtitleTrack.all(of: first.path, first.streams)], as: format)
    let writer = try await FilmWriter(file, format, scan: nil, contents: contents)
    return try await writer.cancelling {
      try await writer.prepare(for: first.video.caps)
      var sounds = try SoundTracks(to: writer, isTimed: false)
      sounds.append(chapters.map(\.sounds), at: .zero)
      try await sounds.skip(to: .zero)
      var passed = RenderPass.Passed()
      do {
        passed = try await carry(chapters, writer, &sounds, progress)
      } catch {
        await sounds.close()
        throw error
      }
      await sounds.close()
      try await writer.finish()
      return RenderResult(
        path: output, frames: passed.rendered, preRoll: 0, start: passed.start, end: passed.end,
        hasSound: !contents.sounds.isEmpty, byteCount: byteCount(ofFile: output),
        warnings: format.mixdowns(of: first.sounds, to: contents)
          + format.losses(of: first.path, first.streams) + writer.warnings)
    }
  }

  private func carry(
    _ chapters: [PartDescription], _ writer: FilmWriter, _ sounds: inout SoundTracks,
    _ progress: FilmRendering.Listener
  ) async throws -> RenderPass.Passed {
    var passed = RenderPass.Passed()
    let total = chapters.first?.label.total ?? 0
    for chapter in chapters {
      var count = 0
      try await OpenFilm(chapter.path, chapter.video).read { packets in
        while let packet = try await packets.next() {
          let frame = try chapter.frame(packet)
          let time = frame.buffer?.presentationTime ?? .zero
          try await writer.send(frame: frame)
          try await sounds.send(before: time)
          if passed.rendered == 0 { passed.start = time }
          passed.rendered += 1
          count += 1
          passed.end = time + chapter.frameDuration
          progress(
            RenderProgress(
              stage: .joining, frames: passed.rendered, total: total, time: time))
        }
      }
      try chapter.require(count)
    }
    try await sounds.sendRest()
    return passed
  }

  // MARK: What the parts are

  private func describe() async throws -> [PartDescription] {
    var chapters: [PartDescription] = []
    for path in parts { chapters.append(try await PartDescription(path)) }
    return chapters
  }

  /// The parts in their order, which must be all of one film.
  static func inOrder(_ parts: [PartDescription]) throws(CaptureError) -> [PartDescription] {
    let parts = parts.sorted { $0.label.part.number < $1.label.part.number }
    guard let first = parts.first else { return [] }
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard part.label.part.number != next.label.part.number else {
        throw CaptureError(
          .badParts,
          "\(part.path) and \(next.path) are both part \(part.label.part). Name each part once.")
      }
    }
    for part in parts {
      try part.requireFits(first)
    }
    let missing = Set(1...first.label.part.count).subtracting(parts.map(\.label.part.number))
    guard missing.isEmpty else {
      let numbers = missing.sorted().prefix(10).map { "\($0)/\(first.label.part.count)" }
      throw CaptureError(
        .badParts,
        "The film is not complete: part\(missing.count == 1 ? "" : "s") \(numbers.joined(separator: ", "))\(missing.count > 10 ? "…" : "") "
          + "\(missing.count == 1 ? "is" : "are") missing. Render the missing parts with --segment."
      )
    }
    return parts
  }
}
