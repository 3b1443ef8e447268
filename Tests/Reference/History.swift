// The frames that mode `displace` holds, and what is fed back into them.

/// The last frames and their ages.
struct History {
  /// A frame that was taken in: what its samples are, where rounding leaves that open from…to.
  struct HeldFrame {
    var time: UInt64
    /// As `Frame.samples`.
    var lowest: [[UInt16]]
    var highest: [[UInt16]]
  }

  /// The frames that may be held, the newest first.
  private(set) var frames: [HeldFrame] = []
  /// So many of them are held for certain: it may be open whether the last one is.
  private(set) var certain = 0
  /// Running time of the last frame; one that claims to be earlier counts as equal to it.
  private var now: UInt64 = 0

  /// How many frames may be held.
  var counts: ClosedRange<Int> { certain...frames.count }

  /// A sample of a frame held.
  func word(component: Int, at: Int, frame: Int) -> ClosedRange<Double> {
    Double(frames[frame].lowest[component][at])...Double(frames[frame].highest[component][at])
  }

  /// Nanoseconds that a frame is older than the newest one held.
  func age(_ frame: Int) -> Double {
    Double(frames[0].time - frames[frame].time)
  }

  /// A frame arrives, taken in or not.
  mutating func arrive(at time: UInt64) {
    now = max(now, time)
  }

  /// Takes the frame in that arrived last.
  ///
  /// - Parameters:
  ///   - fedBack: the picture that is fed back, if there is one.
  ///   - share: how much of it.
  mutating func insert(
    _ frame: Frame, fedBack: Frame?, share: Double, format: FormatDescription
  ) {
    var held = HeldFrame(time: now, lowest: frame.samples, highest: frame.samples)
    if let fedBack, share > 0 {
      for number in format.components.indices {
        for at in frame.samples[number].indices {
          let words = Self.fedBack(
            fedBack.samples[number][at], into: frame.samples[number][at], share: share,
            component: format.components[number])
          held.lowest[number][at] = words.lowerBound
          held.highest[number][at] = words.upperBound
        }
      }
    }
    frames.insert(held, at: 0)
    certain += 1
  }

  /// Forgets what these settings do not hold.
  mutating func forget(_ settings: Settings) {
    guard settings.duration > 0 else {
      frames = Array(frames.prefix(settings.depth))
      certain = min(certain, settings.depth)
      return
    }
    /// Those that are younger, and the youngest of the others.
    func count(youngerThan age: Double) -> Int {
      frames.indices.prefix { self.age($0) < age }.count + 1
    }
    let longest = Double(settings.duration)
    certain = min(certain, count(youngerThan: longest - Tolerance.age))
    frames = Array(frames.prefix(count(youngerThan: longest + Tolerance.age)))
  }

  /// The words that a sample may become: rounded towards what came in, and not far.
  private static func fedBack(
    _ output: UInt16, into input: UInt16, share: Double, component: FormatDescription.Component
  ) -> ClosedRange<UInt16> {
    let input = Double(input)
    let sum = input + share * (Double(output) - input)
    let reach = Double(component.mask) * Tolerance.feedback
    let rounded = sum > input ? max(sum - reach, input) : min(sum + reach, input)
    let words = ClosedRange(between: sum, and: rounded)
      .widened(by: Tolerance.feedbackSum * Double(1 << component.shift))
    return UInt16(words.lowerBound.rounded(.up))...UInt16(words.upperBound.rounded(.down))
  }
}
