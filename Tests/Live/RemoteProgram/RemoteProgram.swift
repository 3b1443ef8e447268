// A program that runs a show with a remote, for a browser; it prints what is performed.

import Foundation
import GStreamer
import SlitScanCapture
import SlitScanRemote
import SlitScanStage

/// `RemoteProgram SOURCE FOLDER [ADDRESS [PORT]]`; ends with its standard input, whose lines are moves.
@main struct RemoteProgram {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else {
      return say("Usage: RemoteProgram SOURCE FOLDER [ADDRESS [PORT]]")
    }
    do throws(StageError) {
      try await perform(
        LiveSource(words[0]), folder: words[1], bind: words.count > 2 ? words[2] : "127.0.0.1",
        port: words.count > 3 ? UInt16(words[3]) ?? 0 : 0)
    } catch {
      say("error \(error)")
    }
  }

  private static func perform(
    _ source: LiveSource, folder: String, bind: String, port: UInt16
  ) async throws(StageError) {
    let stage = try CaptureStage(source, VideoRequest(width: 640, height: 360))
    let maps = try? MapFolder(folder + "/maps")
    let performance = await Performance(on: stage, folder: folder, maps: maps)
    let remote = Remote(performance, feed: .frames(of: stage.capture), bind: bind, port: port)
    try await stage.start()
    let changes = performance.changes
    let address = try await remote.start()
    say("port \(address.port)")
    say("code \(address.code ?? "none")")
    let telling = Task { for await change in changes { say(words(for: change)) } }
    for await line in lines() {
      guard let move = try? Move(line) else { continue }
      await performance.play(move)
    }
    await remote.stop()
    await stage.stop()
    telling.cancel()
  }

  private static func words(for change: Change) -> String {
    switch change {
    case .property(let name, let value): "property \(name) \(Parameter.text(value))"
    case .tempo(let tempo): "tempo \(tempo.beatsPerMinute)"
    case .quantize(let beats): "quantize \(beats)"
    case .preset(let name): "preset \(name ?? "none")"
    case .recording(let path): "recording \(path ?? "none")"
    case .recorded(let path): "recorded \(path)"
    case .snapshot(let path): "snapshot \(path)"
    case .blackout(let isBlack): "blackout \(isBlack)"
    default: "\(change)"
    }
  }

  /// The lines of standard input, read by a thread that may wait.
  private static func lines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return stream
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
