// A program with its arguments, as it could be typed.

import Foundation

/// A command line that shows frames until it is stopped, and says how many there have been.
struct Program: Hashable {
  /// The program's name, to be found in PATH.
  var name: String
  var arguments: [String]
  /// Variables that it gets besides those there are.
  var environment: [String: String] = [:]
  /// How it says how many frames it has shown.
  var counting: FrameCounting
  /// Frames that go in for one that comes out.
  var framesPerPicture = 1

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
