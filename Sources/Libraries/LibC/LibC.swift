// The C library of the platform, under one name.

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

/// The calling thread as a number, to compare only; never 0.
package var currentThreadNumber: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    // A pointer.
    UInt(bitPattern: pthread_self())
  #endif
}

/// Writes all of a text to an open file, at once.
///
/// - Returns: False where that fails, and `errno` says why.
@discardableResult
package func write(_ text: String, to descriptor: CInt) -> Bool {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 || errno == EINTR else { return false }
    bytes = bytes.dropFirst(max(0, count))
  }
  return true
}
