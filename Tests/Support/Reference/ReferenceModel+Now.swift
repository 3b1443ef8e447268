// The reference of the property `now`: which frames leave, and when.

extension ReferenceModel {
  /// n of the definitions: how many frames come before a frame leaves.
  public var present: Int {
    guard settings.mode == .displace else { return 0 }
    guard settings.duration > 0 else {
      return Int((settings.now * Double(settings.depth - 1) + 0.5).rounded(.down))
    }
    let interval =
      frameDuration ?? (lastTimes.count == 3 ? Double(lastTimes[1]) - Double(lastTimes[0]) : 0)
    guard interval > 0 else { return 0 }
    return Int((settings.now * Double(settings.duration) / interval + 0.5).rounded(.down))
  }

  /// The newest frames of which all is kept.
  var wholeFrames: Int { max(settings.reserve, present > 0 ? present + 1 : 0) }

  /// Downstream says that what it has not got up to this time is too late.
  public mutating func skip(until time: UInt64) { lateUntil = time }

  /// The times of the frames that leave with the one that came in last, all with one picture.
  ///
  /// One that is too late is not drawn, and those that are due with it leave with the next that is.
  public mutating func leaving() -> [UInt64] {
    guard let time = lastTimes.last else { return [] }
    waiting.append(time)
    let count = waiting.count - present
    guard count > 0 else { return [] }
    if let lateUntil, waiting[0] <= lateUntil {
      waiting.removeFirst()
      return []
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// The times of the frames that leave at the end, each as if the last frame had come again.
  public var waitingAtEnd: [UInt64] { waiting }
}
