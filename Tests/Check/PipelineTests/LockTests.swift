// Tests of what ThreadSanitizer is told of GLib's locks.

import GLibLocks
import Testing

/// A race that ThreadSanitizer reports is one only where it knows every lock.
@Suite struct LockTests {
  @Test(.enabled(if: glib_locks_are_told())) func locksOfQueuesAreTold() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=20 ! video/x-raw,width=16,height=16 ! queue ! slitscan name=scan ! fakesink"
    )
    let before = glib_locks_told()
    _ = try pipeline.playToEnd()
    #expect(glib_locks_told() > before + 20)
  }
}
