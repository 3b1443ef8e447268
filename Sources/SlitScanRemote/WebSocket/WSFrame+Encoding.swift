// WebSocket frames into bytes.

import FlyingFox
import Foundation

extension WSFrame {
  /// A whole message, or control.
  init(_ opcode: Opcode, _ payload: Data) {
    self.init(fin: true, opcode: opcode, mask: nil, payload: payload)
  }

  /// The bytes to be sent; those of a server are not masked.
  var encoded: Data {
    var bytes = Data([(fin ? 0x80 : 0) | opcode.rawValue & 0x0F])
    let count = UInt64(payload.count)
    let digits = { (width: Int) in
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    switch count {
    case ...125: bytes += digits(1)
    case ...0xFFFF: bytes += [126] + digits(2)
    default: bytes += [127] + digits(8)
    }
    return bytes + payload
  }
}
