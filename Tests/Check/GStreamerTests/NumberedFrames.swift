// Small frames that carry their number.

@testable import GStreamer

/// Frames of a few pixels, 100 a second, each with its number in its bytes and as its time.
enum NumberedFrames {
  static let width = 4
  static let height = 2
  static let duration = ClockTime.milliseconds(10)

  static func info() throws -> VideoInfo {
    try VideoInfo(.gray8, width: width, height: height, frameRate: Fraction(100))
  }

  static func make(_ number: Int) throws -> Buffer {
    var buffer = try WritableBuffer(info())
    try buffer.withMutableBytes { bytes in
      for index in 0..<bytes.byteCount {
        bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: number >> (8 * index)), toByteOffset: index, as: UInt8.self)
      }
    }
    buffer.presentationTime = .milliseconds(10 * UInt64(number))
    buffer.duration = duration
    return buffer.finish()
  }

  static func number(of buffer: Buffer) throws -> Int {
    let mapping = try buffer.map()
    let bytes = mapping.bytes
    var number = 0
    for index in 0..<bytes.byteCount {
      number |= Int(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) << (8 * index)
    }
    return number
  }

  static func number(of sample: Sample) throws -> Int? {
    try sample.buffer.map { try number(of: $0) }
  }
}

/// Two pipelines with Swift between them: frames go from `source` to `sink` and on from `relay` to
/// `drain`.
struct Bridge {
  let first: Pipeline
  let second: Pipeline
  let source: AppSrc
  let sink: AppSink
  let relay: AppSrc
  let drain: AppSink

  init(delivery: Delivery = .lossless) throws {
    let caps = try NumberedFrames.info().caps()
    first = try Pipeline("appsrc name=in ! appsink name=out sync=false")
    second = try Pipeline("appsrc name=in ! appsink name=out sync=false")
    source = try AppSrc(first.element(named: "in"), caps: caps)
    sink = try AppSink(first.element(named: "out"), delivery: delivery)
    relay = try AppSrc(second.element(named: "in"))
    drain = try AppSink(second.element(named: "out"))
  }

  /// Sends frames through everything.
  ///
  /// - Returns: The numbers that came out, in order.
  func pass(_ count: Int) async throws -> [Int] {
    var numbers: [Int] = []
    try await pass(count) { numbers.append($0) }
    return numbers
  }

  /// Sends frames through everything.
  ///
  /// - Parameter arrive: Gets the number of every frame that came out, in order.
  func pass(_ count: Int, arrive: (Int) -> Void) async throws {
    async let feeding: Void = {
      for number in 0..<count { try await source.send(NumberedFrames.make(number)) }
      try await source.finish()
    }()
    async let relaying: Void = {
      for try await sample in sink.samples { try await relay.send(sample) }
      try await relay.finish()
    }()
    // A source is playing when its first buffer is through.
    async let firstPlays: Void = first.play()
    async let secondPlays: Void = second.play()
    for try await sample in drain.samples {
      if let number = try NumberedFrames.number(of: sample) { arrive(number) }
    }
    _ = try await (feeding, relaying, firstPlays, secondPlays)
    await first.stop()
    await second.stop()
  }
}
