// The part description holds what was found in the file of a rendered part.

import GStreamer
import SlitScanCapture

/// The content of a part's file.
struct PartDescription: Sendable {
  let path: String
  let label: PartLabel
  /// Of its encoded frames.
  let caps: Caps
  let codec: VideoCodec
  let sound: SoundFormat?
  private let frameRate: Double?

  /// Looks into a part.
  ///
  /// - Throws: ``CaptureError/Code/badParts`` where the file is no part, and others.
  init(_ path: String) async throws {
    self.path = path
    var packets = try await FilmPackets(path)
    let (first, hasSound): (Sample?, Bool)
    do {
      (first, hasSound) = try await packets.lookAhead()
    } catch {
      await packets.close()
      throw error
    }
    let comment = packets.tags["comment"]
    await packets.close()
    guard case .string(let text)? = comment, let label = PartLabel(text),
      let caps = first?.caps, let structure = caps.structures.first,
      let codec = VideoCodec(mediaType: structure.name)
    else {
      throw CaptureError(
        .badParts,
        "\(path) is not a part made by slitscan render --segment. To join other films, name them "
          + "all to slitscan render.")
    }
    self.label = label
    self.caps = caps
    self.codec = codec
    let rate = structure.get("framerate", as: Fraction.self)?.quotient
    frameRate = rate.flatMap { $0 > 0 ? $0 : nil }
    var format: SoundFormat?
    if hasSound {
      var sound = try await FilmSound(path, as: nil, isTimed: false)
      if let caps = try await sound.next()?.caps {
        let info = try AudioInfo(caps)
        format = SoundFormat(sampleRate: info.sampleRate, channels: info.channels)
      }
      await sound.close()
    }
    sound = format
  }

  /// From one frame to the next.
  var pictureDuration: ClockTime { .seconds(frameRate.map { 1 / $0 } ?? 0) }

  /// An encoded frame, at its time in the film: that of the file, wherever the file begins.
  ///
  /// Matroska rounds times to milliseconds; where the video comes at a steady pace, they are brought back
  /// to it.
  func picture(_ packet: Sample) throws -> Sample {
    guard let buffer = packet.buffer, let time = buffer.presentationTime else {
      throw CaptureError(.badParts, "\(path): A frame has no timestamp.")
    }
    var place = time
    if let frameRate {
      let steady = ClockTime.seconds((time.seconds * frameRate).rounded() / frameRate)
      let distance = steady > time ? steady - time : time - steady
      if distance <= .milliseconds(1) { place = steady }
    }
    let moved = try buffer.moved(to: place, decodingTime: place, duration: buffer.duration)
    return Sample(moved, caps: caps)
  }

  /// - Throws: ``CaptureError/Code/badParts`` where there are not as many frames as there should be.
  func require(_ count: Int) throws(CaptureError) {
    // What the effect adds at the end is in no count.
    let isComplete =
      label.part.isLast ? count >= label.pictures.count : count == label.pictures.count
    guard isComplete else {
      throw CaptureError(
        .badParts,
        "\(path) has \(count) frames, and should have \(label.pictures.count). Render part "
          + "\(label.part) again.")
    }
  }

  /// - Throws: ``CaptureError/Code/badParts`` where this is not of the same film as `first`.
  func requireFits(_ first: PartDescription) throws(CaptureError) {
    let isSameFilm =
      label.part.count == first.label.part.count && label.total == first.label.total
      && label.fingerprint == first.label.fingerprint
    guard isSameFilm else {
      throw CaptureError(
        .badParts,
        "\(path) and \(first.path) are parts of different films, or were made with different settings. "
          + "Render one of them again with the settings of the other.")
    }
    guard caps == first.caps, sound == first.sound else {
      throw CaptureError(
        .badParts,
        "\(path) and \(first.path) are encoded differently. Render one of them again with the settings of the other."
      )
    }
  }
}
