// Element properties by name, checked before GObject sees them.

import CGStreamer

extension Element {
  /// Sets a property.
  ///
  /// Text sets an enumeration or flags by nick (`"ball"`, `"flush+accurate"`), and whatever else a
  /// launch line can set.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchProperty``, ``GStreamerError/Code/wrongType``,
  ///   ``GStreamerError/Code/outOfRange``, or ``GStreamerError/Code/notAccessible`` where it can only
  ///   be read.
  public func set(_ property: String, to value: some ValueConvertible) throws(GStreamerError) {
    unsafe try object.withPointer { (element) throws(GStreamerError) in
      let spec = try unsafe find(property, in: element)
      let flags = unsafe spec.pointee.flags.rawValue
      guard flags & G_PARAM_WRITABLE.rawValue != 0, flags & G_PARAM_CONSTRUCT_ONLY.rawValue == 0
      else { throw notAccessible(property, "written") }

      var item = unsafe GenericValue(type: spec.pointee.value_type)
      do throws(GenericValue.Misfit) {
        try item.set(value.value)
      } catch {
        throw error == .type ? wrongType(property, value.value) : outOfRange(property, value.value)
      }
      // This brings a value into the range, and says whether it had to.
      guard unsafe g_param_value_validate(spec, &item.raw) == 0 else {
        throw outOfRange(property, value.value)
      }
      unsafe g_object_set_property(
        element.assumingMemoryBound(to: GObject.self), property, &item.raw)
    }
  }

  /// Reads a property.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchProperty``, ``GStreamerError/Code/wrongType``, or
  ///   ``GStreamerError/Code/notAccessible`` where it can only be written.
  public func get<Property: ValueConvertible>(
    _ property: String, as type: Property.Type = Property.self
  ) throws(GStreamerError) -> Property {
    let value = unsafe try object.withPointer { (element) throws(GStreamerError) in
      let spec = try unsafe find(property, in: element)
      guard unsafe spec.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0 else {
        throw notAccessible(property, "read")
      }
      var item = unsafe GenericValue(type: spec.pointee.value_type)
      unsafe g_object_get_property(
        element.assumingMemoryBound(to: GObject.self), property, &item.raw)
      return unsafe Value(&item.raw)
    }
    guard let property = Property(from: value) else {
      throw GStreamerError(
        .wrongType, "The property \(property) is \(value), which cannot be read as \(type).",
        source: name)
    }
    return property
  }

  /// Whether there is a property of this name.
  public func hasProperty(_ property: String) -> Bool {
    unsafe object.withPointer { unsafe cgst_find_property($0, property) != nil }
  }

  /// Text that an element keeps with the description of a property, under a name that the two agree on; nil
  /// if there is none.
  ///
  /// GLib does not know what it is that is kept, so the name must be one of text.
  package func note(_ name: String, of property: String) -> String? {
    unsafe object.withPointer { element in
      guard let spec = unsafe cgst_find_property(element, property),
        let text = unsafe g_param_spec_get_qdata(spec, g_quark_from_string(name))
      else { return nil }
      return unsafe borrowedString(text.assumingMemoryBound(to: CChar.self))
    }
  }

  private func find(
    _ property: String, in element: UnsafeMutableRawPointer
  ) throws(GStreamerError) -> UnsafeMutablePointer<GParamSpec> {
    guard let spec = unsafe cgst_find_property(element, property) else {
      throw noSuchProperty(property)
    }
    return unsafe spec
  }

  func noSuchProperty(_ property: String) -> GStreamerError {
    let own = properties.filter { !$0.isInherited }.map(\.name).sorted()
    return GStreamerError(
      .noSuchProperty,
      "There is no property \(property).\(Spelling(property, in: own).question) "
        + "There are: \(own.joined(separator: ", ")).", source: name)
  }

  private func kind(of property: String) -> Property.Kind? {
    properties.first { $0.name == property }?.kind
  }

  private func notAccessible(_ property: String, _ access: String) -> GStreamerError {
    GStreamerError(
      .notAccessible, "The property \(property) cannot be \(access).", source: name)
  }

  private func wrongType(_ property: String, _ value: Value) -> GStreamerError {
    GStreamerError(
      .wrongType,
      "The property \(property) must be \(kind(of: property)?.words ?? "something else"), not \"\(value.text)\".",
      source: name)
  }

  private func outOfRange(_ property: String, _ value: Value) -> GStreamerError {
    let kind = kind(of: property)
    var question = ""
    if case .choice(let nicks) = kind { question = Spelling(value.text, in: nicks).question }
    return GStreamerError(
      .outOfRange,
      "The property \(property) must be \(kind?.words ?? "something else"), not \(value.text).\(question)",
      source: name)
  }
}
