// The parts that a capture configuration is made of, as values.

import GStreamer

/// A part of a capture, for ``CaptureSession/update(_:)``: one of this module's own types.
///
/// Parts are values without closures, so two configurations can be compared.
public protocol CapturePart: Sendable, Equatable {}

/// A part of this module, which says which one it is.
protocol KnownPart: CapturePart {
  var kind: CapturePartKind { get }
}

enum CapturePartKind: Sendable {
  case video(VideoChoice)
  case sound(SoundChoice, SoundDelay)
  case scan(Scan)
  case gpu(GPUUse)
  case preview(Preview)
  case recording(Record)
}

// MARK: Frames

/// Frames of a camera.
public struct Camera: CapturePart, KnownPart, Hashable {
  /// Which camera.
  public enum Choice: Sendable, Hashable {
    /// The first that is found.
    case first
    /// One of ``Camera/devices()``.
    case device(CameraDevice)
    /// The one behind a device file, as `/dev/video0`.
    case path(String)
  }

  package let choice: Choice
  /// The format that it should give.
  package let request: VideoRequest

  /// A camera: the first there is, unless another is named.
  public init(_ choice: Choice = .first, _ request: VideoRequest = VideoRequest()) {
    self.choice = choice
    self.request = request
  }

  var kind: CapturePartKind { .video(.camera(self)) }
}

/// Frames that need no camera.
public struct TestPattern: CapturePart, KnownPart, Hashable {
  /// One of videotestsrc's patterns.
  package let pattern: String
  /// Size and frame rate.
  package let request: VideoRequest
  /// Whether frames come as time goes by.
  package let isLive: Bool

  /// A pattern, as `smpte` or `ball`.
  public init(
    _ pattern: String = "smpte",
    _ request: VideoRequest = VideoRequest(width: 640, height: 480, frameRate: 30),
    isLive: Bool = true
  ) {
    self.pattern = pattern
    self.request = request
    self.isLive = isLive
  }

  var kind: CapturePartKind { .video(.pattern(self)) }
}

/// Frames of a file.
public struct VideoFile: CapturePart, KnownPart, Hashable {
  /// The file.
  package let path: String
  /// Whether frames come as time goes by, or as fast as they can be decoded.
  package let isPaced: Bool

  /// The frames of a file; ``Soundtrack`` is its sound.
  public init(_ path: String, isPaced: Bool = true) {
    self.path = path
    self.isPaced = isPaced
  }

  var kind: CapturePartKind { .video(.file(self)) }
}

/// Frames of a source of one's own.
public struct CustomVideo: CapturePart, KnownPart {
  /// The source.
  package let source: any FrameSource

  /// A source, which is the same as before only if it is the same object.
  public init(from source: any FrameSource) { self.source = source }

  var kind: CapturePartKind { .video(.other(self)) }

  /// Whether both are the same source.
  public static func == (left: CustomVideo, right: CustomVideo) -> Bool {
    left.source === right.source
  }
}

// MARK: Sound

/// Sound of a microphone, or whatever the system records from.
public struct Microphone: CapturePart, KnownPart, Hashable {
  /// Which; nil for the system's choice.
  package let device: Device?
  /// The delay with which it follows the video.
  package let delay: SoundDelay

  /// A microphone.
  public init(_ device: Device? = nil, delay: SoundDelay = .none) {
    self.device = device
    self.delay = delay
  }

  var kind: CapturePartKind { .sound(.microphone(device), delay) }
}

/// A tone that needs no microphone.
public struct TestTone: CapturePart, KnownPart, Hashable {
  /// One of audiotestsrc's waves.
  package let wave: String
  /// In hertz.
  package let frequency: Double
  /// Whether it comes as time goes by.
  package let isLive: Bool
  /// The delay with which it follows the video.
  package let delay: SoundDelay

  /// A tone, as `sine` or `ticks`.
  public init(
    _ wave: String = "sine", frequency: Double = 440, isLive: Bool = true,
    delay: SoundDelay = .none
  ) {
    self.wave = wave
    self.frequency = frequency
    self.isLive = isLive
    self.delay = delay
  }

  var kind: CapturePartKind { .sound(.tone(wave, frequency, isLive: isLive), delay) }
}

/// Sound of a file.
public struct Soundtrack: CapturePart, KnownPart, Hashable {
  /// The file.
  package let path: String
  /// Whether it comes as time goes by.
  package let isPaced: Bool
  /// The delay with which it follows the video.
  package let delay: SoundDelay

  /// The sound of a file.
  public init(_ path: String, isPaced: Bool = true, delay: SoundDelay = .none) {
    self.path = path
    self.isPaced = isPaced
    self.delay = delay
  }

  var kind: CapturePartKind { .sound(.file(path, isPaced: isPaced), delay) }
}

/// Sound of a source of one's own.
public struct CustomSound: CapturePart, KnownPart {
  /// The source.
  package let source: any SoundSource
  /// The delay with which it follows the video.
  package let delay: SoundDelay

  /// A source, which is the same as before only if it is the same object.
  public init(from source: any SoundSource, delay: SoundDelay = .none) {
    self.source = source
    self.delay = delay
  }

  var kind: CapturePartKind { .sound(.other(CustomSound(from: source)), delay) }

  /// Whether both are the same source with the same delay.
  public static func == (left: CustomSound, right: CustomSound) -> Bool {
    left.source === right.source && left.delay == right.delay
  }
}

// MARK: What happens to them

extension Scan: CapturePart, KnownPart {
  var kind: CapturePartKind { .scan(self) }
}

/// Frames on a screen.
public struct Preview: CapturePart, KnownPart, Hashable {
  /// Elements that show raw video, as in a launch line.
  package let sink: String
  /// Tells it from others with the same elements.
  package let id: String?

  /// A window, unless other elements are named.
  public init(_ sink: String = "autovideosink", id: String? = nil) {
    self.sink = sink
    self.id = id
  }

  var kind: CapturePartKind { .preview(self) }
}

/// Frames, and sound if there is any, into a file, as long as this is there.
public struct Record: CapturePart, KnownPart, Hashable {
  package let path: String
  private let settings: RecorderSettings
  let isPaused: Bool

  /// A recording, of which only `isPaused` can change while it goes on.
  ///
  /// - Parameters:
  ///   - path: Ends in `.mp4`, `.mov`, `.mkv` or `.webm`, unless `container` is named.
  ///   - container: The kind of file; nil for the one that the end of the path stands for.
  ///   - video: The video; nil for sound alone.
  ///   - audio: The sound; nil for the container's best, where the capture has sound when the recording begins.
  ///   - isPaused: Whether what comes is left out. The file goes on without a gap.
  public init(
    to path: String, container: Container? = nil, video: VideoSettings? = VideoSettings(),
    audio: AudioSettings? = nil, isPaused: Bool = false
  ) {
    self.path = path
    settings = RecorderSettings(container: container, video: video, audio: audio)
    self.isPaused = isPaused
  }

  var kind: CapturePartKind { .recording(self) }

  /// The settings of the recording, with sound where there is some.
  package func settings(hasSound: Bool) -> RecorderSettings {
    var settings = settings
    if hasSound, settings.audio == nil { settings.audio = AudioSettings() }
    return settings
  }

  /// Whether both are one recording, which may be paused in one of them.
  func isSame(as other: Record?) -> Bool {
    path == other?.path && settings == other?.settings
  }
}

// MARK: Choices

/// The source of the video.
enum VideoChoice: Sendable, Equatable {
  case camera(Camera)
  case pattern(TestPattern)
  case file(VideoFile)
  case other(CustomVideo)

  func makeSource() -> any FrameSource {
    switch self {
    case .camera(let camera): CameraSource(camera.choice, camera.request)
    case .pattern(let pattern):
      TestPatternSource(pattern.pattern, pattern.request, isLive: pattern.isLive)
    case .file(let file): FileSource(file.path, isPaced: file.isPaced)
    case .other(let video): video.source
    }
  }
}

/// The source of sound.
enum SoundChoice: Sendable, Equatable {
  case microphone(Device?)
  case tone(String, Double, isLive: Bool)
  case file(String, isPaced: Bool)
  case other(CustomSound)

  func makeSource() -> any SoundSource {
    switch self {
    case .microphone(let device): MicrophoneSource(device)
    case .tone(let wave, let frequency, let isLive):
      TestToneSource(wave, frequency: frequency, isLive: isLive)
    case .file(let path, let isPaced): FileSource(path, isPaced: isPaced)
    case .other(let sound): sound.source
    }
  }
}
