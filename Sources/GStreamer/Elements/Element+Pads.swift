// The pads of an element, and how elements are linked.

import CGStreamer

extension Element {
  /// A pad that the element has, by its name.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchPad``.
  public func pad(_ name: String) throws(GStreamerError) -> Pad {
    let pad = unsafe withGstElement { element in
      unsafe gst_element_get_static_pad(element, name).map {
        unsafe Pad(ObjectReference(taking: $0))
      }
    }
    guard let pad else {
      throw GStreamerError(.noSuchPad, "There is no pad \(name).", source: self.name)
    }
    return pad
  }

  /// A new pad, as `src_%u` of a tee.
  ///
  /// - Parameter template: The template's name, or the pad's if it is to have a certain one.
  /// - Throws: ``GStreamerError/Code/noSuchPad`` where the element gives none.
  public func requestPad(_ template: String) throws(GStreamerError) -> Pad {
    let pad = unsafe withGstElement { element in
      unsafe gst_element_request_pad_simple(element, template).map {
        unsafe Pad(ObjectReference(taking: $0))
      }
    }
    guard let pad else {
      throw GStreamerError(.noSuchPad, "The element has no request pad \(template).", source: name)
    }
    return pad
  }

  /// Gives back a pad from ``requestPad(_:)``.
  public func release(_ pad: Pad) {
    guard pad.element == self else { return }
    unsafe withGstElement { element in
      unsafe pad.withGstPad { unsafe gst_element_release_request_pad(element, $0) }
    }
  }

  /// The pads it has now.
  public var pads: [Pad] {
    unsafe withGstElement { element in
      unsafe collect(gst_element_iterate_pads(element)).map { Pad($0) }
    }
  }

  /// Links to another element in the same bin, by whichever pads fit; asks for pads if need be.
  ///
  /// - Parameters:
  ///   - other: The element behind this one.
  ///   - caps: What alone may flow there, nil for anything.
  /// - Throws: ``GStreamerError/Code/link``.
  public func link(to other: Element, caps: Caps? = nil) throws(GStreamerError) {
    let isLinked = unsafe withGstElement { element in
      unsafe other.withGstElement { other in
        guard let caps else { return unsafe gst_element_link(element, other) != 0 }
        return unsafe caps.withGstCaps { unsafe gst_element_link_filtered(element, other, $0) != 0 }
      }
    }
    guard isLinked else {
      throw GStreamerError(
        .link,
        "\(name) cannot be linked to \(other.name): they have no caps in common, or are in different bins."
      )
    }
  }

  /// Parts what ``link(to:caps:)`` linked.
  public func unlink(from other: Element) {
    unsafe withGstElement { element in
      unsafe other.withGstElement { unsafe gst_element_unlink(element, $0) }
    }
  }
}

/// Makes something of each item of a list.
func items<Item>(
  of list: UnsafeMutablePointer<GList>?, _ make: (UnsafeMutableRawPointer) -> Item
) -> [Item] {
  var items: [Item] = []
  var next = unsafe list
  while let link = unsafe next {
    if let data = unsafe link.pointee.data { unsafe items.append(make(data)) }
    unsafe next = link.pointee.next
  }
  return items
}

/// The objects of a `GstIterator`, which is freed.
func collect(_ iterator: UnsafeMutablePointer<GstIterator>?) -> [ObjectReference] {
  guard let iterator = unsafe iterator else { return [] }
  defer { unsafe gst_iterator_free(iterator) }
  var objects: [ObjectReference] = []
  while true {
    var item = GenericValue()
    switch unsafe gst_iterator_next(iterator, &item.raw) {
    case GST_ITERATOR_OK:
      guard let object = unsafe g_value_get_object(&item.raw) else { continue }
      unsafe objects.append(ObjectReference(sharing: object))
    case GST_ITERATOR_RESYNC:
      objects.removeAll()
      unsafe gst_iterator_resync(iterator)
    default: return objects
    }
  }
}
