// An element is the unit that a GStreamer pipeline is built from.

import CGStreamer

/// An element: a source, a filter, a sink, or a bin of them.
///
/// ```swift
/// let source = try Element("videotestsrc")
/// try source.set("pattern", to: "ball")
/// try source.set("num-buffers", to: 100)
/// ```
///
/// A reference: copies are the same element, and equal.
///
/// - Important: Its methods can be called on any thread, but what changes states or sends through
///   pads can block. Those are in ``Pipeline``, which has a thread for them.
public struct Element: Sendable, Hashable, CustomStringConvertible {
  let object: ObjectReference

  init(_ object: ObjectReference) { self.object = object }

  /// An element, or what tools treat as one, that C holds.
  package init(retaining pointer: UnsafeMutableRawPointer) {
    unsafe object = ObjectReference(retaining: pointer)
  }

  /// A new element.
  ///
  /// - Parameters:
  ///   - factory: Which kind, as `videotestsrc`.
  ///   - name: Its name in the pipeline; nil makes one up.
  /// - Throws: ``GStreamerError/Code/noSuchElement`` where no plugin that is installed has it.
  public init(_ factory: String, name: String? = nil) throws(GStreamerError) {
    try Runtime.start()
    guard let element = unsafe gst_element_factory_make(factory, name) else {
      throw GStreamerError(noElement: factory)
    }
    unsafe object = ObjectReference(retaining: element)
  }

  /// A `capsfilter`, which lets pass what caps allow.
  package init(filter caps: Caps) throws(GStreamerError) {
    try self.init("capsfilter")
    try set("caps", to: caps)
  }

  /// A bin of the elements of a launch line, whose loose ends become pads of the bin.
  ///
  /// - Throws: The codes of ``Pipeline/init(_:)``.
  public init(binOf launchLine: String, name: String? = nil) throws(GStreamerError) {
    try Runtime.start()
    object = try LaunchLine(launchLine).make(asBin: true, hasPads: true)
    if let name {
      unsafe object.withPointer {
        _ = unsafe gst_object_set_name($0.assumingMemoryBound(to: GstObject.self), name)
      }
    }
  }

  /// A bin of the elements of a launch line, with pads of them that it shows as its own.
  ///
  /// - Parameters:
  ///   - launchLine: Elements and links, as `gst-launch-1.0` takes them.
  ///   - pads: The name of each pad of the bin, that of an element, and that of its pad.
  /// - Throws: The codes of ``Pipeline/init(_:)``; ``GStreamerError/Code/noSuchElement`` or
  ///   ``GStreamerError/Code/noSuchPad`` where there is no such pad.
  public init(
    binOf launchLine: String, showing pads: [(name: String, element: String, pad: String)]
  ) throws(GStreamerError) {
    try Runtime.start()
    object = try LaunchLine(launchLine).make(asBin: true)
    for (name, element, pad) in pads {
      try show(try self.element(named: element).pad(pad), as: name)
    }
  }

  /// Whether a plugin that is installed has an element of this kind.
  public static func isInstalled(_ factory: String) -> Bool {
    find(factory) != nil
  }

  static func find(_ factory: String) -> ObjectReference? {
    guard Runtime.failure == nil, let found = unsafe gst_element_factory_find(factory) else {
      return nil
    }
    return unsafe ObjectReference(taking: UnsafeMutableRawPointer(found))
  }

  /// The version of the plugin that has elements of this kind, as `1.22.0`; nil where none has.
  public static func version(of factory: String) -> String? {
    unsafe find(factory)?.withPointer { found -> String? in
      guard let plugin = unsafe gst_plugin_feature_get_plugin(OpaquePointer(found)) else {
        return nil
      }
      defer { unsafe gst_object_unref(UnsafeMutableRawPointer(plugin)) }
      return unsafe borrowedString(gst_plugin_get_version(plugin))
    }
  }

  /// Its name in the pipeline.
  public var name: String { object.name }

  /// Its kind, as `videotestsrc`; empty for elements that no factory made.
  public var factoryName: String {
    unsafe withGstElement { element in
      guard let factory = unsafe gst_element_get_factory(element) else { return "" }
      return unsafe borrowedString(
        cgst_object_name(UnsafeRawPointer(factory))) ?? ""
    }
  }

  /// Whether it is of the class of demuxers.
  package var isDemuxer: Bool {
    unsafe withGstElement { element in
      guard let factory = unsafe gst_element_get_factory(element) else { return false }
      let kind = unsafe gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS)
      return unsafe borrowedString(kind)?.contains("Demux") == true
    }
  }

  /// The bins around it and its name.
  public var description: String { object.path }

  /// The bin it is in, nil if it is in none.
  public var parent: Element? {
    unsafe object.withPointer { element in
      unsafe gst_object_get_parent(element.assumingMemoryBound(to: GstObject.self)).map {
        unsafe Element(ObjectReference(taking: $0))
      }
    }
  }

  /// The time that its pipeline has played by the clock, which is the running time of what is due now; nil
  /// where it does not play.
  public var currentRunningTime: ClockTime? {
    unsafe withGstElement { element in
      // A pipeline that starts gives its elements the clock before the time at which it began, which is 0 until then.
      guard unsafe gst_element_get_base_time(element) > 0 || state == .playing else { return nil }
      return unsafe ClockTime(gstClockTime: gst_element_get_current_running_time(element))
    }
  }

  /// The state it is in.
  ///
  /// To change it, ask the ``Pipeline``.
  public var state: State {
    unsafe withGstElement { element in
      var state = GST_STATE_VOID_PENDING
      _ = unsafe gst_element_get_state(element, &state, nil, 0)
      return State(state)
    }
  }

  /// An element in a bin, or in the bins of that bin, by its name.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchElement``.
  public func element(named name: String) throws(GStreamerError) -> Element {
    let found: Element? =
      unsafe object.isA(gst_bin_get_type())
      ? object.with(GstBin.self) { bin in
        unsafe gst_bin_get_by_name(bin, name).map { unsafe Element(ObjectReference(taking: $0)) }
      } : nil
    guard let found else {
      throw GStreamerError(
        .noSuchElement, "There is no element \(name) in \(self.name).", source: self.name)
    }
    return found
  }

  /// Calls `body` with the element as C has it, for functions of GStreamer that this module does not offer.
  ///
  /// `import CGStreamer` declares them. The pointer is valid until `body` returns; take a reference of your own to
  /// keep it longer.
  public func withGstElement<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<GstElement>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe object.with(GstElement.self, body)
  }
}

/// The state of an element.
public enum State: Sendable, Hashable, Comparable {
  /// It has nothing.
  case null
  /// It has its device.
  case ready
  /// It has a stream, that stands still.
  case paused
  /// The stream runs.
  case playing

  init(_ state: GstState) {
    self =
      switch state {
      case GST_STATE_READY: .ready
      case GST_STATE_PAUSED: .paused
      case GST_STATE_PLAYING: .playing
      default: .null
      }
  }

  var gstState: GstState {
    switch self {
    case .null: GST_STATE_NULL
    case .ready: GST_STATE_READY
    case .paused: GST_STATE_PAUSED
    case .playing: GST_STATE_PLAYING
    }
  }
}
