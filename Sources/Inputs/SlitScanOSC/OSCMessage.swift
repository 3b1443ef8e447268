// One message: an address and arguments, and their bytes.

enum OSCArgument: Sendable, Hashable {
  /// `i` and `h`.
  case whole(Int64)
  /// `f` and `d`.
  case number(Double)
  /// `s`, `S` and `c`.
  case text(String)
  /// `T` and `F`.
  case flag(Bool)
  /// `N`.
  case nothing
  /// `I`, which some controllers send where they mean "now".
  case impulse
  /// Of a type that means nothing here, as a blob.
  case other(Character)
}

struct OSCMessage: Sendable, Hashable {
  /// Its address, which may be a pattern.
  let address: String
  let arguments: [OSCArgument]

  init(_ address: String, _ arguments: OSCArgument...) {
    self.init(address, arguments)
  }

  init(_ address: String, _ arguments: [OSCArgument]) {
    self.address = address
    self.arguments = arguments
  }

  /// A message from its bytes; nil where they are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    guard let path = rest.takeText() else { return nil }
    address = String(decoding: path, as: UTF8.self)
    // Old senders leave out the types where there is no argument.
    guard !rest.isEmpty else {
      arguments = []
      return
    }
    guard let types = rest.takeText(), types.first == UInt8(ascii: ",") else { return nil }
    // No address takes a blob, so its length is not checked.
    guard !types.contains(UInt8(ascii: "b")) else {
      arguments = [.other("b")]
      return
    }
    var arguments: [OSCArgument] = []
    for type in types.dropFirst() {
      guard let argument = Self.argument(type, from: &rest) else { return nil }
      arguments.append(argument)
    }
    guard rest.isEmpty else { return nil }
    self.arguments = arguments
  }

  /// Takes an argument off the front; nil where it is not all there, or of no known type.
  private static func argument(_ type: UInt8, from rest: inout ArraySlice<UInt8>) -> OSCArgument? {
    switch Unicode.Scalar(type) {
    case "T": .flag(true)
    case "F": .flag(false)
    case "N": .nothing
    case "I": .impulse
    case "i": rest.takeNumber(UInt32.self).map { .whole(Int64(Int32(bitPattern: $0))) }
    case "h": rest.takeNumber(UInt64.self).map { .whole(Int64(bitPattern: $0)) }
    case "f": rest.takeNumber(UInt32.self).map { .number(decimal(Float(bitPattern: $0))) }
    case "d": rest.takeNumber(UInt64.self).map { .number(Double(bitPattern: $0)) }
    case "c":
      rest.takeNumber(UInt32.self).map {
        .text(String(decoding: [UInt8(truncatingIfNeeded: $0)], as: UTF8.self))
      }
    case "s", "S": rest.takeText().map { .text(String(decoding: $0, as: UTF8.self)) }
    case "m": rest.takeNumber(UInt32.self).map { _ in .other("m") }
    case "t": rest.takeNumber(UInt64.self).map { _ in .other("t") }
    default: nil
    }
  }

  /// The number that a person means who has sent 0.1 in 32 bits.
  private static func decimal(_ number: Float) -> Double {
    number.isFinite ? Double("\(number)") ?? Double(number) : Double(number)
  }

  /// The message's bytes.
  ///
  /// Whole numbers are `i` where they fit and else `h`, numbers with a fraction are `f`: what the smallest
  /// of controllers read.
  var bytes: [UInt8] {
    var types = ","
    var values: [UInt8] = []
    for argument in arguments {
      switch argument {
      case .whole(let number):
        if let small = Int32(exactly: number) {
          types += "i"
          values.append(number: small)
        } else {
          types += "h"
          values.append(number: number)
        }
      case .number(let number):
        types += "f"
        values.append(number: Float(number).bitPattern)
      case .text(let text):
        types += "s"
        values.append(text: text)
      case .flag(let flag): types += flag ? "T" : "F"
      case .impulse: types += "I"
      case .nothing, .other: types += "N"
      }
    }
    var bytes: [UInt8] = []
    bytes.append(text: address)
    bytes.append(text: types)
    return bytes + values
  }
}
