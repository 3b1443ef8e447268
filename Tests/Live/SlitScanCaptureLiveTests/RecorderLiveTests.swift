// Tests of recordings that take long, or that measure time.

import Foundation
import Footage
import SlitScanCapture
import TemporaryFolder
import Testing

@Suite struct RecorderTests {
  private let folder = TemporaryFolder()

  /// Live: it computes for a minute.
  @Test(arguments: Container.allCases)
  func overTenMinutesSoundDoesNotDrift(container: Container) async throws {
    var footage = Footage()
    (footage.width, footage.height, footage.interval) = (16, 16, 600)
    let path = "\(folder)/film.\(container.pathExtension)"
    let audio = AudioSettings(bitRate: 32_000, sampleRate: 16_000, channels: 1)
    let recorder = try await Recorder.started(to: path, RecorderSettings(audio: audio))
    try await footage.shoot(0..<18_000, with: recorder)
    let recording = try await recorder.finish()
    #expect(recording.frames == 18_000)
    #expect(try await DecodedFile(path: path).faults(flashes: 30) == [])
  }
}

@Suite(.serialized) struct RecordingFailureTests {
  private let folder = TemporaryFolder()

  /// Live: it measures the time until an error comes.
  @Test(.enabled(if: canMount), arguments: Container.allCases)
  func aFullDiskIsSaidWithinASecond(container: Container) async throws {
    try #require(shell("mount -t tmpfs -o size=256k tmpfs \(folder)"))
    defer { _ = shell("umount -l \(folder)") }
    let video = VideoSettings(bitRate: 4_000_000)
    let recorder = try await Recorder.started(
      to: "\(folder)/film.\(container.pathExtension)", RecorderSettings(video: video))
    let clock = ContinuousClock()
    let start = clock.now
    var full: Int?
    var number = 0
    // As a camera does, for five seconds at most: as many frames are late as time goes by.
    let error = await #expect(throws: CaptureError.self) {
      while number < 150 {
        try await clock.sleep(until: start + .milliseconds(number * 1000 / 30))
        if full == nil, freeBytes(folder.path) == 0 { full = number }
        try await recorder.append(video: Footage().noise(number))
        number += 1
      }
    }
    #expect(error?.code == .diskFull)
    // Between two frames, it may become full and be said.
    let late = number - (full ?? number)
    #expect(late <= 30)
    print("\(container): the disk was full for \(late) frames before that was said")
  }
}

/// The bytes that can still be written to the file system of a folder.
private func freeBytes(_ folder: String) -> Int {
  let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
  return (attributes?[.systemFreeSize] as? NSNumber)?.intValue ?? -1
}
