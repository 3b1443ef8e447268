// One run of frames through a pipeline, by one of the bridges.

import CBridgePeer
import GStreamer

/// The code that handles the frames on their way.
enum BridgeWay: String, CaseIterable {
  /// The pipeline by itself, whose time is subtracted from that of the others.
  case none = "no bridge"
  /// A callback of an appsink in C, which pushes into the appsrc of a second pipeline.
  case callback = "appsink to appsrc, C"
  /// `AppSink.samples` and `AppSrc.send`, from the first pipeline to the second.
  case swift = "AppSink to AppSrc, Swift"
}

extension FrameSize {
  /// The elements that give frames of this size, as a launch line.
  ///
  /// They cost next to nothing: memory is taken and given back, and nothing is drawn.
  ///
  /// - Parameter rate: Frames a second; nil for as fast as they can.
  func source(count: Int, rate: Int? = nil) throws -> String {
    let byteCount = try VideoInfo(.i420, width: width, height: height).byteCount
    var source = "fakesrc num-buffers=\(count) sizetype=fixed sizemax=\(byteCount) format=time"
    if let rate { source += " is-live=true sync=true datarate=\(byteCount * rate)" }
    return "\(source) ! capsfilter name=frames caps=video/x-raw,format=I420,"
      + "width=\(width),height=\(height),framerate=\(rate ?? 0)/1"
  }
}

/// The time to bring frames from one end to the other, in microseconds.
struct BridgePassage {
  /// From one frame to the next.
  var time: Double
  /// In which processors worked for a frame, on all threads.
  var cpuTime: Double
}

extension BridgePassage {
  /// Lets frames pass.
  ///
  /// - Throws: `GStreamerError`, ``BenchmarkError``.
  init(_ way: BridgeWay, size: FrameSize, frames: Int) async throws {
    // Queues fill and caches warm up.
    let warmUp = 20 + frames / 10
    let isBridge = way != .none
    let first = try Pipeline(
      "\(size.source(count: warmUp + frames + 1)) ! "
        + (isBridge ? "appsink name=out sync=false max-buffers=4" : "fakesink name=end"))
    let second =
      isBridge
      ? try Pipeline(
        "appsrc name=in format=time block=true max-bytes=0 max-buffers=4 ! fakesink name=end")
      : first
    let meter = try unsafe second.element(named: "end").withGstElement {
      unsafe bridge_meter($0, guint64(warmUp), guint64(frames))
    }
    var ends: (sink: AppSink, source: AppSrc)?
    if way == .callback {
      let source = try second.element(named: "in")
      try unsafe first.element(named: "out").withGstElement { sink in
        unsafe source.withGstElement { unsafe bridge_relay(sink, $0) }
      }
    } else if way == .swift {
      ends = try (
        AppSink(first.element(named: "out"), delivery: .lossless),
        AppSrc(second.element(named: "in"))
      )
    }
    async let relaying: Void = Self.relay(ends)
    async let firstPlays: Void = first.play()
    if isBridge { try await second.play() }
    _ = try await (firstPlays, relaying)
    try await second.waitForEnd()
    await first.stop()
    await second.stop()
    // The sink owns the meter.
    self = try withExtendedLifetime(second) {
      guard let times = unsafe meter?.pointee, times.seen > warmUp + frames else {
        throw BenchmarkError("Frames were lost on the way: \(way.rawValue).")
      }
      return BridgePassage(
        time: Double(times.wall_time) / Double(frames) / 1000,
        cpuTime: Double(times.cpu_time) / Double(frames) / 1000)
    }
  }

  /// Swift's way: what it comes to when one reads the README.
  private static func relay(_ ends: (sink: AppSink, source: AppSrc)?) async throws {
    guard let ends else { return }
    for try await sample in ends.sink.samples { try await ends.source.send(sample) }
    try await ends.source.finish()
  }
}
