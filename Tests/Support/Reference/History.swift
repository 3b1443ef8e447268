// The reference's history: the frames that the mode `displace` holds, with feedback.

/// The last frames and their ages.
struct History {
  /// A frame that was taken in: what its samples are, where rounding leaves that open from…to.
  struct HeldFrame {
    var time: UInt64
    /// As `Frame.samples`.
    var lowest: [[UInt16]]
    var highest: [[UInt16]]
    /// Whether it came while the map stood still, so that only what that shows need be kept of it.
    var isThinned: Bool
    /// The motion to the frame before.
    var flow = FlowToLast.none
    /// Whether it came while frames were interpolated along their motion.
    var isMoved = false
  }

  /// The motion to the frame before, as far as it is known.
  enum FlowToLast {
    /// It is not looked for.
    case none
    /// Rounding leaves open what the frames are.
    case open
    /// It is this; where that is not certain, it may not have been looked for.
    case found(Flow, isCertain: Bool)
  }

  /// The frames that may be held, the newest first.
  private(set) var frames: [HeldFrame] = []
  /// So many of them are held for certain: it may be open whether the last one is.
  private var certain = 0
  /// Running time of the last frame; one that claims to be earlier counts as equal to it.
  private var now: UInt64 = 0

  /// How many frames may be held that count: n of the definitions.
  private(set) var counts = 0...0

  /// How many frames may be held in all.
  var heldCounts: ClosedRange<Int> { certain...frames.count }

  /// For each sample of each component, how many of the newest thinned frames have it for certain.
  var kept: [[Int]] = []

  /// A sample of a frame held.
  ///
  /// Of a thinned frame that may have dropped it: that of a newer one that may have been the last to
  /// drop it.
  func word(component: Int, at: Int, frame: Int) -> ClosedRange<Double> {
    guard frames[frame].isThinned, let newest = frames.firstIndex(where: \.isThinned),
      frame >= newest + kept[component][at]
    else { return heldWord(component: component, at: at, frame: frame) }
    return (newest + kept[component][at] - 1..<frame).reduce(
      heldWord(component: component, at: at, frame: frame)
    ) { $0.joined(heldWord(component: component, at: at, frame: $1)) }
  }

  private func heldWord(component: Int, at: Int, frame: Int) -> ClosedRange<Double> {
    Double(frames[frame].lowest[component][at])...Double(frames[frame].highest[component][at])
  }

  /// Nanoseconds that a frame is older than the newest one held.
  func age(_ frame: Int) -> Double { Double(frames[0].time - frames[frame].time) }

  /// A frame arrives, taken in or not.
  mutating func arrive(at time: UInt64) { now = max(now, time) }

  /// Takes the frame in that arrived last.
  ///
  /// - Parameters:
  ///   - fedBack: the picture that is fed back, if there is one.
  ///   - share: how much of it.
  ///   - isThinned: whether the map has stood still.
  ///   - isMoved: whether frames are interpolated along their motion.
  ///   - isOnFrames: whether no cell has been between two frames, and the map has not moved since.
  mutating func insert(
    _ frame: Frame, fedBack: MovedFrame?, share: Double, isThinned: Bool, isMoved: Bool,
    isOnFrames: Bool, format: FormatDescription
  ) {
    var held = HeldFrame(
      time: now, lowest: frame.samples, highest: frame.samples, isThinned: isThinned)
    if let fedBack, share > 0 {
      for number in format.components.indices {
        for at in frame.samples[number].indices {
          guard let output = fedBack.samples[number][at] else { continue }
          let words = Self.fedBack(
            output, into: frame.samples[number][at], share: share,
            component: format.components[number])
          held.lowest[number][at] = words.lowerBound
          held.highest[number][at] = words.upperBound
        }
      }
    }
    held.isMoved = isMoved
    if isMoved, let last = frames.first, last.isMoved {
      let isKnown = [held, last].allSatisfy { $0.lowest == $0.highest }
      func image(_ held: HeldFrame) -> Flow.Image {
        Flow.Image(held.lowest, width: frame.width, height: frame.height, format: format)
      }
      held.flow =
        isKnown
        ? .found(Flow(from: image(held), to: image(last)), isCertain: !isOnFrames) : .open
    }
    frames.insert(held, at: 0)
    certain += 1
  }

  /// Forgets what these settings do not hold.
  ///
  /// - Parameters:
  ///   - exposed: The frames that the shutter needs beyond the longest delay.
  ///   - whole: The newest frames that are held in any case.
  mutating func forget(_ settings: Settings, exposed: ClosedRange<Int>, whole: Int) {
    guard settings.duration > 0 else {
      func depth(_ exposed: Int) -> Int { max(settings.depth + exposed, whole) }
      frames = Array(frames.prefix(depth(exposed.upperBound)))
      certain = min(certain, depth(exposed.lowerBound))
      counts = certain...frames.count
      return
    }
    /// Those that are younger, and the youngest of the others.
    func count(youngerThan age: Double, exposed: Int) -> Int {
      frames.indices.prefix { self.age($0) < age }.count + 1 + exposed
    }
    let longest = Double(settings.duration)
    let least = count(youngerThan: longest - Tolerance.age, exposed: exposed.lowerBound)
    let most = count(youngerThan: longest + Tolerance.age, exposed: exposed.upperBound)
    certain = min(certain, max(least, whole))
    frames = Array(frames.prefix(max(most, whole)))
    counts = min(certain, least)...min(frames.count, most)
  }

  /// The words that a sample may become: rounded towards what came in, and not far.
  private static func fedBack(
    _ output: UInt16, into input: UInt16, share: Double, component: FormatDescription.Component
  ) -> ClosedRange<UInt16> {
    guard share < 1 else { return output...output }
    let input = Double(input)
    let sum = input + share * (Double(output) - input)
    let reach = Double(component.mask) * Tolerance.feedback
    let rounded = sum > input ? max(sum - reach, input) : min(sum + reach, input)
    let words = ClosedRange(between: sum, and: rounded)
      .widened(by: Tolerance.feedbackSum * Double(1 << component.shift))
    return UInt16(words.lowerBound.rounded(.up))...UInt16(words.upperBound.rounded(.down))
  }
}
