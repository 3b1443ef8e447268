// What a frame costs a program that runs by itself.

import Foundation
import Glibc

/// Times frames of other programs, from outside, while they run.
///
/// The start of the program and the time that it takes to fill its history do not count: the clock
/// starts with a frame after that. When enough frames have passed, the program is ended.
struct FrameTiming {
  /// Frames that go by before the clock starts.
  var fill: Int
  /// The fewest frames to time, and the shortest time.
  var frames: Int
  var duration = Duration.seconds(1)

  /// Seconds without a frame after which a program counts as stuck.
  private static let patience: Int32 = 120

  /// The milliseconds that a frame takes a program.
  ///
  /// - Throws: ``CommandError`` when it ends by itself or shows nothing.
  func milliseconds(of program: Program) throws -> Double {
    guard let file = Program.find(program.name) else {
      throw CommandError("\(program.name) is not installed.")
    }
    let process = Process(file, program.arguments, environment: program.environment)
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let result = watch(output.fileHandleForReading, program)
    // Not asked politely: that would be to wait until it has put its frames away.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    guard let result else {
      let text = try errors.fileHandleForReading.readToEnd() ?? Data()
      let last =
        String(decoding: text, as: UTF8.self).split(separator: "\n").last ?? "it says nothing"
      throw CommandError("\(program.name) stopped: \(last). The line was: \(program.shellLine)")
    }
    return result
  }

  /// Milliseconds a frame from the lines that arrive; nil if they end too early.
  private func watch(_ output: FileHandle, _ program: Program) -> Double? {
    let clock = ContinuousClock()
    var counter = FrameCounter(program.counting)
    var start: (time: ContinuousClock.Instant, count: Int)?
    var last = 0
    while let piece = nextPiece(of: output) {
      let now = clock.now
      counter.consume(piece)
      let count = counter.count * program.framesPerPicture
      // Only when a frame has come is it known what time it came.
      guard count > last else { continue }
      last = count
      guard let start else {
        if count >= fill { start = (now, count) }
        continue
      }
      guard count - start.count >= frames, now - start.time >= duration else { continue }
      return (now - start.time) / .milliseconds(1) / Double(count - start.count)
    }
    return nil
  }

  /// What a program prints next; nil at the end, or when nothing comes.
  private func nextPiece(of output: FileHandle) -> Data? {
    var wait = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, Self.patience * 1000) == 1 else { return nil }
    let piece = output.availableData
    return piece.isEmpty ? nil : piece
  }
}
