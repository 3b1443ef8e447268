// The scan memory is what a scan keeps frames in and draws with: memory of the system, or textures.

/// A kind of memory for frames: what stores them, and draws from what is stored.
///
/// ``ScanCore`` decides what a frame changes; these types carry it out.
package protocol ScanMemory: ~Copyable {
  /// A frame that comes in.
  associatedtype Frame: ~Copyable & ~Escapable
  /// A frame to be drawn.
  associatedtype Target: ~Copyable & ~Escapable
  /// The way in which frames of a layout are kept.
  associatedtype Shape

  associatedtype Displace: HistoryMode & ~Copyable where Displace.Memory == Self
  associatedtype Sweep: FrameMode & ~Copyable where Sweep.Memory == Self
  associatedtype Strip: CanvasMode & ~Copyable where Strip.Memory == Self

  /// Checks that frames of a layout can be kept and drawn.
  func check(_ layout: FrameLayout) throws(ScanError)

  /// The shape of a frame.
  ///
  /// - Parameter isNew: Set where it is not that of the frames before; their map is forgotten then.
  /// - Throws: ``ScanError`` where the frame has another layout.
  mutating func shape(
    of frame: borrowing Frame, _ layout: FrameLayout, isNew: inout Bool
  ) throws(ScanError) -> Shape

  /// Checks that a target has a layout.
  mutating func check(
    _ target: inout Target, _ layout: FrameLayout, hasInputLayout: Bool
  ) throws(ScanError)

  /// Takes in a frame, where the map follows from frames.
  mutating func follow(
    _ frame: borrowing Frame, _ shape: Shape, settings: ScanSettings
  ) throws(ScanError)

  /// Goes on with the map as if the last frame came again.
  mutating func followAgain(_ layout: FrameLayout, settings: ScanSettings) throws(ScanError)

  /// Begins anew what the map takes from frames.
  mutating func forgetFrames()

  /// Gives up the map, the threads, and all that follows from the layout; images of maps stay.
  mutating func release()
}

/// A mode of the effect: its state, and its output.
package protocol ScanMode: ~Copyable {
  associatedtype Memory: ScanMemory & ~Copyable

  /// Made for the first frame of the mode.
  init(_ memory: borrowing Memory, _ shape: Memory.Shape)

  /// Starts anew with the next frame.
  mutating func forget()

  /// Draws the output, any number of times.
  ///
  /// - Throws: ``ScanError`` when there is no memory; nothing is drawn then.
  mutating func draw(
    _ settings: ScanSettings, memory: inout Memory, into target: inout Memory.Target
  ) throws(ScanError)

  /// Draws how old each pixel of the output is, in steps of ``ScanSettings/ageUnit``; 0 where no ages are kept.
  ///
  /// - Parameter target: A frame of ``FrameLayout/gray16(width:height:)`` in memory of the system, of the output's size.
  /// - Throws: ``ScanError`` when there is no memory.
  mutating func drawAges(
    _ settings: ScanSettings, memory: inout Memory, into target: inout MutableFrameSpan
  ) throws(ScanError)

  /// Puts the state into a report.
  mutating func describe(_ settings: ScanSettings, in report: inout FrameReport)
}

/// A mode that needs nothing but the frames.
package protocol FrameMode: ScanMode & ~Copyable {
  /// Takes a frame in.
  ///
  /// - Parameters:
  ///   - time: Running time of the frame in nanoseconds.
  ///   - output: The layout of the output.
  /// - Throws: ``ScanError`` when there is no memory.
  mutating func take(
    _ frame: borrowing Memory.Frame, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout Memory
  ) throws(ScanError)
}

/// The mode that appends lines to a canvas.
package protocol CanvasMode: ScanMode & ~Copyable {
  /// Takes a frame in.
  ///
  /// - Parameters:
  ///   - time: Running time of the frame in nanoseconds.
  ///   - output: The layout of the output.
  ///   - past: The history, which has the frame already; a canvas begins with what is in its reserve.
  /// - Throws: ``ScanError`` when there is no memory.
  mutating func take(
    _ frame: borrowing Memory.Frame, time: UInt64, settings: ScanSettings, output: FrameLayout,
    past: borrowing Memory.Displace?, memory: inout Memory
  ) throws(ScanError)
}

/// The mode that reads history.
///
/// It outlives its time: history goes on growing in the other modes, so that coming back is warm.
package protocol HistoryMode: FrameMode & ~Copyable {
  /// Whether there is no frame to show.
  var isEmpty: Bool { get }

  /// Takes the last frame in once more.
  mutating func repeatLast(
    time: UInt64, settings: ScanSettings, memory: inout Memory
  ) throws(ScanError)

  /// Draws the output of a frame for the first time.
  mutating func render(
    _ settings: ScanSettings, memory: inout Memory, into target: inout Memory.Target
  ) throws(ScanError)

  /// Draws the oldest frame that is held whole, with nothing fed back, and that came at a time or later.
  ///
  /// - Parameters:
  ///   - time: A running time in nanoseconds.
  ///   - target: A frame with the layout of the input.
  /// - Returns: When it came; nil, and nothing drawn, if there is none.
  mutating func drawInput(
    from time: UInt64, memory: borrowing Memory, into target: inout Memory.Target
  ) throws(ScanError) -> UInt64?

  /// Draws the last output, which went downstream with its buffer, where the settings begin to ask for it.
  ///
  /// - Parameter settings: Those of the last output.
  mutating func prepareFeedback(
    _ settings: ScanSettings, memory: borrowing Memory
  ) throws(ScanError)

  /// Forgets what would be fed back.
  mutating func stopFeedback()
}
