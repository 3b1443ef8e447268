// Patience that does not run out while the computer stands still.

extension Task where Success == Never, Failure == Never {
  /// Sleeps in ten parts, for the limit of a wait.
  ///
  /// Where the computer was suspended, or the process had no processor, one part is over at once. The others
  /// follow, in which what is waited for can still come.
  ///
  /// - Throws: `CancellationError`.
  package static func sleepInParts(for duration: Duration) async throws {
    for _ in 0..<10 { try await sleep(for: duration / 10) }
  }
}
