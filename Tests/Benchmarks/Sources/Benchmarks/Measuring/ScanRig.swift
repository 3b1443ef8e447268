// The scan rig runs the effect with prepared input frames and output buffers.

import Foundation
import SlitScan

/// The effect fed from rings of frames, as a pipeline feeds it: neither the frame that comes in nor
/// the place that is drawn to was touched just before.
struct ScanRig {
  /// Nanoseconds from one frame to the next.
  static let frameDuration: UInt64 = 33_333_333

  private static let sourceCount = 6
  /// Of 1920×1080, they are larger than the caches of most machines, so that memcpy does not write to these.
  private static let targetCount = 24

  private let scanner = SlitScanner()
  private let sources: [Frame]
  private let targets: [Frame]
  /// Images that the map is made from, if it is made from any.
  private let maps: [Frame]
  private let mapRole: MapImageRole?
  /// Where ages go, if they are drawn.
  private let ages: Frame?
  /// Frames fed until now.
  private var frame = 0
  /// The report of the effect after the last frame.
  private(set) var report = FrameReport()

  /// A rig for one case, nothing fed yet.
  ///
  /// - Throws: ``ScanError`` when such frames cannot be scanned; ``BenchmarkError`` when they would
  ///   take most of the machine's memory.
  init(_ wanted: BenchCase, settings: ScanSettings) throws {
    let layout = try wanted.format.layout(wanted.size)
    let byteCount =
      (Self.sourceCount + Self.targetCount)
      * layout.planes.reduce(0) { $0 + $1.rowBytes * $1.cellsHigh }
    guard byteCount <= ProcessInfo.processInfo.physicalMemory / 2 else {
      throw BenchmarkError(
        "The frames of \(wanted.size) \(wanted.format.rawValue) take \(byteCount / 1_000_000) MB, "
          + "more than half of this machine's memory. Ask for smaller ones.")
    }
    let drawn = try scanner.configure(input: layout, settings: settings)
    sources = (0..<Self.sourceCount).map { Frame(layout, format: wanted.format, number: $0) }
    targets = (0..<Self.targetCount).map { _ in Frame(drawn) }
    ages =
      settings.keepsAges ? Frame(try .gray16(width: drawn.width, height: drawn.height)) : nil
    mapRole = wanted.map.role
    let mapLayout = try FrameFormat.i420.layout(wanted.map.imageSize(for: wanted.size))
    // Slopes only: maps are smooth.
    maps = mapRole == nil ? [] : (0..<4).map { Frame(mapLayout, format: .i420, number: 2 * $0) }
    if mapRole != nil { try setMap() }
  }

  /// Feeds a frame and draws.
  ///
  /// - Parameter movesMap: Whether a live map brings another image first.
  mutating func scan(_ settings: ScanSettings, movesMap: Bool = true) throws(ScanError) {
    if movesMap, mapRole == .live { try setMap() }
    report = try sources[frame % sources.count].scan(
      by: scanner, into: targets[frame % targets.count],
      time: UInt64(frame) * Self.frameDuration, settings: settings)
    try ages?.drawAges(of: scanner)
    frame += 1
  }

  /// Feeds frames until history is full.
  ///
  /// - Throws: ``BenchmarkError`` where there is not as much history as the numbers would be for.
  mutating func fill(_ count: Int, _ settings: ScanSettings, movesMap: Bool = true) throws {
    for _ in 0..<count {
      try scan(settings, movesMap: movesMap)
      guard let limit = report.limitedDepth else { continue }
      throw BenchmarkError(
        "History of \(settings.depth) frames is more than a quarter of this machine's memory, the "
          + "effect's limit. Ask for at most --depths \(limit).")
    }
  }

  /// Copies a frame as large as those of the effect: one memcpy, from and to what was not touched
  /// just before.
  func copy() {
    targets[(frame + targets.count / 2) % targets.count].copy(
      sources[(frame + sources.count / 2) % sources.count])
  }

  /// Gives a frame to the effect as the image of an image map.
  func setImage() throws(ScanError) { try sources[0].set(as: .image, of: scanner) }

  private func setMap() throws(ScanError) {
    guard let mapRole else { return }
    try maps[frame % maps.count].set(as: mapRole, of: scanner)
  }
}
