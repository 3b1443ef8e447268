// The film description holds what must be known of a film before it is rendered.

import GStreamer
import SlitScanCapture

/// A film, looked into.
struct FilmDescription: Sendable {
  let path: String
  /// The caps of its first frame.
  let caps: Caps
  let info: VideoInfo
  /// The duration that it states.
  let duration: ClockTime?
  /// Its sound as it is computed with; nil where there is none.
  let sound: SoundFormat?
  /// The damage of its file; nil where none is known.
  let damage: FileStructure.Damage?

  /// Looks into a film.
  ///
  /// - Parameter wantsSound: Whether its sound is of interest.
  /// - Throws: ``CaptureError``.
  init(_ path: String, wantsSound: Bool) async throws {
    self.path = path
    damage = FileStructure.damage(of: path)
    let hasSound = try await FilmPackets(path).read { try await $0.lookAhead().hasSound }
    let first: FilmFrame
    (first, duration) = try await FilmFrames(path).read { frames in
      guard let first = try await frames.next() else {
        throw CaptureError(.sourceFailed, "\(path): No frame of this file can be decoded.")
      }
      return (first, await frames.duration)
    }
    caps = first.caps
    do {
      info = try VideoInfo(first.caps)
    } catch {
      throw CaptureError(
        .sourceFailed, "\(path): The video of this file cannot be used.", underlying: error)
    }
    sound = wantsSound && hasSound ? try await Self.sound(of: path) : nil
  }

  private static func sound(of path: String) async throws -> SoundFormat? {
    let first = try await FilmSound(path, as: nil, isTimed: false).read { try await $0.next() }
    guard let caps = first?.caps else { return nil }
    let info = try AudioInfo(caps)
    return SoundFormat(sampleRate: info.sampleRate, channels: min(info.channels, 2))
  }

  /// The time from one frame to the next, where they say how many there are in a second.
  var frameDuration: ClockTime? {
    guard let rate = info.frameRate.quotient, rate > 0 else { return nil }
    return .seconds(1 / rate)
  }

  /// The number of frames, about; nil where that is not known.
  var frameCount: Int? {
    guard let duration, let rate = info.frameRate.quotient, rate > 0 else { return nil }
    return Int(exactly: (duration.seconds * rate).rounded())
  }

  /// Whether another film can follow in the same one.
  ///
  /// - Throws: ``CaptureError/Code/formatsDiffer``.
  func requireSameShape(as first: FilmDescription) throws(CaptureError) {
    func shape(_ info: VideoInfo) -> String {
      let pixel = info.pixelAspectRatio
      let shape = "\(info.width)x\(info.height)"
      return pixel.numerator == pixel.denominator ? shape : "\(shape) with pixels of \(pixel)"
    }
    guard shape(info) == shape(first.info) else {
      throw CaptureError(
        .formatsDiffer,
        "\(path) is \(shape(info)), and \(first.path) is \(shape(first.info)). Films that are "
          + "joined must have the same size: scale one of them first, for example with ffmpeg -i \(path) -vf "
          + "scale=\(first.info.width):\(first.info.height) scaled.mkv.")
    }
  }

  /// The caps that frames of other films are converted to, to follow this one's.
  func commonCaps() throws(CaptureError) -> Caps {
    var structure = Structure("video/x-raw")
    let fields = caps.structures.first?.fields ?? [:]
    for name in ["format", "colorimetry"] { structure.fields[name] = fields[name] }
    do throws(GStreamerError) {
      return try Caps(structure)
    } catch {
      throw CaptureError(
        .sourceFailed, "\(path): The file contains no usable video.", underlying: error)
    }
  }
}
