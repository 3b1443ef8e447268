// A list of what callbacks on other threads have reported to a test.

import StreamingThread

/// Texts in the order in which they came.
final class CallbackLog: Sendable {
  private let texts = Lock([String]())

  var all: [String] { texts.withLock { $0 } }

  func append(_ text: String) { texts.withLock { $0.append(text) } }
}
