// A live source is the video source of a show, parsed from the text that a performer types.

import FoundationEssentials
import GStreamer
import SlitScanCapture

/// A source of frames by the word that a performer types.
public enum LiveSource: Sendable, Hashable {
  /// A camera.
  case camera(Camera.Choice)
  /// A clip, in a loop.
  case clip(String)
  /// The clips of a folder or of an M3U file, one after the other, in a loop.
  case playlist(String)
  /// One of GStreamer's test patterns.
  case pattern(String)
  /// A stream from elsewhere, as `rtsp://camera.local/live`.
  case stream(String)

  /// A source from a word: nothing for the first camera, `/dev/video0`, the path of a clip,
  /// `pattern:demo`, or a URL; a folder, or a path that ends in .m3u or .m3u8, is a playlist.
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
      self = Playlist.isPlaylist(url.path) ? .playlist(url.path) : .clip(url.path)
    } else if word.contains("://") {
      self = .stream(word)
    } else {
      self = Playlist.isPlaylist(word) ? .playlist(word) : .clip(word)
    }
  }

  /// The path of the clip, nil for other sources.
  public var clipPath: String? { if case .clip(let path) = self { path } else { nil } }

  /// The name by which a person knows it: that of the camera, of the file without its ending, or of the machine
  /// that sends the stream, without what may be secret in an address.
  public var name: String {
    switch self {
    case .camera(.first): "Camera"
    case .camera(.device(let camera)): camera.name
    case .camera(.path(let path)):
      Self.nameOfCamera(at: path) ?? path.fileName
    case .clip(let path), .playlist(let path): path.fileStem
    case .pattern(let name): "Pattern \(name)"
    case .stream(let address): URLComponents(string: address)?.host ?? "Stream"
    }
  }

  /// The name that the kernel has for the camera behind a device file; nil where it has none.
  private static func nameOfCamera(at path: String) -> String? {
    let node = URL(filePath: path).resolvingSymlinksInPath().lastPathComponent
    let file = URL(filePath: "/sys/class/video4linux").appending(components: node, "name")
    let name = try? String(contentsOf: file, encoding: .utf8)
    return name?.split(separator: "\n").first.map(String.init)
  }

  /// The source in a few words, for sentences.
  public var description: String {
    switch self {
    case .camera(.first): "the first camera"
    case .camera(.path(let path)): "the camera \(path)"
    case .camera(.device(let camera)): camera.name
    case .clip(let path), .playlist(let path): path.fileName
    case .pattern(let name): "the pattern \(name)"
    case .stream(let address): address
    }
  }

  /// An error of the source as one of the show; that of a file says which one.
  func explain(_ error: CaptureError) -> StageError {
    guard error.code == .noSuchFile, let path = clipPath else {
      return StageError(.noVideo, error.message)
    }
    let isThere = FileManager.default.fileExists(atPath: path)
    return StageError(.noVideo, "\(path): \(isThere ? "cannot be read" : "no such file")")
  }

  /// A sentence that says why it is gone: of a file, it has the name and not the folder.
  func reason(of error: CaptureError) -> String {
    clipPath == nil ? error.message : "\(description): \(error.message)"
  }

  var isRepeated: Bool {
    switch self {
    case .clip, .playlist: true
    case .camera, .pattern, .stream: false
    }
  }

  /// Whether a show may begin without it.
  var mayComeLater: Bool {
    switch self {
    case .camera, .stream: true
    case .clip, .playlist, .pattern: false
    }
  }

  /// A source to put into a capture; a clip plays once, in real time.
  ///
  /// - Parameters:
  ///   - start: When a clip begins to play; its sound begins with it.
  ///   - clock: What the limits of a playlist go by.
  ///   - tell: Called with what happens to a playlist.
  func makeSource(
    _ request: VideoRequest, from start: PlaybackStart, clock: any SteadyClock,
    tell: @escaping @Sendable (PlaylistSource.Event) -> Void
  ) -> any FrameSource {
    switch self {
    case .camera(let choice): CameraSource(choice, request)
    case .clip(let path): FileSource(path, from: start)
    case .playlist(let path):
      PlaylistSource(
        { () throws(CaptureError) in try Playlist(path).paths() }, request, from: start, tell: tell,
        clock: clock)
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
public enum LiveSound: Sendable, Hashable {
  /// The sound of the clip that is played; it begins again with each pass.
  case clip
  /// The microphone that the system chooses.
  case microphone
  /// A tone.
  case tone
}
