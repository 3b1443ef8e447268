// Tests of the app: memory is its camera, and time passes when the test says so.

import GStreamer
import SlitScanCapture
import Synchronization
import Testing

@testable import Embed

@Test func aCameraThatWasPulledOutIsOpenedAgain() async throws {
  let isThere = Atomic(true)
  let camera = InMemorySource { number in
    guard isThere.load(ordering: .relaxed) else { throw CaptureError(.noCamera, "No camera.") }
    return try greyFrame(number)
  }
  let clock = ManualClock()
  // No limit of the session runs out, however slow the machine is.
  let session = CaptureSession(clock: ManualClock())
  let events = session.events
  let watching = Task { await Embed.keepOpen(session, events, on: clock) }

  let frames = await session.frames(delivery: .lossless)
  try await session.update {
    CustomVideo(from: camera); Scan(map: .radial)
  }
  isThere.store(false, ordering: .relaxed)
  await #expect(throws: CaptureError.self) { for try await _ in frames {} }

  // It looks in vain once.
  await clock.sleepers(1)
  clock.advance(by: .seconds(5))
  await clock.sleepers(1)
  isThere.store(true, ordering: .relaxed)
  let more = await session.frames(delivery: .lossless)
  clock.advance(by: .seconds(5))
  for try await frame in more {
    let pixels = try frame.videoFrame()
    #expect(pixels.row(0, ofPlane: 0)[0] == 0)
    break
  }
  watching.cancel()
  await session.stop()
}

/// A frame whose pixels all have one value, its number.
func greyFrame(_ number: Int) throws -> Sample {
  let caps = try Caps("video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1")
  var buffer = try WritableBuffer(VideoInfo(caps))
  buffer.presentationTime = .seconds(Double(number) / 25)
  buffer.duration = .seconds(1 / 25)
  try buffer.withMutableBytes { bytes in
    for index in bytes.byteOffsets {
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: index, as: UInt8.self)
    }
  }
  return Sample(buffer.finish(), caps: caps)
}
