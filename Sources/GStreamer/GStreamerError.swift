// The error type of this module: what happened, where, and what to do about it.

import CGStreamer

/// An error of GStreamer or of its use: what kind, what happened, and where.
public struct GStreamerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// Errors that elements post have GStreamer's own kinds, by domain and nick: `GST_RESOURCE_ERROR_BUSY`
  /// is `resource.busy`. More may come; treat an unknown one as a failure.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name that stands for the kind, as `resource.busy`.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// The kind.
  public let code: Code
  /// One or two sentences for a person.
  public let message: String
  /// The name of the element that failed, nil where no element is to blame.
  public let source: String?
  /// Details for a developer: file, line, the path of the element.
  ///
  /// Not for users.
  public let debug: String?

  /// An error, for code that is built on this module.
  public init(_ code: Code, _ message: String, source: String? = nil, debug: String? = nil) {
    self.code = code
    self.message = message
    self.source = source
    self.debug = debug
  }

  /// Source and message.
  public var description: String {
    guard let source else { return message }
    return "\(source): \(message)"
  }
}

extension GStreamerError.Code {
  /// GStreamer cannot be started.
  public static let notStarted = Self(rawValue: "overlay.not-started")
  /// A value's type does not fit the property, field or argument.
  public static let wrongType = Self(rawValue: "overlay.wrong-type")
  /// A number or name is not among what the property allows.
  public static let outOfRange = Self(rawValue: "overlay.out-of-range")
  /// The property cannot be read, or cannot be written any more.
  public static let notAccessible = Self(rawValue: "overlay.not-accessible")
  /// There is no signal of this name, or it is not one to be emitted.
  public static let noSuchSignal = Self(rawValue: "overlay.no-such-signal")
  /// There is no preset of this name.
  public static let noSuchPreset = Self(rawValue: "overlay.no-such-preset")
  /// GStreamer knows no tag of this name.
  public static let noSuchTag = Self(rawValue: "overlay.no-such-tag")
  /// There is no pad of this name, or the element gives none.
  public static let noSuchPad = Self(rawValue: "overlay.no-such-pad")
  /// A description of caps or a structure makes no sense.
  public static let invalidDescription = Self(rawValue: "overlay.invalid-description")
  /// An element or pad refused what was asked of it, without saying why.
  public static let refused = Self(rawValue: "overlay.refused")
  /// A state change gave way to a later one, or a step to a seek.
  public static let superseded = Self(rawValue: "overlay.superseded")
  /// A source is open, but neither gives data nor fails.
  public static let stalled = Self(rawValue: "overlay.stalled")
  /// The stream has ended; nothing can be sent any more.
  public static let ended = Self(rawValue: "overlay.ended")
  /// The pipeline was stopped.
  public static let stopped = Self(rawValue: "overlay.stopped")
  /// The task was cancelled, and nothing else: see <doc:Waiting#Cancellation>.
  public static let cancelled = Self(rawValue: "overlay.cancelled")
  /// There is another reader already.
  public static let busy = Self(rawValue: "overlay.busy")
  /// Memory cannot be reached, or is smaller than its description says.
  public static let notMappable = Self(rawValue: "overlay.not-mappable")
  /// The system gave no memory.
  public static let outOfMemory = Self(rawValue: "overlay.out-of-memory")

  /// `GST_PARSE_ERROR_NO_SUCH_ELEMENT`: no plugin that is installed has this element.
  public static let noSuchElement = Self(rawValue: "parse.no-such-element")
  /// `GST_PARSE_ERROR_NO_SUCH_PROPERTY`: the element has no property of this name.
  public static let noSuchProperty = Self(rawValue: "parse.no-such-property")
  /// `GST_PARSE_ERROR_SYNTAX`: a launch line makes no sense; the message says from which word on.
  public static let syntax = Self(rawValue: "parse.syntax")
  /// `GST_PARSE_ERROR_LINK`: two elements of a launch line cannot be linked.
  public static let link = Self(rawValue: "parse.link")

  /// `GST_RESOURCE_ERROR_NOT_FOUND`: no such file or device.
  public static let resourceNotFound = Self(rawValue: "resource.not-found")
  /// `GST_RESOURCE_ERROR_BUSY`: another program uses the device.
  public static let resourceBusy = Self(rawValue: "resource.busy")
  /// `GST_RESOURCE_ERROR_OPEN_READ`: a file cannot be opened for reading.
  public static let resourceOpenRead = Self(rawValue: "resource.open-read")
  /// `GST_RESOURCE_ERROR_OPEN_WRITE`: a file cannot be opened for writing.
  public static let resourceOpenWrite = Self(rawValue: "resource.open-write")
  /// `GST_RESOURCE_ERROR_OPEN_READ_WRITE`: a file cannot be opened for both.
  public static let resourceOpenReadWrite = Self(rawValue: "resource.open-read-write")
  /// `GST_RESOURCE_ERROR_READ`: reading failed.
  public static let resourceRead = Self(rawValue: "resource.read")
  /// `GST_RESOURCE_ERROR_SETTINGS`: an element cannot be set so.
  public static let resourceSettings = Self(rawValue: "resource.settings")
  /// `GST_RESOURCE_ERROR_WRITE`: writing failed.
  public static let resourceWrite = Self(rawValue: "resource.write")
  /// `GST_RESOURCE_ERROR_NO_SPACE_LEFT`: the disk is full.
  public static let noSpaceLeft = Self(rawValue: "resource.no-space-left")
  /// `GST_STREAM_ERROR_FAILED`: the stream broke off.
  public static let streamFailed = Self(rawValue: "stream.failed")
  /// `GST_STREAM_ERROR_FORMAT`: the stream is not in the format that was expected.
  public static let streamFormat = Self(rawValue: "stream.format")
  /// `GST_STREAM_ERROR_CODEC_NOT_FOUND`: there is no decoder for the stream.
  public static let codecNotFound = Self(rawValue: "stream.codec-not-found")
  /// `GST_CORE_ERROR_PAD`: there is no pad for what is wanted, such as a stream of video.
  public static let noStream = Self(rawValue: "core.pad")
  /// `GST_CORE_ERROR_NEGOTIATION`: neighbours found no caps in common.
  public static let negotiation = Self(rawValue: "core.negotiation")
  /// `GST_CORE_ERROR_MISSING_PLUGIN`: a plugin that the stream needs is not installed.
  public static let missingPlugin = Self(rawValue: "core.missing-plugin")
}

extension GStreamerError {
  /// The error of a task that was cancelled.
  ///
  /// - Parameter what: What it waited for, as a clause: "the buffer was sent".
  static func cancelled(before what: String, source: String? = nil) -> GStreamerError {
    GStreamerError(.cancelled, "The task was cancelled before \(what).", source: source)
  }

  /// Turns a `GError` into an error and frees it.
  ///
  /// - Parameter isGeneral: Whether its text is one that many elements share.
  package static func taking(
    _ error: UnsafeMutablePointer<GError>?, source: String?, debug: String?, isGeneral: Bool = false
  ) -> GStreamerError {
    guard let error = unsafe error else {
      return GStreamerError(.refused, "No reason was given.", source: source, debug: debug)
    }
    defer { unsafe g_error_free(error) }
    let (domain, number) = unsafe (error.pointee.domain, error.pointee.code)
    let message = unsafe borrowedString(error.pointee.message) ?? ""
    // GStreamer knows the texts of its own domains, and warns of others.
    let domains = [
      gst_core_error_quark(), gst_library_error_quark(), gst_resource_error_quark(),
      gst_stream_error_quark(),
    ]
    let standard =
      domains.contains(domain) ? unsafe ownedString(gst_error_get_message(domain, number)) : nil
    return GStreamerError(
      Code(domain: domain, number: number),
      complete(message, with: debug, isGeneral: isGeneral || message == standard), source: source,
      debug: debug)
  }

  /// A message with what the element adds for developers, where the message alone would not say what
  /// failed, or why the system refused.
  private static func complete(_ message: String, with debug: String?, isGeneral: Bool) -> String {
    // The first line is the place in the source.
    let lines = (debug ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let own = lines.joined(separator: " ")
    let prefix = "system error: "
    let isSystem = own.hasPrefix(prefix)
    let reason = isSystem ? own.dropFirst(prefix.count) : own[...]
    guard isGeneral || isSystem, !reason.isEmpty else { return message }
    return (message.hasSuffix(".") ? message.dropLast() : message[...]) + ": " + reason
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
