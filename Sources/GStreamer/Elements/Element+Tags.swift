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
  /// Whether the tags are those of a whole file, and not of one of its streams.
  public var hasGlobalTags: Bool {
    guard kind == .tag else { return false }
    return unsafe withGstEvent { event in
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      return unsafe list.map { unsafe gst_tag_list_get_scope($0) == GST_TAG_SCOPE_GLOBAL } ?? false
    }
  }

  /// Tags, for a muxer further on.
  ///
  /// - Parameters:
  ///   - tags: By their names, as ``tags`` has them; those that GStreamer does not know are left out.
  ///   - isGlobal: Whether they are those of a whole file, and not of one stream.
  public static func tags(_ tags: [String: Value], isGlobal: Bool) throws(GStreamerError) -> Event {
    unsafe try make {
      guard let list = unsafe gst_tag_list_new_empty() else { return nil }
      unsafe gst_tag_list_set_scope(
        list, isGlobal ? GST_TAG_SCOPE_GLOBAL : GST_TAG_SCOPE_STREAM)
      for (name, value) in tags where unsafe gst_tag_exists(name) != 0 {
        var item = unsafe GenericValue(type: gst_tag_get_type(name))
        guard (try? item.set(value)) != nil else { continue }
        unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, name, &item.raw)
      }
      return unsafe gst_event_new_tag(list)
    }
  }

  /// The tags of an event of the kind ``Kind/tag`` by their names; several values of one are merged as GStreamer does.
  public var tags: [String: Value] {
    guard kind == .tag else { return [:] }
    return unsafe withGstEvent { event in
      // The list is the event's.
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      guard let list = unsafe list else { return [:] }
      var tags: [String: Value] = [:]
      for index in 0..<max(0, unsafe gst_tag_list_n_tags(list)) {
        var value = GenericValue()
        guard let name = unsafe gst_tag_list_nth_tag_name(list, guint(index)),
          let key = unsafe borrowedString(name),
          unsafe gst_tag_list_copy_value(&value.raw, list, name) != 0
        else { continue }
        tags[key] = unsafe Value(&value.raw)
      }
      return tags
    }
  }
}

extension Pad {
  /// The tags that have passed by their names, those of the stream before those of the whole file.
  public var tags: [String: Value] {
    tagEvents.reduce(into: [:]) { tags, event in tags.merge(event.tags) { first, _ in first } }
  }

  /// The events of tags that have passed: of the stream and of the whole file.
  public var tagEvents: [Event] {
    var events: [Event] = []
    while let event = sticky(GST_EVENT_TAG, guint(events.count)) { events.append(event) }
    return events
  }
}
