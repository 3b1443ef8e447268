// Selects the element that tests use: the linked one or that of a plugin file, on the processor or on the GPU.

import CGStreamer
import Foundation
import GstSlitScan
import SlitScanPlugin
import TestClock

#if SLITSCAN_GL
  import CGStreamerGL
  import GstGLSlitScan
#endif

/// The element that is linked into the tests or, where `SLITSCAN_TEST_PLUGIN` is set, that of the plugin that
/// GStreamer finds.
public enum ElementUnderTest {
  /// Its name: `slitscan`, or what `SLITSCAN_TEST_ELEMENT` says.
  public static let name =
    ProcessInfo.processInfo.environment["SLITSCAN_TEST_ELEMENT"] ?? "slitscan"

  /// Whether its frames are textures.
  public static var isOnGPU: Bool { name == "glslitscan" }

  /// Whether GStreamer runs and knows the element.
  public static let isRegistered: Bool = {
    if ProcessInfo.processInfo.environment["SLITSCAN_TEST_PLUGIN"] != nil {
      guard gst_init_check(nil, nil, nil) != 0 else { return false }
    } else {
      guard SlitScanPlugin.isRegistered else { return false }
      #if SLITSCAN_GL
        gst_plugin_slitscangl_register()
      #endif
    }
    guard let factory = unsafe gst_element_factory_find(name) else { return false }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }()

  /// A clock that stands still.
  package static let standing = TestClock()

  /// Has the limits of an element's waits, or of those in a bin, go by a clock.
  ///
  /// Where it stands still, no wait is given up.
  package static func setLimits(
    of element: UnsafeMutablePointer<GstElement>, to clock: TestClock = standing
  ) { unsafe clock.offer(as: GST_SLIT_SCAN_CLOCK_CONTEXT, to: element) }

  /// The element, which gives up no wait, and what takes and gives frames in system memory.
  ///
  /// That is the element itself, or a bin around it. Floating, as from a factory; nil if there is no such
  /// element.
  public static func make() -> (
    whole: UnsafeMutablePointer<GstElement>, element: UnsafeMutablePointer<GstElement>
  )? {
    guard let (whole, element) = unsafe makeWithLimits() else { return nil }
    unsafe setLimits(of: whole)
    return unsafe (whole, element)
  }

  private static func makeWithLimits() -> (
    whole: UnsafeMutablePointer<GstElement>, element: UnsafeMutablePointer<GstElement>
  )? {
    guard isRegistered else { return nil }
    guard isOnGPU else { return unsafe gst_element_factory_make(name, nil).map { unsafe ($0, $0) } }
    // Else glupload would keep late frames to itself.
    guard
      let bin = unsafe gst_parse_bin_from_description(
        "glupload qos=false ! \(name) name=scan ! gldownload qos=false", 1, nil),
      let element = unsafe gst_bin_get_by_name(
        UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstBin.self), "scan")
    else { return nil }
    // The bin keeps it.
    unsafe gst_object_unref(UnsafeMutableRawPointer(element))
    #if SLITSCAN_GL
      unsafe SharedDisplay.offer(to: bin)
    #endif
    return unsafe (bin, element)
  }
}

#if SLITSCAN_GL
  /// One GL display for all tests, with a context that all elements share.
  ///
  /// Where each has its own, GStreamer 1.22 closes the EGL display that all have in common with the first of
  /// them.
  private enum SharedDisplay {
    // A GObject, which all threads may use.
    private nonisolated(unsafe) static let display = {
      let display = unsafe gst_gl_display_new()
      var context: UnsafeMutablePointer<GstGLContext>?
      if unsafe gst_gl_display_create_context(display, nil, &context, nil) != 0 {
        unsafe gst_gl_display_add_context(display, context)
      }
      return unsafe display
    }()

    static func offer(to element: UnsafeMutablePointer<GstElement>) {
      let context = unsafe gst_context_new(GST_GL_DISPLAY_CONTEXT_TYPE, 1)
      unsafe gst_context_set_gl_display(context, display)
      unsafe gst_element_set_context(element, context)
      unsafe gst_context_unref(context)
    }
  }
#endif
