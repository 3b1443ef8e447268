// The delay of a scan's output, with which its sound is kept in step.

import GStreamer
import SlitScanCapture

extension SoundDelay {
  /// The delay as a time: that of the frame, once as much has come as the effect holds.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where the delay moves with the frame.
  func settled(for scan: ValidatedScan, of film: FilmDescription) throws -> ClockTime {
    guard let statistic else {
      if case .fixed(let delay) = self { return delay }
      return .zero
    }
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    let step = film.frameDuration ?? .milliseconds(40)
    guard
      case .structure(let delays) = try element.emit(
        "settled-delays", .caps(film.caps), .uint(step.nanoseconds))
    else {
      throw CaptureError(
        .badRequest,
        "With map=\(try element.get("map", as: String.self)), the frame's delay changes all the "
          + "time. Say how many seconds the sound is to be delayed by.")
    }
    return delays.get(statistic) ?? .zero
  }
}
