// The audio info describes the layout of raw audio in memory.

/// The layout of raw, interleaved sound, as its caps describe it.
public struct AudioInfo: Sendable, Hashable {
  /// Frames (one sample for each channel) a second.
  public let sampleRate: Int
  /// The channels of a frame.
  public let channels: Int
  private let format: SampleFormat

  /// The layout that caps describe.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where they are not fixed, or not raw sound whose
  ///   channels are interleaved.
  public init(_ caps: Caps) throws(GStreamerError) {
    guard caps.isFixed, let fields = caps.structures.first, fields.name == "audio/x-raw",
      let format = fields.get("format", as: String.self).flatMap({ SampleFormat($0) }),
      let sampleRate = fields.get("rate", as: Int32.self), sampleRate > 0,
      let channels = fields.get("channels", as: Int32.self), channels > 0,
      channels == 1 || fields.get("layout", as: String.self) == "interleaved"
    else {
      throw GStreamerError(.wrongType, "These caps do not describe interleaved raw sound: \(caps)")
    }
    self.sampleRate = Int(sampleRate)
    self.channels = Int(channels)
    self.format = format
  }

  /// The bytes of a frame.
  public var bytesPerFrame: Int { format.byteCount * channels }

  /// The duration of a number of frames, to the nearest nanosecond.
  public func duration(ofFrames frames: Int) -> ClockTime {
    .seconds(Double(frames) / Double(sampleRate))
  }

  /// The frames of a time, to the nearest; `Int.max` where there are more.
  public func frames(in duration: ClockTime) -> Int {
    Int(exactly: (duration.seconds * Double(sampleRate)).rounded()) ?? .max
  }

  /// A buffer of so many frames of silence.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory``, ``GStreamerError/Code/notMappable``.
  public func silence(frames: Int) throws(GStreamerError) -> WritableBuffer {
    let (byteCount, overflow) = frames.multipliedReportingOverflow(by: bytesPerFrame)
    guard !overflow else {
      throw GStreamerError(
        .outOfMemory, "There is not enough memory for \(frames) frames of sound.")
    }
    var buffer = try WritableBuffer(byteCount: byteCount)
    let sample = format.silence
    try buffer.withMutableBytes { bytes in
      for index in 0..<bytes.byteCount {
        bytes.storeBytes(of: sample[index % sample.count], toByteOffset: index, as: UInt8.self)
      }
    }
    return buffer
  }
}

/// One sample of a format by GStreamer's name, as `S16LE` or `S24_32BE`: its kind, the bits that
/// count, the bits that it takes where those are others, and its byte order.
private struct SampleFormat: Hashable {
  let byteCount: Int
  /// The bytes of a sample in the middle of its range.
  let silence: [UInt8]

  init?(_ name: String) {
    guard let kind = name.first, "SUF".contains(kind) else { return nil }
    let isBigEndian = name.hasSuffix("BE")
    let digits = name.dropFirst().prefix { $0.isNumber || $0 == "_" }
    let numbers = digits.split(separator: "_").compactMap { Int($0) }
    guard let depth = numbers.first, let width = numbers.last, 8...64 ~= depth, depth <= width,
      width <= 64
    else { return nil }
    byteCount = (width + 7) / 8
    var bytes = [UInt8](repeating: 0, count: byteCount)
    if kind == "U" { bytes[(depth - 1) / 8] = 1 << ((depth - 1) % 8) }
    silence = isBigEndian ? bytes.reversed() : bytes
  }
}
