// A capture configuration lists the parts of a capture; the difference of two says what must change. Values.

import GStreamer

/// Makes a list of parts out of what stands in braces.
@resultBuilder
public enum CaptureBuilder {
  /// One part.
  public static func buildExpression(_ part: some CapturePart) -> [any CapturePart] { [part] }
  /// Several.
  public static func buildBlock(_ parts: [any CapturePart]...) -> [any CapturePart] {
    parts.flatMap { $0 }
  }
  /// `if` without `else`.
  public static func buildOptional(_ parts: [any CapturePart]?) -> [any CapturePart] {
    parts ?? []
  }
  /// `if`.
  public static func buildEither(first parts: [any CapturePart]) -> [any CapturePart] { parts }
  /// `else`.
  public static func buildEither(second parts: [any CapturePart]) -> [any CapturePart] { parts }
  /// `for`.
  public static func buildArray(_ parts: [[any CapturePart]]) -> [any CapturePart] {
    parts.flatMap { $0 }
  }
}

/// The wanted configuration of a capture.
///
/// The order of parts means nothing, but for previews with the same elements and no name: those are
/// told apart by it.
package struct CaptureConfiguration: Sendable, Equatable {
  var video: VideoChoice?
  var sound: SoundChoice?
  var soundDelay = SoundDelay.none
  var scan: Scan?
  var gpu: GPUUse?
  var previews: [PreviewIdentity: Preview] = [:]
  var recordings: [String: Record] = [:]

  /// Which preview it is, from one configuration to the next.
  struct PreviewIdentity: Sendable, Hashable {
    var sink: String
    var id: String?
    /// The number of those with these elements and no name that come before it.
    var ordinal: Int
  }

  /// Nothing.
  package init() {}

  /// The configuration that parts make together.
  ///
  /// - Throws: ``CaptureError/Code/badConfiguration``.
  package init(_ parts: [any CapturePart]) throws(CaptureError) {
    for part in parts { try add(part) }
    guard video != nil || parts.isEmpty else {
      throw Self.contradiction(
        "The configuration has no video source. Add a Camera or a TestPattern.")
    }
  }

  private mutating func add(_ part: any CapturePart) throws(CaptureError) {
    guard let part = part as? any KnownPart else {
      throw Self.contradiction(
        "\(type(of: part)) is not a part of a capture. Use the parts of SlitScanCapture, and CustomVideo or CustomSound "
          + "for sources of your own.")
    }
    switch part.kind {
    case .video(let choice): try Self.set(&video, to: choice, "video sources")
    case .sound(let choice, let delay):
      try Self.set(&sound, to: choice, "sound sources")
      soundDelay = delay
    case .scan(let scan): try Self.set(&self.scan, to: scan, "scans")
    case .gpu(let gpu): try Self.set(&self.gpu, to: gpu, "choices of the GPU")
    case .preview(let preview):
      var identity = PreviewIdentity(sink: preview.sink, id: preview.id, ordinal: 0)
      while previews[identity] != nil {
        if let id = preview.id {
          throw Self.contradiction("Two previews have the name \(id).")
        }
        identity.ordinal += 1
      }
      previews[identity] = preview
    case .recording(let recording):
      guard recordings[recording.path] == nil else {
        throw Self.contradiction("Two recordings go into \(recording.path).")
      }
      recordings[recording.path] = recording
    }
  }

  /// Sets what there can be one of.
  private static func set<Part>(
    _ place: inout Part?, to part: Part, _ name: String
  ) throws(CaptureError) {
    guard place == nil else { throw contradiction("There are two \(name). Remove one.") }
    place = part
  }

  private static func contradiction(_ message: String) -> CaptureError {
    CaptureError(.badConfiguration, message)
  }
}

/// The difference between two configurations.
struct CaptureDifference: Equatable {
  /// Whether frames come from elsewhere.
  var changesVideo: Bool
  var changesSound: Bool
  var changesScan: Bool
  var changesGPU: Bool
  var opened: [CaptureConfiguration.PreviewIdentity]
  var closed: [CaptureConfiguration.PreviewIdentity]
  /// The paths of recordings.
  var begun: [String]
  var ended: [String]

  init(from old: CaptureConfiguration, to new: CaptureConfiguration) {
    changesVideo = old.video != new.video
    changesSound = old.sound != new.sound
    changesScan = old.scan != new.scan
    changesGPU = old.gpu != new.gpu
    opened = new.previews.keys.filter { old.previews[$0] == nil }.sorted()
    closed = old.previews.keys.filter { new.previews[$0] == nil }.sorted()
    begun = new.recordings.filter { !$0.value.isSame(as: old.recordings[$0.key]) }.map(\.key)
      .sorted()
    ended = old.recordings.filter { !$0.value.isSame(as: new.recordings[$0.key]) }.map(\.key)
      .sorted()
  }
}

extension CaptureConfiguration.PreviewIdentity: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    (left.sink, left.id ?? "", left.ordinal) < (right.sink, right.id ?? "", right.ordinal)
  }
}
