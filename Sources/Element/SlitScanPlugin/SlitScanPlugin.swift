// The registration of the element in a program that links it instead of loading the plugin.

import CGStreamer
import GstSlitScan

/// The plugin of this package, for programs that link it.
public enum SlitScanPlugin {
  /// Whether GStreamer runs and knows the element `slitscan`.
  ///
  /// The first look starts GStreamer and registers the element, once a process: a second registration
  /// would replace the first while others use it. It takes the place of a plugin that is installed.
  public static let isRegistered: Bool = {
    guard gst_init_check(nil, nil, nil) != 0 else { return false }
    gst_plugin_slitscan_register()
    guard let factory = unsafe gst_element_factory_find("slitscan") else { return false }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }()

  /// Its version, as `0.1.0`.
  public static let version = SLITSCAN_VERSION
}
