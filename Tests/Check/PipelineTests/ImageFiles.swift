// Image files written byte by byte: valid ones whose rows have known levels, and invalid ones.
//
// PGM is Netpbm's, PNG that of ISO/IEC 15948, JPEG the baseline of ITU-T T.81.

/// A kind of file that can be a map.
enum ImageKind: String, CaseIterable {
  case pgm8, pgm16, textPGM, grayPNG8, grayPNG16, rgbPNG8, rgbPNG16, rgbaPNG8, rgbaPNG16, grayJPEG,
    colourJPEG

  /// Those that hold all 16 bits of a level.
  static let deep: [ImageKind] = [.pgm16, .grayPNG16, .rgbPNG16, .rgbaPNG16]

  /// A file whose rows, or groups of eight rows, have these levels, of 0…65535.
  func bytes(levels: [UInt16]) -> [UInt8] {
    let bytes = levels.map { UInt8($0 >> 8) }
    return switch self {
    case .pgm8: ImageFile.pgm(maximum: 255, rows: bytes.map { [$0, $0, $0] })
    case .pgm16: ImageFile.pgm(maximum: 65535, rows: levels.map { $0.bytes + $0.bytes + $0.bytes })
    case .textPGM:
      Array("P2\n# text\n3 \(levels.count)\n65535\n".utf8)
        + levels.flatMap { Array("\($0) \($0) \($0)\n".utf8) }
    case .grayPNG8: ImageFile.png(.gray, rows: bytes.map { [[$0]] })
    case .grayPNG16: ImageFile.png(.gray, bits: 16, rows: levels.map { [$0.bytes] })
    case .rgbPNG8: ImageFile.png(.rgb, rows: bytes.map { [[$0], [$0], [$0]] })
    case .rgbPNG16:
      ImageFile.png(.rgb, bits: 16, rows: levels.map { [$0.bytes, $0.bytes, $0.bytes] })
    case .rgbaPNG8: ImageFile.png(.rgba, rows: bytes.map { [[$0], [$0], [$0], [0]] })
    case .rgbaPNG16:
      ImageFile.png(.rgba, bits: 16, rows: levels.map { [$0.bytes, $0.bytes, $0.bytes, [0, 0]] })
    case .grayJPEG: ImageFile.jpeg(components: 1, levels: bytes)
    case .colourJPEG: ImageFile.jpeg(components: 3, levels: bytes)
    }
  }
}

extension FixedWidthInteger {
  /// The highest first.
  fileprivate var bytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> $0)
    }
  }
}

enum ImageFile {
  // MARK: PGM

  static func pgm(maximum: Int, rows: [[UInt8]]) -> [UInt8] {
    let width = (rows.first?.count ?? 0) / (maximum > 255 ? 2 : 1)
    return pgmHeader(width: width, height: rows.count, maximum: maximum) + rows.flatMap(\.self)
  }

  static func pgmHeader(width: Int, height: Int, maximum: Int = 255) -> [UInt8] {
    Array("P5\n\(width) \(height)\n\(maximum)\n".utf8)
  }

  // MARK: PNG

  enum PNGColour: UInt8 {
    case gray = 0
    case rgb = 2
    case rgba = 6
  }

  /// An image of 5 pixels a row, all of the samples that `rows` has for it.
  static func png(_ colour: PNGColour, bits: UInt8 = 8, rows: [[[UInt8]]]) -> [UInt8] {
    let lines = rows.map { row in
      // No filter, and the pixels.
      [0] + [[UInt8]](repeating: row.flatMap(\.self), count: 5).flatMap(\.self)
    }
    return png(
      width: 5, height: UInt32(rows.count), colour: colour, bits: bits, data: lines.flatMap(\.self))
  }

  /// An image that says it has this size, whatever its data are.
  static func png(
    width: UInt32, height: UInt32, colour: PNGColour = .gray, bits: UInt8 = 8, data: [UInt8]
  ) -> [UInt8] {
    [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
      + chunk("IHDR", width.bytes + height.bytes + [bits, colour.rawValue, 0, 0, 0])
      + chunk("IDAT", zlib(data)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    return UInt32(data.count).bytes + content + crc(content).bytes
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~remainder
  }

  /// The bytes as they are, in a zlib stream.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65535, bytes.count)
      let length = UInt16(end - start)
      stream += [end == bytes.count ? 1 : 0] + length.bytes.reversed() + (~length).bytes.reversed()
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var sums: (low: UInt32, high: UInt32) = (1, 0)
    for byte in bytes {
      sums.low = (sums.low + UInt32(byte)) % 65521
      sums.high = (sums.high + sums.low) % 65521
    }
    return stream + (sums.high << 16 | sums.low).bytes
  }

  // MARK: JPEG

  /// An image 8 pixels wide in which each level has 8 rows; chroma, if there is, is neutral.
  static func jpeg(components: Int, levels: [UInt8]) -> [UInt8] {
    var bits: [Bool] = []
    var last = 0
    for level in levels {
      // With a quantizer of 1, the mean is an eighth of what is coded.
      let mean = 8 * (Int(level) - 128)
      for component in 0..<components { append(component == 0 ? mean - last : 0, to: &bits) }
      last = mean
    }
    bits += [Bool](repeating: true, count: (8 - bits.count % 8) % 8)
    let scan = stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
      let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt8
      return byte == 0xFF ? [0xFF, 0] : [byte]
    }
    return jpegHeader(
      width: 8, height: UInt16(8 * levels.count), components: components, isProgressive: false)
      + scan + [0xFF, 0xD9]
  }

  /// All up to the coded samples.
  static func jpegHeader(
    width: UInt16, height: UInt16, components: Int, isProgressive: Bool
  ) -> [UInt8] {
    let indexes = (1...components).map { UInt8($0) }
    let count = UInt8(components)
    // Twelve codes of four bits for the size of a mean, and one of one bit: nothing else follows.
    let means: [UInt8] = [0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12)
    let rest: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(
        isProgressive ? 0xC2 : 0xC0,
        [8] + height.bytes + width.bytes + [count] + indexes.flatMap { [$0, 0x11, 0] })
      + segment(0xC4, [0x00] + means) + segment(0xC4, [0x10] + rest)
      + segment(0xDA, [count] + indexes.flatMap { [$0, 0] } + [0, isProgressive ? 0 : 63, 0])
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + UInt16(content.count + 2).bytes + content
  }

  /// A block that differs by so much from the one before, and is even.
  private static func append(_ difference: Int, to bits: inout [Bool]) {
    let size = Int.bitWidth - abs(difference).leadingZeroBitCount
    let value = difference < 0 ? difference + (1 << size) - 1 : difference
    func append(_ number: Int, _ count: Int) {
      for place in (0..<count).reversed() { bits.append(number >> place & 1 == 1) }
    }
    append(size, 4)
    append(value, size)
    append(0, 1)
  }

  // MARK: Others

  /// A tenth of a second of silence.
  static let sound: [UInt8] =
    Array("RIFF".utf8) + UInt32(36 + 1600).bytes.reversed() + Array("WAVEfmt ".utf8)
    + UInt32(16).bytes.reversed() + UInt16(1).bytes.reversed() + UInt16(1).bytes.reversed()
    + UInt32(8000).bytes.reversed() + UInt32(16000).bytes.reversed() + UInt16(2).bytes.reversed()
    + UInt16(16).bytes.reversed() + Array("data".utf8) + UInt32(1600).bytes.reversed()
    + [UInt8](repeating: 0, count: 1600)
}
