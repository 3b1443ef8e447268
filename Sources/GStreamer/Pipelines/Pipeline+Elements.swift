// Adding and removing elements, also while the pipeline plays.

import CGStreamer

extension Pipeline {
  /// Puts elements in.
  ///
  /// They do not play yet: ``syncState(of:)`` lets them. While the pipeline plays, do that before you
  /// link what feeds them; a pad that is not ready turns buffers down, and that can end a stream.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where one is in another bin, or its name is taken.
  public func add(_ elements: Element...) throws(GStreamerError) {
    for added in elements { try element.add(added) }
  }

  /// Links elements, each to the next.
  ///
  /// - Throws: ``GStreamerError/Code/link``.
  public func link(_ elements: Element...) throws(GStreamerError) {
    for (element, next) in zip(elements, elements.dropFirst()) { try element.link(to: next) }
  }

  /// Puts elements in, and links each to the next.
  package func add(chain elements: [Element]) throws(GStreamerError) {
    for added in elements { try element.add(added) }
    for (element, next) in zip(elements, elements.dropFirst()) { try element.link(to: next) }
  }

  /// Brings an element to the state of what it is in.
  ///
  /// - Throws: ``GStreamerError/Code/refused``, or the error that the element posted.
  public func syncState(of element: Element) throws(GStreamerError) {
    let start = watch.mark
    // An error may be left of another element that had the same address.
    _ = watch.takeContainedError(of: element)
    guard unsafe element.withGstElement({ unsafe gst_element_sync_state_with_parent($0) }) != 0
    else {
      throw watch.error(since: start) ?? watch.takeContainedError(of: element)
        ?? GStreamerError(
          .refused, "The element does not follow its pipeline.", source: element.name)
    }
  }

  /// The first error of an element that keeps its errors to itself, since this was asked or it was opened.
  ///
  /// It is known before the end of the stream that follows from it.
  package nonisolated func takeError(of element: Element) -> GStreamerError? {
    watch.takeContainedError(of: element)
  }

  /// Stops an element, and takes it out of the pipeline or the bin that it is in.
  ///
  /// Unlink its pads, or block what feeds them, before.
  public func remove(_ removed: Element) {
    // A bin that is changing state may still have the element on its list. Locked, it stays as it is.
    unsafe removed.withGstElement { element in
      _ = unsafe gst_element_set_locked_state(element, 1)
      // A decodebin that fails as it starts also fails to stop, once; GStreamer 1.22.
      if unsafe gst_element_set_state(element, GST_STATE_NULL) == GST_STATE_CHANGE_FAILURE {
        _ = unsafe gst_element_set_state(element, GST_STATE_NULL)
      }
    }
    for endpoint in endpoints(in: removed.object) { endpoint.end(.stopped) }
    guard let parent = removed.parent else { return }
    unsafe parent.object.with(GstBin.self) { bin in
      _ = unsafe removed.withGstElement { unsafe gst_bin_remove(bin, $0) }
    }
  }
}

extension Element {
  /// Runs `body` while the element is stopped, for properties that are taken only then, and brings it back to the
  /// state of what it is in.
  ///
  /// It forgets caps and segment meanwhile: unlink what feeds it before, and link that again afterwards.
  ///
  /// - Throws: What `body` throws; ``GStreamerError/Code/refused``.
  package func whileStopped(
    _ body: () throws(GStreamerError) -> Void
  ) throws(GStreamerError) {
    _ = unsafe withGstElement { unsafe gst_element_set_state($0, GST_STATE_READY) }
    try body()
    guard unsafe withGstElement({ unsafe gst_element_sync_state_with_parent($0) }) != 0 else {
      throw GStreamerError(.refused, "The element does not follow its pipeline.", source: name)
    }
  }
}
