// A program with a Swift runtime of its own, which loads the plugin with another one.

import Foundation
import GStreamer
import SlitScan

/// Scans the frames of a pipeline itself, while the plugin scans the same ones, and says whether both
/// came to the same frames, and which copies of Swift were there.
@main struct PluginHost {
  static let width = 64
  static let height = 48
  static let depth = 8

  static func main() async {
    do {
      let count = try await compare(frames: 100)
      print("\(count) frames, the same from both")
      print(try loadedLibraries().sorted().joined(separator: " "))
    } catch {
      print(error)
    }
  }

  /// The number of equal frames from the first on.
  static func compare(frames: Int) async throws -> Int {
    let pipeline = try Pipeline(
      "videotestsrc pattern=ball num-buffers=\(frames) "
        + "! video/x-raw,format=GRAY8,width=\(width),height=\(height) ! tee name=both "
        + "! queue ! appsink name=here "
        + "both. ! queue ! slitscan depth=\(depth) ! appsink name=there")
    let here = try AppSink(pipeline.element(named: "here"), delivery: .lossless)
    let there = try AppSink(pipeline.element(named: "there"), delivery: .lossless)
    let scan = try GreyScan(width: width, height: height, depth: depth)
    try await pipeline.play()
    var scanned = there.samples.makeAsyncIterator()
    var count = 0
    for try await sample in here.samples {
      guard let other = try await scanned.next() else { break }
      guard try await scan.next(pixels(sample)) == pixels(other) else { break }
      count += 1
    }
    await pipeline.stop()
    return count
  }

  /// The pixels of a grey frame, without padding.
  static func pixels(_ sample: Sample) throws -> [UInt8] {
    let frame = try sample.videoFrame()
    var pixels: [UInt8] = []
    for row in 0..<height {
      let samples = frame.row(row, ofPlane: 0)
      for column in samples.indices { pixels.append(samples[column]) }
    }
    return pixels
  }

  /// The files of Swift's and the plugin's code in this process.
  static func loadedLibraries() throws -> Set<String> {
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
    let lines = String(decoding: maps ?? Data(), as: UTF8.self).split(whereSeparator: \.isNewline)
    let names = lines.compactMap { $0.split(separator: "/").last }
    return Set(names.map(String.init)).intersection(["libswiftCore.so", "libgstslitscan.so"])
  }
}
