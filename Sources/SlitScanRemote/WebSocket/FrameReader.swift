// WebSocket frames out of untrusted bytes. A value.

import FlyingFox

/// What a client has sent.
enum ClientFrame: Sendable, Equatable {
  /// A whole message of text.
  case text(String)
  /// Wants an answer with the same bytes.
  case ping([UInt8])
  /// Is there.
  case pong
  /// Goes.
  case close
}

/// Puts frames together: RFC 6455, for a server that takes short texts.
///
/// FlyingFox would read a frame of any length into memory; here, what is too long is known from its
/// length alone, and holds nothing.
struct FrameReader: Sendable {
  /// How long a message gets, in bytes.
  static let limit = 4096
  /// How long a frame of control gets: RFC 6455, 5.5.
  static let controlLimit = 125

  private var pending: [UInt8] = []
  /// What has come of a message in several frames.
  private var message: [UInt8]?

  /// Nothing has come yet.
  init() {}

  /// How many bytes wait for the rest of their frame.
  var held: Int { pending.count + (message?.count ?? 0) }

  /// Takes what has come.
  ///
  /// - Returns: What that made complete.
  /// - Throws: Why the connection has to close.
  mutating func take(_ bytes: [UInt8]) throws(Violation) -> [ClientFrame] {
    pending += bytes
    var frames: [ClientFrame] = []
    var start = 0
    while let header = try Header(pending[start...], messageLength: message?.count) {
      let payload = pending[(start + header.length)...].prefix(header.payloadLength)
      guard payload.count == header.payloadLength else { break }
      start += header.length + header.payloadLength
      if let frame = try read(header, header.unmasked(payload)) { frames.append(frame) }
    }
    pending.removeFirst(start)
    return frames
  }

  private mutating func read(
    _ header: Header, _ payload: [UInt8]
  ) throws(Violation) -> ClientFrame? {
    switch header.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return .close
    default:
      let whole = (message ?? []) + payload
      guard header.isFinal else {
        message = whole
        return nil
      }
      message = nil
      guard let text = String(validating: whole, as: UTF8.self) else {
        throw Violation(.invalidFramePayload, "A message is no text.")
      }
      return .text(text)
    }
  }

  /// What comes before the payload.
  private struct Header {
    let opcode: WSFrame.Opcode
    let isFinal: Bool
    let length: Int
    let payloadLength: Int
    private let mask: [UInt8]

    /// The header at the beginning of some bytes; nil where more must come.
    ///
    /// - Parameter messageLength: What has come of a message that goes on.
    init?(_ bytes: ArraySlice<UInt8>, messageLength: Int?) throws(Violation) {
      var bytes = bytes
      guard let first = bytes.popFirst(), let second = bytes.popFirst() else { return nil }
      opcode = WSFrame.Opcode(first & 0x0F)
      isFinal = first & 0x80 != 0
      let short = Int(second & 0x7F)
      try Self.check(first, second, opcode, goesOn: messageLength != nil)
      let width = short == 127 ? 8 : short == 126 ? 2 : 0
      let digits = bytes.prefix(width)
      guard digits.count == width else { return nil }
      let long = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard long <= UInt64(FrameReader.limit) else { throw .tooLong }
      payloadLength = width == 0 ? short : Int(long)
      guard (messageLength ?? 0) + payloadLength <= FrameReader.limit || opcode.isControl else {
        throw .tooLong
      }
      mask = Array(bytes.dropFirst(width).prefix(4))
      guard mask.count == 4 else { return nil }
      length = 2 + width + 4
    }

    private static func check(
      _ first: UInt8, _ second: UInt8, _ opcode: WSFrame.Opcode, goesOn: Bool
    ) throws(Violation) {
      guard first & 0x70 == 0 else {
        throw Violation(.protocolError, "A frame uses what was not agreed on.")
      }
      guard second & 0x80 != 0 else {
        throw Violation(.protocolError, "A frame of a client is not masked.")
      }
      switch opcode {
      case .ping, .pong, .close:
        guard first & 0x80 != 0, Int(second & 0x7F) <= FrameReader.controlLimit else {
          throw Violation(.protocolError, "A frame of control is in parts, or too long.")
        }
      case .text, .continuation:
        guard goesOn == (opcode == .continuation) else {
          throw Violation(.protocolError, "A message begins in another, or goes on without one.")
        }
      case .binary: throw Violation(.unsupportedData, "Messages are text.")
      default: throw Violation(.protocolError, "There is no such kind of frame.")
      }
    }

    func unmasked(_ payload: ArraySlice<UInt8>) -> [UInt8] {
      zip(payload, 0...).map { byte, index in byte ^ mask[index % 4] }
    }
  }
}

/// Why a connection has to close.
struct Violation: Error, Sendable, Equatable {
  let code: WSCloseCode

  init(_ code: WSCloseCode, _ reason: String) {
    self.code = WSCloseCode(code.code, reason: reason)
  }

  static let tooLong = Violation(
    .messageTooBig, "A message is longer than \(FrameReader.limit) bytes.")
}

extension WSFrame.Opcode {
  fileprivate var isControl: Bool { self == .ping || self == .pong || self == .close }
}
