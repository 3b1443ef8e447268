// A property description: the name, range and default of an element's property.

import CGStreamer

/// A property of an element, as `gst-inspect-1.0` describes it.
public struct Property: Sendable, Equatable {
  /// The type and range of its values.
  public enum Kind: Sendable, Equatable {
    /// True or false.
    case bool
    /// A whole number.
    case integer(ClosedRange<Int64>)
    /// A whole number from 0 on.
    case natural(ClosedRange<UInt64>)
    /// A number with a fraction.
    case number(ClosedRange<Double>)
    /// Text.
    case text
    /// One of these nicks.
    case choice([String])
    /// A value of another type, whose name this is.
    case other(String)
  }

  /// Its name, as `center-x`.
  public let name: String
  /// Its name for people, as `Center X`.
  public let nick: String
  /// The description in a sentence.
  public let summary: String
  /// The type and range of its values.
  public let kind: Kind
  /// The descriptions of the choices by their nicks, where there are choices.
  public let choiceSummaries: [String: String]
  /// The default value.
  public let defaultValue: Value
  /// Whether it can be read.
  public let isReadable: Bool
  /// Whether it can be set, also after the element is made.
  public let isWritable: Bool
  /// Whether a controller may move it while it plays.
  public let isControllable: Bool
  /// Whether it is one of the class that this kind of element is derived from, as `name`.
  public let isInherited: Bool

  fileprivate init(_ spec: UnsafeMutablePointer<GParamSpec>, of type: GType) {
    name = unsafe borrowedString(g_param_spec_get_name(spec)) ?? ""
    nick = unsafe borrowedString(g_param_spec_get_nick(spec)) ?? ""
    summary = unsafe borrowedString(g_param_spec_get_blurb(spec)) ?? ""
    kind = unsafe Kind(spec)
    choiceSummaries = unsafe Dictionary(
      enumerationValues(spec.pointee.value_type).map { ($0.nick, $0.name) },
      uniquingKeysWith: { first, _ in first })
    defaultValue = unsafe g_param_spec_get_default_value(spec).map { unsafe Value($0) } ?? .none
    let flags = unsafe spec.pointee.flags.rawValue
    isReadable = flags & G_PARAM_READABLE.rawValue != 0
    isWritable =
      flags & G_PARAM_WRITABLE.rawValue != 0 && flags & G_PARAM_CONSTRUCT_ONLY.rawValue == 0
    isControllable = flags & CGST_PARAM_CONTROLLABLE != 0
    isInherited = unsafe spec.pointee.owner_type != type
  }
}

extension Property.Kind {
  /// The values that there are, in words, as `a number from -10 to 10`.
  package var words: String {
    switch self {
    case .bool: "on or off"
    case .choice(let nicks): "one of \(nicks.joined(separator: ", "))"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .natural(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
    case .text: "text"
    case .other(let type): "a value of the type \(type), which has no text form"
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  fileprivate init(_ spec: UnsafeMutablePointer<GParamSpec>) {
    let type = unsafe spec.pointee.value_type
    var range = cgst_range()
    switch cgst_fundamental(type) {
    case CGST_TYPE_BOOLEAN: self = .bool
    case CGST_TYPE_STRING: self = .text
    case CGST_TYPE_ENUM: self = .choice(enumerationValues(type).map(\.nick))
    case _ where unsafe cgst_get_range(spec, &range) == 0: self = .other(typeName(type))
    case CGST_TYPE_FLOAT, CGST_TYPE_DOUBLE:
      self = .number(min(range.real_minimum, range.real_maximum)...range.real_maximum)
    case CGST_TYPE_UCHAR, CGST_TYPE_UINT, CGST_TYPE_ULONG, CGST_TYPE_UINT64:
      self = .natural(
        UInt64(min(range.natural_minimum, range.natural_maximum))...UInt64(range.natural_maximum))
    default:
      self = .integer(
        Int64(min(range.whole_minimum, range.whole_maximum))...Int64(range.whole_maximum))
    }
  }
}

/// The values of an enumeration, in its order, with the names that describe them; none of another type.
private func enumerationValues(_ type: GType) -> [(nick: String, name: String)] {
  guard cgst_fundamental(type) == CGST_TYPE_ENUM, let raw = unsafe g_type_class_ref(type) else {
    return []
  }
  defer { unsafe g_type_class_unref(raw) }
  let members = unsafe raw.assumingMemoryBound(to: GEnumClass.self)
  let count = unsafe Int(members.pointee.n_values)
  return (0..<count).compactMap { index in
    guard let nick = unsafe borrowedString(members.pointee.values[index].value_nick) else {
      return nil
    }
    return (nick, unsafe borrowedString(members.pointee.values[index].value_name) ?? "")
  }
}

extension Element {
  /// Its properties, those of its own kind and those that all elements have.
  public var properties: [Property] {
    unsafe object.withPointer { element in
      var count: guint = 0
      let type = unsafe cgst_type_of(element)
      guard let specs = unsafe cgst_list_properties(element, &count) else { return [] }
      defer { unsafe g_free(specs) }
      return (0..<Int(count)).compactMap { index in
        unsafe specs[index].map { unsafe Property($0, of: type) }
      }
    }
  }

  /// Takes over a preset by its name: one that came with the plugin, or of the user's own.
  ///
  /// Capitals do not matter where there is no other preset that differs by them.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchPreset``, which names those there are.
  public func loadPreset(_ name: String) throws(GStreamerError) {
    let known = presets
    let spelling = Spelling(name, in: known)
    let isLoaded =
      unsafe object.isA(gst_preset_get_type())
      && object.withPointer {
        unsafe gst_preset_load_preset(OpaquePointer($0), spelling.match ?? name) != 0
      }
    guard isLoaded else {
      throw GStreamerError(
        .noSuchPreset,
        known.isEmpty
          ? "There is no preset \(name), and no others. Set GST_PRESET_PATH to a folder of presets."
          : "There is no preset \(name).\(spelling.question) There are: \(known.joined(separator: ", ")).",
        source: self.name)
    }
  }

  /// Saves the values of its properties as a preset of the user's, in place of one that has the name.
  ///
  /// - Throws: ``GStreamerError/Code/refused`` where the element has no presets, or its file cannot be
  ///   written.
  public func savePreset(_ name: String) throws(GStreamerError) {
    try savePreset(name, metadata: [:])
  }

  /// As ``savePreset(_:)``, with texts that go with it, by their keys, see ``presetMetadata(_:of:)``.
  package func savePreset(_ name: String, metadata: [String: String]) throws(GStreamerError) {
    let isSaved =
      unsafe object.isA(gst_preset_get_type())
      && object.withPointer { element in
        unsafe gst_preset_save_preset(OpaquePointer(element), name) != 0
          && metadata.allSatisfy { key, text in
            unsafe gst_preset_set_meta(OpaquePointer(element), name, key, text) != 0
          }
      }
    guard isSaved else {
      throw GStreamerError(
        .refused,
        "The preset \(name) cannot be saved. Presets are files in ~/.local/share/gstreamer-1.0/presets.",
        source: self.name)
    }
  }

  /// The names of its presets, those that came with the plugin and the user's own.
  public var presets: [String] {
    unsafe presetNames { unsafe gst_preset_get_preset_names($0) }
  }

  /// The names of the properties that its presets hold.
  ///
  /// A preset does not touch the others, as what belongs to the machine.
  public var presetProperties: [String] {
    unsafe presetNames { unsafe gst_preset_get_property_names($0) }
  }

  private func presetNames(
    _ list: (OpaquePointer) -> UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
  ) -> [String] {
    guard object.isA(gst_preset_get_type()) else { return [] }
    return unsafe object.withPointer { element in
      guard let names = unsafe list(OpaquePointer(element)) else { return [] }
      defer { unsafe g_strfreev(names) }
      var result: [String] = []
      while let name = unsafe borrowedString(names[result.count]) { result.append(name) }
      return result
    }
  }

  /// A text that goes with a preset, such as its `comment`; nil if there is no preset of the name or it has no such text.
  package func presetMetadata(_ key: String, of name: String) -> String? {
    guard object.isA(gst_preset_get_type()) else { return nil }
    return unsafe object.withPointer { element in
      var text: UnsafeMutablePointer<gchar>?
      guard unsafe gst_preset_get_meta(OpaquePointer(element), name, key, &text) != 0
      else { return nil }
      return unsafe ownedString(text)
    }
  }

  /// The elements in a bin, those nearest to the sources first; none where it is no bin.
  public var children: [Element] {
    guard object.isA(gst_bin_get_type()) else { return [] }
    let sinksFirst = unsafe object.with(GstBin.self) { bin in
      unsafe collect(gst_bin_iterate_sorted(bin))
    }
    return sinksFirst.reversed().map { Element($0) }
  }
}
