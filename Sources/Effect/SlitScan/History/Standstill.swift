// Standstill counts how long the map has not changed, which decides when history can be thinned.

/// Counts for how many frames delays have been the same.
struct Standstill {
  /// The key that delays in frames follow from.
  struct Key: Equatable {
    var map: ScanSettings
    /// The revision of what the map is made from.
    var mapRevision: Int
    var depth: Int
    var reserve: Int
    var interpolation: ScanSettings.Interpolation
    var spread: Double
  }

  /// Numbers keys: whoever asks for the same key again and again gets the same number.
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

  /// The number of the last frame's key.
  private var number: Int?
  /// Frames taken in since the key changed, at most as many as history holds.
  private var count = 0
  private var isSaid = false
  /// The number of the last output's key.
  private var drawn: Int?

  /// Nothing stands yet.
  init() {}

  /// A frame is about to be taken in.
  ///
  /// - Parameters:
  ///   - key: The number of the key that its delays follow from, nil where it makes no sense to wait for a
  ///     standstill.
  ///   - depth: The frames that history holds.
  mutating func takeIn(_ key: Int?, depth: Int) -> Verdict {
    guard let key, key == number else {
      number = key
      count = 0
      isSaid = false
      return .moves
    }
    count = min(count + 1, depth)
    // Delays are made when a frame is drawn; where none was, there is time.
    guard count >= depth, drawn == key, !isSaid else { return .stands }
    isSaid = true
    return .hasStood
  }

  /// A frame has been drawn with the delays of this key, which need not be that of the last frame taken in:
  /// a frozen frame is drawn with settings of its own.
  mutating func draw(_ key: Int?) { drawn = key }
}
