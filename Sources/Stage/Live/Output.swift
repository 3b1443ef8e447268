// An output is a destination of a show's video, parsed from the text that a performer types.

import FoundationEssentials
import SlitScanWindow

/// An output by the word that a performer types.
///
/// | word | what |
/// |---|---|
/// | `window` | a window |
/// | `fullscreen` | a full screen |
/// | `window:2`, `fullscreen:HDMI-1` | the same on a display, by its number or name |
/// | `pipewire` | a camera for other programs of the desktop; PipeWire 1.0 or later |
/// | `v4l2:/dev/video10` | a camera for every program, through v4l2loopback |
/// | `srt://:7001` | a stream that others fetch, or with a host, one that is sent there |
/// | `rtp://host:5004` | H.264 in RTP |
/// | `shm:/tmp/slitscan` | raw frames in shared memory, for `shmsrc` |
/// | `sink:ELEMENTS` | whatever GStreamer has, as in a launch line |
public struct Output: Sendable, Hashable {
  /// The elements that raw video goes to, as in a launch line.
  ///
  /// Of a window: those for where none of X11 can be opened.
  public let sink: String
  /// The place of the window, nil for other outputs.
  public let window: WindowPlace?
  /// The word.
  public let word: String

  /// An output from a word.
  ///
  /// - Throws: ``StageError/Code/inputFailed``, which says what words there are.
  public init(_ word: String) throws(StageError) {
    self.word = word
    window = try Self.place(word)
    switch word {
    case _ where window != nil: sink = "autovideosink"
    case "pipewire":
      sink =
        "capsfilter caps=video/x-raw,format=BGRx ! pipewiresink mode=provide stream-properties=p,media.class=Video/Source,node.name=slitscan"
    case _ where word.hasPrefix("v4l2:/"):
      let device = try Self.quoted(word.dropFirst("v4l2:".count))
      sink = "capsfilter caps=video/x-raw,format=YUY2 ! v4l2sink device=\(device)"
    case _ where word.hasPrefix("srt://"):
      guard let port = URLComponents(string: word)?.port, (1...65535).contains(port) else {
        throw StageError(
          .inputFailed,
          "\(word) must name a port from 1 to 65535, such as srt://:7001 or srt://host:7001.")
      }
      sink =
        "\(Self.encoder) ! mpegtsmux ! srtsink wait-for-connection=false uri=\(try Self.quoted(word[...]))"
    case _ where word.hasPrefix("rtp://"):
      guard let address = URLComponents(string: word), let host = address.host, !host.isEmpty,
        let port = address.port
      else {
        throw StageError(
          .inputFailed, "\(word) must name a host and a port, such as rtp://host:5004.")
      }
      sink =
        "\(Self.encoder) ! rtph264pay config-interval=1 ! "
        + "udpsink host=\(try Self.quoted(host[...])) port=\(port)"
    case _ where word.hasPrefix("shm:/"):
      let path = try Self.quoted(word.dropFirst("shm:".count))
      sink = "shmsink wait-for-connection=false shm-size=67108864 socket-path=\(path)"
    case _ where word.hasPrefix("sink:"): sink = String(word.dropFirst("sink:".count))
    default:
      throw StageError(
        .inputFailed,
        "\(word) is not an output. There are: window and fullscreen, both also with :DISPLAY, pipewire, "
          + "v4l2:/dev/videoN, srt://HOST:PORT, rtp://HOST:PORT, shm:/PATH, sink:ELEMENTS.")
    }
  }

  /// The same window on another display.
  ///
  /// - Parameter display: Its number or name.
  /// - Throws: ``StageError/Code/badMove`` where it is no window, ``StageError/Code/inputFailed`` where there can
  ///   be no such display.
  func moved(to display: String) throws(StageError) -> Output {
    guard let window else {
      throw StageError(
        .badMove, "\(word) is not a window. Only windows can be moved to a display.")
    }
    return try Output("\(window.isFullScreen ? "fullscreen" : "window"):\(display)")
  }

  /// The place of a window that a word names; nil where it names something else.
  private static func place(_ word: String) throws(StageError) -> WindowPlace? {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let kinds = ["window": false, "fullscreen": true]
    guard let first = parts.first, let isFullScreen = kinds[String(first)] else { return nil }
    guard parts.count == 2 else { return WindowPlace(isFullScreen: isFullScreen) }
    guard !parts[1].isEmpty, parts[1].allSatisfy(\.isNumber) else {
      guard !parts[1].isEmpty else { throw noDisplay(word) }
      return WindowPlace(isFullScreen: isFullScreen, display: .name(String(parts[1])))
    }
    guard let number = Int(parts[1]), number > 0 else { throw noDisplay(word) }
    return WindowPlace(isFullScreen: isFullScreen, display: .number(number))
  }

  private static func noDisplay(_ word: String) -> StageError {
    StageError(
      .inputFailed,
      "\(word) must name a display; `slitscan devices` lists them. The first is \(word.prefix { $0 != ":" }):1."
    )
  }

  /// A network has a limit; that of x264enc by default is low for frames of today's sizes.
  private static let encoder =
    "x264enc tune=zerolatency speed-preset=veryfast key-int-max=30 bitrate=8000 ! "
    + "video/x-h264,profile=high"

  /// A word as launch lines have it.
  private static func quoted(_ word: Substring) throws(StageError) -> String {
    guard !word.isEmpty, !word.contains(where: { "\"\\\n".contains($0) }) else {
      throw StageError(.inputFailed, "`\(word)` has a quote or a line break in it.")
    }
    return "\"\(word)\""
  }
}
