// An owned GValue, cleared exactly once, and its conversion from and to Swift's values.

import CGStreamer

/// A value as GObject has it.
@safe
struct GenericValue: ~Copyable {
  /// For C to read and write.
  var raw = GValue()

  /// A value of no type yet, which C sets.
  init() {}

  init(type: GType) {
    _ = unsafe g_value_init(&raw, type)
  }

  deinit {
    guard raw.g_type != 0 else { return }
    var raw = raw
    unsafe g_value_unset(&raw)
  }
}

/// The nick of an enumeration's number, nil if it has none.
func enumerationNick(_ type: GType, _ number: gint) -> String? {
  guard let raw = unsafe g_type_class_ref(type) else { return nil }
  defer { unsafe g_type_class_unref(raw) }
  let members = unsafe raw.assumingMemoryBound(to: GEnumClass.self)
  guard let member = unsafe g_enum_get_value(members, number) else { return nil }
  return unsafe borrowedString(member.pointee.value_nick)
}

/// The nicks of a set of flags, as `one+two`; the number where some have none.
func flagNicks(_ type: GType, _ flags: guint) -> String {
  guard let raw = unsafe g_type_class_ref(type) else { return String(flags) }
  defer { unsafe g_type_class_unref(raw) }
  let members = unsafe raw.assumingMemoryBound(to: GFlagsClass.self)
  var nicks: [String] = []
  var left = flags
  while left != 0, let member = unsafe g_flags_get_first_value(members, left) {
    unsafe nicks.append(borrowedString(member.pointee.value_nick) ?? "")
    left &= ~(unsafe member.pointee.value)
  }
  return left == 0 ? nicks.joined(separator: "+") : String(flags)
}

func typeName(_ type: GType) -> String {
  unsafe borrowedString(g_type_name(type)) ?? "?"
}

// MARK: From C

extension Value {
  /// Copies what a `GValue` holds.
  init(_ pointer: UnsafePointer<GValue>) {
    let type = unsafe pointer.pointee.g_type
    switch type {
    case 0: self = .none
    case CGST_TYPE_BOOLEAN: self = unsafe .bool(g_value_get_boolean(pointer) != 0)
    case CGST_TYPE_CHAR: self = unsafe .int(Int64(g_value_get_schar(pointer)))
    case CGST_TYPE_UCHAR: self = unsafe .uint(UInt64(g_value_get_uchar(pointer)))
    case CGST_TYPE_INT: self = unsafe .int(Int64(g_value_get_int(pointer)))
    case CGST_TYPE_UINT: self = unsafe .uint(UInt64(g_value_get_uint(pointer)))
    case CGST_TYPE_LONG: self = unsafe .int(Int64(g_value_get_long(pointer)))
    case CGST_TYPE_ULONG: self = unsafe .uint(UInt64(g_value_get_ulong(pointer)))
    case CGST_TYPE_INT64: self = unsafe .int(Int64(g_value_get_int64(pointer)))
    case CGST_TYPE_UINT64: self = unsafe .uint(UInt64(g_value_get_uint64(pointer)))
    case CGST_TYPE_FLOAT: self = unsafe .double(Double(g_value_get_float(pointer)))
    case CGST_TYPE_DOUBLE: self = unsafe .double(g_value_get_double(pointer))
    case CGST_TYPE_STRING:
      self = unsafe borrowedString(g_value_get_string(pointer)).map { .string($0) } ?? .none
    case gst_fraction_get_type():
      self = unsafe .fraction(
        Fraction(
          gst_value_get_fraction_numerator(pointer), gst_value_get_fraction_denominator(pointer)))
    case gst_caps_get_type():
      self = unsafe Self.boxed(pointer) { unsafe .caps(Caps(MiniObject(retaining: $0))) }
    case gst_sample_get_type():
      self = unsafe Self.boxed(pointer) { unsafe .sample(Sample(MiniObject(retaining: $0))) }
    case gst_tag_list_get_type():
      self = unsafe Self.boxed(pointer) { unsafe .tags(TagList(MiniObject(retaining: $0))) }
    case gst_buffer_get_type():
      self = unsafe Self.boxed(pointer) { unsafe .buffer(Buffer(MiniObject(retaining: $0))) }
    case gst_structure_get_type():
      self = unsafe Self.boxed(pointer) {
        unsafe .structure(Structure(copying: $0.assumingMemoryBound(to: GstStructure.self)))
      }
    case gst_value_array_get_type():
      self = unsafe .array(
        (0..<gst_value_array_get_size(pointer)).compactMap { index in
          unsafe gst_value_array_get_value(pointer, index).map { unsafe Value($0) }
        })
    case gst_value_list_get_type():
      self = unsafe .array(
        (0..<gst_value_list_get_size(pointer)).compactMap { index in
          unsafe gst_value_list_get_value(pointer, index).map { unsafe Value($0) }
        })
    default: self = unsafe Self.derived(pointer, type: type)
    }
  }

  /// A boxed value, ``none`` where there is none.
  private static func boxed(
    _ pointer: UnsafePointer<GValue>, _ wrap: (UnsafeMutableRawPointer) -> Value
  ) -> Value {
    guard let boxed = unsafe g_value_get_boxed(pointer) else { return .none }
    return unsafe wrap(boxed)
  }

  /// A value whose type is derived from one of GObject's fundamental types.
  private static func derived(_ pointer: UnsafePointer<GValue>, type: GType) -> Value {
    switch cgst_fundamental(type) {
    case CGST_TYPE_ENUM:
      let number = unsafe g_value_get_enum(pointer)
      return enumerationNick(type, number).map { .nick($0) } ?? .int(Int64(number))
    case CGST_TYPE_FLAGS: return unsafe .nick(flagNicks(type, g_value_get_flags(pointer)))
    case CGST_TYPE_OBJECT:
      guard let object = unsafe g_value_get_object(pointer) else { return .none }
      if unsafe cgst_is_a(object, gst_element_get_type()) != 0 {
        return unsafe .element(Element(ObjectReference(sharing: object)))
      }
      if unsafe cgst_is_a(object, gst_pad_get_type()) != 0 {
        return unsafe .pad(Pad(ObjectReference(sharing: object)))
      }
      return unsafe .other(type: typeName(cgst_type_of(object)), text: "")
    default:
      return .other(
        type: typeName(type), text: unsafe ownedString(gst_value_serialize(pointer)) ?? "")
    }
  }
}

// MARK: To C

extension GenericValue {
  /// The reason why a value did not fit.
  enum Misfit: Error {
    /// Another type is wanted.
    case type
    /// The type is right, the number or name is none of those that there are.
    case range
  }

  /// Puts in a value, which must fit the type.
  mutating func set(_ value: Value) throws(Misfit) {
    let type = raw.g_type
    switch (cgst_fundamental(type), value) {
    case (CGST_TYPE_BOOLEAN, .bool(let bool)): unsafe g_value_set_boolean(&raw, bool ? 1 : 0)
    case (CGST_TYPE_FLOAT, _): unsafe g_value_set_float(&raw, Float(try real(value)))
    case (CGST_TYPE_DOUBLE, _): unsafe g_value_set_double(&raw, try real(value))
    case (CGST_TYPE_STRING, .string(let text)), (CGST_TYPE_STRING, .nick(let text)):
      unsafe g_value_set_string(&raw, text)
    case (CGST_TYPE_STRING, .none): unsafe g_value_set_string(&raw, nil)
    case (CGST_TYPE_OBJECT, .element(let element)): try setObject(type, element.object)
    case (CGST_TYPE_OBJECT, .pad(let pad)): try setObject(type, pad.object)
    case (CGST_TYPE_OBJECT, .none): unsafe g_value_set_object(&raw, nil)
    case (_, .int), (_, .uint): try setNumber(type, value)
    default: try setOther(type, value)
    }
  }

  private mutating func setNumber(_ type: GType, _ value: Value) throws(Misfit) {
    switch cgst_fundamental(type) {
    case CGST_TYPE_CHAR: unsafe g_value_set_schar(&raw, try Self.number(value))
    case CGST_TYPE_UCHAR: unsafe g_value_set_uchar(&raw, try Self.number(value))
    case CGST_TYPE_INT: unsafe g_value_set_int(&raw, try Self.number(value))
    case CGST_TYPE_UINT: unsafe g_value_set_uint(&raw, try Self.number(value))
    case CGST_TYPE_LONG: unsafe g_value_set_long(&raw, try Self.number(value))
    case CGST_TYPE_ULONG: unsafe g_value_set_ulong(&raw, try Self.number(value))
    case CGST_TYPE_INT64: unsafe g_value_set_int64(&raw, try Self.number(value))
    case CGST_TYPE_UINT64: unsafe g_value_set_uint64(&raw, try Self.number(value))
    case CGST_TYPE_FLAGS: unsafe g_value_set_flags(&raw, try Self.number(value))
    case CGST_TYPE_ENUM:
      guard case .int = value else { throw .type }
      let number: gint = try Self.number(value)
      guard enumerationNick(type, number) != nil else { throw .range }
      unsafe g_value_set_enum(&raw, number)
    default: throw .type
    }
  }

  /// Puts in a value whose type has no fundamental type of its own to go by.
  private mutating func setOther(_ type: GType, _ value: Value) throws(Misfit) {
    switch (type, value) {
    case (gst_fraction_get_type(), .fraction(let fraction)):
      guard fraction.denominator != 0, fraction.numerator != .min, fraction.denominator != .min
      else { throw .range }
      unsafe gst_value_set_fraction(&raw, fraction.numerator, fraction.denominator)
    case (gst_caps_get_type(), .caps(let caps)): setBoxed(caps.object)
    case (gst_buffer_get_type(), .buffer(let buffer)): setBoxed(buffer.object)
    case (gst_sample_get_type(), .sample(let sample)): setBoxed(sample.object)
    case (gst_tag_list_get_type(), .tags(let tags)): setBoxed(tags.object)
    case (gst_structure_get_type(), .structure(let structure)):
      guard let copy = unsafe structure.makeGstStructure() else { throw .range }
      unsafe g_value_take_boxed(&raw, copy)
    case (g_date_time_get_type(), .string(let text)), (g_date_time_get_type(), .other(_, let text)):
      let utc = unsafe g_time_zone_new_utc()
      defer { unsafe g_time_zone_unref(utc) }
      guard let time = unsafe g_date_time_new_from_iso8601(text, utc) else { throw .range }
      unsafe g_value_take_boxed(&raw, UnsafeMutableRawPointer(time))
    case (gst_value_array_get_type(), .array(let members)):
      for member in members {
        guard let type = member.gType else { throw .type }
        var item = GenericValue(type: type)
        try item.set(member)
        unsafe gst_value_array_append_value(&raw, &item.raw)
      }
    case (_, .string(let text)), (_, .nick(let text)), (_, .other(_, let text)):
      // Enumerations and flags by nick, and whatever else can be written as text.
      guard unsafe gst_value_deserialize(&raw, text) != 0 else {
        throw [CGST_TYPE_ENUM, CGST_TYPE_FLAGS].contains(cgst_fundamental(type)) ? .range : .type
      }
    default: throw .type
    }
  }

  private mutating func setBoxed(_ object: MiniObject) {
    unsafe object.withPointer { unsafe g_value_set_boxed(&raw, $0) }
  }

  private mutating func setObject(_ type: GType, _ object: ObjectReference) throws(Misfit) {
    guard object.isA(type) else { throw .type }
    unsafe object.withPointer { unsafe g_value_set_object(&raw, $0) }
  }

  private func real(_ value: Value) throws(Misfit) -> Double {
    switch value {
    case .double(let number): return number
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    case .string(let text):
      guard let number = Double(text) else { throw .type }
      return number
    default: throw .type
    }
  }

  /// A number in the width that is wanted.
  private static func number<Number: FixedWidthInteger>(
    _ value: Value
  ) throws(Misfit) -> Number {
    switch value {
    case .int(let number): if let exact = Number(exactly: number) { return exact }
    case .uint(let number): if let exact = Number(exactly: number) { return exact }
    default: break
    }
    throw .range
  }
}

extension Value {
  /// The type that a field of a structure gets for the value, nil if it can have none.
  var gType: GType? {
    switch self {
    case .none, .other: nil
    case .bool: CGST_TYPE_BOOLEAN
    case .int(let number): Int32(exactly: number) == nil ? CGST_TYPE_INT64 : CGST_TYPE_INT
    case .uint: CGST_TYPE_UINT64
    case .double: CGST_TYPE_DOUBLE
    case .string, .nick: CGST_TYPE_STRING
    case .fraction: gst_fraction_get_type()
    case .caps: gst_caps_get_type()
    case .structure: gst_structure_get_type()
    case .tags: gst_tag_list_get_type()
    case .array: gst_value_array_get_type()
    case .element: gst_element_get_type()
    case .pad: gst_pad_get_type()
    case .buffer: gst_buffer_get_type()
    case .sample: gst_sample_get_type()
    }
  }
}
