// The source fade decides how much of each source of a mixer is seen. A value, tested without frames.

import GStreamer

/// Layers of sources, and a change from one to another.
///
/// The source that is shown lies over the others. It is put on top and becomes opaque; what lies below is
/// hidden then. Where a change is turned back before its end, what lies over the former source fades out
/// instead, so that the picture does not jump.
struct SourceFade: Equatable {
  /// The opacity of each source, 0…1.
  private(set) var levels: [Double]
  /// The sources from the lowest layer to the highest.
  private(set) var layers: [Int]
  private var change: Change?

  private struct Change: Equatable {
    var target: Int
    var duration: ClockTime
    var start: ClockTime?
    /// Whether what lies over the target fades out.
    var isReturn: Bool
    /// The levels at the start.
    var levels: [Double]
  }

  /// Of so many sources, the first is shown.
  init(count: Int) {
    levels = (0..<count).map { $0 == 0 ? 1 : 0 }
    layers = Array(0..<count)
  }

  var isMoving: Bool { change != nil }

  /// Changes to a source, from the next frame on.
  mutating func show(_ target: Int, over duration: ClockTime) {
    guard levels.indices.contains(target) else { return }
    let lowest = layers.first { levels[$0] > 0 }
    let isReturn = lowest == target && levels[target] == 1
    if !isReturn {
      layers.removeAll { $0 == target }
      layers.append(target)
    }
    change = Change(
      target: target, duration: duration, start: nil, isReturn: isReturn, levels: levels)
  }

  /// Goes on to a frame, by its running time.
  mutating func advance(to time: ClockTime) {
    guard var change else { return }
    let start = change.start ?? time
    change.start = start
    let elapsed = time > start ? time - start : .zero
    let part =
      elapsed >= change.duration
      ? 1 : Double(elapsed.nanoseconds) / Double(change.duration.nanoseconds)
    self.change = part < 1 ? change : nil
    guard part < 1 else {
      levels = levels.indices.map { $0 == change.target ? 1 : 0 }
      return
    }
    if change.isReturn {
      for index in levels.indices where index != change.target {
        levels[index] = change.levels[index] * (1 - part)
      }
    } else {
      let from = change.levels[change.target]
      levels[change.target] = from + (1 - from) * part
    }
  }
}
