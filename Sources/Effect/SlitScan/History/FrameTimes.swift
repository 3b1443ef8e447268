// The frame times are the running times of the frames held, and the depth that settings ask for. A value,
// tested without frames.

/// The running times of the frames that a history holds, the newest first.
///
/// *Levels* count back in time: level 0 is the newest frame, level `count − 1` the oldest.
package struct FrameTimes {
  /// The running time of each level's frame, in nanoseconds: a ring, twice.
  private var times: [UInt64] = []
  /// The index in `times` of level 0.
  private var newest = 0
  /// The frames that fit.
  package private(set) var depth = 0
  /// The frames that are held.
  package private(set) var count = 0

  /// No frames, and no room for any.
  package init() {}

  /// The running time of a level's frame, in nanoseconds; never later than that of a newer level.
  private func time(ofLevel level: Int) -> UInt64 { times[newest + level] }

  /// The running time of the newest frame, in nanoseconds; nil while there is none.
  package var newestTime: UInt64? { count > 0 ? time(ofLevel: 0) : nil }

  /// The oldest of the newest `levels` levels whose frame was taken in at a time or later, and when it was; nil if
  /// there is none.
  package func oldest(of levels: Int, from time: UInt64) -> (level: Int, time: UInt64)? {
    (0..<min(levels, count)).last { self.time(ofLevel: $0) >= time }
      .map { ($0, self.time(ofLevel: $0)) }
  }

  /// The age of a level's frame, counted from the newest, in nanoseconds.
  package func age(ofLevel level: Int) -> UInt64 { time(ofLevel: 0) - time(ofLevel: level) }

  /// The age of a level between two frames, counted from the newest frame, or that of the oldest if it is
  /// beyond that, in nanoseconds.
  package func age(of level: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let oldest = count - 1
    let below = min(max(Int(level), 0), oldest)
    let young = age(ofLevel: below)
    let old = age(ofLevel: min(below + 1, oldest))
    return young + UInt64(Double(old - young) * min(max(level - Double(below), 0), 1))
  }

  /// Fills in the ages of the levels that are younger than `duration`, and of the youngest of the others, as
  /// parts of it; none where it is 0.
  package func listAges(asPartsOf duration: UInt64, in ages: inout [Double]) {
    ages.removeAll(keepingCapacity: true)
    guard duration > 0 else { return }
    for level in 0..<count {
      let age = age(ofLevel: level)
      ages.append(Double(age) / Double(duration))
      if age >= duration { break }
    }
  }

  /// Fills in how old each level is, in steps of `unit`, as the mean of the levels that are exposed from it on.
  package func listAges(
    inStepsOf unit: UInt64, exposed shutter: Shutter, in ages: inout [UInt16]
  ) {
    ages.removeAll(keepingCapacity: true)
    guard count > 0, unit > 0 else { return }
    let oldest = count - 1
    var sum = 0.0
    for level in 0..<shutter.frames { sum += Double(age(ofLevel: min(level, oldest))) }
    for level in 0..<count {
      let next = Double(age(ofLevel: min(level + shutter.frames, oldest)))
      let mean = (sum + next * shutter.rest) / shutter.length
      ages.append(UInt16(min((mean / Double(unit)).rounded(), Double(UInt16.max))))
      sum += next - Double(age(ofLevel: level))
    }
  }

  /// The frames that a history is to hold.
  package struct Need {
    /// The frames to keep of those that are held.
    package var kept: Int
    /// The frames that are to fit.
    package var depth: Int
    /// The last of these, which only the shutter asks for.
    package var exposed: Int
  }

  /// The frames that a history is to hold for some settings.
  ///
  /// Where times decide, it grows by some frames at a time, so that a stream that begins does not make room with each.
  ///
  /// - Parameter newFrame: The running time of a frame that is about to be taken in, or nil.
  package func need(_ settings: ScanSettings, newFrame: UInt64?) -> Need {
    let exposed = settings.shutter(self, newFrame: newFrame).levels
    let new = newFrame == nil ? 0 : 1
    var need: Need
    if settings.duration > 0 {
      need = self.need(for: settings.duration, and: exposed, newFrame: newFrame)
    } else if settings.shutterDuration > 0 {
      let spare = (exposed / 16 + 1) * 16
      need = Need(
        kept: settings.depth + exposed - new, depth: settings.depth + spare, exposed: spare)
    } else {
      need = Need(kept: .max, depth: settings.depth + exposed, exposed: exposed)
    }
    need.kept = max(need.kept, settings.wholeFrames - new)
    need.depth = min(need.depth, ScanSettings.deepest)
    return need
  }

  /// Those that are younger than `duration`, the youngest of the others, and `more` that are older.
  private func need(for duration: UInt64, and more: Int, newFrame: UInt64?) -> Need {
    guard count > 0 else { return Need(kept: 0, depth: max(depth, 1 + more), exposed: more) }
    let now = max(newFrame ?? 0, time(ofLevel: 0))
    // Levels are ever older, so the first that is old enough is the last one needed.
    var kept = count
    for level in 0..<count where now - time(ofLevel: level) >= duration {
      kept = min(level + 1 + more, count)
      break
    }
    let needed = kept + (newFrame == nil ? 0 : 1)
    let spare = needed / 16 + 1
    guard needed > depth || needed + 2 * spare < depth else {
      return Need(kept: kept, depth: depth, exposed: more)
    }
    return Need(kept: kept, depth: needed + spare, exposed: more)
  }

  /// The frames that are exposed within a time, in nanoseconds: those that are younger, to the nearest frame, at
  /// least one and at most ``ScanSettings/longestShutter``.
  ///
  /// - Parameter newFrame: The running time of a frame that is about to be taken in, or nil.
  package func exposed(within time: UInt64, newFrame: UInt64?) -> Int {
    let new = newFrame == nil ? 0 : 1
    let most = min(count + new, ScanSettings.longestShutter)
    guard most > 1 else { return 1 }
    let now = max(newFrame ?? 0, self.time(ofLevel: 0))
    func age(_ level: Int) -> Double { Double(now - self.time(ofLevel: level - new)) }
    let half = age(1) / 2
    return (1..<most).first { age($0) + half >= Double(time) } ?? most
  }

  /// Changes how many frames fit, keeping the newest ones.
  package mutating func setDepth(_ newDepth: Int) {
    keep(newDepth)
    let kept = (0..<count).map { times[newest + $0] }
    times = kept + Array(repeating: 0, count: newDepth - kept.count)
    times += times
    newest = 0
    depth = newDepth
  }

  /// Turns to a new level 0, in place of the oldest if there is no room; a time before the last frame's
  /// counts as that.
  package mutating func advance(to time: UInt64) {
    guard depth > 0 else { return }
    let last = count > 0 ? times[newest] : 0
    keep(depth - 1)
    newest = (newest == 0 ? depth : newest) - 1
    let other = newest < depth ? newest + depth : newest - depth
    times[newest] = max(time, last)
    times[other] = times[newest]
    count += 1
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  package mutating func keep(_ kept: Int) { count = min(count, max(kept, 0)) }
}
