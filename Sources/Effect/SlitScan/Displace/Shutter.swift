// The shutter is the exposure of a pixel: the frames whose mean it shows.

/// The frames that are exposed, from the delay of a pixel on.
package struct Shutter: Equatable {
  /// Whole frames, at least one.
  package var frames: Int
  /// The part of the next older frame, from 0 to less than 1.
  package var rest: Double

  /// A single frame: no exposure at all.
  package static let single = Shutter(frames: 1, rest: 0)

  /// A shutter that is open for so many frames.
  package init(frames: Int, rest: Double) {
    self.frames = frames
    self.rest = rest
  }

  /// The exposure in frames.
  package var length: Double { Double(frames) + rest }

  /// The frames that history holds for it beyond the longest delay: those that it shows, and the one that leaves the
  /// mean with the next frame.
  package var levels: Int { self == .single ? 0 : frames }

  /// The last level after a pixel's delay that it shows.
  package var lastLevel: Int { rest > 0 ? frames : frames - 1 }

  /// The level after a pixel's delay that it shows on average.
  package var meanLevel: Double { (length - 1) / 2 }

  /// This, within so many frames beyond the longest delay.
  package func limited(to levels: Int) -> Shutter {
    levels >= self.levels ? self : Shutter(frames: max(levels, 1), rest: 0)
  }
}

extension ScanSettings {
  /// The longest exposure, in frames.
  package static let longestShutter: Int = {
    var settings = ScanSettings()
    settings.shutter = .greatestFiniteMagnitude
    return Int(settings.sanitized().shutter)
  }()

  /// The exposure.
  ///
  /// - Parameters:
  ///   - times: The times of the frames held.
  ///   - newFrame: The running time of a frame that is about to be taken in, or nil.
  package func shutter(_ times: FrameTimes, newFrame: UInt64? = nil) -> Shutter {
    guard shutterDuration == 0 else {
      return Shutter(
        frames: times.exposed(within: shutterDuration, newFrame: newFrame), rest: 0)
    }
    return Shutter(frames: Int(shutter), rest: shutter - shutter.rounded(.down))
  }

  /// The exposure of frames that come at regular times.
  ///
  /// - Parameter interval: From one frame to the next, in nanoseconds.
  package func settledShutter(interval: UInt64) -> Shutter {
    guard shutterDuration > 0 else { return shutter(FrameTimes()) }
    let frames = (Double(shutterDuration) / Double(interval)).rounded()
    return Shutter(frames: Int(min(max(frames, 1), Double(Self.longestShutter))), rest: 0)
  }
}
