// What the ways cost, measured in turns.

/// What a bridge adds to a frame, and a line of `--json`.
struct BridgeCost: Codable {
  var way: BridgeWay
  var size: PictureSize
  /// As fast as frames can: the medians of the runs.
  var microseconds: Double
  var cpuMicroseconds: Double
  /// The medians of the differences to the pipeline without a bridge in the same run.
  var addedMicroseconds: Double
  var addedCPUMicroseconds: Double
  /// The medians of the runs' ratios of what this adds to what the callback in C adds; nil where that
  /// could not be told from nothing in any run.
  var ratio: Double?
  var cpuRatio: Double?
  /// Microseconds from source to sink at ``BenchBridge/rate`` frames a second, the median.
  var delayMicroseconds: Double

  /// All ways in one run.
  struct Run {
    /// As fast as frames can.
    var fast: [BridgeWay: BridgePassage] = [:]
    /// As they come from a camera.
    var paced: [BridgeWay: BridgePassage] = [:]
  }

  /// The costs of all ways.
  static func all(of size: PictureSize, _ runs: [Run]) -> [BridgeCost] {
    BridgeWay.allCases.map { way in
      func added(_ way: BridgeWay, _ run: Run, _ time: (BridgePassage) -> Double) -> Double {
        (run.fast[way].map(time) ?? .nan) - (run.fast[.none].map(time) ?? .nan)
      }
      func ratio(_ time: (BridgePassage) -> Double) -> Double? {
        let ratios = runs.compactMap { run in
          let callback = added(.callback, run, time)
          return callback > 0 ? added(way, run, time) / callback : nil
        }
        return ratios.isEmpty ? nil : ratios.median
      }
      return BridgeCost(
        way: way, size: size,
        microseconds: runs.compactMap { $0.fast[way]?.microseconds }.median,
        cpuMicroseconds: runs.compactMap { $0.fast[way]?.cpuMicroseconds }.median,
        addedMicroseconds: runs.map { added(way, $0, \.microseconds) }.median,
        addedCPUMicroseconds: runs.map { added(way, $0, \.cpuMicroseconds) }.median,
        ratio: ratio(\.microseconds), cpuRatio: ratio(\.cpuMicroseconds),
        delayMicroseconds: runs.compactMap { $0.paced[way]?.delayMicroseconds }.median)
    }
  }
}
