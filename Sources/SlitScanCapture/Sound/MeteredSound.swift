// Metered sound is a sound source whose loudness is measured on its way.

import GStreamer

/// Sound of another source, with its loudness told by ``CapturePipeline/soundLevels``.
public actor MeteredSound: SoundSource {
  private let source: any SoundSource

  /// Measures the sound of a source.
  public init(_ source: any SoundSource) { self.source = source }

  /// The source with a meter behind it.
  ///
  /// - Throws: As the source; ``CaptureError/Code/missingElement``.
  public func makeSoundElement() async throws(CaptureError) -> Element {
    let element = try await source.makeSoundElement()
    do throws(GStreamerError) {
      return try Element(chaining: [element] + Self.makeMeter())
    } catch {
      throw explainSound(error)
    }
  }

  /// Elements that post a ``SoundLevel`` of what passes them as a message, one behind the other.
  package static func makeMeter() throws(GStreamerError) -> [Element] {
    let format = try Element("capsfilter")
    // One rate, so that bands are of one width. Not 24 bits: `spectrum` of GStreamer 1.22 takes negative
    // samples of those for large ones.
    try format.set(
      "caps",
      to: Caps(
        "audio/x-raw,format={S16LE,S32LE,F32LE,F64LE},rate=\(Int(SoundLevel.rate))"))
    let meter = try Element("spectrum")
    try meter.set("bands", to: SoundLevel.bandCount)
    try meter.set("threshold", to: Int(SoundLevel.silence))
    try meter.set("interval", to: SoundLevel.interval.nanoseconds)
    return [try Element("audioconvert"), try Element("audioresample"), format, meter]
  }

  /// What the source makes of it.
  public nonisolated func explainSound(_ error: GStreamerError) -> CaptureError {
    source.explainSound(error)
  }
}
