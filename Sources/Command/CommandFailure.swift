// Errors of the command, and the exit status and message it ends with.

import ArgumentParser
import LibC
import SlitScanCapture
import SlitScanRender
import SlitScanStage
import SlitScanWindow

/// Runs a command's work, and ends it as its help says.
///
/// - Parameter json: Whether the error is printed for programs, too.
func endingAsSaid<Result: Sendable>(
  json: Bool, _ meter: ProgressMeter? = nil,
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  do {
    defer { meter?.finish() }
    return try await untilInterrupted(body)
  } catch let error as CaptureError {
    if json { try printError(code: error.code.rawValue, error.message) }
    complain("Error: \(error.message)")
    if let reason = error.underlying?.message, !error.message.contains(reason) {
      complain("       GStreamer says: \(reason)")
    }
    throw error.isOfTyping ? ExitCode.validationFailure : ExitCode.failure
  } catch let error as StageError {
    if json { try printError(code: error.code.rawValue, error.message) }
    complain("Error: \(error.message)")
    throw ExitCode.validationFailure
  } catch let code as ExitCode where code.rawValue > 128 {
    if json { try printError(code: "interrupted", "The command was interrupted.") }
    complain("Interrupted. Nothing was written.")
    throw code
  }
}

/// Prints a line where errors go.
func complain(_ line: String) {
  write(line + "\n", to: STDERR_FILENO)
}

extension CaptureError {
  /// Whether something else must be typed, rather than done.
  fileprivate var isOfTyping: Bool {
    let codes: [Code] = [
      .badScan, .unknownContainer, .unsupportedFormat, .badConfiguration, .badRequest, .fileExists,
      .noSuchDisplay,
    ]
    return codes.contains(code)
  }
}

/// An error of the command: a sentence that says what happened and what to do.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
