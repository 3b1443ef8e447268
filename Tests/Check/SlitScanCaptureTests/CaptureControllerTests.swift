// Tests of the capture controller: what a user interface sees of a session.

import Footage
import GStreamer
import TestClock
import Testing

@testable import SlitScanCapture

@MainActor @Suite(.serialized) struct CaptureControllerTests {
  private let running = RunningClock()

  @Test func aControllerShowsWhatHappens() async throws {
    let clock = ManualClock()
    let controller = CaptureController(
      session: CaptureSession(clock: clock, streamClock: running.clock.clock))
    #expect(await controller.photo() == nil)
    #expect(controller.failure?.code == .wrongState)
    #expect(
      await controller.update {
        TestPattern("ball", .small)
        Preview("identity error-after=5 ! fakesink")
      })
    #expect(controller.status.state == .running)
    await until { controller.failure != nil }
    #expect(controller.failure?.code == .previewFailed)
    while controller.status.frames < 20 { await clock.crank() }
    #expect(await !controller.update { Preview() })
    #expect(controller.failure?.code == .badConfiguration)
    #expect(controller.status.state == .running)
    await controller.stop()
    #expect(controller.status.state == .stopped)
  }

  @Test func aControllerGoesByTheLastOfSeveralUpdates() async throws {
    let (silent, camera) = (try HandDrivenCamera(), try HandDrivenCamera())
    let session = CaptureSession(clock: ManualClock())
    let controller = CaptureController(session: session)
    let first = Task { await controller.update { CustomVideo(from: silent) } }
    await until { await session.capture.opening != nil }
    let hasBegun = Shared(false)
    let last = Task {
      await controller.update {
        let _ = hasBegun.value = true
        CustomVideo(from: camera)
      }
    }
    await until { hasBegun.value }
    first.cancel()
    #expect(await !first.value)
    #expect(controller.isUpdating)
    #expect(controller.failure == nil)
    try await camera.deliver(Footage().frame(0))
    #expect(await last.value)
    #expect(!controller.isUpdating)
    #expect(controller.failure == nil)
    await controller.stop()
  }
}
