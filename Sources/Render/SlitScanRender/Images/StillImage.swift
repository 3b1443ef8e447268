// A still image, decoded by GStreamer.

import GStreamer
import LibC
import SlitScanCapture

extension OpenFilm {
  /// Opens one image file, which comes decoded and upright.
  ///
  /// It is sent as one packet: from a `filesrc`, not all decoders know where an image ends.
  ///
  /// - Parameter rate: Frames a second that the caps of the frame have.
  init(image path: String, _ kind: ImageKind, rate: Fraction) async throws {
    let packet = try Self.contents(of: path)
    let source = try AppSrc(caps: Caps("\(kind.mediaType),framerate=\(rate)"))
    try await self.init(path) { pipeline, _, sink in
      let decoder = try Element(
        decoding: .video, by: [source.element, Element("decodebin"), Element("videoconvert")])
      try await pipeline.add(chain: [decoder, sink])
    } begin: { pipeline in
      // Plays once there is something to play.
      async let sending: Void = Self.send(packet, to: source)
      try await pipeline.play()
      try await sending
    }
  }

  private static func send(_ packet: Buffer, to source: AppSrc) async throws(GStreamerError) {
    try await source.send(packet)
    try await source.finish()
  }

  private static func contents(of path: String) throws -> Buffer {
    guard let file = FileBytes(path) else {
      throw CaptureError(
        .sourceFailed, "\(path): The file does not exist any more, or may not be read.")
    }
    var buffer = try WritableBuffer(byteCount: file.size)
    try buffer.withMutableBytes { bytes in
      unsafe bytes.withUnsafeMutableBytes { unsafe file.read(into: $0) }
    }
    buffer.presentationTime = .zero
    return buffer.finish()
  }
}
