// The film writer sends frames and sound through the effect and encoders into a file.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Writes one film: frames, through the effect where they come raw, and sound.
struct FilmWriter: Sendable {
  let format: any WrittenFormat
  private let file: any UnfinishedOutput
  /// The second file.
  private let ages: AgeOutput?
  private let pipeline: Pipeline
  private let video: AppSrc
  private let audio: [AppSrc]
  private let texts: [AppSrc]
  /// The contents of the film beside its frames.
  let contents: FilmContents
  private let map: MapTrack?
  private let findings: Findings
  /// Nil where the video comes encoded.
  private let encoded: EncodedFrames?
  private let watch: Task<Void, Never>
  /// The effect; nil where the video comes encoded.
  let scan: Element?

  private let allowsLessHistory: Bool
  private let isTrial: Bool
  private let timeline: ScanTimeline

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - ages: Where the ages of pixels go; nil for nowhere.
  ///   - timeline: The changes of the effect in the course of the film.
  ///   - isTrial: Whether nothing is written.
  init(
    _ file: any UnfinishedOutput, _ format: any WrittenFormat, scan settings: ValidatedScan?,
    ages: AgeOutput? = nil, contents: FilmContents = FilmContents(),
    timeline: ScanTimeline = ScanTimeline(), allowsLessHistory: Bool = false, isTrial: Bool = false
  ) async throws {
    self.file = file
    self.ages = ages
    self.allowsLessHistory = allowsLessHistory
    self.timeline = timeline
    self.isTrial = isTrial
    self.format = format
    self.contents = contents
    let files = [file] + (ages.map { [$0.file] } ?? [])
    do {
      if !isTrial {
        for file in files { try await file.create() }
      }
      let pipeline = try Pipeline(
        format.launchLine(
          sounds: contents.sounds.map(\.format), textCount: contents.texts.count,
          hasBlack: timeline.hasBlack,
          isStream: file.isStream && !isTrial) + " " + (ages?.launchLine ?? ""))
      self.pipeline = pipeline
      let findings = Findings()
      self.findings = findings
      try file.connect(to: pipeline.element(named: "file"), isTrial: isTrial) {
        findings.fail($0)
      }
      try ages?.file.connect(to: pipeline.element(named: "age-file"), isTrial: isTrial) {
        findings.fail($0)
      }
      try format.describe(contents, in: pipeline)
      video = try AppSrc(pipeline.element(named: "video-in"))
      audio = try contents.sounds.enumerated().map { index, track throws(GStreamerError) in
        try AppSrc(
          pipeline.element(named: "audio-in-\(index)"), caps: track.format.caps(), queue: 32)
      }
      texts = try contents.texts.enumerated().map { index, track throws(GStreamerError) in
        try AppSrc(
          pipeline.element(named: "text-in-\(index)"), caps: track.caps(),
          queue: track.subtitles.count + 1)
      }
      scan = settings == nil ? nil : try pipeline.element(named: "scan")
      if let scan { settings?.apply(to: scan) }
      if let mapImages = timeline.mapImages, let scan {
        map = try await MapTrack(mapImages, to: scan, in: pipeline)
      } else {
        map = nil
      }
      encoded =
        format.hasEncoder
        ? try EncodedFrames(of: pipeline.element(named: "video-encoder")) : nil
      watch = findings.listen(to: pipeline.bus)
      try await pipeline.begin { pipeline in
        try await pipeline.prepare()
        try await pipeline.play()
      }
      try await sendTexts()
      for (source, track) in zip(audio, contents.sounds) {
        try await say(track.tags, by: source)
      }
    } catch {
      for file in files { file.remove() }
      guard let error = error as? GStreamerError else { throw error }
      throw Self.explain(error, file.path)
    }
  }

  /// The file of the film, and that of its ages.
  private var files: [any UnfinishedOutput] { [file] + (ages.map { [$0.file] } ?? []) }

  /// Says what frames are encoded as, before the first is sent.
  ///
  /// A film has one size: that of the first frame.
  func prepare(for caps: Caps) async throws {
    try followTimeline()
    let format = try pipeline.element(named: "video-format")
    try format.set("caps", to: caps)
    if let frames = contents.frames {
      try video.element.set("caps", to: frames.statingColorimetry)
      try await say(contents.videoTags, by: video)
    }
    if scan != nil { try format.keepsFirstCaps() }
    if ages != nil { try pipeline.element(named: "age-format").keepsFirstCaps() }
  }

  /// Sends all subtitles: the muxer takes each at its time.
  private func sendTexts() async throws {
    for (source, track) in zip(texts, contents.texts) {
      try await say(track.tags, by: source)
      for subtitle in track.subtitles {
        try await source.send(
          subtitle.buffer.moved(to: subtitle.start, duration: subtitle.end - subtitle.start))
      }
      // MP4's muxer gives the last one half a second, as it has no next one.
      if let end = track.subtitles.last?.end, !format.isMatroska {
        let nothing = try WritableBuffer(byteCount: 0).finish()
        try await source.send(nothing.moved(to: end, duration: .milliseconds(1)))
      }
      try await source.finish()
    }
  }

  /// Sends the tags of a track, which the caps of its source must come before.
  private func say(_ tags: TagList, by source: AppSrc) async throws {
    var written = format.written(ofTrack: tags)
    guard !written.names.isEmpty else { return }
    written.isGlobal = false
    try await pipeline.send(.tags(written), to: source.element)
  }

  /// Changes the effect in the course of the film.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where these frames have no black.
  private func followTimeline() throws {
    guard !timeline.isEmpty, let scan else { return }
    let follower = TimelineFollower(timeline)
    follower.follow(try scan.pad("sink")) { [findings] change, first in
      do throws(GStreamerError) {
        switch change {
        case .set(let values): for (name, value) in values { try scan.set(name, to: value) }
        case .move(let name, let motion?): try scan.move(name, motion.later(by: first))
        case .move(let name, nil): try scan.hold(name)
        case .black: break
        }
      } catch {
        findings.fail(CaptureError(.badScan, error.message, underlying: error))
      }
    }
    guard timeline.hasBlack else { return }
    let cover = try pipeline.element(named: "cover")
    follower.follow(try cover.pad("sink")) { change, _ in
      guard case .black(let isBlack) = change else { return }
      // No contrast is all black, not all grey.
      try? cover.set("contrast", to: isBlack ? 0.0 : 1.0)
      try? cover.set("saturation", to: isBlack ? 0.0 : 1.0)
    }
  }

  /// Writes the frames of a part alone, at their times in the output; before the first frame is sent.
  func write(_ part: RenderPlan.Part) throws {
    let (start, end) = (part.start, part.end)
    for pad in ["src"] + (ages == nil ? [] : ["age"]) {
      try scan?.pad(pad).addProbe(.buffer) { item in
        guard case .buffer(let buffer) = item, let time = buffer.presentationTime else {
          return .pass
        }
        return time < start || end.map { time >= $0 } == true ? .drop : .pass
      }
    }
    guard part.origin > .zero else { return }
    // Behind all that follows the times of the film.
    try move(to: part.origin, behind: timeline.hasBlack ? "cover" : "video-format")
    if ages != nil { try move(to: part.origin, behind: "age-format") }
  }

  /// Has frames behind an element begin at 0.
  private func move(to origin: ClockTime, behind element: String) throws {
    try pipeline.element(named: element).pad("src").addProbe(.buffer) { [findings] item in
      guard case .buffer(let buffer) = item, let time = buffer.presentationTime else {
        return .pass
      }
      do throws(GStreamerError) {
        return .replace(try buffer.moved(to: time - origin, duration: buffer.duration))
      } catch {
        findings.fail(CaptureError(.encoderFailed, error.message, underlying: error))
        return .drop
      }
    }
  }

  /// Sends a frame, and returns once there is room for more.
  func send(frame: Sample) async throws {
    if let map { try await explaining { try await map.send(before: frame) } }
    try await explaining { try await video.send(frame) }
  }

  /// The time by which sound is sent earlier than it is heard, as its encoder makes it that much later.
  func soundAdvance(ofTrack index: Int) -> ClockTime {
    .seconds(Double(format.soundDelay) / Double(max(1, contents.sounds[index].format.sampleRate)))
  }

  /// Sends a block of one of the sound tracks.
  ///
  /// - Parameter origin: When the output is at 0, in the times of blocks.
  func send(sound: Sample, track: Int, origin: ClockTime) async throws {
    guard let buffer = sound.buffer, let caps = sound.caps else { return }
    let advance = soundAdvance(ofTrack: track) + origin
    guard advance > .zero, let time = buffer.presentationTime else {
      return try await explaining { try await audio[track].send(sound) }
    }
    let moved = try buffer.moved(to: time - advance, duration: buffer.duration)
    try await explaining { try await audio[track].send(Sample(moved, caps: caps)) }
  }

  /// Does something with the pipeline, and says why where that fails.
  private func explaining(_ body: () async throws -> Void) async throws {
    try findings.check()
    do {
      try await body()
    } catch let error as GStreamerError {
      try findings.check()
      throw Self.explain(error, file.path)
    }
  }

  var warnings: [String] { findings.warnings }

  /// Makes sure that the effect has memory, or room on the disk, for all that is wanted.
  ///
  /// With less history, the film would not be the one that was asked for, and parts would not be parts of one film.
  func requireMemory() throws(CaptureError) {
    guard format.isPart || !allowsLessHistory, let shortage = scan.flatMap(MemoryShortage.init)
    else { return }
    let advice =
      format.isPart
      ? "\(shortage.advice) for all parts, or set a smaller \(shortage.remedy)."
      : "\(shortage.advice), set a smaller \(shortage.remedy), or add --allow-less-history to go on with these."
    throw CaptureError(.scanFailed, "\(shortage.description) \(advice)")
  }

  func finish() async throws {
    try await explaining {
      // Together: the muxer may wait for any of them.
      try await withThrowingTaskGroup(of: Void.self) { [video, audio, map] group in
        for source in [video] + audio { group.addTask { try await source.finish() } }
        group.addTask { try await map?.finish() }
        try await group.waitForAll()
      }
      try await pipeline.waitForEnd()
      for file in files { await file.drain() }
      await watch.value
      try encoded?.requireAll(file.path)
      noteLosses()
      try requireMemory()
    }
    watch.cancel()
    await pipeline.stop()
    try findings.check()
    if !isTrial {
      for file in files { try file.complete() }
    }
  }

  /// The codec and format of frames, once some were encoded.
  func encodedInfo() throws -> (encoder: String, info: VideoInfo) {
    guard let caps = try pipeline.element(named: "video-format").pad("src").caps else {
      throw CaptureError(.encoderFailed, "No frame was encoded.")
    }
    // PNG images have none.
    let encoder =
      format.hasEncoder ? try pipeline.element(named: "video-encoder").factoryName : "libpng"
    return (encoder, try VideoInfo(caps))
  }

  /// Takes note of what frames lost on their way to the encoder.
  private func noteLosses() {
    guard let scanned = try? scan?.pad("src").caps.map(VideoInfo.init),
      let encoded = try? pipeline.element(named: "video-format").pad("src").caps.map(VideoInfo.init)
    else { return }
    for loss in format.losses(from: scanned, to: encoded) { findings.warn(loss) }
  }

  /// Does something with the writer, and gives up where that fails: nothing is left of the file then.
  func cancelling<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      await cancel()
      throw error
    }
  }

  private func cancel() async {
    watch.cancel()
    await pipeline.stop()
    for file in files {
      await file.drain()
      if !isTrial { file.remove() }
    }
  }

  private static func explain(_ error: GStreamerError, _ path: String) -> CaptureError {
    if let failure = CaptureError(ofEffect: error) ?? CaptureError(writing: error, path) {
      return failure
    }
    return switch error.code {
    case GStreamerError.Code(rawValue: "stream.wrong-type") where error.source == "scan":
      // No caps came to the effect: it cannot make of them what follows it takes.
      CaptureError(
        .badRequest,
        "\(path): The output frames are too large to encode. Set a smaller canvas-length.")
    case .negotiation where error.source == "scan":
      CaptureError(
        .badRequest,
        "\(path): The output frames are too large to scale to the first one, or --lossless is set and their size "
          + "changes. Set canvas-length from the beginning.", underlying: error)
    case .negotiation, .streamFormat:
      CaptureError(
        .encoderFailed,
        "\(path): The encoder does not accept these frames. With --lossless, width and height must be even.",
        underlying: error)
    default: CaptureError(.encoderFailed, "\(path) cannot be written.", underlying: error)
    }
  }
}

/// The messages of a pipeline's elements that are no errors.
private final class Findings: Sendable {
  private struct State {
    var warnings: [String] = []
    var failure: CaptureError?
  }

  private let state = Lock(State())

  var warnings: [String] { state.withLock { $0.warnings } }

  /// - Throws: What makes all that follows worthless.
  func check() throws(CaptureError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func fail(_ error: CaptureError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  func warn(_ sentence: String) {
    state.withLock { $0.warnings.append(sentence) }
  }

  func listen(to bus: Bus) -> Task<Void, Never> {
    let messages = bus.messages
    return Task { [weak self] in
      for await message in messages {
        self?.receive(message)
        // All messages before the end are known when this task is done.
        if message.kind == .eos { break }
      }
    }
  }

  private func receive(_ message: Message) {
    guard message.kind == .warning, let error = message.error else { return }
    state.withLock { state in
      if message.mapImageWarning != nil {
        // A film without its map is not the film that was asked for.
        state.failure = state.failure ?? CaptureError(.badMapImage, error.message)
      } else if let error = message.historyWarning {
        switch error.code {
        // Its frames are late, and a film has time.
        case .resourceBusy: break
        // Nor is one that lacks frames of history.
        case .resourceRead, .resourceWrite:
          let lost = "Frames of history are lost: the disk of history-location failed. Check it."
          state.failure =
            state.failure ?? CaptureError(.historyFailed, lost, underlying: error)
        default: state.warnings.append(error.message)
        }
      } else {
        state.warnings.append(error.message)
      }
    }
  }
}
