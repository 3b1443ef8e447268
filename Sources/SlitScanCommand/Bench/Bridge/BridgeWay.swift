// The ways of a frame from one end of a pipeline to the other.

import GStreamer

/// Who handles the frames on their way.
enum BridgeWay: String, CaseIterable, Codable {
  /// Nobody: the pipeline itself, which is subtracted from the others.
  case none
  /// A buffer probe in C, on the streaming thread, in the one pipeline.
  case probe
  /// A callback of an appsink in C, which pushes into the appsrc of a second pipeline.
  case callback
  /// `AppSink.samples` and `AppSrc.send`, from the first pipeline to the second.
  case swift

  /// What the table calls it.
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

/// How frames come to the bridge.
struct BridgeTraffic {
  var size: PictureSize
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
