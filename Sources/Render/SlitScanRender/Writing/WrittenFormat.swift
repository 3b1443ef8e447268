// The written format describes the files of a film writer: a film, or images.

import GStreamer
import SlitScanCapture

/// The format of what is written.
protocol WrittenFormat: Sendable {
  /// Whether this is a part of what is made.
  var isPart: Bool { get }
  /// The delay of decoded sound, where nothing in the file says so.
  var soundDelay: Int { get }
  /// Whether it is Matroska or WebM.
  var isMatroska: Bool { get }
  /// Whether there is an element `video-encoder`.
  var hasEncoder: Bool { get }

  /// The whole pipeline as a launch line.
  ///
  /// `video-in`, `audio-in-0`, `text-in-0` and so on are where samples enter, `scan` is the effect, `video-format` what is
  /// encoded, `cover` covers frames with black, and `file` is the sink.
  ///
  /// - Parameter isStream: Whether what is written goes into something that only takes more.
  func launchLine(sounds: [SoundFormat], textCount: Int, hasBlack: Bool, isStream: Bool) -> String

  /// The format in which frames are encoded.
  ///
  /// - Parameter hasBlack: Whether black is shown at some time.
  /// - Throws: ``CaptureError/Code/badRequest`` where they would lose something and must not.
  func frameCaps(_ info: VideoInfo, hasBlack: Bool) throws -> Caps

  /// Has the pipeline write what is said of the whole film.
  func describe(_ contents: FilmContents, in pipeline: Pipeline) throws(GStreamerError)

  /// The tags of one of a film's tracks that are written.
  func written(ofTrack tags: TagList) -> TagList

  /// The losses of frames between the effect and the encoder, in sentences.
  func losses(from scanned: VideoInfo, to encoded: VideoInfo) -> [String]

  /// The losses of a film beside its frames, in sentences.
  func losses(of film: FilmDescription, to contents: FilmContents) -> [String]
}

/// Something that is written: nothing is at its place until it is complete.
protocol UnfinishedOutput: Sendable {
  /// The name for a person.
  var path: String { get }
  /// Whether it only takes more.
  var isStream: Bool { get }
  /// The bytes that were written.
  var byteCount: Int { get }

  func create() async throws
  /// Makes sure that there is a folder for it.
  func requireFolder() throws(CaptureError)
  /// Takes what a sink of a pipeline gets.
  ///
  /// - Parameters:
  ///   - isTrial: Whether nothing of it is kept, and nothing was created.
  ///   - fail: Told why nothing more is taken.
  func connect(
    to sink: Element, isTrial: Bool, _ fail: @escaping @Sendable (CaptureError) -> Void
  ) throws(GStreamerError)
  /// Waits until all that the pipeline gave is written.
  func drain() async
  func complete() throws(CaptureError)
  func remove()
}

extension UnfinishedFile: UnfinishedOutput {
  func create() async throws { try await create(on: .continuous) }

  func connect(
    to sink: Element, isTrial: Bool, _ fail: @escaping @Sendable (CaptureError) -> Void
  ) throws(GStreamerError) {
    if isTrial { try sink.set("location", to: "/dev/null") } else { try settle(sink) }
  }

  func drain() async {}

  var byteCount: Int { SlitScanRender.byteCount(ofFile: path) }
}
