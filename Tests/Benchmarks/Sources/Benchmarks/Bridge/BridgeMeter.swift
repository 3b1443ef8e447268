// The clocks at the end of a pipeline, in C as the peers are.

import CBridgePeer
import GStreamer

/// The buffers that come to a sink, and their times; read once the stream has ended.
@safe
struct BridgeMeter: ~Copyable {
  private let meter: OpaquePointer
  private let count: Int

  /// Watches a sink from its first frame on.
  ///
  /// - Parameters:
  ///   - warmUp: Frames that do not count.
  ///   - count: Frames that do.
  init(_ sink: Element, warmUp: Int, count: Int) {
    self.count = count
    unsafe meter = sink.withGstElement {
      unsafe bridge_meter_new($0, guint64(warmUp), guint64(count))
    }
  }

  deinit { unsafe bridge_meter_free(meter) }

  /// Lets the frames that leave an element say when they did.
  static func stamp(_ source: Element) {
    unsafe source.withGstElement { unsafe bridge_stamp($0) }
  }

  /// Whether all frames have come.
  var isComplete: Bool { unsafe bridge_meter_is_complete(meter) != 0 }

  /// Microseconds from one frame to the next, the mean.
  var wallMicroseconds: Double {
    microseconds(unsafe bridge_meter_wall_time(meter)) / Double(count)
  }

  /// Microseconds a frame in which processors worked, the mean.
  var cpuMicroseconds: Double {
    microseconds(unsafe bridge_meter_cpu_time(meter)) / Double(count)
  }

  /// Microseconds since each frame was stamped.
  var ages: [Double] {
    (0..<count).map { microseconds(unsafe bridge_meter_age(meter, guint64($0))) }
  }

  private func microseconds(_ nanoseconds: gint64) -> Double { Double(nanoseconds) / 1000 }
}
