// The end of a scenario: the frames that `drain` adds.

import Reference

extension Scenario {
  /// Runs the scenario and ends the stream; nil if the element did all that it should then, else what
  /// went wrong.
  ///
  /// The last frame must be displaced and drawn.
  func drainFailure() throws -> String? {
    let file = try image.map { try ImageFile($0) }
    let harness = try SlitScanHarness(caps, mapLocation: file?.path, maps: maps)
    var reference = try reference(format: harness.format)
    for (number, step) in steps.enumerated() {
      if let mismatch = try run(step, on: harness, &reference) {
        return "frame \(number): \(mismatch)"
      }
    }
    guard let last = steps.last else { return nil }
    let frame = frame(of: last, format: harness.format)
    var hasCaughtUp = reference.showsOnlyNewest(1)
    guard var before = reference.lastOutput else { return "nothing left for the last frame" }
    for (number, output) in try harness.end().enumerated() {
      if hasCaughtUp { return "frame \(number) comes after the end, although all had caught up" }
      // 30 frames a second.
      let time = last.time + (UInt64(number + 1) * 1_000_000_000 + 15) / 30
      reference.take(frame, at: time, settings: last.settings)
      if let mismatch = reference.mismatch(in: output.frame) {
        return "frame \(number) after the end: \(mismatch)"
      }
      reference.left(output.frame)
      before = output.frame
      hasCaughtUp = reference.showsOnlyNewest(number + 2)
    }
    if !reference.hasReached(before) { return "the end comes before all has caught up" }
    return nil
  }
}
