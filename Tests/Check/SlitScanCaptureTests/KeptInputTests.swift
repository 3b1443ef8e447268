// Tests of the film that is made of the input of the last seconds.

import Footage
import Foundation
import GStreamer
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite struct KeptInputTests {
  private let folder = TemporaryFolder()

  /// A capture that has so many frames, and holds the last eight.
  private func capture(_ count: Int) async throws -> CapturePipeline {
    let camera = try HandDrivenCamera()
    let capture = CapturePipeline(camera, scan: ["depth": 4, "reserve": 8, "history": "whole"])
    let frames = await capture.frames(delivery: .lossless)
    try await camera.start(capture)
    for number in 1..<count { try await camera.deliver(Footage().frame(number)) }
    _ = try await frames.numbers(count)
    return capture
  }

  /// The times of the frames of a film, in frames, and whether each flashes.
  private func film(_ path: String) async throws -> [(time: Double, isFlash: Bool)] {
    let frames = try await FileSource(path).frames(clock: nil)
    var film: [(time: Double, isFlash: Bool)] = []
    for try await frame in frames {
      film.append(((frame.streamTime?.seconds ?? -1) * 30, try frame.level() > 128))
    }
    return film
  }

  @Test func theFilmHasTheFramesOfTheHistory() async throws {
    // The sixteenth frame flashes.
    let capture = try await capture(20)
    let path = folder.path + "/film.mkv"
    let kept = try await capture.keepInput(to: path)
    #expect(kept.isWhole)
    let length = await capture.time - kept.begin
    #expect(abs(length.seconds * 30 - 8) < 0.01)
    let film = try await film(path)
    #expect(film.map { $0.time.rounded() } == (0..<8).map(Double.init))
    #expect(film.map(\.isFlash) == (12..<20).map { $0 == 15 })
    #expect(try folder.files == ["film.mkv"])
    await capture.stop()
  }

  @Test func theFilmBeginsNoEarlierThanIsAskedFor() async throws {
    let capture = try await capture(20)
    let path = folder.path + "/film.mkv"
    let earliest = await capture.time - .milliseconds(100)
    let kept = try await capture.keepInput(to: path, from: earliest)
    #expect(abs((kept.begin.seconds - earliest.seconds) * 30) < 0.01)
    #expect(try await film(path).count == 3)
    await capture.stop()
  }

  @Test func aFileThatIsThereStays() async throws {
    let capture = try await capture(5)
    let path = folder.path + "/film.mkv"
    try Data("precious".utf8).write(to: URL(filePath: path))
    let error = await #expect(throws: CaptureError.self) { try await capture.keepInput(to: path) }
    #expect(error?.code == .fileExists)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(try folder.files == ["film.mkv"])
    await capture.stop()
  }

  @Test(arguments: [
    ("full.mkv", CaptureError.Code.diskFull, "The disk is full: "),
    ("no/folder.mkv", .notWritable, "folder"), ("film.txt", .unknownContainer, ".mkv"),
  ])
  func whatCannotBeWrittenIsSaidAndTheCaptureGoesOn(
    name: String, code: CaptureError.Code, message: String
  ) async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/full.mkv", withDestinationPath: "/dev/full")
    let capture = try await capture(20)
    let error = await #expect(throws: CaptureError.self) {
      try await capture.keepInput(to: folder.path + "/" + name)
    }
    #expect(error?.code == code)
    let said = error?.message ?? ""
    #expect(said.contains(message) && !said.contains(".part"), "\(said)")
    #expect(try folder.files == ["full.mkv"])
    #expect(try await capture.keepInput(to: folder.path + "/other.mkv").isWhole)
    await capture.stop()
  }

  @Test func aStopLeavesAFilmOrNothing() async throws {
    for _ in 0..<5 {
      let capture = try await capture(20)
      let path = folder.path + "/film.mkv"
      async let keeping = capture.keepInput(to: path)
      await capture.stop()
      let kept = try? await keeping
      #expect(try folder.files == (kept == nil ? [] : ["film.mkv"]))
      if kept != nil {
        #expect(try await !film(path).isEmpty)
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
