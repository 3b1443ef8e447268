// The render request, its progress and its result.

import CSlitScanSettings
import GStreamer
import SlitScanCapture

/// A film to be made of others.
public struct RenderRequest: Sendable {
  /// The films, one after the other: files, addresses and image sequences.
  ///
  /// An image sequence is a folder, a pattern of numbers such as `shot.%04d.png`, a glob such as `shot.*.png`, or
  /// several image files.
  public var inputs: [String]
  /// Frames a second of image sequences; nil for 25.
  public var frameRate: Fraction?
  /// The file to write, which ends in `.mp4`, `.mov`, `.mkv` or `.webm`.
  ///
  /// A pattern of numbers, such as `frames/%05d.png`, writes images: PNG, JPEG or TIFF.
  public var output: String
  /// A second file, with how old each pixel of each frame is; nil for none.
  ///
  /// Grey of 16 bits without loss, in steps of the effect's `age-unit`: FFV1 in `.mkv`, or a pattern of PNG or TIFF images.
  public var ageOutput: String?
  /// The parameters of the effect.
  public var scan: Scan
  /// The changes of the effect in the course of the film.
  package var timeline = ScanTimeline()
  /// The format of the output.
  public var settings: FilmSettings
  /// Whether the films' sound is kept.
  public var keepsSound: Bool
  /// The delay of the sound.
  public var soundDelay: SoundDelay
  /// The in and out points, in the films one after the other; the first frame between them is at 0 in the output.
  public var range = FilmRange()
  /// The part to render of what is between them, to be joined with the others; nil for all.
  public var part: FilmPart?
  /// Whether a file that is there is replaced.
  public var replacesOutput: Bool
  /// Whether the effect may do with less history than its parameters ask for, where memory is short.
  public var allowsLessHistory = false

  /// Films to a film, with their sound.
  public init(
    _ inputs: [String], to output: String, scan: Scan = Scan(),
    settings: FilmSettings = FilmSettings(), keepsSound: Bool = true,
    soundDelay: SoundDelay = .none, part: FilmPart? = nil, replacesOutput: Bool = false
  ) {
    self.inputs = inputs
    self.output = output
    self.scan = scan
    self.settings = settings
    self.keepsSound = keepsSound
    self.soundDelay = soundDelay
    self.part = part
    self.replacesOutput = replacesOutput
  }
}

/// The progress of a rendering.
public struct RenderProgress: Sendable, Hashable {
  /// The current stage.
  public enum Stage: String, Sendable, Hashable {
    /// Finding out when frames are shown.
    case looking
    /// Measuring how loud the sound is; what is counted are the frames that go with it.
    case listening
    /// Showing the effect what comes before the part or the in point.
    case warmingUp = "warming-up"
    /// Making frames.
    case rendering
    /// Putting parts together.
    case joining
    /// Writing a strip; what is counted are its rows.
    case writing
  }

  /// The current stage.
  public var stage: Stage
  /// Frames of that stage that are done.
  public var frames: Int
  /// All frames of that stage, about; nil where that is not known.
  public var total: Int?
  /// The position in the film.
  public var time: ClockTime
}

extension RenderProgress {
  /// The frames of a film, at the pace of those so far: the frame rate that a file states may be that of its clock.
  ///
  /// - Parameters:
  ///   - frames: The frames before the last one.
  ///   - time: The time from the first of them to the last one.
  ///   - duration: The duration of the film; nil where it does not say.
  static func total(after frames: Int, in time: ClockTime, of duration: ClockTime?) -> Int? {
    guard let duration, time > .zero,
      let total = Int(exactly: (Double(frames) * duration.seconds / time.seconds).rounded())
    else { return nil }
    return max(frames + 1, total)
  }
}

/// The result of a rendering.
public struct RenderResult: Sendable, Hashable {
  /// Where.
  public var path: String
  /// Frames that the films gave; with `drain`, there are more in the file.
  public var frames: Int
  /// Frames that only the effect has seen, as they come before the part or the in point, or are its future.
  public var preRoll: Int
  /// When the first frame is shown, in the output.
  public var start: ClockTime
  /// When the last frame ends.
  public var end: ClockTime
  /// Whether there is sound.
  public var hasSound: Bool
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// Where the time went; nil where nothing was rendered, but joined.
  public var times: RenderTimes?
  /// The parts of the films that could not be read; the file has the rest.
  public var damage: [FilmDamage] = []
  /// Warnings for the user.
  public var warnings: [String]
}

extension SlitScanMapSource {
  /// The source of a value of the property `map`.
  package init(ofMap nick: String) {
    self = unsafe slit_scan_map_source(slit_scan_map_of_nick(nick))
  }

  /// Whether the map moves by itself.
  var moves: Bool { slit_scan_source_moves(self) }
}
