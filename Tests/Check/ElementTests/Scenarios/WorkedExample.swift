// A worked example is a sequence of hand-made frames for the element and the reference.

import Reference

/// An element and a reference that see the same few frames.
///
/// The test compares the output with what it worked out by hand; that the reference agrees is
/// required here.
struct WorkedExample {
  let caps: VideoCaps
  let harness: SlitScanHarness
  private(set) var reference: ReferenceModel
  /// Running time of the next frame, and from one to the next, nanoseconds.
  var time: UInt64 = 0
  var interval: UInt64 = 33_333_333
  private let file: ImageFile?

  /// - Parameters:
  ///   - maps: what comes through the pad `map`, if anything does.
  ///   - image: the image at `map-location`, grey.
  ///   - isDeep: whether that has 16 bits.
  init(
    _ caps: VideoCaps, maps: [MapBuffer]? = nil, image: Frame? = nil, isDeep: Bool = false
  ) throws {
    self.caps = caps
    file = try image.map { try ImageFile($0, isDeep: isDeep) }
    harness = try SlitScanHarness(caps, mapLocation: file?.path, maps: maps)
    let grey = ImageDescription(width: 1, height: 1, isDeep: isDeep, noise: 0)
    reference = try ReferenceModel(
      format: harness.format, width: caps.width, height: caps.height,
      image: image.map { try MapImage($0, format: grey.format()) })
    for map in maps ?? [] {
      let (frame, format) = try map.frameAndFormat()
      reference.takeMap(MapImage(frame, format: format), at: map.time)
    }
  }

  /// Pushes a frame of these samples, one array a component, and gives what comes out.
  mutating func push(_ samples: [[UInt16]], _ settings: Settings) throws -> [[UInt16]] {
    try push(Frame(width: caps.width, height: caps.height, samples: samples), settings)
  }

  /// Pushes a frame of which every sample has this value.
  mutating func push(flat word: UInt16, _ settings: Settings) throws -> [[UInt16]] {
    try push(.flat(word, caps: caps, format: harness.format), settings)
  }

  /// Pushes flat frames of these values, one after the other.
  mutating func push(flat words: some Sequence<UInt16>, _ settings: Settings) throws {
    for word in words { _ = try push(flat: word, settings) }
  }

  /// Emits the action signal `reset`.
  mutating func reset() {
    harness.reset()
    reference.reset()
  }

  private mutating func push(_ frame: Frame, _ settings: Settings) throws -> [[UInt16]] {
    harness.set(settings)
    reference.take(frame, at: time, settings: settings)
    let output = try harness.push(
      frame, arranged: .default, noise: 0, metadata: BufferMetadata(presentationTime: UInt(time)))
    defer { reference.left(output.frame) }
    if let mismatch = reference.mismatch(in: output.frame) {
      throw ScenarioError(
        description: "frame at \(time) ns, which the reference sees otherwise: \(mismatch)")
    }
    time += interval
    return output.frame.samples
  }
}

extension MapBuffer {
  /// A grey frame of 8 bits, black 0 and white 255.
  static func gray(
    _ values: [UInt16], width: Int, at time: UInt64 = 0, lasting duration: UInt64 = 60_000_000_000
  ) -> MapBuffer {
    let height = values.count / width
    return MapBuffer(
      caps: VideoCaps(format: "GRAY8", width: width, height: height), time: time,
      duration: duration, noise: 0, frame: Frame(width: width, height: height, samples: [values]))
  }
}
