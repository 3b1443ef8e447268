// A lock guards a value by a pthread mutex; it is the only lock of the package.

import LibC

/// A value that is reached only while a `pthread_mutex_t` is held.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer does not see its futex on Linux and reports
/// races that are none; it does see a pthread mutex.
///
/// - Important: Not recursive. Keep the body short, call nothing unknown in it, and never suspend.
@safe
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  // Why @unchecked Sendable is sound: `storage` is only touched between `pthread_mutex_lock` and
  // `pthread_mutex_unlock`, and both pointers are private to this file.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let storage: UnsafeMutablePointer<Value>

  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: value)
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Waits for the lock, then gives `body` the value.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe try body(&storage.pointee)
  }

  /// Takes the lock and keeps it: for a lock that is held across calls, as a gate is.
  package borrowing func lock() {
    unsafe pthread_mutex_lock(mutex)
  }

  /// Takes the lock if it is free, without ever waiting.
  package borrowing func tryLock() -> Bool {
    unsafe pthread_mutex_trylock(mutex) == 0
  }

  /// Gives back what ``lock()`` or ``tryLock()`` took, on the same thread.
  package borrowing func unlock() {
    unsafe pthread_mutex_unlock(mutex)
  }
}
