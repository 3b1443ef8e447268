// Shrinks a failing scenario to the shortest and plainest that still fails.

import Reference

extension Scenario {
  /// This scenario, which fails, without all that is not needed to make it fail.
  func shrunk() -> Scenario {
    var smallest = self
    if let failure = failure() { smallest.steps.removeLast(steps.count - 1 - failure.step) }
    // Frames run again: large ones are shrunk less, or a failure would take minutes.
    var patience = 10_000_000 / (smallest.caps.width * smallest.caps.height + 1_000)
    // The reference takes long to find motion.
    if smallest.steps.contains(where: { $0.scene != nil }) { patience /= 20 }
    var isShrinking = true
    while isShrinking {
      isShrinking = false
      for simpler in smallest.simplerOnes() where patience > 0 {
        patience -= simpler.steps.count
        guard simpler.failure() != nil else { continue }
        smallest = simpler
        isShrinking = true
        break
      }
    }
    return smallest
  }

  /// All that is one simplification away.
  private func simplerOnes() -> [Scenario] {
    var simpler: [Scenario] = []
    func add(_ change: (inout Scenario) -> Void) {
      var changed = self
      change(&changed)
      if changed.description != description { simpler.append(changed) }
    }

    for number in steps.indices.reversed() where steps.count > 1 {
      add { $0.steps.remove(at: number) }
    }
    add { $0.paddedOutput = false }
    add { $0.hasAges = false }
    add { $0.caps.further = [] }
    add { $0.image = nil }
    add { $0.maps = nil }
    for number in (maps ?? []).indices.reversed() {
      add { $0.maps?.remove(at: number) }
      add { $0.maps?[number].arrangement = .default }
      add { $0.maps?[number].caps = VideoCaps(format: "GRAY8", width: 2, height: 2) }
    }
    for number in steps.indices {
      add { $0.steps[number].resets = false }
      add { $0.steps[number].isLate = false }
      add { $0.steps[number].arrangement = .default }
      // A frame that changes nothing.
      if number > 0 { add { $0.steps[number].settings = $0.steps[number - 1].settings } }
    }
    for simplify in Self.simplifications {
      add { scenario in
        for number in scenario.steps.indices { simplify(&scenario.steps[number].settings) }
      }
      for number in steps.indices { add { simplify(&$0.steps[number].settings) } }
    }
    return simpler
  }

  /// Each brings one property to its default, or nearer.
  private static var simplifications: [(inout Settings) -> Void] {
    Settings().properties.indices.map { index in { $0 = $0.withOneDefault[index] } } + [
      { $0.angle = $0.angle.rounded() }, { $0.mapSmoothing = $0.mapSmoothing.rounded() },
      { $0.gain = $0.gain.rounded() }, { $0.offset = $0.offset.rounded() }, { $0.depth = 1 },
      { $0.depth = 2 }, { $0.depth = 3 }, { $0.depth = max($0.depth / 2, 1) },
      { $0.depth = max($0.depth - 1, 1) }, { $0.lineColor |= 0xff00_0000 },
    ]
  }
}
