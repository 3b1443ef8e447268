// A trial of the GPU in a process of its own: a graphics driver that crashes ends that process and no other.

import FoundationEssentials
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
  package static func trialAnswer() async throws -> String {
    let answer: Answer
    do throws(CaptureError) {
      answer = Answer(gpu: try await find().renderer)
    } catch {
      answer = Answer(code: error.code.rawValue, message: error.message)
    }
    return String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
  }

  /// Makes sure that a search does not end this process.
  ///
  /// - Throws: ``CaptureError/Code/noGPU``, and what the search in the other process throws.
  static func requireTrial(on clock: any SteadyClock) async throws(CaptureError) {
    guard let command = trialCommand else { return }
    let trial: ChildProcess
    do throws(GStreamerError) {
      trial = try ChildProcess(command)
    } catch {
      throw unusable("The process that tries it does not start: \(error.message).", nil)
    }
    guard let end = await trial.end(within: Deadline(in: trialPatience, on: clock)) else {
      throw unusable("The process that tries it does not answer.", nil)
    }
    guard end.signal == 0 else {
      throw unusable("OpenGL crashes here, with signal \(end.signal).", nil)
    }
    let answer = try? JSONDecoder().decode(Answer.self, from: Data(end.output))
    if answer?.gpu != nil { return }
    guard let code = answer?.code, let message = answer?.message else {
      throw unusable("The process that tries it gives no answer.", nil)
    }
    throw CaptureError(CaptureError.Code(rawValue: code), message)
  }
}
