// Tests of a recording's file: one writer at a time, and a failed recording restores what was there.

import AwaitedProgram
import Foundation
import Footage
import GStreamer
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite struct RecordingFileTests {
  private let folder = TemporaryFolder()
  private let footage = Footage()

  private func record(_ count: Int, with recorder: Recorder) async throws {
    for number in 0..<count { try await recorder.append(video: footage.frame(number)) }
  }

  // MARK: Two recordings to one file

  /// Other spellings of `film.mkv`, which is there already.
  enum Spelling: CaseIterable {
    case same, detour, symbolicLink

    func path(_ folder: String) throws -> String {
      switch self {
      case .same: return "\(folder)/film.mkv"
      case .detour: return "\(folder)/a/../film.mkv"
      case .symbolicLink:
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/link.mkv", withDestinationPath: "film.mkv")
        return "\(folder)/link.mkv"
      }
    }
  }

  @Test(arguments: Spelling.allCases, [false, true])
  func aFileThatIsBeingRecordedIsRefusedToOthers(spelling: Spelling, isThere: Bool) async throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/a", withIntermediateDirectories: false)
    let path = "\(folder)/film.mkv"
    if isThere { try "before".write(toFile: path, atomically: false, encoding: .utf8) }
    let first = try await Recorder.started(to: path)
    let other = try spelling.path(folder.path)
    let second = try Recorder(to: other)
    let error = await #expect(throws: CaptureError.self) { try await second.start() }
    #expect(error?.code == .fileBusy)
    #expect(error?.message.contains(other) == true)
    try await record(30, with: first)
    #expect(try await first.finish().frames == 30)
    #expect(try await DecodedFile(path: path).stream("v").frames == 30)
    // It is free again.
    let third = try await Recorder.started(to: other)
    try await record(20, with: third)
    #expect(try await third.finish().frames == 20)
    #expect(try await DecodedFile(path: path).stream("v").frames == 20)
    let link = spelling == .symbolicLink ? ["link.mkv"] : []
    #expect(try folder.files == ["a", "film.mkv"] + link)
  }

  @Test func twoNamesOfOneFileBecomeTwoRecordings() async throws {
    try "before".write(toFile: "\(folder)/a.mkv", atomically: false, encoding: .utf8)
    try FileManager.default.linkItem(atPath: "\(folder)/a.mkv", toPath: "\(folder)/b.mkv")
    let recorders = try ["a", "b"].map { try Recorder(to: "\(folder)/\($0).mkv") }
    for recorder in recorders { try await recorder.start() }
    try await record(10, with: recorders[0])
    try await record(20, with: recorders[1])
    for recorder in recorders { try await recorder.finish() }
    #expect(try await DecodedFile(path: "\(folder)/a.mkv").stream("v").frames == 10)
    #expect(try await DecodedFile(path: "\(folder)/b.mkv").stream("v").frames == 20)
    #expect(try folder.files == ["a.mkv", "b.mkv"])
  }

  /// A process that is being started has copies of all descriptors until it runs its own program.
  @Test func aFileIsUnlockedOnceItIsClosedWhileACopyOfItsDescriptorIsOpen() throws {
    let path = "\(folder)/film.mkv"
    var file = OpenFile.open(path, O_RDWR | O_CREAT)
    try #require(file?.lock() == true)
    let copy = dup(try #require(file?.descriptor))
    defer { close(copy) }
    file = nil
    #expect(OpenFile.open(path, O_RDWR)?.lock() == true)
  }

  @Test func aFileThatAnotherProcessRecordsIsRefusedUntilThatIsGone() async throws {
    let path = "\(folder)/film.mkv"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let recorder = try await Recorder.started(to: path)
      try await RecordingFileTests().record(30, with: recorder)
      await until { await recorder.streams?.written.frames ?? 0 >= 20 }
      // As another process would.
      let outcome = try AwaitedProgram(["flock", "--nonblock", path, "true"]).run()
      #expect(outcome.status == 1)
      guard outcome.status == 1 else { return }
      kill(getpid(), SIGKILL)
    }
    #expect(try await DecodedFile(path: path).stream("v").frames >= 10)
    let recorder = try await Recorder.started(to: path)
    try await record(30, with: recorder)
    #expect(try await recorder.finish().frames == 30)
    #expect(try folder.files == ["film.mkv"])
  }

  @Test(arguments: ["same", "detour", "link"])
  func aSessionDoesNotRecordTwiceIntoOneFile(spelling: String) async throws {
    let path = "\(folder)/film.mkv"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/a", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.mkv", withDestinationPath: "film.mkv")
    let other = spelling == "link" ? "\(folder)/link.mkv" : "\(folder)/a/../film.mkv"
    try "before".write(toFile: path, atomically: false, encoding: .utf8)
    let pattern = TestPattern("ball", VideoRequest(width: 64, height: 48, frameRate: 30))
    let clock = TestClock.running()
    defer { clock.stop() }
    let session = CaptureSession(on: clock)
    let error = await #expect(throws: CaptureError.self) {
      try await session.update {
        pattern
        Record(to: path)
        Record(to: other)
      }
    }
    #expect(error?.code == .fileBusy)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
    #expect(try folder.files == ["a", "film.mkv", "link.mkv"])

    // Nor does another session, or a later update.
    try await session.update {
      pattern
      Record(to: path)
    }
    let rival = spelling == "same" ? CaptureSession(on: clock) : session
    await #expect(throws: CaptureError.self) {
      try await rival.update {
        pattern
        if spelling != "same" { Record(to: path) }
        Record(to: other)
      }
    }
    await until { await session.status.frames >= 40 }
    let recording = try #require(await session.stop().first)
    #expect(recording.frames > 0)
    #expect(try await DecodedFile(path: path).stream("v").frames == recording.frames)
    #expect(try folder.files == ["a", "film.mkv", "link.mkv"])
  }

  @Test func aStillDoesNotReplaceARecordingThatGoesOn() async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(to: path)
    try await record(30, with: recorder)
    let photo = Photo(try footage.frame(0))
    let error = await #expect(throws: CaptureError.self) {
      try await photo.write(to: path, as: .png)
    }
    #expect(error?.code == .fileBusy)
    #expect(try await recorder.finish().frames == 30)
    #expect(try await DecodedFile(path: path).stream("v").frames == 30)
    #expect(try folder.files == ["film.mkv"])
  }

  // MARK: Pipes

  @Test func aPipeGetsTheRecordingWhereItHasAReaderAndIsRefusedWithout() async throws {
    let path = "\(folder)/pipe.mkv"
    try #require(mkfifo(path, 0o600) == 0)
    let alone = try Recorder(to: path)
    let error = await #expect(throws: CaptureError.self) { try await alone.start() }
    #expect(error?.message.contains("has no reader yet") == true)
    async let copy = AwaitedProgram(["cp", path, "\(folder)/film.mkv"]).end()
    let recorder = try await recorder(with: path)
    try await record(30, with: recorder)
    #expect(try await recorder.finish().frames == 30)
    #expect(try await copy.status == 0)
    #expect(try await DecodedFile(path: "\(folder)/film.mkv").stream("v").frames == 30)
    #expect(try folder.files == ["film.mkv", "pipe.mkv"])
  }

  /// A recorder that has begun, as soon as its pipe has a reader.
  private func recorder(with path: String) async throws -> Recorder {
    while true {
      let recorder = try Recorder(to: path)
      do throws(CaptureError) {
        try await recorder.start()
        return recorder
      } catch {
        guard error.message.contains("has no reader yet") else { throw error }
        await Task.yield()
      }
    }
  }

  /// A reader that reads nothing.
  @Test func aPipeThatIsFullDoesNotHoldUpTheEnd() async throws {
    let path = "\(folder)/pipe.mkv"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let recorder = try await Recorder.started(to: path)
    let appending = Task {
      for number in 0..<3000 { try await recorder.append(video: footage.noise(number)) }
    }
    await until { await recorder.streams?.written.firstSampleEnd != nil }
    await recorder.cancel()
    appending.cancel()
    _ = await appending.result
    guard case .failed(let error) = await recorder.state else {
      Issue.record("It goes on.")
      return
    }
    #expect(error.code == .stopped)
  }

  // MARK: Recordings of nothing

  @Test(arguments: Container.allCases, [false, true])
  func aRecordingOfNothingLeavesWhatWasThere(container: Container, isThere: Bool) async throws {
    let path = "\(folder)/film.\(container.pathExtension)"
    if isThere { try "before".write(toFile: path, atomically: false, encoding: .utf8) }
    for isCancelled in [false, true] {
      let recorder = try await Recorder.started(to: path)
      if isCancelled {
        await recorder.cancel()
      } else {
        let error = await #expect(throws: CaptureError.self) { try await recorder.finish() }
        #expect(error?.code == .nothingRecorded)
        #expect(error?.message.contains(path) == true)
      }
      #expect(try folder.files == (isThere ? ["film.\(container.pathExtension)"] : []))
      if isThere { #expect(try String(contentsOfFile: path, encoding: .utf8) == "before") }
    }
  }

  @Test func aRecorderThatIsLetGoOfBeforeAFrameLeavesNothing() async throws {
    var recorder: Recorder? = try Recorder(to: "\(folder)/film.mkv")
    try await recorder?.start()
    recorder = nil
    // Messages on their way hold it for a moment.
    try await until { try folder.files.isEmpty }
  }

  /// Not a byte fits; or the header, and no frame.
  @Test(.enabled(if: canMount), arguments: Container.allCases, [0, 4096])
  func aDiskThatIsFullFromTheFirstByteHasNothingAndThatIsSaid(
    container: Container, room: Int
  ) async throws {
    try #require(shell("mount -t tmpfs -o size=64k tmpfs \(folder)"))
    defer { _ = shell("umount -l \(folder)") }
    let path = "\(folder)/film.\(container.pathExtension)"
    try #require(
      shell("head -c \(65536 - room) /dev/zero > \(folder)/full; test -s \(folder)/full"))
    let recorder = try Recorder(
      to: path, RecorderSettings(video: VideoSettings(bitRate: 4_000_000)))
    let error = await #expect(throws: CaptureError.self) {
      try await recorder.start()
      for number in 0..<3000 {
        try await recorder.append(video: footage.noise(number, width: 160, height: 120))
      }
    }
    #expect(error?.code == .diskFull)
    #expect(error?.message.contains("is in") == false, "\(error?.message ?? "")")
    #expect(try folder.files == ["full"])
  }
}
