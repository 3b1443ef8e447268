// Tests of the element's output buffers: their metadata and memory layout.

import CGStreamer
import ElementUnderTest
import Reference
import SeededGenerator
import Testing

@Suite("Buffers") struct BufferTests {
  @Test("leave with the time and flags they came with", arguments: Settings.Mode.allCases)
  func metadata(mode: Settings.Mode) throws {
    let caps = VideoCaps(format: "I420", width: 17, height: 5)
    let harness = try SlitScanHarness(caps)
    let settings = Settings().with(\.mode, mode).with(\.depth, 3)
    harness.set(settings)
    let flags = [
      GST_BUFFER_FLAG_DISCONT, GST_BUFFER_FLAG_CORRUPTED, GST_BUFFER_FLAG_MARKER,
      GST_BUFFER_FLAG_DELTA_UNIT, GST_BUFFER_FLAG_DROPPABLE, GST_BUFFER_FLAG_HEADER,
    ].map(\.rawValue)

    var random = SeededGenerator(for: "metadata \(mode)")
    for number in 0..<40 {
      let time = UInt(number) * 33_333_333
      let sent = BufferMetadata(
        presentationTime: time, decodingTime: random.chance(50) ? time : .max,
        duration: random.chance(50) ? UInt.random(in: 0...40_000_000, using: &random) : .max,
        flags: number == 0 ? 0 : flags.filter { _ in random.chance(30) }.reduce(0, |))
      var received = try harness.push(
        .noise(width: 17, height: 5, format: harness.format, seed: 1), arranged: .default,
        noise: 1, metadata: sent
      ).metadata
      // Whose memory it is has nothing to do with the frame.
      received.flags &= ~GST_BUFFER_FLAG_TAG_MEMORY.rawValue
      #expect(received == sent, "buffer \(number); \(TestSeed.advice)")
    }
  }

  @Test(
    "are written with the strides that downstream asks for",
    .disabled(if: ElementUnderTest.isOnGPU, "gldownload sends no query"), arguments: Formats.all)
  func paddedOutput(format: String) throws {
    let caps = VideoCaps(format: format, width: 17, height: 5)
    let frames = try [false, true].map { isPadded in
      let harness = try SlitScanHarness(caps, paddedOutput: isPadded)
      return try harness.push(
        .noise(width: 17, height: 5, format: harness.format, seed: 1), arranged: .default,
        noise: 1, metadata: BufferMetadata(presentationTime: 0))
    }
    #expect(frames[0].frame.samples == frames[1].frame.samples)
    for (plain, padded) in zip(frames[0].strides, frames[1].strides) {
      #expect(plain < padded, "this test is void: downstream's padding was not used")
    }
  }

  @Test("may hold interlaced frames, which are treated as whole", arguments: ["I420", "NV12"])
  func interleaved(format: String) throws {
    var random = SeededGenerator(for: "interleaved \(format)")
    let settings = Settings().with(\.depth, 3)
    try requireReference(
      random.scenario(
        VideoCaps(format: format, width: 17, height: 6, further: ["interlace-mode=interleaved"]),
        settings: settings, frames: 5))
  }
}
