// A tag list has the metadata of a file or a stream: title, artist, language.

import CGStreamer

/// The tags of a file or a stream: its title, artist, language and others, by their names.
///
/// ```swift
/// var tags = TagList()
/// try tags.set("title", to: "Night")
/// try pipeline.element(named: "mux").setTags(tags)
/// ```
///
/// A tag list is read from a ``Message``, an ``Event`` or a ``Pad``, and written by ``Element/setTags(_:)`` and
/// ``Event/tags(_:)``. The names and the types of values are those of `GST_TAG_TITLE` and the other constants of
/// GStreamer.
public struct TagList: Sendable, Equatable, CustomStringConvertible {
  private(set) var object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// No tags.
  public init() {
    // The names of tags are known once GStreamer runs.
    _ = Runtime.failure
    unsafe object = MiniObject(taking: gst_tag_list_new_empty())
  }

  /// Tags by their names.
  ///
  /// - Throws: As ``set(_:to:)``.
  public init(_ tags: [String: Value]) throws(GStreamerError) {
    self.init()
    for (name, value) in tags { try set(name, to: value) }
  }

  /// The names of all tags.
  public var names: [String] {
    unsafe withGstTagList { list in
      let count = unsafe gst_tag_list_n_tags(list)
      return (0..<guint(max(0, count))).compactMap { index in
        unsafe borrowedString(gst_tag_list_nth_tag_name(list, index))
      }
    }
  }

  /// The value of a tag, nil where it is not there; several values are merged, as GStreamer does: texts with commas.
  public subscript(name: String) -> Value? {
    unsafe withGstTagList { list in
      var value = GenericValue()
      guard unsafe gst_tag_list_copy_value(&value.raw, list, name) != 0 else { return nil }
      return unsafe Value(&value.raw)
    }
  }

  /// A tag as a Swift type, nil if there is none or it does not fit.
  public func get<Tag: ValueConvertible>(_ name: String, as type: Tag.Type = Tag.self) -> Tag? {
    self[name].flatMap { Tag(from: $0) }
  }

  /// The values of a tag, of which some may have several: `artist`, for one.
  public func values(of name: String) -> [Value] {
    unsafe withGstTagList { list in
      let count = unsafe gst_tag_list_get_tag_size(list, name)
      return (0..<count).compactMap { index in
        unsafe gst_tag_list_get_value_index(list, name, index).map { unsafe Value($0) }
      }
    }
  }

  /// Sets a tag, in place of what it was.
  ///
  /// - Parameters:
  ///   - name: Its name, as `title`.
  ///   - value: One value, or several as ``Value/array(_:)``.
  /// - Throws: ``GStreamerError/Code/noSuchTag``; ``GStreamerError/Code/wrongType`` where it is of another type.
  public mutating func set(
    _ name: String, to value: some ValueConvertible
  ) throws(GStreamerError) {
    guard unsafe gst_tag_exists(name) != 0 else {
      throw GStreamerError(.noSuchTag, "There is no tag \(name).")
    }
    let type = unsafe gst_tag_get_type(name)
    let values = if case .array(let values) = value.value { values } else { [value.value] }
    try unsafe change { (list) throws(GStreamerError) in
      unsafe gst_tag_list_remove_tag(list, name)
      for value in values {
        var item = GenericValue(type: type)
        guard (try? item.set(value)) != nil else {
          throw GStreamerError(
            .wrongType, "The tag \(name) is a \(typeName(type)), and \(value.text) is not.")
        }
        unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_APPEND, name, &item.raw)
      }
    }
  }

  /// Takes out a tag; nothing happens where it is not there.
  public mutating func remove(_ name: String) {
    unsafe change { unsafe gst_tag_list_remove_tag($0, name) }
  }

  /// Takes over all tags of another list, in place of those of the same names.
  public mutating func merge(_ other: TagList) {
    unsafe change { list in
      unsafe other.withGstTagList { unsafe gst_tag_list_insert(list, $0, GST_TAG_MERGE_REPLACE) }
    }
  }

  /// The tags whose names meet a condition.
  public func filter(_ isIncluded: (_ name: String) -> Bool) -> TagList {
    var tags = self
    for name in names where !isIncluded(name) { tags.remove(name) }
    return tags
  }

  /// Whether they are those of a whole file, and not of one of its streams.
  public var isGlobal: Bool {
    get { unsafe withGstTagList { unsafe gst_tag_list_get_scope($0) == GST_TAG_SCOPE_GLOBAL } }
    set {
      unsafe change {
        unsafe gst_tag_list_set_scope($0, newValue ? GST_TAG_SCOPE_GLOBAL : GST_TAG_SCOPE_STREAM)
      }
    }
  }

  /// As GStreamer writes tags.
  public var description: String {
    unsafe withGstTagList { unsafe ownedString(gst_tag_list_to_string($0)) ?? "" }
  }

  /// Whether both have the same tags.
  public static func == (left: TagList, right: TagList) -> Bool {
    unsafe left.withGstTagList { left in
      unsafe right.withGstTagList { unsafe gst_tag_list_is_equal(left, $0) != 0 }
    }
  }

  /// Changes a copy, which takes the place of the list unless `body` throws.
  private mutating func change<Failure: Error>(
    _ body: (UnsafeMutablePointer<GstTagList>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let copy = unsafe withGstTagList({ unsafe gst_tag_list_copy($0) }) else { return }
    let changed = unsafe MiniObject(taking: copy)
    unsafe try body(copy)
    object = changed
  }

  func withGstTagList<Result>(_ body: (UnsafeMutablePointer<GstTagList>) -> Result) -> Result {
    unsafe object.withPointer { unsafe body($0.assumingMemoryBound(to: GstTagList.self)) }
  }
}
