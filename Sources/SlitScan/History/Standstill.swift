// Standstill counts how long the map has not changed, which decides when history can be thinned.

/// Counts for how many frames delays have been the same.
struct Standstill {
  /// The key that delays in frames follow from.
  struct Key: Equatable {
    var map: MapSettings
    /// The revision of what the map is made from.
    var mapRevision: Int
    var depth: Int
    var reserve: Int
    var interpolation: ScanSettings.Interpolation
    var spread: Double
  }

  /// The consequence for history of a frame that is about to be taken in.
  enum Verdict: Equatable {
    /// The map moves, or may at any time: history is to be whole.
    case moves
    /// It stands, but not for long, or that has been said before.
    case stands
    /// It has stood for as long as the history is: said once, as what saves too little then will not
    /// save more later.
    case hasStood
  }

  private var key: Key?
  /// Frames taken in since the key changed, at most its depth.
  private var count = 0
  private var isSaid = false
  /// The key of the last output.
  private var drawn: Key?

  /// Nothing stands yet.
  init() {}

  /// A frame is about to be taken in; `newKey` is nil where it makes no sense to wait for a standstill.
  mutating func takeIn(_ newKey: Key?) -> Verdict {
    guard let newKey, newKey == key else {
      key = newKey
      count = 0
      isSaid = false
      return .moves
    }
    count = min(count + 1, newKey.depth)
    // Delays are made when a frame is drawn; where none was, there is time.
    guard count >= newKey.depth, drawn == newKey, !isSaid else { return .stands }
    isSaid = true
    return .hasStood
  }

  /// A frame has been drawn with the delays of this key, which need not be that of the last frame taken in:
  /// a frozen frame is drawn with settings of its own.
  mutating func draw(_ key: Key?) { drawn = key }
}
