// Kept ages are begun and ended as the settings ask for.

/// Ages that a mode keeps from frame to frame.
package protocol KeptAges: ~Copyable {
  /// A step, in nanoseconds.
  var unit: UInt64 { get }
}

extension Optional where Wrapped: KeptAges & ~Copyable {
  /// Begins to keep ages, with other steps than before too, or ends it.
  ///
  /// - Parameter make: Makes ages of steps of so many nanoseconds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package mutating func follow(
    _ settings: ScanSettings, _ make: (UInt64) throws(ScanError) -> Wrapped
  ) throws(ScanError) {
    let unit = read { $0.unit } ?? 0
    let wanted = settings.keptAgeUnit
    guard unit != wanted else { return }
    self = wanted > 0 ? try make(wanted) : nil
  }
}
