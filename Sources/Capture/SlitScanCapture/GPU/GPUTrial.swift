// A trial of the GPU in a process of its own: a graphics driver that crashes ends that process and no other.

import Foundation
import GStreamer

extension GPU {
  /// The command line of a program that prints ``trialAnswer()``; nil where OpenGL is tried in this process alone.
  package static var trialCommand: [String]? {
    get { command.value }
    set { command.value = newValue }
  }

  private static let command = Shared<[String]?>(nil)
  /// A little more than a search may take.
  private static let trialPatience = patience + .seconds(10)

  /// The outcome of a search, as its process prints it.
  private struct Answer: Codable {
    var gpu: String?
    var code: String?
    var message: String?
  }

  /// Searches in this process, and tells the outcome as another process reads it.
  package static func trialAnswer() async throws -> Data {
    let answer: Answer
    do throws(CaptureError) {
      answer = Answer(gpu: try await find().renderer)
    } catch {
      answer = Answer(code: error.code.rawValue, message: error.message)
    }
    return try JSONEncoder().encode(answer)
  }

  /// Makes sure that a search does not end this process.
  ///
  /// - Throws: ``CaptureError/Code/noGPU``, and what the search in the other process throws.
  static func requireTrial(on clock: any SteadyClock) async throws(CaptureError) {
    guard let command = trialCommand, let program = command.first else { return }
    let (trial, output) = (Process(), Pipe())
    trial.executableURL = URL(filePath: program)
    trial.arguments = Array(command.dropFirst())
    trial.standardInput = FileHandle.nullDevice
    trial.standardOutput = output
    trial.standardError = FileHandle.nullDevice
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    trial.terminationHandler = { _ in end.finish() }
    do {
      try trial.run()
    } catch {
      throw unusable("The process that tries it does not start: \(error.localizedDescription)", nil)
    }
    await Deadline(in: trialPatience, on: clock).wait { for await _ in ends {} }
    guard !trial.isRunning else {
      kill(trial.processIdentifier, SIGKILL)
      throw unusable("The process that tries it does not answer.", nil)
    }
    guard trial.terminationReason == .exit else {
      throw unusable("OpenGL crashes here, with signal \(trial.terminationStatus).", nil)
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let answer = try? JSONDecoder().decode(Answer.self, from: data)
    if answer?.gpu != nil { return }
    guard let code = answer?.code, let message = answer?.message else {
      throw unusable("The process that tries it gives no answer.", nil)
    }
    throw CaptureError(CaptureError.Code(rawValue: code), message)
  }
}
