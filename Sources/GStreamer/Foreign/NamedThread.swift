// Threads of the system's, for what blocks.

import CGStreamer

/// Starts a thread, which ends with its body.
///
/// - Parameter name: Its name in tools that list threads.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  let context = unsafe CallbackContext.retain(Box(body))
  unsafe g_thread_unref(g_thread_new(name, runBody, context))
}

/// The thread: a `GThreadFunc`.
private func runBody(_ data: gpointer?) -> gpointer? {
  unsafe CallbackContext<Box<@Sendable () -> Void>>.object(data)?.content()
  unsafe releaseContext(data)
  return nil
}
