// A thumbnail is a small picture of something that can be chosen.

import GStreamer
import SlitScanCapture
import SlitScanStage

/// A thing that can be chosen by its picture.
struct Thumbnail: Sendable, Hashable {
  enum Kind: String, Sendable {
    case preset
    /// By its number, from 1 on.
    case source
    case mapImage = "map-image"
  }

  let kind: Kind
  let name: String
}

/// The frames of the last seconds before they reach the effect, scaled down: fewer, but over as much time as looks
/// show.
struct ThumbnailHistory: Sendable {
  /// The longest time that it goes back.
  static let length = Duration.seconds(10)
  /// The most frames.
  static let limit = 150

  private(set) var frames: [(sample: Sample, time: ContinuousClock.Instant)] = []
  /// The size of the frames against that of those they were made of.
  private(set) var scale = 1.0
  private var frameRate = 30.0

  /// Takes a frame in; those of another format are forgotten.
  ///
  /// - Parameter original: The frame that it was made of.
  mutating func add(_ sample: Sample, of original: Sample, at now: ContinuousClock.Instant) throws {
    guard let caps = sample.caps, let whole = original.caps, let buffer = sample.buffer else {
      return
    }
    let (small, large) = (try VideoInfo(caps), try VideoInfo(whole))
    if frames.last?.sample.caps != caps { frames = [] }
    scale = Double(small.width) / Double(large.width)
    frameRate = large.frameRate.quotient.flatMap { $0 > 0 ? $0 : nil } ?? 30
    // A frame that is small already may be of a camera's own memory.
    let copy = try WritableBuffer(copying: buffer).finish()
    frames.append((Sample(copy, caps: caps), now))
    frames.removeFirst(max(0, frames.count - Self.limit))
    while let first = frames.first, now - first.time > Self.length { frames.removeFirst() }
  }

  /// The frames that each of these is in the place of.
  private var stride: Double {
    guard let first = frames.first, let last = frames.last, frames.count > 1 else { return 1 }
    return max(1, (last.time - first.time) / .seconds(1) * frameRate / Double(frames.count - 1))
  }

  /// The values that make of these frames what others make of frames of full size and number; a canvas is full.
  func scaled(_ values: [String: Value], _ parameters: Parameters) -> [String: Value] {
    var scaled = values
    for (name, value) in values {
      guard let parameter = parameters[name], let number = Parameter.number(value), number > 0
      else { continue }
      switch parameter.unit {
      case "px": scaled[name] = parameter.value(near: number * scale)
      case "frames": scaled[name] = parameter.value(near: max(1, number / stride))
      default: continue
      }
    }
    if values["mode"] == .nick("strip"), let caps = frames.last?.sample.caps,
      let info = try? VideoInfo(caps), let width = parameters["slit-width"],
      let number = scaled["slit-width"].flatMap({ Parameter.number($0) })
    {
      let fill = (Double(max(info.width, info.height)) / Double(frames.count)).rounded(.up)
      scaled["slit-width"] = width.value(near: max(number, fill))
    }
    return scaled
  }

  /// The samples, in time from 0 on.
  func samples() throws -> [Sample] {
    guard let start = frames.first?.time else { return [] }
    return try frames.compactMap { frame in
      guard let buffer = frame.sample.buffer, let caps = frame.sample.caps else { return nil }
      return Sample(try buffer.moved(to: ClockTime(frame.time - start), duration: nil), caps: caps)
    }
  }
}

/// The effect on a few frames, of which the last counts.
enum SmallScan {
  /// - Returns: The last frame; nil where there is none.
  static func last(of samples: [Sample], _ values: [String: Value]) async throws -> Sample? {
    let pipeline = try Pipeline(
      "appsrc name=in ! slitscan name=scan threads=1 ! appsink name=out sync=false")
    let scan = try pipeline.element(named: "scan")
    for (name, value) in values { try scan.set(name, to: value) }
    let source = try AppSrc(pipeline.element(named: "in"), queue: samples.count)
    let results = try AppSink(pipeline.element(named: "out"), delivery: .latest(1)).samples
    return try await pipeline.stopping {
      async let plays: Void = pipeline.play()
      for sample in samples { try await source.send(sample) }
      try await source.finish()
      try await plays
      var last: Sample?
      for try await sample in results { last = sample }
      return last
    }
  }

  /// Frames whose pixels are as bright as they are old: with these, the effect draws its map.
  static func ramp(width: Int, height: Int) throws -> [Sample] {
    let info = try VideoInfo(.gray8, width: width, height: height)
    let caps = try info.caps()
    return try (0..<rampLength).map { number in
      var buffer = try WritableBuffer(info)
      buffer.presentationTime = .milliseconds(UInt64(number))
      try buffer.withVideoFrame(info) { frame in
        var bytes = frame.mutableBytes(ofPlane: 0)
        for place in 0..<bytes.byteCount {
          bytes.storeBytes(of: UInt8(rampLength - 1 - number), toByteOffset: place, as: UInt8.self)
        }
      }
      return Sample(buffer.finish(), caps: caps)
    }
  }

  static let rampLength = 256
}
