// A launch line describes elements and their links as gst-launch-1.0 does.

import CGStreamer

/// A line such as `videotestsrc ! autovideosink`, which becomes elements.
struct LaunchLine {
  private let text: String

  init(_ text: String) { self.text = text }

  /// The pipeline, or the one element, that the line describes; or a bin of the elements.
  ///
  /// - Parameter hasPads: Whether loose ends become pads of the bin.
  /// - Throws: The codes of ``Pipeline/init(_:)``.
  func make(asBin: Bool = false, hasPads: Bool = false) throws(GStreamerError) -> ObjectReference {
    do throws(GStreamerError) {
      return try Self.parse(text, asBin: asBin, hasPads: hasPads)
    } catch  where error.code == .syntax {
      throw GStreamerError(.syntax, explanation, debug: error.debug)
    }
  }

  private static func parse(
    _ text: String, asBin: Bool = false, hasPads: Bool = false
  ) throws(GStreamerError) -> ObjectReference {
    var error: UnsafeMutablePointer<GError>?
    let context = unsafe gst_parse_context_new()
    defer { unsafe gst_parse_context_free(context) }
    let parsed =
      unsafe asBin
      ? gst_parse_bin_from_description_full(
        text, hasPads ? 1 : 0, context, GST_PARSE_FLAG_FATAL_ERRORS, &error)
      : gst_parse_launch_full(text, context, GST_PARSE_FLAG_FATAL_ERRORS, &error)
    let element = unsafe parsed.map { unsafe ObjectReference(retaining: $0) }
    if let error = unsafe error {
      let reason = unsafe GStreamerError.taking(error, source: nil, debug: "in: \(text)")
      let missing = unsafe gst_parse_context_get_missing_elements(context)
      defer { unsafe g_strfreev(missing) }
      guard reason.code == .noSuchElement, let first = unsafe missing?.pointee else { throw reason }
      throw unsafe GStreamerError(noElement: String(cString: first), debug: reason.debug)
    }
    guard let element else { throw GStreamerError(.syntax, "This is no pipeline: \(text)") }
    return element
  }

  // MARK: Where a line is wrong

  /// The words from which on the line makes no sense; GStreamer says only that it makes none.
  private var explanation: String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let good = (0...words.count).last(where: { Self.canContinue(words.prefix($0)) }) else {
      return "Syntax error: \(text)"
    }
    let before = words.prefix(good).joined(separator: " ")
    guard good < words.count else { return "Syntax error at the end of the line, after: \(before)" }
    let place = good == 0 ? "at the beginning of the line" : "after: \(before)"
    return "Syntax error at \"\(words[good])\", word \(good + 1), \(place)"
  }

  /// Whether there is a line that makes sense and begins with these words.
  private static func canContinue(_ words: ArraySlice<Substring>) -> Bool {
    let line = words.joined(separator: " ")
    let open = words.count { $0.hasSuffix("(") } - words.count { $0.hasPrefix(")") }
    let closing = String(repeating: " )", count: max(0, open))
    return ["", " identity"].contains { rest in
      do throws(GStreamerError) {
        _ = try parse(line + rest + closing)
        return true
      } catch {
        // Errors of elements are another question.
        return error.code != .syntax
      }
    }
  }
}
