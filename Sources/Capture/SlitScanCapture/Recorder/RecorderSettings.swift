// The recorder settings: container, codecs, bit rates and orientation of a recording.

import GStreamer

/// The settings of a ``Recorder``.
package struct RecorderSettings: Sendable, Hashable {
  /// The kind of file; nil for the one that the end of the path stands for.
  package var container: Container?
  /// The video; nil for none.
  package var video: VideoSettings?
  /// The sound; nil for none.
  package var audio: AudioSettings?

  /// Video, and no sound unless it is asked for.
  package init(
    container: Container? = nil, video: VideoSettings? = VideoSettings(),
    audio: AudioSettings? = nil
  ) {
    self.container = container
    self.video = video
    self.audio = audio
  }
}

/// The settings of a recording's video.
public struct VideoSettings: Sendable, Hashable {
  /// The codec; nil for the container's best that is installed.
  package var codec: VideoCodec?
  /// The settings of the encoder.
  ///
  /// Its speed is nil for one that the machine can keep up with at the size and rate of the frames. It writes every pixel
  /// as it is where ``VideoCodec/canBeLossless`` says so.
  package var encoding: VideoEncoding
  /// The rotation of the video.
  package var orientation: Orientation
  /// Whether what is appended is encoded with ``codec`` already, as by some cameras, and is only
  /// packed.
  package var isEncoded: Bool

  /// Raw frames, as they come.
  public init(
    codec: VideoCodec? = nil, bitRate: Int? = nil, speed: EncoderSpeed? = nil,
    keyFrameInterval: Int = 60, orientation: Orientation = .up, isEncoded: Bool = false
  ) {
    self.codec = codec
    encoding = VideoEncoding(
      bitRate: bitRate, speed: speed, isLive: true, keyFrameInterval: keyFrameInterval)
    self.orientation = orientation
    self.isEncoded = isEncoded
  }
}

/// The settings of a recording's sound.
///
/// Whatever raw, interleaved sound is appended, in any rate and number of channels, becomes this.
public struct AudioSettings: Sendable, Hashable {
  /// The codec; nil for the container's best that is installed.
  package var codec: AudioCodec?
  /// Bits a second.
  package var bitRate: Int
  /// Samples a second: for Opus, 8000, 12000, 16000, 24000 or 48000.
  package var sampleRate: Int
  /// 1 or 2.
  package var channels: Int

  /// Stereo at 48 kHz.
  public init(
    codec: AudioCodec? = nil, bitRate: Int = 128_000, sampleRate: Int = 48_000, channels: Int = 2
  ) {
    self.codec = codec
    self.bitRate = bitRate
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// A file that a recording has made.
public struct RecordedFile: Sendable, Hashable {
  /// Where.
  public let path: String
  /// From the first frame to the end of the last, without pauses.
  public let duration: ClockTime
  /// Frames in the file.
  public let frames: Int
  /// Frames that were appended while recording and not written: late ones, and those before a key
  /// frame.
  public let skippedFrames: Int
  /// The size of the file, in bytes.
  public let byteCount: Int
  /// The element that encoded the video, such as `x264enc`; nil where the video came encoded, and where there is none.
  public let encoder: String?
  /// The speed of x264, where that encoded the video.
  package let encoderSpeed: EncoderSpeed?
  /// Frames with less quality than was asked for, as the encoder or the disk was too slow for more.
  public let loweredFrames: Int
  /// The differences of the frames in the file from those that came, such as a lower resolution of colour, in
  /// sentences.
  public let changes: [String]
  /// Frames that are missing because the encoder was too slow, where they came from a live source, or because
  /// the recorder refused them.
  public internal(set) var droppedFrames: UInt64 = 0
  /// Blocks of sound that are missing likewise; silence takes their place.
  public internal(set) var droppedSounds: UInt64 = 0
}

/// The rotation or mirroring of video before it is recorded, by the names of Apple's
/// `CGImagePropertyOrientation`: each says where the top of a frame goes.
public enum Orientation: Sendable, Hashable, CaseIterable {
  /// As it comes.
  case up
  /// A quarter clockwise: the top is at the right.
  case right
  /// Half a turn: the top is at the bottom.
  case down
  /// A quarter counterclockwise: the top is at the left.
  case left
  /// Left and right changed places.
  case upMirrored
  /// Top and bottom changed places.
  case downMirrored

  /// Whether width and height change places.
  var isSideways: Bool { self == .right || self == .left }

  /// The value of videoflip's `video-direction`.
  var direction: String {
    switch self {
    case .up: "identity"
    case .right: "90r"
    case .down: "180"
    case .left: "90l"
    case .upMirrored: "horiz"
    case .downMirrored: "vert"
    }
  }
}
