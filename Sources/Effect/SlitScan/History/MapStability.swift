// The map's stability decides when history can be thinned. A value, tested without frames.

/// Counts for how many frames delays have been the same.
struct MapStability {
  /// The key that delays in frames follow from.
  struct Key: Equatable {
    var map: ScanSettings
    /// The revision of what the map is made from.
    var mapRevision: Int
    var depth: Int
    /// The older frames that the shutter shows.
    var exposed: Int
    var reserve: Int
    var interpolation: ScanSettings.Interpolation
    var spread: Double
  }

  /// Numbers keys: a key that is asked for again and again keeps its number.
  struct Numbers {
    private var key: Key?
    private var number = 0

    mutating func number(of newKey: Key) -> Int {
      if newKey != key {
        key = newKey
        number += 1
      }
      return number
    }
  }

  /// The state of the map when a frame is about to be taken in.
  enum State: Equatable {
    /// It moves, or may at any time: history is to be whole.
    case moving
    /// It is static, but has not been for long, or ``becomesStatic`` was returned before.
    case isStatic
    /// It has been static for as long as the history is. Returned once: what saves too little then
    /// will not save more later.
    case becomesStatic
  }

  /// The number of the last frame's key.
  private var number: Int?
  /// Frames taken in since the key changed, at most as many as history holds.
  private var count = 0
  /// Whether it was returned that the map becomes static.
  private var hasBecomeStatic = false
  /// The number of the last output's key.
  private var drawn: Int?

  /// No frame yet.
  init() {}

  /// A frame is about to be taken in.
  ///
  /// - Parameters:
  ///   - key: The number of the key that its delays follow from, nil where history is never thinned.
  ///   - depth: The frames that history holds.
  mutating func takeIn(_ key: Int?, depth: Int) -> State {
    guard let key, key == number else {
      number = key
      count = 0
      hasBecomeStatic = false
      return .moving
    }
    count = min(count + 1, depth)
    // Delays are made when a frame is drawn; where none was, there is time.
    guard count >= depth, drawn == key, !hasBecomeStatic else { return .isStatic }
    hasBecomeStatic = true
    return .becomesStatic
  }

  /// A frame has been drawn with the delays of this key, which need not be that of the last frame taken in:
  /// a frozen frame is drawn with settings of its own.
  mutating func draw(_ key: Int?) { drawn = key }
}
