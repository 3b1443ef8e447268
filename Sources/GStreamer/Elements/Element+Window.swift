// Video sinks that draw into a window which the program provides.

import CGStreamer

extension Element {
  /// Whether it shows video in a window, and would take one of the program's own: a `GstVideoOverlay`.
  package var drawsIntoWindows: Bool { object.isA(gst_video_overlay_get_type()) }

  /// Has a sink draw into a window of the program's own.
  ///
  /// The sink looks at nothing that happens in the window: keys and pointers are the program's, and where
  /// the window is new, has another size, or was covered, ``Pipeline/redraw(_:)`` is.
  ///
  /// - Important: The window must be there until the sink has been stopped: a program that draws into one of X11 that
  ///   is gone is ended by Xlib.
  /// - Parameter window: What the window system calls it: the number of a window of X11.
  /// - Throws: ``GStreamerError/Code/refused`` where it does not draw into windows.
  package func draw(into window: UInt) throws(GStreamerError) {
    guard drawsIntoWindows else {
      throw GStreamerError(.refused, "\(name) cannot draw into a window.", source: name)
    }
    for property in ["handle-events", "handle-expose"] where hasProperty(property) {
      try set(property, to: false)
    }
    unsafe object.withPointer {
      unsafe gst_video_overlay_set_window_handle(OpaquePointer($0), window)
    }
  }

  /// GStreamer's rank of a kind of element among those that do the same, the highest first; nil where
  /// no plugin that is installed has it.
  package static func rank(of factory: String) -> Int? {
    unsafe find(factory)?.withPointer { unsafe Int(gst_plugin_feature_get_rank(OpaquePointer($0))) }
  }
}

extension Pipeline {
  /// Has a sink show its last frame again, as large as its window is now.
  package func redraw(_ sink: Element) {
    guard sink.drawsIntoWindows else { return }
    unsafe sink.object.withPointer { unsafe gst_video_overlay_expose(OpaquePointer($0)) }
  }
}
