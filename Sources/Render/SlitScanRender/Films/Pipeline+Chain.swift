// A pipeline of linked elements: starts it, and stops it again if it does not start.

import GStreamer

extension Pipeline {
  /// Adds elements, each linked to the next.
  func add(chain elements: [Element]) throws(GStreamerError) {
    for element in elements { try add(element) }
    for (element, next) in zip(elements, elements.dropFirst()) { try link(element, next) }
  }

  /// Begins with something, as to play; where that fails, stops.
  nonisolated func begin(
    _ body: @Sendable (Pipeline) async throws -> Void
  ) async throws {
    // Films are read as fast as they can be.
    await readAhead()
    do {
      try await body(self)
    } catch {
      await stop()
      throw error
    }
  }
}
