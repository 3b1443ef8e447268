// The end of a scenario: the frames that were held back, and those that `drain` adds.

import Reference

extension Scenario {
  /// Runs the scenario and ends the stream; nil if the element did all that it should then, else what
  /// went wrong.
  ///
  /// The last frame must be displaced, and not too late.
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
    // 30 frames a second.
    func time(ofFrame number: Int) -> UInt64 {
      last.time + (UInt64(number + 1) * 1_000_000_000 + 15) / 30
    }
    let waiting = reference.waitingAtEnd
    // So many more are the future of the first of them.
    let missing = waiting.isEmpty ? 0 : reference.present - waiting.count
    // Feedback of that moment does not come out.
    if missing > 0 && last.settings.feedback > 0 { return nil }
    var hasCaughtUp = !last.settings.drain || reference.showsOnlyNewest(1)
    var before = reference.lastOutput ?? frame
    let outputs = try harness.end()
    guard outputs.count >= waiting.count else {
      return "\(outputs.count) frames come at the end, of \(waiting.count) that were held back"
    }
    for number in 0..<missing {
      reference.take(frame, at: time(ofFrame: number), settings: last.settings)
      reference.leftNothing()
    }
    for (number, output) in outputs.enumerated() {
      if number >= waiting.count && hasCaughtUp {
        return "frame \(number) comes after the end, although all had caught up"
      }
      let shown =
        number < waiting.count ? waiting[number] : time(ofFrame: number - waiting.count)
      let distance = Int64(output.metadata.presentationTime) - Int64(shown)
      if abs(distance) > 1 { return "frame \(number) after the end is \(distance) ns too late" }
      reference.take(frame, at: time(ofFrame: missing + number), settings: last.settings)
      if let mismatch = reference.mismatch(in: output.frame) {
        return "frame \(number) after the end: \(mismatch)"
      }
      reference.left(output.frame)
      before = output.frame
      if last.settings.drain { hasCaughtUp = reference.showsOnlyNewest(missing + number + 2) }
    }
    if last.settings.drain && !reference.hasReached(before) {
      return "the end comes before all has caught up"
    }
    return nil
  }
}
