// The delay of a scan's output, with which its sound is kept in step.

import CSlitScanSettings
import GStreamer
import SlitScanCapture

extension SoundDelay {
  /// The delay as a time: that of the frame, once as much has come as the effect holds.
  ///
  /// - Parameters:
  ///   - scan: What the effect does.
  ///   - film: What is scanned.
  /// - Throws: ``CaptureError/Code/badRequest`` where the delay moves with the frame.
  func settled(for scan: SettledScan, of film: FilmDescription) async throws -> ClockTime {
    guard let statistic else {
      if case .fixed(let delay) = self { return delay }
      return .zero
    }
    let element = try SettledScan.makeElement()
    scan.apply(to: element)
    let map = try element.get("map", as: String.self)
    guard !SlitScanMapSource(ofMap: map).moves else {
      throw CaptureError(
        .badRequest,
        "With map=\(map), the delay of the video changes all the time. Set --sound-delay to a number "
          + "of seconds.")
    }
    let step = film.pictureDuration ?? .milliseconds(40)
    let duration = try element.get("duration", as: UInt64.self)
    let depth = try element.get("depth", as: Int.self)
    let count =
      duration > 0
      ? Int(clamping: duration / max(1, step.nanoseconds)).advanced(by: 2) : depth + 1
    let pipeline = try Pipeline()
    let source = try AppSrc(caps: film.caps)
    let sink = try Element("fakesink")
    try await pipeline.add(source.element, element, sink)
    try await pipeline.link(source.element, element, sink)
    do {
      async let plays: Void = pipeline.play()
      for number in 0..<min(count, 100_000) {
        // What is in the frame does not matter.
        var picture = try WritableBuffer(film.info)
        picture.presentationTime = ClockTime(
          nanoseconds: UInt64(clamping: number) * min(step.nanoseconds, 10_000_000_000))
        try await source.send(picture.finish())
      }
      try await source.finish()
      try await plays
      try await pipeline.end()
    } catch {
      await pipeline.stop()
      throw error
    }
    let delay = try element.get("stats", as: Structure.self).get(statistic, as: UInt64.self)
    await pipeline.stop()
    return ClockTime(nanoseconds: delay ?? 0)
  }
}
