// What could come at once, and is to come as time goes by.

import GStreamer

extension Element {
  /// Lets what comes out of an element pass when it is due.
  ///
  /// A stream that begins while others play begins then, not when the pipeline did: else all of it would
  /// be late.
  ///
  /// - Parameter element: What is going to be linked before it.
  init(pacing element: Element) throws(GStreamerError) {
    try self.init("identity")
    try set("sync", to: true)
    let output = try element.pad("src")
    output.addProbe(.buffer) { [self] item, pad in
      guard case .buffer(let buffer) = item, let due = pad.runningTime(of: buffer) else {
        return .pass
      }
      if let now = currentRunningTime, now > due { pad.shift(by: now - due) }
      return .remove
    }
  }
}
