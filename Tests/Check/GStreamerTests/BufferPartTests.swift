// Tests of buffer parts, silence, bins and devices.

import Testing

@testable import GStreamer

@Suite struct BufferPartTests {
  private func bytes(_ buffer: Buffer) throws -> [UInt8] {
    let mapping = try buffer.map()
    let bytes = mapping.bytes
    return (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }

  private func numbered() throws -> Buffer {
    var buffer = try WritableBuffer(byteCount: 10)
    try buffer.withMutableBytes { bytes in
      for index in 0..<10 {
        bytes.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self)
      }
    }
    buffer.presentationTime = .milliseconds(5)
    buffer.insert(.deltaUnit)
    return buffer.finish()
  }

  @Test func aPartHasItsBytesAndItsOwnTime() throws {
    let buffer = try numbered()
    let part = try buffer.part(3..<7, at: .milliseconds(8), duration: .milliseconds(1))
    #expect(try bytes(part) == [3, 4, 5, 6])
    #expect(part.presentationTime == .milliseconds(8))
    #expect(part.duration == .milliseconds(1))
    #expect(part.decodingTime == nil)
    #expect(buffer.presentationTime == .milliseconds(5))
  }

  @Test func aMovedBufferKeepsItsBytesAndFlags() throws {
    let moved = try numbered().moved(to: .zero, decodingTime: .milliseconds(2), duration: nil)
    #expect(try bytes(moved) == Array(0..<10))
    #expect(moved.decodingTime == .milliseconds(2))
    #expect(moved.flags.contains(.deltaUnit))
  }

  @Test func aPartOutsideIsAnError() throws {
    let error = #expect(throws: GStreamerError.self) {
      try numbered().part(5..<11, at: .zero, duration: nil)
    }
    #expect(error?.code == .outOfRange)
  }

  @Test(
    arguments: [
      ("U8", [128]), ("S16LE", [0, 0]), ("F32LE", [0, 0, 0, 0]), ("U16BE", [128, 0]),
      ("S24LE", [0, 0, 0]), ("U24_32LE", [0, 0, 128, 0]), ("U20LE", [0, 0, 8]),
    ] as [(String, [UInt8])])
  func silenceIsTheMiddleOfTheRange(format: String, sample: [UInt8]) throws {
    let caps = try Caps("audio/x-raw,format=\(format),rate=8000,channels=2,layout=interleaved")
    let info = try AudioInfo(caps)
    #expect((info.sampleRate, info.channels) == (8000, 2))
    let silence = try info.silence(frames: 4).finish()
    #expect(silence.byteCount == 4 * info.bytesPerFrame)
    #expect(info.bytesPerFrame == 2 * sample.count)
    #expect(try bytes(silence) == Array(repeatElement(sample, count: 8).joined()))
    #expect(info.frames(in: info.duration(ofFrames: 12_345)) == 12_345)
  }

  @Test func soundThatIsNotInterleavedIsNotUnderstood() throws {
    let caps = try Caps("audio/x-raw,format=S16LE,rate=8000,channels=2,layout=non-interleaved")
    #expect(throws: GStreamerError.self) { try AudioInfo(caps) }
  }

  @Test(arguments: [
    "rate=8000,channels=(gint64)9223372036854775807", "rate=(gint64)4294967296,channels=2",
  ])
  func soundInNumbersThatGStreamerDoesNotHaveIsNotUnderstood(fields: String) throws {
    let caps = try Caps("audio/x-raw,format=S16LE,\(fields),layout=interleaved")
    #expect(throws: GStreamerError.self) { try AudioInfo(caps) }
  }

  @Test func soundBeyondAnyMeasureIsAnError() throws {
    let caps = try Caps(
      "audio/x-raw,format=F64LE,rate=2147483647,channels=2147483647,layout=interleaved")
    let info = try AudioInfo(caps)
    let frames = info.frames(in: ClockTime(nanoseconds: .max))
    #expect(frames == .max)
    let error = #expect(throws: GStreamerError.self) { _ = try info.silence(frames: frames) }
    #expect(error?.code == .outOfMemory)
    #expect(throws: GStreamerError.self) { _ = try info.silence(frames: -1) }
  }

  @Test func aBinOfElementsHasThePadsAtItsEnds() async throws {
    let source = try Element("videotestsrc")
    try source.set("num-buffers", to: 3)
    let bin = try Element(chaining: [source, Element("identity")])
    #expect(bin.pads.map(\.name) == ["src"])
    let filter = try Element(chaining: [Element("identity"), Element("queue")])
    #expect(Set(filter.pads.map(\.name)) == ["sink", "src"])
    let pipeline = try Pipeline()
    let sink = try Element("fakesink")
    try await pipeline.add(bin, filter, sink)
    try await pipeline.link(bin, filter, sink)
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    let error = #expect(throws: GStreamerError.self) { try Element(chaining: [source]) }
    #expect(error?.code == .refused)
  }

  @Test func unknownDeviceClassesHaveNoDevices() async throws {
    #expect(try await DeviceMonitor().devices(of: "No/Such") == [])
    for device in try await DeviceMonitor().devices(of: "Video/Source") {
      #expect(device.deviceClass.contains("Video"))
    }
  }
}
