// The tags that elements are given, and those that pass pads as events and come on the bus as messages.

import CGStreamer

extension Element {
  /// Sets tags of what the element makes, as a muxer's `comment`; those that it has otherwise stay.
  ///
  /// Set them before the element plays.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where the element sets no tags.
  public func setTags(_ tags: TagList) throws(GStreamerError) {
    guard object.isA(gst_tag_setter_get_type()) else {
      throw GStreamerError(.refused, "The element cannot set tags.", source: self.name)
    }
    unsafe object.withPointer { setter in
      unsafe tags.withGstTagList {
        unsafe gst_tag_setter_merge_tags(OpaquePointer(setter), $0, GST_TAG_MERGE_REPLACE)
      }
    }
  }
}

extension Event {
  /// Tags, for a muxer further on.
  public static func tags(_ tags: TagList) throws(GStreamerError) -> Event {
    // The event takes over a reference.
    unsafe try make {
      unsafe tags.withGstTagList { unsafe gst_event_new_tag(gst_tag_list_ref($0)) }
    }
  }

  /// The tags of an event of the kind ``Kind/tag``, nil for others.
  public var tags: TagList? {
    guard kind == .tag else { return nil }
    return unsafe withGstEvent { event in
      // The list is the event's.
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      return unsafe list.map { unsafe TagList(MiniObject(retaining: $0)) }
    }
  }
}

extension Message {
  /// The tags of a message of the kind ``Kind/tag``, nil for others.
  public var tags: TagList? {
    guard kind == .tag else { return nil }
    return unsafe withGstMessage { message in
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_message_parse_tag(message, &list)
      return unsafe list.map { unsafe TagList(MiniObject(taking: $0)) }
    }
  }
}

extension Pad {
  /// The tags that have passed, those of the stream before those of the whole file.
  public var tags: TagList {
    var tags = TagList()
    for list in tagLists.reversed() { tags.merge(list) }
    return tags
  }

  /// The tag lists that have passed: that of the stream, and that of the whole file.
  public var tagLists: [TagList] {
    var lists: [TagList] = []
    while let tags = sticky(GST_EVENT_TAG, guint(lists.count))?.tags { lists.append(tags) }
    return lists
  }

  /// The chapters of the file, where they have passed.
  public var chapters: [Chapter] { sticky(GST_EVENT_TOC)?.chapters ?? [] }
}
