// Runs programs as a person runs them, and checks what they leave behind.

import AwaitedProgram
import Foundation

/// The result of a program; an error where it ends with another status than a test expects.
package struct CommandResult: Error {
  package var command: [String]
  package var status: Int32
  /// Output and errors together, in order.
  package var text: String
}

/// The places that Tests/run.sh prepares, and the commands that use them.
package enum Command {
  /// The folder of the plugin to ship.
  package static let pluginFolder = ProcessInfo.processInfo.environment["SLITSCAN_PLUGIN_PATH"]
  /// The simulated camera to preload.
  package static let camera = ProcessInfo.processInfo.environment["SLITSCAN_CAMERA"]
  /// The command `slitscan`: the one in SLITSCAN_TEST_COMMAND, or the one beside the tests.
  package static let slitscan =
    ProcessInfo.processInfo.environment["SLITSCAN_TEST_COMMAND"] ?? besideTheTests("slitscan")
  /// The program of Tests/Support/PluginHost.
  package static let pluginHost = besideTheTests("PluginHost")
  /// The bundled clip at a quarter of its width and height, 320x180 pixels, for tests that encode it often.
  package static let smallClip = ProcessInfo.processInfo.environment["SLITSCAN_SMALL_CLIP"] ?? ""
  /// Whether Tests/run.sh has prepared everything.
  package static let isPrepared = pluginFolder != nil && camera != nil && !smallClip.isEmpty
  /// Whether the folder of the plugin has that of the GPU, too.
  package static let hasGLPlugin =
    isPrepared
    && FileManager.default.fileExists(atPath: (pluginFolder ?? "") + "/libgstslitscangl.so")
  /// The environment in which OpenGL needs neither a display nor a GPU.
  package static let softwareGL = ["GST_GL_PLATFORM": "egl", "GST_GL_WINDOW": "egl-device"]
  /// The top of the repository.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func besideTheTests(_ name: String) -> String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name).path
  }

  /// Runs a line of shell in `folder`.
  ///
  /// - Parameters:
  ///   - status: What it has to end with; nil where that does not matter.
  ///   - environment: Variables that the program gets besides its own.
  @discardableResult
  package static func run(
    _ line: String, status: Int32? = 0, in folder: URL = root, environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let plugins = pluginFolder.map { ["GST_PLUGIN_PATH": $0] } ?? [:]
    // Other tests choose OpenGL in software for this process.
    let strays = softwareGL.keys.filter { environment[$0] == nil }.joined(separator: " ")
    return try await run(
      ["bash", "-c", "unset \(strays)\n\(line)"], status: status, in: folder,
      environment: plugins.merging(environment) { $1 })
  }

  /// Runs a program in `folder`, without a shell.
  @discardableResult
  package static func run(
    _ words: [String], status: Int32? = 0, in folder: URL = root,
    environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let end = try await AwaitedProgram(
      words, in: folder.path, environment: environment, keepsErrors: true
    ).end()
    let result = CommandResult(
      command: words, status: end.status, text: String(decoding: end.output, as: UTF8.self))
    guard status == nil || status == end.status else { throw result }
    return result
  }

  /// Runs gst-launch-1.0 until it fails with a sentence.
  ///
  /// That of GStreamer 1.22 now and then waits for ever after an error before the first frame, whatever element it is
  /// of: after that of `identity error-after=1` in 2 to 5 of 40 runs. Then it is ended, and runs once more.
  @discardableResult
  package static func run(
    failing line: String, saying sentence: String, environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let launch = "timeout 20 gst-launch-1.0 \(line)"
    var result = try await run(launch, status: nil, environment: environment)
    for _ in 0..<5 where result.status == 124 && result.text.contains(sentence) {
      result = try await run(launch, status: nil, environment: environment)
    }
    guard result.status == 1, result.text.contains(sentence) else { throw result }
    return result
  }

  /// Runs a script of shell in `folder`, with functions for what takes its time.
  ///
  /// - Parameter wrapper: A program of Tests/Support that runs it.
  @discardableResult
  package static func play(
    script: String, in folder: URL, under wrapper: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let tools = #"""
      # A UDP port that is free.
      free_port() {
        python3 -c 'import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0))
      print(s.getsockname()[1])'
      }
      give_up() { echo "never: $1"; cat said*.txt; kill -KILL $show; exit 1; }
      # until_true CONDITION [ACTION]: does something again and again until it has come of it.
      until_true() {
        for i in $(seq 900); do
          eval "$1" >/dev/null 2>&1 && return
          eval "${2:-true}" >/dev/null 2>&1
          sleep 0.1
        done
        give_up "$1"
      }
      # says PATTERN [ACTION]: the same until the show has said something.
      says() { until_true "grep -qE '$1' said.txt" "${2:-}"; }
      # Ends the show as control-C does, and tells how.
      end() { kill -INT $show; wait $show; echo "ended with $?"; cat said.txt; }

      """#
    try Data((tools + script).utf8).write(to: folder.appending(path: "play.sh"))
    let program = wrapper.map { "'\(root.appending(path: "Tests/Support/\($0)").path)' " } ?? ""
    return try await run("\(program)bash play.sh", in: folder, environment: environment)
  }

  /// Runs a show until something has come of it, and then ends it as control-C does.
  ///
  /// - Parameters:
  ///   - arguments: What follows `slitscan live`.
  ///   - condition: Shell that is true from then on. What the show has said so far is in `said.txt`.
  /// - Returns: How the show ended, and what it said.
  @discardableResult
  package static func play(
    _ arguments: String, until condition: String, in folder: URL,
    environment: [String: String] = [:]
  ) async throws -> CommandResult {
    try await play(
      script: """
        \(slitscan) live \(arguments) >said.txt 2>&1 & show=$!
        for i in $(seq 600); do
          if { \(condition); } || ! kill -0 $show; then break; fi
          sleep 0.1
        done 2>/dev/null
        kill -INT $show; wait $show; status=$?
        cat said.txt
        exit $status
        """, in: folder, environment: environment)
  }
}
