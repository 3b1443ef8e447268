// A disposal waits until elements have been freed.

import CGStreamer

/// Waits until elements are disposed of and have given back everything that they held.
///
/// ```swift
/// let disposal = Disposal(of: pipeline.element)
/// pipeline = nil
/// await disposal.wait(atMost: .seconds(5))
/// ```
///
/// Stopping an element does not give back all of it: GL has threads and a connection to the display until
/// the last element that draws by it is disposed of. A process that exits meanwhile can crash, since
/// graphics libraries clean up at an exit, too.
package struct Disposal: Sendable {
  private let ends: AsyncStream<Never>

  /// - Parameter element: What to wait for; it is not held. A bin is disposed of after its children,
  ///   unless something else holds them.
  package init(of element: Element) {
    let (ends, signal) = AsyncStream.makeStream(of: Never.self)
    self.ends = ends
    unsafe element.object.with(GObject.self) { object in
      unsafe g_object_weak_ref(object, endWait, CallbackContext.retain(Box(signal)))
    }
  }

  /// Returns once the element is disposed of, or the time is over, whether or not the task is cancelled.
  package func wait(
    atMost limit: Duration, on clock: any SteadyClock = ContinuousClock()
  ) async {
    await Task {
      await Deadline(in: limit, on: clock).wait { for await _ in ends {} }
    }.value
  }
}

/// A `GWeakNotify`.
private func endWait(_ data: gpointer?, _ object: UnsafeMutablePointer<GObject>?) {
  unsafe CallbackContext<Box<AsyncStream<Never>.Continuation>>.object(data)?.content.finish()
  unsafe releaseContext(data)
}
