// A live source is the video source of a show, parsed from the text that a performer types.

import Foundation
import GStreamer
import SlitScanCapture

/// A source of frames by the word that a performer types.
public enum LiveSource: Sendable, Hashable {
  /// A camera.
  case camera(CameraSource.Choice)
  /// A film, again and again.
  case film(String)
  /// One of GStreamer's test patterns.
  case pattern(String)
  /// A stream from elsewhere, as `rtsp://camera.local/live`.
  case stream(String)

  /// A source from a word: nothing for the first camera, `/dev/video0`, the path of a film,
  /// `pattern:ball`, or a URL.
  public init(_ word: String?) {
    guard let word else {
      self = .camera(.first)
      return
    }
    if word.hasPrefix("pattern:") {
      self = .pattern(String(word.dropFirst("pattern:".count)))
    } else if word.hasPrefix("/dev/") {
      self = .camera(.path(word))
    } else if word.hasPrefix("file://"), let url = URL(string: word) {
      self = .film(url.path)
    } else if word.contains("://") {
      self = .stream(word)
    } else {
      self = .film(word)
    }
  }

  /// The path of the film, nil for other sources.
  public var filmPath: String? {
    guard case .film(let path) = self else { return nil }
    return path
  }

  /// The source in a few words.
  public var description: String {
    switch self {
    case .camera(.first): "the first camera"
    case .camera(.path(let path)): "the camera \(path)"
    case .camera(.camera(let camera)): camera.name
    case .film(let path): (path as NSString).lastPathComponent
    case .pattern(let name): "the pattern \(name)"
    case .stream(let address): address
    }
  }

  /// An error of the source as one of the show; that of a file says which one.
  func explain(_ error: CaptureError) -> StageError {
    guard error.code == .noSuchFile, let path = filmPath else {
      return StageError(.noVideo, error.message)
    }
    let isThere = FileManager.default.fileExists(atPath: path)
    return StageError(.noVideo, "\(path): \(isThere ? "cannot be read" : "no such file")")
  }

  /// Whether it may be there again when it was gone.
  var mayComeBack: Bool {
    switch self {
    case .camera, .stream: true
    case .film, .pattern: false
    }
  }

  /// A source to put beside others; a clip plays once, in real time.
  func makeInput(_ request: VideoRequest) -> any FrameSource {
    guard case .film(let path) = self else {
      return makeSource(request, from: PlaybackStart()) {}
    }
    return FileSource(path, from: PlaybackStart())
  }

  /// A source to put into a capture.
  ///
  /// - Parameters:
  ///   - start: When a clip begins to play; its sound begins with it.
  ///   - whenOver: Called when a clip has come to its end. After that, no frames come.
  func makeSource(
    _ request: VideoRequest, from start: PlaybackStart, whenOver: @escaping @Sendable () -> Void
  ) -> any FrameSource {
    switch self {
    case .camera(let choice): CameraSource(choice, request)
    case .film(let path): ClipPass(path, from: start, whenOver: whenOver)
    case .pattern(let name):
      TestPatternSource(
        name,
        VideoRequest(
          width: request.width ?? 1280, height: request.height ?? 720,
          frameRate: request.frameRate ?? 30))
    case .stream(let address): StreamSource(address)
    }
  }
}

/// The sound of a show.
public enum LiveSound: Sendable {
  /// The sound of the clip that is played; it begins again with each pass.
  case clip
  /// Another source of sound, as a microphone.
  case other(any SoundSource)
}

/// One pass of a clip that is played again and again.
///
/// The end of the stream is not passed on. So the effect goes on, with its history, when the next pass takes
/// the place of this one.
actor ClipPass: FrameSource {
  private let film: FileSource
  private let whenOver: @Sendable () -> Void

  init(_ path: String, from start: PlaybackStart, whenOver: @escaping @Sendable () -> Void) {
    film = FileSource(path, from: start)
    self.whenOver = whenOver
  }

  func makeElement() async throws(CaptureError) -> Element {
    let element = try await film.makeElement()
    let whenOver = whenOver
    do throws(GStreamerError) {
      try element.pad("src").addProbe(.eventDownstream) { item in
        guard case .event(let event) = item, event.kind == .eos else { return .pass }
        whenOver()
        return .drop
      }
    } catch {
      throw film.explain(error)
    }
    return element
  }

  nonisolated func explain(_ error: GStreamerError) -> CaptureError { film.explain(error) }
}
