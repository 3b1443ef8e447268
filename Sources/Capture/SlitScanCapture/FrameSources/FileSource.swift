// The file source delivers the video and the sound of a file.

import GStreamer
import LibC
import StreamingThread

/// The frames of a file, and its sound.
///
/// Frames come upright: turned or mirrored where the file says so, as those of phones do.
///
/// As a ``FrameSource``, it gives the frames, and as a ``SoundSource``, the sound: each reads the file
/// by itself, and both have the times that the file says.
package actor FileSource: FrameSource, SoundSource {
  nonisolated let path: String
  private let isPaced: Bool
  /// Where it is paced, nil for each stream by itself.
  private let start: PlaybackStart?

  /// A file, not opened yet.
  ///
  /// - Parameters:
  ///   - path: The file, or a URL: `file://`, or one that a source of GStreamer's reads, as `https://`.
  ///   - isPaced: Whether frames come as time goes by, or as fast as they can be decoded.
  package init(_ path: String, isPaced: Bool = false) {
    self.path = Self.localPath(path)
    self.isPaced = isPaced
    start = nil
  }

  /// One playback of a file in real time, whose video and sound begin together.
  package init(_ path: String, from start: PlaybackStart) {
    self.path = Self.localPath(path)
    isPaced = true
    self.start = start
  }

  /// The name of the element that gives frames before they are paced.
  static let converter = "converter"

  /// A reader with a decoder.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  package func makeElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      let converter = try Element("videoconvert", name: Self.converter)
      try converter.timesFrames()
      return try chain(.video, converter)
    } catch {
      throw explain(error)
    }
  }

  /// A reader with a decoder.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  package func makeSoundElement() throws(CaptureError) -> Element {
    try makeSoundElement(stream: nil)
  }

  /// A reader with a decoder of one of the file's sound tracks.
  ///
  /// - Parameter stream: The ``Pad/streamID`` of the track; nil for the one that the file selects by default.
  /// - Throws: ``CaptureError/Code/missingElement``.
  package func makeSoundElement(stream: String?) throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      return try chain(.sound, stream: stream, Element("audioconvert"))
    } catch {
      throw explain(error)
    }
  }

  /// A reader of the file's bytes.
  package nonisolated func makeReader() throws(GStreamerError) -> Element {
    guard !path.contains("://") else {
      let source = try Element("urisourcebin")
      try source.set("uri", to: path)
      return try Element(chaining: [source, Element("identity")])
    }
    let file = try Element("filesrc")
    try file.set("location", to: path)
    try file.endsRepeatedReads(behindEndOf: path)
    return file
  }

  /// The path of a `file://` URL; anything else is left as it is.
  package static func localPath(_ address: String) -> String {
    guard address.hasPrefix("file:///") else { return address }
    var bytes: [UInt8] = []
    var rest = address.dropFirst("file://".count).utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func chain(
    _ kind: StreamKind, stream: String? = nil, _ converter: Element
  ) throws(GStreamerError) -> Element {
    var elements = [converter]
    if isPaced {
      elements.append(try Element(pacing: converter, from: start ?? PlaybackStart()))
    }
    if path.contains("://") {
      let decoder = try Element("uridecodebin")
      try decoder.set("uri", to: path)
      elements.insert(decoder, at: 0)
    } else {
      elements.insert(contentsOf: [try makeReader(), try Element("decodebin")], at: 0)
    }
    return try Element(decoding: kind, stream: stream, by: elements)
  }

  /// The explanation of an error of the file.
  package nonisolated func explainSound(_ error: GStreamerError) -> CaptureError { explain(error) }
}

extension Element {
  /// Ends the stream of a file whose demuxer asks again and again for data behind the file's end.
  ///
  /// GStreamer's libav demuxers report the end of a file to FFmpeg as zero bytes, which FFmpeg 5 and later take
  /// for "try again": the GIF demuxer never ends. Cut off from its file, a demuxer ends its stream.
  ///
  /// Must be called on a `filesrc` before it plays.
  func endsRepeatedReads(behindEndOf path: String) throws(GStreamerError) {
    let misses = Lock(0)
    try pad("src").addProbe(.pull) { item, pad in
      guard case .pull(let offset) = item else { return .pass }
      // A file that is still being written grows: its size is looked up each time.
      var status = stat()
      let isBehind = unsafe stat(path, &status) == 0 && offset >= UInt64(clamping: status.st_size)
      let count = misses.withLock { misses in
        misses = isBehind ? misses + 1 : 0
        return misses
      }
      guard count > Self.toleratedMisses else { return .pass }
      if let peer = pad.peer { pad.unlink(from: peer) }
      return .remove
    }
  }

  /// A demuxer that works reads behind the end once or twice.
  private static let toleratedMisses = 50
}
