// The stall watch ends the opening of a source that neither gives data nor fails.

import LibC

/// Waits for a source that makes no progress any more: no data goes through its elements, and they post no messages.
///
/// GStreamer 1.22 now and then loses the error of a damaged file, and then waits for ever.
package struct StallWatch: Sendable {
  /// The time without progress after which a source counts as dead.
  package static var patience: Duration { .seconds(10) }

  private let source: Element
  private let bus: Bus
  private let clock: any SteadyClock
  /// The files and addresses that it reads.
  private let places: [String]
  private let isDevice: Bool

  /// Watches the elements of a source from now on.
  ///
  /// - Parameter isDevice: Whether it is a device, and neither reads files or addresses nor is sent samples.
  package init(_ source: Element, in pipeline: Pipeline, isDevice: Bool = false) {
    self.source = source
    self.isDevice = isDevice
    bus = pipeline.bus
    clock = pipeline.limits
    places = source.all.filter(\.isSource).flatMap(\.places)
  }

  /// Watches a pipeline that has no sources but files, from now on: others may take as long as they like.
  init?(files pipeline: Pipeline) {
    let sources = pipeline.element.all.filter(\.isSource)
    guard !sources.isEmpty, sources.allSatisfy(\.readsFile) else { return nil }
    self.init(pipeline.element, in: pipeline)
  }

  /// Opens the source, or a part of that.
  ///
  /// Samples that a program sends may come as late as it likes.
  ///
  /// - Throws: What `body` throws; as ``wait()``.
  package func during(
    _ body: @escaping @Sendable () async throws(GStreamerError) -> Void
  ) async throws(GStreamerError) {
    guard isDevice || !places.isEmpty else { return try await body() }
    try await first(body, or: { () throws(GStreamerError) in try await wait() })
  }

  /// Does two things at once until one is done or fails, and cancels the other.
  private func first(
    _ one: @escaping @Sendable () async throws(GStreamerError) -> Void,
    or other: @escaping @Sendable () async throws(GStreamerError) -> Void
  ) async throws(GStreamerError) {
    do {
      try await withThrowingTaskGroup { group in
        defer { group.cancelAll() }
        group.addTask { try await one() }
        group.addTask { try await other() }
        try await group.next()
      }
    } catch {
      throw error as? GStreamerError ?? cancellation
    }
  }

  /// Waits until the source makes no progress.
  ///
  /// - Throws: ``GStreamerError/Code/stalled``, which names the file or the address; ``GStreamerError/Code/cancelled``;
  ///   ``GStreamerError/Code/stopped`` where the pipeline is gone.
  package func wait() async throws(GStreamerError) {
    // Nearly all have opened by then, at no cost.
    try await sleep(for: .seconds(1))
    let limit = Shared(Deadline(in: Self.patience, on: clock))
    let messages = bus.messages
    try await first { () throws(GStreamerError) in
      try await followData(limit)
    } or: { () throws(GStreamerError) in
      for await message in messages where message.source?.isInside(source) == true {
        limit.withLock { $0.restart() }
      }
      throw Task.isCancelled
        ? cancellation : GStreamerError(.stopped, "The pipeline no longer exists.")
    }
  }

  private var cancellation: GStreamerError { .cancelled(before: "the source was open") }

  private func sleep(for duration: Duration) async throws(GStreamerError) {
    // Nothing but cancellation ends a sleep.
    guard (try? await clock.sleep(for: duration)) != nil else { throw cancellation }
  }

  /// Waits until no data has come out of any element for too long.
  private func followData(_ limit: Shared<Deadline>) async throws(GStreamerError) {
    var probes: [Pad: Probe] = [:]
    defer { for probe in probes.values { probe.remove() } }
    while !limit.withLock({ $0.isOver() }) {
      for pad in source.all.flatMap(\.pads) where pad.direction == .source && probes[pad] == nil {
        probes[pad] = pad.addProbe(.buffer) { _ in
          limit.withLock { $0.restart() }
          return .pass
        }
      }
      try await sleep(for: limit.value.longestTurn)
    }
    let name = places.isEmpty ? "The source" : places.joined(separator: ", ")
    throw GStreamerError(
      .stalled,
      "\(name) is open, but gives no data. Check that it is complete, and the right one.")
  }
}

extension Element {
  /// Whether it is where data comes from.
  fileprivate var isSource: Bool {
    children.isEmpty && !pads.isEmpty && pads.allSatisfy { $0.direction == .source }
  }

  /// The files and addresses that it reads.
  fileprivate var places: [String] {
    ["location", "uri"].filter(hasProperty).compactMap { try? get($0, as: String.self) }
  }

  /// Whether it reads a file that is complete, and no pipe or device.
  fileprivate var readsFile: Bool {
    guard let path = places.first else { return false }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
