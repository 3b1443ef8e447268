// Tags: the title, comment and other metadata of a file.

import CGStreamer

extension Element {
  /// Sets a tag of what the element makes, as a muxer's `comment`.
  ///
  /// Set it before the element plays.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where the element sets no tags.
  public func setTag(_ name: String, to text: String) throws(GStreamerError) {
    guard object.isA(gst_tag_setter_get_type()) else {
      throw GStreamerError(.refused, "The element cannot set tags.", source: self.name)
    }
    var item = GenericValue(type: CGST_TYPE_STRING)
    unsafe g_value_set_string(&item.raw, text)
    unsafe object.withPointer {
      unsafe gst_tag_setter_add_tag_value(
        OpaquePointer($0), GST_TAG_MERGE_REPLACE, name, &item.raw)
    }
  }
}

extension Event {
  /// The tags of an event of the kind ``Kind/tag`` by their names, the first value of each.
  public var tags: [String: Value] {
    guard kind == .tag else { return [:] }
    return unsafe withGstEvent { event in
      // The list is the event's.
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      guard let list = unsafe list else { return [:] }
      var tags: [String: Value] = [:]
      for index in 0..<max(0, unsafe gst_tag_list_n_tags(list)) {
        guard let name = unsafe gst_tag_list_nth_tag_name(list, guint(index)),
          let value = unsafe gst_tag_list_get_value_index(list, name, 0),
          let key = unsafe borrowedString(name)
        else { continue }
        tags[key] = unsafe Value(value)
      }
      return tags
    }
  }
}

extension Pad {
  /// The tags that have passed by their names, those of the stream before those of the whole file.
  public var tags: [String: Value] {
    var tags: [String: Value] = [:]
    var index: guint = 0
    while let event = sticky(GST_EVENT_TAG, index) {
      tags.merge(event.tags) { first, _ in first }
      index += 1
    }
    return tags
  }
}
