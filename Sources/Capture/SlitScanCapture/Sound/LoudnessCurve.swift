// A loudness curve holds the loudness of a sound track over time.

import GStreamer

/// The loudness of sound over time, in some bands of frequencies.
///
/// `SlitScanRender` measures that of films.
package struct LoudnessCurve: Sendable, Equatable {
  /// When the sound was measured: the end of each measurement, counted from the first frame.
  package private(set) var times: [ClockTime] = []
  private var measured: [ClosedRange<Double>?: [Double]]

  /// A curve without measurements.
  ///
  /// - Parameter bands: What is measured: bands of frequencies in Hz, and nil for all frequencies.
  package init(in bands: Set<ClosedRange<Double>?> = []) {
    measured = Dictionary(uniqueKeysWithValues: bands.map { ($0, []) })
  }

  /// The loudness of a band at each of ``times``, in dB below full scale; empty for a band that was not
  /// measured.
  package func values(in band: ClosedRange<Double>?) -> [Double] { measured[band] ?? [] }

  /// Adds a measurement, later than those before.
  package mutating func append(_ level: SoundLevel, at time: ClockTime) {
    append(at: time) { level.loudness(in: $0) }
  }

  /// Adds measurements of silence up to a time.
  package mutating func appendSilence(until end: ClockTime) {
    while case let time = (times.last ?? .zero) + SoundLevel.interval, time <= end {
      append(at: time) { _ in SoundLevel.silence }
    }
  }

  private mutating func append(
    at time: ClockTime, _ loudness: (ClosedRange<Double>?) -> Double
  ) {
    times.append(time)
    for band in measured.keys { measured[band]?.append(loudness(band)) }
  }
}
