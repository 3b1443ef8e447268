// Tests of animated properties against the formulas of their motions.

import Foundation
import StreamingThread
import Testing

@testable import GStreamer

@Suite struct MotionTests {
  /// The volumes that an element had for buffers of 10 ms each.
  private func play(_ motion: Motion, count: Int = 100) async throws -> [Double] {
    let pipeline = try Pipeline(
      "audiotestsrc samplesperbuffer=441 num-buffers=\(count) ! audio/x-raw,rate=44100 ! "
        + "volume name=moved ! fakesink")
    let moved = try pipeline.element(named: "moved")
    try moved.move("volume", motion)
    let heard = Lock([Double]())
    try moved.pad("src").addProbe(.buffer) { _ in
      let value: Double = (try? moved.get("volume")) ?? -1
      heard.withLock { $0.append(value) }
      return .pass
    }
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    return heard.withLock { $0 }
  }

  /// What a wave is at a phase from 0 to 1.
  private func value(_ wave: Motion.Wave, _ phase: Double, _ from: Double, _ to: Double) -> Double {
    let place: Double =
      switch wave {
      case .sine: 0.5 + 0.5 * sin(2 * .pi * phase)
      case .square: phase < 0.5 ? 0 : 1
      case .saw: phase
      case .reverseSaw: 1 - phase
      case .triangle:
        phase < 0.25 ? 0.5 + 2 * phase : phase < 0.75 ? 1.5 - 2 * phase : 2 * phase - 1.5
      }
    return from + (to - from) * place
  }

  @Test(arguments: Motion.Wave.allCases, [(1.0, 3.0), (3.0, 1.0)])
  func aWaveGoesBetweenItsEndsFromItsStart(wave: Motion.Wave, ends: (Double, Double)) async throws {
    let start = 130.0
    let values = try await play(
      .wave(
        wave, period: .milliseconds(400), start: .milliseconds(UInt64(start)), from: ends.0,
        to: ends.1))
    #expect(values.count == 100)
    for (index, value) in values.enumerated() {
      let phase = ((Double(index) * 10 - start) / 400).truncatingRemainder(dividingBy: 1)
      let expected = self.value(wave, phase < 0 ? phase + 1 : phase, ends.0, ends.1)
      // At a jump either side will do.
      let isJump = [0, 0.5, 1].contains { abs((phase < 0 ? phase + 1 : phase) - $0) < 0.01 }
      if wave == .sine || wave == .triangle || !isJump {
        #expect(abs(value - expected) < 1e-6, "\(wave) at \(index)")
      }
    }
  }

  @Test func aPathGoesFromPointToPointAndRestsBeforeAndAfter() async throws {
    let values = try await play(
      .path([.init(.milliseconds(200), 1), .init(.milliseconds(600), 5)]))
    #expect(values[10] == 1)
    #expect(abs(values[40] - 3) < 1e-6)
    #expect(abs(values[80] - 5) < 1e-6)
  }

  @Test func aHandMayTakeItAgain() throws {
    let element = try Element("volume")
    try element.move("volume", .wave(.sine, period: .seconds(1), from: 0, to: 1))
    #expect(element.isMoving("volume"))
    try element.move("volume", .wave(.saw, period: .seconds(1), from: 0, to: 1))
    try element.hold("volume")
    #expect(!element.isMoving("volume"))
    try element.hold("volume")
  }

  @Test(arguments: [
    ("nothing", Motion.path([.init(.zero, 1)]), GStreamerError.Code.noSuchProperty),
    ("volume", .path([]), .outOfRange),
    ("volume", .wave(.sine, period: .zero, from: 0, to: 1), .outOfRange),
    ("qos", .path([.init(.zero, 1)]), .notAccessible),
  ]) func impossibleMotionsAreErrors(property: String, motion: Motion, code: GStreamerError.Code)
    throws
  {
    let element = try Element("volume")
    let error = #expect(throws: GStreamerError.self) { try element.move(property, motion) }
    #expect(error?.code == code)
  }

  @Test func numbersOutsideTheRangeAreBroughtInside() async throws {
    let values = try await play(.path([.init(.zero, -5), .init(.milliseconds(500), .infinity)]))
    #expect(values.first == 0)
    #expect(values.last == 10)
  }
}
