// The cost of the bridge: that of a run with it, less that of the pipeline alone.

import GStreamer

/// The code that handles the frames on their way.
enum BridgeWay: String, CaseIterable, Codable {
  /// Nobody: the pipeline itself, which is subtracted from the others.
  case none
  /// A buffer probe in C, on the streaming thread, in the one pipeline.
  case probe
  /// A callback of an appsink in C, which pushes into the appsrc of a second pipeline.
  case callback
  /// `AppSink.samples` and `AppSrc.send`, from the first pipeline to the second.
  case swift

  /// The name in the table.
  var name: String {
    switch self {
    case .none: "no bridge"
    case .probe: "pad probe, C"
    case .callback: "appsink to appsrc, C"
    case .swift: "AppSink to AppSrc, Swift"
    }
  }

  /// Whether there are two pipelines.
  var isBridge: Bool { self == .callback || self == .swift }
}

/// The frames that come to the bridge.
struct BridgeTraffic {
  var size: FrameSize
  /// Whether everybody who handles a frame maps it and reads a byte.
  var looks: Bool
  /// Frames a second; nil for as fast as they can.
  var rate: Int?

  /// The elements that give frames, as a launch line.
  ///
  /// They cost next to nothing: memory is taken and given back, and nothing is drawn.
  func source(count: Int) throws -> String {
    let byteCount = try VideoInfo(.i420, width: size.width, height: size.height).byteCount
    var source = "fakesrc num-buffers=\(count) sizetype=fixed sizemax=\(byteCount) format=time"
    if let rate { source += " is-live=true sync=true datarate=\(byteCount * rate)" }
    return "\(source) ! capsfilter name=frames caps=video/x-raw,format=I420,"
      + "width=\(size.width),height=\(size.height),framerate=\(rate ?? 0)/1"
  }
}

/// The cost that a bridge adds to a frame, and a line of `--json`.
struct BridgeCost: Codable {
  var way: BridgeWay
  var size: FrameSize
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
  /// Microseconds from source to sink at ``BridgeBenchmark/rate`` frames a second, the median.
  var delayMicroseconds: Double

  /// All ways in one run.
  struct Run {
    /// As fast as frames can.
    var fast: [BridgeWay: BridgePassage] = [:]
    /// As they come from a camera.
    var paced: [BridgeWay: BridgePassage] = [:]
  }

  /// The costs of all ways.
  static func all(of size: FrameSize, _ runs: [Run]) -> [BridgeCost] {
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
