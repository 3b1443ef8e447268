// A photo is one frame as an image in memory, which can be written as a file.

import GStreamer

/// One scanned frame, as an image to save.
///
/// ```swift
/// let photo = try await session.photo()
/// try await photo.write(to: "still.png")
/// ```
public struct Photo: Sendable, Equatable {
  /// The file format of a photo.
  public enum Format: Sendable, Hashable {
    /// PNG: every pixel as it is.
    case png
    /// JPEG, of a quality from 0 to 100.
    case jpeg(quality: Int)

    /// The kind that the end of a path stands for, nil if it is neither: `png`; `jpg`, `jpeg`.
    package init?(path: String) {
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
      switch path[path.index(after: dot)...].lowercased() {
      case "png": self = .png
      case "jpg", "jpeg": self = .jpeg(quality: 90)
      default: return nil
      }
    }

    /// The elements that encode, as in `gst-launch-1.0`.
    ///
    /// JPEG has samples of full range, by BT.601. jpegenc converts RGB to them, but writes YUV as it comes.
    package var encoder: String {
      switch self {
      case .png: "pngenc"
      case .jpeg(let quality):
        "capsfilter caps=video/x-raw,format=RGB ! jpegenc quality=\(min(max(quality, 0), 100))"
      }
    }
  }

  /// The image as it left the effect, in its own format.
  public let sample: Sample

  init(_ sample: Sample) { self.sample = sample }

  /// Width and height in pixels.
  ///
  /// - Throws: `GStreamerError`, where the image is none that GStreamer can describe.
  public var size: (width: Int, height: Int) {
    get throws(GStreamerError) {
      guard let caps = sample.caps else { return (0, 0) }
      let info = try VideoInfo(caps)
      return (info.width, info.height)
    }
  }

  /// Writes the image into a file, which has either all of it or is as it was before.
  ///
  /// - Parameters:
  ///   - path: Where; a file that is there is replaced.
  ///   - format: How; nil for what the end of the path stands for.
  /// - Throws: ``CaptureError/Code/unknownContainer``, ``CaptureError/Code/notWritable``,
  ///   ``CaptureError/Code/fileBusy``, ``CaptureError/Code/diskFull``,
  ///   ``CaptureError/Code/missingElement``.
  public func write(to path: String, as format: Format? = nil) async throws(CaptureError) {
    guard let format = format ?? Format(path: path) else {
      throw CaptureError(
        .unknownContainer,
        "\(path) has no known extension. Use .png or .jpg.")
    }
    try OutputFile.requireFree(path)
    let file = try UnfinishedFile(path, replaces: true)
    do {
      try await file.create()
      try await encode("\(format.encoder) ! filesink name=file") { pipeline in
        try file.settle(pipeline.element(named: "file"))
      }
    } catch {
      file.remove()
      throw Self.explain(error, path)
    }
    try file.complete()
  }

  private func encode(
    _ rest: String, _ prepare: (Pipeline) throws -> Void
  ) async throws {
    let pipeline = try Pipeline("appsrc name=in ! videoconvert ! \(rest)")
    let input = try AppSrc(pipeline.element(named: "in"))
    try prepare(pipeline)
    try await pipeline.stopping {
      // The file is there or not before anything is drawn.
      try await pipeline.prepare()
      async let plays: Void = pipeline.play()
      try await input.send(sample)
      try await input.finish()
      try await plays
      try await pipeline.waitForEnd()
    }
  }

  private static func explain(_ error: any Error, _ path: String) -> CaptureError {
    .of(error, before: "the photo was written") { error in
      switch error.code {
      case .noSuchElement, .missingPlugin:
        CaptureError(
          .missingElement,
          "No encoder for images is installed. Install gstreamer1.0-plugins-good.",
          underlying: error)
      case .noSpaceLeft:
        CaptureError(.diskFull, "The disk is full: \(path) was not written.", underlying: error)
      default:
        CaptureError(
          .notWritable, "\(path) cannot be written. Check that the folder exists and is writable.",
          underlying: error)
      }
    }
  }
}
