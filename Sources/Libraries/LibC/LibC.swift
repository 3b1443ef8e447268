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
