// Runs programs that show frames, and counts the frames they report.

import Foundation

/// A command line that shows frames until it is stopped, and says how many there have been.
struct Program: Hashable {
  /// The program's name, to be found in PATH.
  var name: String
  var arguments: [String]
  /// Variables that it gets besides those there are.
  var environment: [String: String] = [:]
  /// The way in which it counts the frames that it has shown.
  var counting: FrameCounting
  /// Frames that go in for one that comes out.
  var framesPerOutput = 1

  /// The line to type into a shell.
  var shellLine: String {
    let variables = environment.sorted { $0.key < $1.key }.map {
      "\($0.key)=\(Self.quoted($0.value))"
    }
    return (variables + ([name] + arguments).map(Self.quoted)).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "-_./=:,!+@%".unicodeScalars.contains($0)
    }
    guard !plain || word.isEmpty else { return word }
    return "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// The file of a program, the first in PATH; nil if there is none.
  static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Whether a program is there and ends well with these arguments.
  static func succeeds(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) -> Bool {
    guard let file = find(name) else { return false }
    let process = Process(file, arguments, environment: environment)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

extension Process {
  /// A process that has not started: no input, and some variables besides those there are.
  convenience init(_ file: URL, _ arguments: [String], environment: [String: String]) {
    self.init()
    executableURL = file
    self.arguments = arguments
    self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    standardInput = FileHandle.nullDevice
  }
}

/// The pattern of frame counts in the lines that a program prints.
enum FrameCounting: Hashable {
  /// A line with this text for each frame.
  case lines(containing: String)
  /// A line that begins with this text and ends with the number of frames.
  case number(after: String)
}

/// Frames counted in a program's output, which comes in pieces.
struct FrameCounter {
  let counting: FrameCounting
  private(set) var count = 0
  /// The beginning of a line whose end has not come yet.
  private var rest = Data()

  init(_ counting: FrameCounting) { self.counting = counting }

  /// Takes in the next piece.
  mutating func consume(_ piece: Data) {
    rest.append(piece)
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      consume(line: String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    rest = Data(rest)
  }

  private mutating func consume(line: String) {
    switch counting {
    case .lines(let text): count += line.contains(text) ? 1 : 0
    case .number(let text):
      guard line.hasPrefix(text), let number = Int(line.dropFirst(text.count)) else { return }
      count = number
    }
  }
}

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
  /// - Throws: ``BenchmarkError`` when it ends by itself or shows nothing.
  func milliseconds(of program: Program) throws -> Double {
    guard let file = Program.find(program.name) else {
      throw BenchmarkError("\(program.name) is not installed.")
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
      throw BenchmarkError("\(program.name) stopped: \(last). The line was: \(program.shellLine)")
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
      let count = counter.count * program.framesPerOutput
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

  /// The next output of a program; nil at the end, or when nothing comes.
  private func nextPiece(of output: FileHandle) -> Data? {
    var wait = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, Self.patience * 1000) == 1 else { return nil }
    let piece = output.availableData
    return piece.isEmpty ? nil : piece
  }
}
