// A structure is a name with fields: the content of messages, events and statistics.

import CGStreamer

/// A named set of values, copied from or for a `GstStructure`.
public struct Structure: Sendable, Equatable {
  /// The name, as `level` or `slitscan-complete`: a letter, then letters, digits and `/-_.:+`.
  public var name: String
  /// The fields by their names.
  public var fields: [String: Value]

  /// A structure of fields.
  public init(_ name: String, _ fields: [String: Value] = [:]) {
    self.name = name
    self.fields = fields
  }

  /// A field as a Swift type, nil if there is none or it does not fit.
  public func get<Field: ValueConvertible>(_ name: String, as type: Field.Type = Field.self)
    -> Field?
  {
    fields[name].flatMap { Field(from: $0) }
  }

  /// Copies what C has.
  init(copying structure: UnsafePointer<GstStructure>) {
    name = unsafe borrowedString(gst_structure_get_name(structure)) ?? ""
    fields = [:]
    for index in 0..<max(0, unsafe gst_structure_n_fields(structure)) {
      guard
        let field = unsafe borrowedString(gst_structure_nth_field_name(structure, guint(index))),
        let value = unsafe gst_structure_get_value(structure, field)
      else { continue }
      fields[field] = unsafe Value(value)
    }
  }

  /// A copy for C, which the caller owns; nil where a name or a value is none that C takes.
  func makeGstStructure() -> UnsafeMutablePointer<GstStructure>? {
    guard isNameValid, let structure = unsafe gst_structure_new_empty(name) else { return nil }
    for (field, value) in fields {
      guard let type = value.gType else { continue }
      var item = GenericValue(type: type)
      guard !field.isEmpty, (try? item.set(value)) != nil else {
        unsafe gst_structure_free(structure)
        return nil
      }
      unsafe gst_structure_set_value(structure, field, &item.raw)
    }
    return unsafe structure
  }

  /// Whether the name is one that GStreamer takes.
  private var isNameValid: Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { byte in
      isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || "/-_.:+".utf8.contains(byte)
    }
  }
}
