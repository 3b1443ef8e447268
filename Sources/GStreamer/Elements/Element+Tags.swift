// Tags: the title, comment and other metadata of a file.

import CGStreamer

extension Element {
  /// Sets tags of what the element makes, as a muxer's `comment`.
  ///
  /// Set them before the element plays.
  ///
  /// - Parameter tags: By their names; those that GStreamer does not know are left out.
  /// - Throws: ``GStreamerError/Code/refused`` where the element sets no tags.
  public func setTags(_ tags: [String: Value]) throws(GStreamerError) {
    guard object.isA(gst_tag_setter_get_type()) else {
      throw GStreamerError(.refused, "The element cannot set tags.", source: self.name)
    }
    guard let list = unsafe makeTagList(tags) else { return }
    defer { unsafe gst_tag_list_unref(list) }
    unsafe object.withPointer {
      unsafe gst_tag_setter_merge_tags(OpaquePointer($0), list, GST_TAG_MERGE_REPLACE)
    }
  }
}

/// A list of tags, which the caller owns.
func makeTagList(_ tags: [String: Value]) -> UnsafeMutablePointer<GstTagList>? {
  guard let list = unsafe gst_tag_list_new_empty() else { return nil }
  for (name, value) in tags where unsafe gst_tag_exists(name) != 0 {
    var item = unsafe GenericValue(type: gst_tag_get_type(name))
    guard (try? item.set(value)) != nil else { continue }
    unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, name, &item.raw)
  }
  return unsafe list
}

/// The tags of a list by their names; several values of one are merged as GStreamer does.
func tags(of list: UnsafePointer<GstTagList>) -> [String: Value] {
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
      guard let list = unsafe makeTagList(tags) else { return nil }
      unsafe gst_tag_list_set_scope(
        list, isGlobal ? GST_TAG_SCOPE_GLOBAL : GST_TAG_SCOPE_STREAM)
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
      return unsafe list.map { unsafe GStreamer.tags(of: $0) } ?? [:]
    }
  }
}

extension Pad {
  /// The tags that have passed by their names, those of the stream before those of the whole file.
  public var tags: [String: Value] {
    tagEvents.reduce(into: [:]) { tags, event in tags.merge(event.tags) { first, _ in first } }
  }

  /// The chapters of the file, where they have passed.
  public var chapters: [Chapter] { sticky(GST_EVENT_TOC)?.chapters ?? [] }

  /// The events of tags that have passed: of the stream and of the whole file.
  public var tagEvents: [Event] {
    var events: [Event] = []
    while let event = sticky(GST_EVENT_TAG, guint(events.count)) { events.append(event) }
    return events
  }
}
