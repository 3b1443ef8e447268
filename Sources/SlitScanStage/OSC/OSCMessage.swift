// An OSC message is an address with arguments. liblo encodes and decodes it.

import CLiblo
import Glibc

/// An argument of a message.
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

/// A message of OSC.
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

  // MARK: From bytes

  /// The most that a datagram can carry, and so a message.
  static let limit = 65_507

  /// A message from its bytes; nil where they are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.limit, bytes.contains(0) else { return nil }
    var bytes = Array(bytes)
    let path = Array(bytes.prefix { $0 != 0 })
    let types = bytes.dropFirst((path.count / 4 + 1) * 4).prefix { $0 != 0 }
    // Where a blob ought to be and is not, liblo looks behind the last byte. Nothing takes one anyway.
    guard !types.contains(UInt8(ascii: "b")) else {
      self.init(String(decoding: path, as: UTF8.self), .other("b"))
      return
    }
    // Old senders leave out the types where there is no argument.
    if bytes.count == (path.count / 4 + 1) * 4 { bytes += [UInt8(ascii: ","), 0, 0, 0] }
    let read = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe lo_message_deserialise(bytes.baseAddress, bytes.count, nil)
    }
    guard let message = unsafe read else { return nil }
    defer { unsafe lo_message_free(message) }
    self.init(String(decoding: path, as: UTF8.self), unsafe Self.arguments(of: message))
  }

  private static func arguments(of message: lo_message) -> [OSCArgument] {
    let count = Int(unsafe lo_message_get_argc(message))
    guard count > 0, let types = unsafe lo_message_get_types(message),
      let values = unsafe lo_message_get_argv(message)
    else { return [] }
    return (0..<count).map { index in
      unsafe argument(UInt8(bitPattern: types[index]), UnsafeRawPointer(values[index]))
    }
  }

  /// An argument by its type.
  ///
  /// - Parameter value: Where it is, in the byte order of this machine; liblo has seen to it that all of
  ///   it is there. Nil for what is nothing but its type.
  private static func argument(_ type: UInt8, _ value: UnsafeRawPointer?) -> OSCArgument {
    switch (type, unsafe value) {
    case (UInt8(ascii: "T"), _): .flag(true)
    case (UInt8(ascii: "F"), _): .flag(false)
    case (UInt8(ascii: "N"), _): .nothing
    case (UInt8(ascii: "I"), _): .impulse
    case (UInt8(ascii: "i"), let value?): unsafe .whole(Int64(value.loadUnaligned(as: Int32.self)))
    case (UInt8(ascii: "h"), let value?): unsafe .whole(value.loadUnaligned(as: Int64.self))
    case (UInt8(ascii: "f"), let value?):
      unsafe .number(decimal(value.loadUnaligned(as: Float.self)))
    case (UInt8(ascii: "d"), let value?): unsafe .number(value.loadUnaligned(as: Double.self))
    case (UInt8(ascii: "c"), let value?):
      .text(
        String(
          decoding: [UInt8(truncatingIfNeeded: unsafe value.loadUnaligned(as: Int32.self))],
          as: UTF8.self))
    case (UInt8(ascii: "s"), let value?), (UInt8(ascii: "S"), let value?):
      .text(unsafe String(cString: value.assumingMemoryBound(to: CChar.self)))
    default: .other(Character(Unicode.Scalar(type)))
    }
  }

  /// The number that a person means who has sent 0.1 in 32 bits.
  private static func decimal(_ number: Float) -> Double {
    number.isFinite ? Double("\(number)") ?? Double(number) : Double(number)
  }

  // MARK: To bytes

  /// The message's bytes.
  ///
  /// Whole numbers are `i` where they fit and else `h`, numbers with a fraction are `f`: what the smallest
  /// of controllers read.
  var bytes: [UInt8] {
    guard let message = unsafe lo_message_new() else { return [] }
    defer { unsafe lo_message_free(message) }
    for argument in arguments { unsafe Self.add(argument, to: message) }
    var count = 0
    guard let data = unsafe lo_message_serialise(message, address, nil, &count) else { return [] }
    defer { unsafe free(data) }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
  }

  private static func add(_ argument: OSCArgument, to message: lo_message) {
    switch argument {
    case .whole(let number):
      if let small = Int32(exactly: number) {
        unsafe lo_message_add_int32(message, small)
      } else {
        unsafe lo_message_add_int64(message, number)
      }
    case .number(let number): unsafe lo_message_add_float(message, Float(number))
    case .text(let text): unsafe lo_message_add_string(message, text)
    case .flag(true): unsafe lo_message_add_true(message)
    case .flag(false): unsafe lo_message_add_false(message)
    case .impulse: unsafe lo_message_add_infinitum(message)
    case .nothing, .other: unsafe lo_message_add_nil(message)
    }
  }
}
