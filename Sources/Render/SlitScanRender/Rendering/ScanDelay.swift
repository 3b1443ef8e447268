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

  /// A settled delay, counted from what the output shows as the present.
  ///
  /// - Parameter lead: The frames by which the effect is ahead of the output.
  /// - Throws: ``CaptureError/Code/badRequest`` where the sound would be early.
  func fromPresent(
    _ delay: ClockTime, lead: Int, of film: FilmDescription
  ) throws(CaptureError) -> ClockTime {
    guard let statistic = statistic?.replacing("-", with: " "), lead > 0 else { return delay }
    let step = film.frameDuration ?? .milliseconds(40)
    let present = ClockTime(nanoseconds: step.nanoseconds * UInt64(lead))
    // The present is a whole frame.
    guard delay + step >= present else {
      throw CaptureError(
        .badRequest,
        "The \(statistic) is before the present that --now chooses, and sound is not moved forward. Leave out "
          + "--sound-delay, or choose a smaller --now.")
    }
    return delay - present
  }
}
