// The film description holds what must be known of a film before it is rendered.

import GStreamer
import SlitScanCapture

/// A film, looked into.
struct FilmDescription: Sendable {
  let input: FilmInput
  /// The caps of its first frame.
  let caps: Caps
  /// The caps that its decoder gives them, which may state the wrong range.
  private let decodedCaps: Caps
  let info: VideoInfo
  /// These caps, with a frame rate: encoders need one, also where the film says none.
  let ratedCaps: Caps
  /// The time of its first frame or sample, whichever is earlier: where the film begins.
  let start: ClockTime
  /// The duration that it states.
  let duration: ClockTime?
  /// Its streams as its container describes them; nil where only a decoder finds its streams.
  let streams: FilmStreams?
  /// Its sound tracks, in its order.
  let sounds: [SoundStream]
  /// The losses that are known before it is rendered, in sentences.
  let warnings: [String]
  /// The damage of its file; nil where none is known.
  let damage: FileStructure.Damage?

  init(_ input: FilmInput, wantsSound: Bool) async throws {
    self.input = input
    let path = input.path
    damage = input.images == nil ? FileStructure.damage(of: path) : nil
    let first: FilmFrame
    (first, duration) = try await FilmFrames(input).read { frames in
      guard let first = try await frames.next() else {
        throw CaptureError(.sourceFailed, "\(path): No frame of this file can be decoded.")
      }
      return (first, await frames.duration)
    }
    streams = input.images == nil ? try await FilmStreams(path) : nil
    decodedCaps = first.caps
    // Makes sure that there is an element of this name.
    _ = try ValidatedScan.makeElement()
    do {
      caps = try first.caps.corrected(isFullRange: streams?.isFullRange)
        .scannable(by: VideoFormat.all(ofElement: "slitscan"))
      info = try VideoInfo(caps)
      ratedCaps =
        info.frameRate.isOfFrames ? caps : try caps.told(Fraction(ofFramesEvery: first.duration))
    } catch {
      throw CaptureError(
        .sourceFailed, "\(path): The video of this file cannot be used.", underlying: error)
    }
    (sounds, warnings) =
      wantsSound && input.images == nil
      ? try await Self.sounds(of: path, streams?.sounds ?? []) : ([], [])
    start = min(first.time, sounds.map(\.start).min() ?? first.time)
  }

  /// The order of its fields, as GStreamer names it, and how they come; nil where the video is progressive.
  var fieldOrder: String? {
    let fields = caps.structures.first?.fields
    guard let mode = fields?["interlace-mode"]?.text, mode != "progressive" else { return nil }
    return fields?["field-order"]?.text ?? mode
  }

  /// The sound tracks of a film, and those that cannot be read, in sentences.
  private static func sounds(
    of path: String, _ streams: [FilmStreams.Stream]
  ) async throws -> (tracks: [SoundStream], warnings: [String]) {
    // A single track need not be told apart from others.
    guard streams.count > 1 else {
      let track = try await SoundStream(path, nil, streams.first)
      return ([track].compactMap(\.self), [])
    }
    var tracks: [SoundStream] = []
    var warnings: [String] = []
    for (index, stream) in streams.enumerated() {
      do {
        if let track = try await SoundStream(path, stream.id, stream) {
          tracks.append(track)
        } else {
          warnings.append("\(path): Sound track \(index + 1) has no sound and is not written.")
        }
      } catch let error as CaptureError
        where error.underlying?.code == .codecNotFound && !stream.isDefault
      {
        warnings.append(
          "\(path): Sound track \(index + 1) is not written: there is no decoder for \(stream.format.name)."
        )
      }
    }
    return (tracks, warnings)
  }

  var path: String { input.path }

  /// Sentences for a person on how its images were understood.
  var notes: [String] { input.images?.notes ?? [] }

  /// Whether its frames may be transparent: not all formats that have room for that are used for it.
  var hasAlpha: Bool { input.images?.layout?.hasAlpha ?? info.hasAlpha }

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

  /// The caps that all frames are converted to, also those of other films: those of the first one.
  ///
  /// - Parameter format: Another format; nil for that of the first frame.
  func commonCaps(in format: String? = nil) throws(CaptureError) -> Caps {
    var structure = Structure("video/x-raw")
    let fields = decodedCaps.statingColorimetry.structures.first?.fields ?? [:]
    for name in ["width", "height", "pixel-aspect-ratio", "colorimetry"] {
      structure.fields[name] = fields[name]
    }
    structure.fields["format"] = .string(format ?? info.format.rawValue)
    if format != nil { structure.fields["colorimetry"] = nil }
    do throws(GStreamerError) {
      return try Caps(structure)
    } catch {
      throw CaptureError(
        .sourceFailed, "\(path): The file contains no usable video.", underlying: error)
    }
  }
}

extension Caps {
  /// The caps of frames as the effect takes them: where it does not take their format, as v210, in the closest one.
  fileprivate func scannable(by formats: [VideoFormat]) throws(GStreamerError) -> Caps {
    let info = try VideoInfo(self)
    // The colours of a palette have 8 bits and alpha.
    let frames =
      info.bitDepth > 16 ? try VideoInfo(.bgra, width: info.width, height: info.height) : info
    guard !formats.contains(info.format),
      let format = VideoFormat.closest(to: frames, of: formats), var structure = structures.first
    else { return self }
    structure.fields["format"] = .string(format.rawValue)
    return try Caps(structure)
  }
}
