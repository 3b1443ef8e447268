// A value that several threads read and write, behind a lock.

import StreamingThread

/// A value behind a lock.
final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  init(_ value: Value) { lock = Lock(value) }

  var value: Value {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }

  func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&$0) } }

  /// Sets the value, and returns the one before.
  func exchange(_ new: Value) -> Value {
    lock.withLock { value in
      defer { value = new }
      return value
    }
  }
}
