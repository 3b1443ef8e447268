// The delay key is what delays follow from, besides the ages of frames.

/// The settings and the values of a map that delays are made of.
package struct DelayKey: Equatable {
  /// The settings that are applied to the values.
  let map: ScanSettings
  /// Which values they are.
  private let values: Int
  /// The longest delay in frames, unless frames have ages.
  let deepest: Int
  package let interpolation: ScanSettings.Interpolation
  let spread: Double
  /// The longest delay in nanoseconds; 0 if it counts frames.
  let duration: UInt64

  /// - Parameters:
  ///   - values: Counts the changes of the map's values.
  ///   - depth: The frames that delays are parts of.
  package init(_ settings: ScanSettings, values: Int, depth: Int) {
    map = settings.ofMap
    self.values = values
    duration = settings.duration
    deepest = duration > 0 ? 0 : depth - 1
    interpolation = settings.interpolation
    spread = settings.componentSpread
  }

  /// The difference up to which ages are the same: clocks and rounded frame times are not better than that.
  package var slack: Double { duration > 0 ? 1000 / Double(duration) : 0 }

  /// Whether delays that were made for another key and other ages are those of this one.
  package func isMet(by other: DelayKey?, ages: [Double], others: [Double]) -> Bool {
    self == other && ages.count == others.count
      && ages.indices.allSatisfy { abs(ages[$0] - others[$0]) <= slack }
  }
}
