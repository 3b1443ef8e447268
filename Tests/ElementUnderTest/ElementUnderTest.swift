// Selects the element that tests use: the linked one or that of a plugin file.

import CGStreamer
import Foundation
import SlitScanPlugin

/// The element that is linked into the tests or, where `SLITSCAN_TEST_PLUGIN` is set, that of the plugin that
/// GStreamer finds.
public enum ElementUnderTest {
  /// Whether GStreamer runs and knows the element.
  public static let isRegistered: Bool = {
    guard ProcessInfo.processInfo.environment["SLITSCAN_TEST_PLUGIN"] != nil else {
      return SlitScanPlugin.isRegistered
    }
    guard gst_init_check(nil, nil, nil) != 0,
      let factory = unsafe gst_element_factory_find("slitscan")
    else { return false }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }()
}
