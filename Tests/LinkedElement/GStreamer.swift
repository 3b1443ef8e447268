// GStreamer with the element linked in: started once, for all tests of a process.

import CGStreamer
import GstSlitScan

/// GStreamer, as the tests use it.
public enum GStreamer {
  /// True once GStreamer runs and knows the element.
  ///
  /// The element must be registered only once: a second registration would replace the first while
  /// other tests use it.
  public static let hasStarted: Bool = {
    gst_init(nil, nil)
    gst_plugin_slitscan_register()
    return true
  }()
}
