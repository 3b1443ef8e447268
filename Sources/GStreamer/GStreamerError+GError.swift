// Conversion of GLib's errors, and the error codes of GStreamer's own domains.

import CGStreamer

extension GStreamerError {
  /// Turns a `GError` into an error and frees it.
  static func taking(
    _ error: UnsafeMutablePointer<GError>?, source: String?, debug: String?
  ) -> GStreamerError {
    guard let error = unsafe error else {
      return GStreamerError(.refused, "No reason was given.", source: source, debug: debug)
    }
    defer { unsafe g_error_free(error) }
    return unsafe GStreamerError(
      Code(domain: error.pointee.domain, number: error.pointee.code),
      borrowedString(error.pointee.message) ?? "", source: source, debug: debug)
  }
}

extension GStreamerError.Code {
  /// The kind of a `GError`.
  init(domain: GQuark, number: gint) {
    let name: String
    let type: GType
    switch domain {
    case gst_core_error_quark(): (name, type) = ("core", gst_core_error_get_type())
    case gst_library_error_quark(): (name, type) = ("library", gst_library_error_get_type())
    case gst_resource_error_quark(): (name, type) = ("resource", gst_resource_error_get_type())
    case gst_stream_error_quark(): (name, type) = ("stream", gst_stream_error_get_type())
    case gst_parse_error_quark(): (name, type) = ("parse", gst_parse_error_get_type())
    default:
      let quark = unsafe borrowedString(g_quark_to_string(domain)) ?? "unknown"
      self.init(rawValue: "\(quark).\(number)")
      return
    }
    self.init(rawValue: "\(name).\(enumerationNick(type, number) ?? String(number))")
  }
}
