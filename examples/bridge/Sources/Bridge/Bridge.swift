// Reads frames from one pipeline, changes them in Swift, and sends them to another.

import Foundation
import GStreamer

/// Plays a video through a ``RowScan`` of plain Swift and writes what comes out.
@main struct Bridge {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { fail("Usage: Bridge INPUT OUTPUT.mkv", status: EX_USAGE) }
    do {
      try await run(from: arguments[1], to: arguments[2])
    } catch {
      fail("\(error)")
    }
  }

  /// Prints a line to standard error and ends the program.
  static func fail(_ line: String, status: Int32 = EXIT_FAILURE) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    exit(status)
  }

  static func run(from input: String, to output: String) async throws {
    let reading = try Pipeline(
      "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=I420 "
        + "! appsink name=frames sync=false")
    let writing = try Pipeline(
      "appsrc name=frames ! jpegenc quality=90 ! matroskamux ! filesink name=file")
    try reading.element(named: "file").set("location", to: input)
    try writing.element(named: "file").set("location", to: output)
    let frames = try AppSink(reading.element(named: "frames"))
    let results = try AppSrc(writing.element(named: "frames"))

    // It plays as soon as it has a first frame, which comes only below.
    async let writes: Void = writing.play()
    try await reading.play()
    var scan = RowScan(depth: 60)
    var count = 0
    for try await sample in frames.samples {
      // Waits while the encoder has enough to do, and so does the decoder.
      try await results.send(scan.next(sample))
      count += 1
    }
    try await results.finish()
    try await writes
    try await writing.waitForEnd()
    print("\(count) frames are in \(output).")
    await reading.stop()
    await writing.stop()
  }
}
