// The chapters of a file, from and for a GstToc.

import CGStreamer

/// A chapter of a file.
public struct Chapter: Sendable, Equatable {
  /// When it begins.
  public var start: ClockTime
  /// When it ends; nil where it does not say.
  public var end: ClockTime?
  /// Its title and others, by their names.
  public var tags: TagList
  /// The chapters in it.
  public var chapters: [Chapter]

  /// A chapter.
  public init(
    _ tags: TagList, start: ClockTime, end: ClockTime?, chapters: [Chapter] = []
  ) {
    self.start = start
    self.end = end
    self.tags = tags
    self.chapters = chapters
  }

  fileprivate init(_ entry: OpaquePointer) {
    var (start, end): (gint64, gint64) = (-1, -1)
    _ = unsafe gst_toc_entry_get_start_stop_times(entry, &start, &end)
    self.start = start > 0 ? ClockTime(nanoseconds: UInt64(start)) : .zero
    self.end = end >= 0 ? ClockTime(nanoseconds: UInt64(end)) : nil
    tags =
      unsafe gst_toc_entry_get_tags(entry).map { unsafe TagList(MiniObject(retaining: $0)) }
      ?? TagList()
    unsafe chapters = Chapter.all(gst_toc_entry_get_sub_entries(entry))
  }

  fileprivate static func all(_ list: UnsafeMutablePointer<GList>?) -> [Chapter] {
    unsafe items(of: list) { unsafe Chapter(OpaquePointer($0)) }
  }

  /// An entry, which the caller owns.
  ///
  /// - Parameter number: One that no other entry of its table has.
  fileprivate func makeEntry(_ number: inout Int) -> OpaquePointer? {
    number += 1
    guard let entry = unsafe gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, "\(number)") else {
      return nil
    }
    unsafe gst_toc_entry_set_start_stop_times(
      entry, gint64(clamping: start.nanoseconds),
      end.map { gint64(clamping: $0.nanoseconds) } ?? -1)
    // The entry takes over a reference.
    unsafe tags.withGstTagList { unsafe gst_toc_entry_set_tags(entry, gst_tag_list_ref($0)) }
    for chapter in chapters {
      guard let child = unsafe chapter.makeEntry(&number) else { continue }
      unsafe gst_toc_entry_append_sub_entry(entry, child)
    }
    return unsafe entry
  }
}

extension Event {
  /// The chapters of an event of the kind ``Kind/toc``; of a file with several editions, those of the first.
  public var chapters: [Chapter] {
    guard kind == .toc else { return [] }
    return unsafe withGstEvent { event in
      var toc: OpaquePointer?
      unsafe gst_event_parse_toc(event, &toc, nil)
      guard let toc = unsafe toc else { return [] }
      defer { unsafe unref(UnsafeMutableRawPointer(toc)) }
      guard let first = unsafe gst_toc_get_entries(toc) else { return [] }
      let entry = unsafe OpaquePointer(first.pointee.data)
      guard unsafe gst_toc_entry_get_entry_type(entry) == GST_TOC_ENTRY_TYPE_EDITION else {
        return unsafe Chapter.all(first)
      }
      return unsafe Chapter.all(gst_toc_entry_get_sub_entries(entry))
    }
  }
}

extension Element {
  /// Sets the chapters of what the element makes.
  ///
  /// Set them before the element plays.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where the element sets no chapters, as an MP4 muxer.
  public func setChapters(_ chapters: [Chapter]) throws(GStreamerError) {
    guard setsChapters else {
      throw GStreamerError(.refused, "The element cannot set chapters.", source: name)
    }
    guard let toc = unsafe gst_toc_new(GST_TOC_SCOPE_GLOBAL) else { return }
    defer { unsafe unref(UnsafeMutableRawPointer(toc)) }
    var number = 0
    for chapter in chapters {
      guard let entry = unsafe chapter.makeEntry(&number) else { continue }
      unsafe gst_toc_append_entry(toc, entry)
    }
    unsafe object.withPointer { unsafe gst_toc_setter_set_toc(OpaquePointer($0), toc) }
  }

  /// Whether the element can set chapters.
  public var setsChapters: Bool { object.isA(gst_toc_setter_get_type()) }
}
