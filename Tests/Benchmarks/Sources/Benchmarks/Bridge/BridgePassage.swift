// One run of frames through a pipeline, by one of the bridges.

import CBridgePeer
import GStreamer

/// The time to bring frames from one end to the other.
struct BridgePassage: Codable {
  /// Microseconds from one frame to the next.
  var microseconds: Double
  /// Microseconds a frame in which processors worked for it, on all threads.
  var cpuMicroseconds: Double
  /// Microseconds from when a frame left its source to when it came to the sink, the median.
  var delayMicroseconds: Double
}

extension BridgePassage {
  /// Lets frames pass.
  ///
  /// - Throws: `GStreamerError`, ``BenchmarkError``.
  init(_ way: BridgeWay, _ traffic: BridgeTraffic, frames: Int) async throws {
    // Queues fill and caches warm up.
    let warmUp = 20 + frames / 10
    let source = try traffic.source(count: warmUp + frames + 1)
    let first = try Pipeline(
      way.isBridge
        ? "\(source) ! appsink name=out sync=false max-buffers=4" : "\(source) ! fakesink name=end")
    let second =
      way.isBridge
      ? try Pipeline(
        "appsrc name=in format=time block=true max-bytes=0 max-buffers=4 ! fakesink name=end")
      : first
    let meter = try BridgeMeter(
      second.element(named: "end"), warmUp: warmUp, count: frames)
    try BridgeMeter.stamp(first.element(named: "frames"))
    let ends = try Self.attach(way, first, second, looks: traffic.looks)
    async let relaying = Self.relay(ends, looks: traffic.looks)
    async let firstPlays: Void = first.play()
    if way.isBridge { try await second.play() }
    _ = try await (firstPlays, relaying)
    try await second.waitForEnd()
    await first.stop()
    await second.stop()
    guard meter.isComplete else {
      throw BenchmarkError("Frames were lost on the way: \(way.name).")
    }
    self.init(
      microseconds: meter.wallMicroseconds, cpuMicroseconds: meter.cpuMicroseconds,
      delayMicroseconds: meter.ages.median)
  }

  /// Puts in place who handles the frames.
  ///
  /// - Returns: What Swift reads and writes, if it is Swift.
  private static func attach(
    _ way: BridgeWay, _ first: Pipeline, _ second: Pipeline, looks: Bool
  ) throws -> (sink: AppSink, source: AppSrc)? {
    switch way {
    case .none: return nil
    case .probe:
      try unsafe first.element(named: "frames").withGstElement {
        unsafe bridge_probe($0, looks ? 1 : 0)
      }
      return nil
    case .callback:
      let source = try second.element(named: "in")
      try unsafe first.element(named: "out").withGstElement { sink in
        unsafe source.withGstElement { unsafe bridge_relay(sink, $0, looks ? 1 : 0) }
      }
      return nil
    case .swift:
      return (
        try AppSink(first.element(named: "out"), delivery: .lossless),
        try AppSrc(second.element(named: "in"))
      )
    }
  }

  /// Swift's way: what it comes to when one reads the README.
  ///
  /// - Returns: Something of each frame that was looked at.
  private static func relay(
    _ ends: (sink: AppSink, source: AppSrc)?, looks: Bool
  ) async throws -> UInt8 {
    guard let ends else { return 0 }
    var seen: UInt8 = 0
    for try await sample in ends.sink.samples {
      if looks {
        let frame = try sample.videoFrame()
        seen ^= frame.row(0, ofPlane: 0)[0]
      }
      try await ends.source.send(sample)
    }
    try await ends.source.finish()
    return seen
  }
}
