// Errors of an element that its pipeline is not to report as its own.

import CGStreamer

private let quark = unsafe g_quark_from_string("slitscan-swift-keeps-errors")

extension Element {
  /// Whether its errors, and those of the elements in it, concern it alone: they are on the bus, and end
  /// the samples of appsinks in it, but not those of others, nor what awaits the pipeline.
  ///
  /// For a branch that may fail while the rest goes on. Set it before the element plays.
  public var keepsErrors: Bool {
    get {
      unsafe object.with(GObject.self) { unsafe g_object_get_qdata($0, quark) != nil }
    }
    nonmutating set {
      let mark = unsafe newValue ? UnsafeMutableRawPointer(bitPattern: 1) : nil
      unsafe object.with(GObject.self) { unsafe g_object_set_qdata($0, quark, mark) }
    }
  }

  /// Posts an error of the stream in the name of the element.
  ///
  /// That ends the stream for all who read it.
  package func fail(_ message: String) {
    unsafe object.with(GstElement.self) { element in
      let code = gint(GST_STREAM_ERROR_FAILED.rawValue)
      unsafe gst_element_message_full(
        element, GST_MESSAGE_ERROR, gst_stream_error_quark(), code, g_strdup(message), nil, #fileID,
        #function, #line)
    }
  }

  /// The outermost of the bins around it, or itself, that keeps its errors to itself.
  var errorContainment: Element? {
    var found: Element?
    var next: Element? = self
    while let element = next {
      if element.keepsErrors { found = element }
      next = element.parent
    }
    return found
  }

  /// Whether it is in a bin, or in a bin of that, or the bin itself.
  public func isInside(_ bin: Element) -> Bool {
    var next: Element? = self
    while let element = next, element != bin { next = element.parent }
    return next != nil
  }
}
