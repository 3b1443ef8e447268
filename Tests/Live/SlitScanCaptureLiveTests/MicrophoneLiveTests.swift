// Tests of microphones. Live: what opens without a device, and how, is up to the elements that are installed.

import Foundation
import Footage
import SlitScanCapture
import TemporaryFolder
import Testing

@Suite struct MicrophoneLiveTests {
  private let folder = TemporaryFolder()

  /// Some elements that record open without a device, and give silence or fail later.
  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/snd")))
  func aMicrophoneThatIsNotThereIsAnError() async throws {
    let session = CaptureSession()
    let error = await #expect(throws: CaptureError.self) {
      try await session.update {
        TestPattern("ball", VideoRequest(width: 64, height: 48))
        Microphone()
        Record(to: "\(folder)/out.mkv")
      }
    }
    #expect(error?.code == .noMicrophone)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/out.mkv"))
  }
}
