// Tests that devices are listed. Live: PipeWire is another program.

import CommandUnderTest
import Foundation
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct DevicesTests {
  @Test func devicesAreListed() async throws {
    let result = try await Command.run(
      "Tests/Support/PipeWireCamera/with-camera.sh \(Command.slitscan) devices --json")
    #expect(result.text.contains(#""backend":"PipeWire","kind":"camera""#), "\(result.text)")
    let none = try await Command.run("\(Command.slitscan) devices")
    #expect(none.text.contains("Cameras"), "\(none.text)")
    #expect(none.text.contains("Microphones"), "\(none.text)")
  }
}
