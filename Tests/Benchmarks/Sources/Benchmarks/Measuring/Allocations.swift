// Counts what the process asks for of memory.

import CAllocationCounter

/// A count of requests for memory, on all threads of the process.
struct Allocations {
  private(set) var count = 0

  /// Adds what is asked for while `body` runs.
  mutating func count(_ body: () throws -> Void) rethrows {
    allocation_counter_start()
    defer { count += Int(allocation_counter_stop()) }
    try body()
  }

  /// Whether requests are counted here: not under a sanitizer, nor where another library has put its
  /// own `malloc` before ours.
  ///
  /// Makes an object, through Swift's runtime as everything does, and looks whether that counted.
  static let areCounted: Bool = {
    var allocations = Allocations()
    allocations.count { withExtendedLifetime(makeObject()) {} }
    return allocations.count == 1
  }()

  private final class Object {}

  @inline(never)
  private static func makeObject() -> AnyObject { Object() }
}
