// A sound level is the loudness of a short time in each frequency band.

import GStreamer
import LibC

/// The loudness of a short time in each of many frequency bands.
package struct SoundLevel: Sendable, Hashable {
  /// The loudness that counts as silence, in dB below full scale.
  package static let silence = -80.0
  /// Samples a second, while it is measured.
  static let rate = 44_100.0
  static let bandCount = 512
  /// The time of each measurement.
  package static let interval = ClockTime(nanoseconds: 33_333_333)

  /// The width of a band, in Hz.
  package let bandWidth: Double
  /// The loudness of each band, in dB below full scale, the lowest first.
  package let bands: [Double]

  /// The loudness of sound in bands of some width.
  package init(bandWidth: Double, bands: [Double]) {
    self.bandWidth = bandWidth
    self.bands = bands
  }

  /// From a message of the element `spectrum`, nil where it is none.
  package init?(_ structure: Structure) {
    guard case .array(let values)? = structure.get("magnitude", as: Value.self) else { return nil }
    bands = values.compactMap { Double(from: $0) }
    bandWidth = Self.rate / 2 / Double(Self.bandCount)
    guard !bands.isEmpty else { return nil }
  }

  /// The loudness between two frequencies, in dB below full scale; nil for all of them.
  package func loudness(in band: ClosedRange<Double>? = nil) -> Double {
    var power = 0.0
    for (index, level) in bands.enumerated() where level > Self.silence {
      let (low, high) = (Double(index) * bandWidth, Double(index + 1) * bandWidth)
      guard band.map({ $0.lowerBound < high && low <= $0.upperBound }) ?? true else { continue }
      power += pow(10, level / 10)
    }
    return power > 0 ? max(Self.silence, 10 * log10(power)) : Self.silence
  }
}

/// Sound of another source, with its loudness told by ``CaptureSession/soundLevels``.
package actor MeteredSound: SoundSource {
  private let source: any SoundSource

  /// Measures the sound of a source.
  package init(_ source: any SoundSource) { self.source = source }

  /// The source with a meter behind it.
  ///
  /// - Throws: As the source; ``CaptureError/Code/missingElement``.
  package func makeSoundElement() async throws(CaptureError) -> Element {
    let element = try await source.makeSoundElement()
    do throws(GStreamerError) {
      return try Element(chaining: [element] + Self.makeMeter())
    } catch {
      throw explainSound(error)
    }
  }

  /// Elements that post a ``SoundLevel`` of what passes them as a message, one behind the other.
  package static func makeMeter() throws(GStreamerError) -> [Element] {
    // One rate, so that bands are of one width. Not 24 bits: `spectrum` of GStreamer 1.22 takes negative
    // samples of those for large ones.
    let format = try Element(
      filter: Caps("audio/x-raw,format={S16LE,S32LE,F32LE,F64LE},rate=\(Int(SoundLevel.rate))"))
    let meter = try Element("spectrum")
    try meter.set("bands", to: SoundLevel.bandCount)
    try meter.set("threshold", to: Int(SoundLevel.silence))
    try meter.set("interval", to: SoundLevel.interval.nanoseconds)
    return [try Element("audioconvert"), try Element("audioresample"), format, meter]
  }

  /// The source's explanation of it.
  package nonisolated func explainSound(_ error: GStreamerError) -> CaptureError {
    source.explainSound(error)
  }
}
