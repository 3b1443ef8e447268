// Bins: several elements that are used as one.

import CGStreamer

extension Element {
  /// This element, and all that are in it.
  var all: [Element] { [self] + children.flatMap(\.all) }

  /// A bin of elements, each linked to the next; the last one's pad `src`, and the first one's pad
  /// `sink`, become pads of the bin where there are such pads.
  ///
  /// If an element gets its pads only later, as `decodebin`, the first that fits is linked then.
  ///
  /// - Parameters:
  ///   - elements: At least one, in no other bin.
  ///   - name: The name of the bin, nil for one that GStreamer gives.
  /// - Throws: ``GStreamerError/Code/link``; ``GStreamerError/Code/refused`` where one is in a bin
  ///   already.
  public init(chaining elements: [Element], name: String? = nil) throws(GStreamerError) {
    try self.init(chaining: elements, name: name) { element, next throws(GStreamerError) in
      try element.linkLater(to: next)
    }
  }

  /// A bin of elements, each linked to the next.
  ///
  /// - Parameter linkLater: Links an element that has no source pad yet to the next one.
  package init(
    chaining elements: [Element], name: String? = nil,
    linkLater: (_ element: Element, _ next: Element) throws(GStreamerError) -> Void
  ) throws(GStreamerError) {
    try Runtime.start()
    guard let first = elements.first, let last = elements.last,
      let made = unsafe gst_bin_new(name)
    else { throw GStreamerError(.refused, "A bin needs at least one element.") }
    let bin = unsafe ObjectReference(retaining: made)
    self.init(bin)
    for element in elements { try add(element) }
    for (element, next) in zip(elements, elements.dropFirst()) {
      if element.pads.contains(where: { $0.direction == .source }) {
        try element.link(to: next)
      } else {
        try linkLater(element, next)
      }
    }
    if let source = try? last.pad("src") { try show(source) }
    if let sink = try? first.pad("sink") { try show(sink) }
  }

  /// Puts an element into this bin.
  ///
  /// It does not play yet: ``Pipeline/syncState(of:)`` lets it, and ``Pipeline/remove(_:)`` takes it out.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where it is in another bin, or its name is taken.
  public func add(_ element: Element) throws(GStreamerError) {
    guard object.isA(gst_bin_get_type()) else {
      throw GStreamerError(.refused, "\(name) is no bin.", source: name)
    }
    let isAdded = unsafe object.with(GstBin.self) { bin in
      unsafe element.withGstElement { element in
        // It is locked where it was taken out of another bin.
        _ = unsafe gst_element_set_locked_state(element, 0)
        return unsafe gst_bin_add(bin, element) != 0
      }
    }
    guard isAdded else {
      throw GStreamerError(
        .refused,
        "\(element.name) cannot be added: it is in another bin, or this one has an element of its name.",
        source: name)
    }
  }

  /// Brings an element to the state of the bin that it was added to.
  ///
  /// From a handler of a signal, which has no pipeline to ask; elsewhere, use ``Pipeline/syncState(of:)``.
  ///
  /// - Throws: ``GStreamerError/Code/refused``.
  package func syncStateWithParent() throws(GStreamerError) {
    guard unsafe withGstElement({ unsafe gst_element_sync_state_with_parent($0) }) != 0 else {
      throw GStreamerError(.refused, "The element does not follow its bin.", source: name)
    }
  }

  /// Whether, as a bin, it comes to its state by itself: what in it takes its time to get ready, as a
  /// decoder does, does not take the pipeline out of PLAYING meanwhile, which would set back the clock of
  /// everything else.
  ///
  /// Needed, too, where a bin has both something live and such a decoder: GStreamer 1.22 forgets to say
  /// that it is ready then, and a pipeline on its way to PLAYING never gets there.
  ///
  /// Always false for what is no bin. Set it before the element plays.
  public var keepsState: Bool {
    get { (try? get("async-handling")) ?? false }
    nonmutating set {
      if hasProperty("async-handling") { try? set("async-handling", to: newValue) }
    }
  }

  private func linkLater(to next: Element) throws(GStreamerError) {
    let sink = try next.pad("sink")
    try connect("pad-added") { arguments in
      if case .pad(let pad)? = arguments.first, !sink.isLinked { try? pad.link(to: sink) }
      return nil
    }
  }

  /// Makes a pad of an element inside one of the bin's.
  func show(_ pad: Pad, as name: String? = nil) throws(GStreamerError) {
    let isShown = unsafe withGstElement { bin in
      unsafe pad.withGstPad { pad in
        guard
          let ghost = unsafe name.map({ unsafe gst_ghost_pad_new($0, pad) })
            ?? gst_ghost_pad_new(cgst_object_name(UnsafeRawPointer(pad)), pad)
        else { return false }
        return unsafe gst_element_add_pad(bin, ghost) != 0
      }
    }
    guard isShown else {
      throw GStreamerError(
        .refused, "The pad \(pad.name) cannot be a ghost pad of the bin.", source: self.name)
    }
  }
}
