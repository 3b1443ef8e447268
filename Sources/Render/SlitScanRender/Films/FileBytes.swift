// The bytes of files and buffers, and the numbers in them.

import GStreamer
import LibC

/// A file that is read in pieces.
struct FileBytes: ~Copyable {
  let size: Int
  private let descriptor: Int32

  /// Opens a file; nil where that is not possible, or where it is none of a fixed size.
  init?(_ path: String) {
    // A pipe is not opened: its writer would take the end of this look for that of its reader.
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { _ = Glibc.close(descriptor) }

  /// Some of its bytes; nil where there are not as many.
  func bytes(at position: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let isRead = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, count, position) == count
    }
    return isRead ? bytes : nil
  }

  /// The box of MP4 that begins at a position, by its name and its size; nil at the end.
  func box(at position: Int) -> (name: ArraySlice<UInt8>, size: Int)? {
    guard let header = bytes(at: position, count: 8) else { return nil }
    var size = header[..<4].bigEndian
    if size == 1, let long = bytes(at: position + 8, count: 8) { size = long[...].bigEndian }
    return (header[4...], size)
  }

  /// Reads as many of its first bytes as there is room for.
  func read(into bytes: UnsafeMutableRawBufferPointer) {
    _ = unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
  }
}

extension ArraySlice<UInt8> {
  /// The number that the bytes are, the highest first.
  var bigEndian: Int { Int(clamping: reduce(0 as UInt64) { $0 << 8 | UInt64($1) }) }
}

/// The head of an element of Matroska.
struct MatroskaHead {
  let id: Int
  /// The bytes of the head.
  let length: Int
  /// The bytes of the content; nil where it does not say.
  let size: Int?

  /// The head at the beginning of some bytes; nil where there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4, bytes.count > idLength else { return nil }
    let rest = bytes.dropFirst(idLength)
    let sizeLength = rest[rest.startIndex].leadingZeroBitCount + 1
    guard sizeLength <= 8, rest.count >= sizeLength else { return nil }
    let mask = 1 << (7 * sizeLength) - 1
    let size = rest.prefix(sizeLength).bigEndian & mask
    guard size == mask || size < 1 << 55 else { return nil }
    id = bytes.prefix(idLength).bigEndian
    length = idLength + sizeLength
    self.size = size == mask ? nil : size
  }
}

extension WritableBuffer {
  mutating func write(_ bytes: [UInt8], at start: Int = 0) throws(GStreamerError) {
    try withMutableBytes { place in
      for (index, byte) in bytes.enumerated() {
        place.storeBytes(of: byte, toByteOffset: start + index, as: UInt8.self)
      }
    }
  }
}
