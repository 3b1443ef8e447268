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
  /// That ends the stream for all its readers.
  ///
  /// - Parameter reason: What GStreamer calls the error.
  package func fail(_ message: String, _ reason: StreamFailure = .failed) {
    unsafe object.with(GstElement.self) { element in
      let (domain, code) = reason.error
      unsafe gst_element_message_full(
        element, GST_MESSAGE_ERROR, domain, code, g_strdup(message), nil, #fileID,
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

/// An error of a stream that is posted in the name of an element.
package enum StreamFailure: Sendable {
  /// The stream broke off.
  case failed
  /// There is no stream of the kind that is wanted.
  case noStream
  /// There is no decoder for the stream.
  case codecNotFound

  fileprivate var error: (domain: GQuark, code: gint) {
    switch self {
    case .failed: (gst_stream_error_quark(), gint(GST_STREAM_ERROR_FAILED.rawValue))
    case .noStream: (gst_core_error_quark(), gint(GST_CORE_ERROR_PAD.rawValue))
    case .codecNotFound: (gst_stream_error_quark(), gint(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue))
    }
  }
}
