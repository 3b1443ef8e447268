// The stall watch ends the opening of a source that neither gives a frame nor fails.

import GStreamer

/// Waits for a source that makes no progress any more: nothing is read of it, and its elements post no messages.
///
/// GStreamer 1.22 now and then loses the error of a damaged file, and then waits for ever.
package struct StallWatch: Sendable {
  /// The time without progress after which a source counts as dead.
  static var patience: Duration { .seconds(10) }

  /// Whether it is watched while it opens: what a program sends may come as late as it likes.
  private let isWatched: Bool
  private let source: Element
  private let pipeline: Pipeline
  private let clock: any SteadyClock
  /// The files and addresses that it reads.
  private let name: String
  private let isOver = Shared(false)

  /// Watches the elements of a source from now on.
  ///
  /// - Parameter isDevice: Whether it is a device, and neither reads files or addresses nor is sent samples.
  package init(
    _ source: Element, in pipeline: Pipeline, isDevice: Bool = false
  ) {
    self.source = source
    clock = pipeline.limits
    let places = Self.elements(in: source).flatMap { element in
      ["location", "uri"].filter(element.hasProperty).compactMap {
        try? element.get($0, as: String.self)
      }
    }
    isWatched = isDevice || !places.isEmpty
    name = places.isEmpty ? "The source" : places.joined(separator: ", ")
    self.pipeline = pipeline
  }

  /// Opens the source, or a part of that.
  ///
  /// - Throws: What `body` throws; as ``wait()``.
  package func during(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard isWatched else { return try await body() }
    try await withThrowingTaskGroup { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask { try await wait() }
      try await group.next()
    }
  }

  /// Waits until the source makes no progress.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed``, which names the file or the address; `CancellationError`.
  package func wait() async throws {
    defer { isOver.value = true }
    // Nearly all have opened by then, at no cost.
    try await clock.sleep(for: .seconds(1))
    let deadline = Shared(Deadline(in: Self.patience, on: clock))
    let messages = pipeline.bus.messages
    try await withThrowingTaskGroup { group in
      defer { group.cancelAll() }
      group.addTask {
        while !deadline.change({ $0.isOver() }) {
          try await clock.sleep(for: deadline.value.longestTurn)
        }
        throw CaptureError(
          .sourceFailed,
          "\(name) is open, but sends no frames. Check that it is complete, and the "
            + "right one.")
      }
      group.addTask {
        var seen: Set<Element> = []
        for element in Self.elements(in: source) where seen.insert(element).inserted {
          follow(element, deadline)
        }
        for await message in messages {
          guard let element = message.source, element.isInside(source) else { continue }
          deadline.change { $0.restart() }
          if seen.insert(element).inserted { follow(element, deadline) }
        }
        throw CancellationError()
      }
      try await group.next()
    }
  }

  private static func elements(in element: Element) -> [Element] {
    [element] + element.children.flatMap { elements(in: $0) }
  }

  /// Takes what an element reads from outside as progress.
  private func follow(_ element: Element, _ deadline: Shared<Deadline>) {
    guard (try? element.pad("sink")) == nil else { return }
    _ = try? element.pad("src").addProbe(.buffer) { [isOver] _ in
      guard !isOver.value else { return .remove }
      deadline.change { $0.restart() }
      return .pass
    }
  }
}
