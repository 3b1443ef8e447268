// The picture of the cost, drawn by gnuplot.

import ArgumentParser
import Foundation

/// Cost against resolution at the first depth, and against depth at the first size.
struct CostPlot {
  /// Of one mode, format, interpolation and number of threads.
  let measurements: [Measurement]

  /// Refuses what cannot be written, before time is spent on measuring.
  static func check(_ path: String) throws {
    try gnuplot("")
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw ValidationError("\(path) cannot be written. Name a file in a folder of yours.")
    }
  }

  /// Draws it as SVG.
  func write(to path: String) throws {
    guard let first = measurements.first?.subject else { return }
    let times = measurements.flatMap { [$0.milliseconds, $0.memcpyMilliseconds] }
    var maps: [String] = []
    for map in measurements.map(\.subject.map.rawValue) where !maps.contains(map) {
      maps.append(map)
    }
    let costs = measurements.map {
      "\($0.subject.map.rawValue) \($0.subject.size.megapixels) \($0.subject.depth ?? 1) "
        + "\($0.milliseconds) \($0.memcpyMilliseconds)"
    }
    try Self.gnuplot(
      """
      file = "\(path)"
      heading = "What a frame costs slitscan\\n\(first.mode.rawValue), \(first.format.rawValue), \
      interpolation \(first.interpolation?.rawValue ?? "–"), threads \(first.threads); \
      \(Machine.summary)"
      maps = "\(maps.joined(separator: " "))"
      size = "\(first.size)"
      pixels = \(first.size.megapixels)
      depth = \(first.depth ?? 1)
      least = \(times.min() ?? 1)
      most = \(times.max() ?? 1)
      $costs << END
      \(costs.joined(separator: "\n"))
      END
      \(String(decoding: PackageResources.cost_gnuplot, as: UTF8.self))
      """)
  }

  /// Has gnuplot run a script.
  private static func gnuplot(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/gnuplot")
    let input = Pipe()
    process.standardInput = input
    do { try process.run() } catch {
      throw ValidationError("--plot needs gnuplot, which is not installed; apt install gnuplot-nox")
    }
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("gnuplot has not drawn the picture. See what it says above.")
    }
  }
}
