// A value of a property, of a caps field or of a signal's argument.

/// A value of any type that GStreamer's properties, structures and signals use.
///
/// Most code needs no `Value`: ``Element/set(_:to:)`` and ``Element/get(_:as:)`` take and give Swift's
/// own types, see ``ValueConvertible``.
public enum Value: Sendable, Equatable {
  /// Nothing: no object, no text, or a signal that returns nothing.
  case none
  /// True or false.
  case bool(Bool)
  /// A signed number of any width.
  case int(Int64)
  /// An unsigned number of any width.
  case uint(UInt64)
  /// A number with a fraction, of either width.
  case double(Double)
  /// Text.
  case string(String)
  /// One of an enumeration's values by its nick, or a set of flags as `one+two`.
  case nick(String)
  /// A fraction, as a frame rate.
  case fraction(Fraction)
  /// Caps.
  case caps(Caps)
  /// A structure.
  case structure(Structure)
  /// Tags.
  case tags(TagList)
  /// Several values, of a list or an array.
  case array([Value])
  /// An element.
  case element(Element)
  /// A pad.
  case pad(Pad)
  /// A buffer.
  case buffer(Buffer)
  /// A sample.
  case sample(Sample)
  /// A value of another type, as GStreamer writes it; ranges of caps, for one.
  case other(type: String, text: String)
}

extension Value {
  /// The value as one types it after a property's name: `0.5`, `linear`, `true`.
  public var text: String {
    switch self {
    case .none: "nothing"
    case .bool, .int, .uint, .string, .nick, .fraction, .caps, .pad, .tags: "\(content)"
    case .double(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .array(let values): values.map(\.text).joined(separator: ", ")
    case .element(let element): element.name
    case .structure(let structure): structure.name
    case .buffer: "a buffer"
    case .sample: "a sample"
    case .other(let type, let text): text.isEmpty ? type : text
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
  /// Text, which enumerations take for a nick.
  public init(stringLiteral text: String) { self = .string(text) }
  /// True or false.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }
  /// A whole number.
  public init(integerLiteral number: Int64) { self = .int(number) }
  /// A number with a fraction.
  public init(floatLiteral number: Double) { self = .double(number) }
}

/// A Swift type whose values properties can hold.
public protocol ValueConvertible: Sendable {
  /// The type from a value, nil where it does not fit.
  init?(from value: Value)
  /// As a value.
  var value: Value { get }
}

extension Value: ValueConvertible {
  /// The value itself.
  public init?(from value: Value) { self = value }
  /// The value itself.
  public var value: Value { self }
}

extension ValueConvertible {
  /// From a value whose content is of this type.
  public init?(from value: Value) {
    guard let content = value.content as? Self else { return nil }
    self = content
  }
}

extension Value {
  /// The content as Swift has it; the value itself where Swift has no type for it.
  fileprivate var content: any Sendable {
    switch self {
    case .bool(let bool): bool
    case .int(let number): number
    case .uint(let number): number
    case .double(let number): number
    case .string(let text), .nick(let text), .other(_, let text): text
    case .fraction(let fraction): fraction
    case .caps(let caps): caps
    case .structure(let structure): structure
    case .tags(let tags): tags
    case .element(let element): element
    case .pad(let pad): pad
    case .buffer(let buffer): buffer
    case .sample(let sample): sample
    case .none, .array: self
    }
  }
}

extension Bool: ValueConvertible {
  /// As ``Value/bool(_:)``.
  public var value: Value { .bool(self) }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// From a number that fits.
  public init?(from value: Value) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .uint(let number): self.init(exactly: number)
    default: return nil
    }
  }
  /// As a number, signed where it can be.
  public var value: Value {
    if let number = Int64(exactly: self) { return .int(number) }
    return .uint(UInt64(truncatingIfNeeded: self))
  }
}

extension Int: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
  /// As ``Value/double(_:)``.
  public var value: Value { .double(self) }
}

extension String: ValueConvertible {
  /// As text, which enumerations take for a nick.
  public var value: Value { .string(self) }
}

extension ClockTime: ValueConvertible {
  /// From nanoseconds; `GST_CLOCK_TIME_NONE` and -1 do not fit.
  public init?(from value: Value) {
    guard let number = UInt64(from: value), number != .max else { return nil }
    self.init(nanoseconds: number)
  }
  /// As nanoseconds.
  public var value: Value { nanoseconds.value }
}

extension Fraction: ValueConvertible {
  /// As ``Value/fraction(_:)``.
  public var value: Value { .fraction(self) }
}

extension Caps: ValueConvertible {
  /// As ``Value/caps(_:)``.
  public var value: Value { .caps(self) }
}

extension Structure: ValueConvertible {
  /// As ``Value/structure(_:)``.
  public var value: Value { .structure(self) }
}

extension TagList: ValueConvertible {
  /// As ``Value/tags(_:)``.
  public var value: Value { .tags(self) }
}

extension Element: ValueConvertible {
  /// As ``Value/element(_:)``.
  public var value: Value { .element(self) }
}

extension Pad: ValueConvertible {
  /// As ``Value/pad(_:)``.
  public var value: Value { .pad(self) }
}

extension Buffer: ValueConvertible {
  /// As ``Value/buffer(_:)``.
  public var value: Value { .buffer(self) }
}

extension Sample: ValueConvertible {
  /// As ``Value/sample(_:)``.
  public var value: Value { .sample(self) }
}
