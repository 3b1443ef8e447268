// A stream clock is the clock of GStreamer that pipelines play by.

import CGStreamer

/// A clock for pipelines, in the place of the one that their elements would choose.
package struct StreamClock: Sendable, Hashable {
  private let object: ObjectReference

  /// Takes over a reference to a `GstClock` that the caller owns.
  package init(taking clock: UnsafeMutableRawPointer) {
    object = unsafe ObjectReference(taking: clock)
  }

  /// Has a pipeline play by it, whatever its elements provide.
  func drive(_ pipeline: ObjectReference) {
    unsafe object.with(GstClock.self) { clock in
      unsafe pipeline.with(GstPipeline.self) { unsafe gst_pipeline_use_clock($0, clock) }
    }
  }
}
