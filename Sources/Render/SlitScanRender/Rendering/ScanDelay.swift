// The delays of a scan's output: that with which its sound is kept in step, and that by which frames leave later.

import GStreamer
import SlitScanCapture

extension Element {
  /// The delays of a film's output once as much has come as the effect holds.
  fileprivate func settledDelays(of film: FilmDescription) throws -> Structure {
    guard
      case .structure(let delays) = try emit(
        "settled-delays", .caps(film.caps), .uint(film.interval.nanoseconds))
    else { throw CaptureError(.badScan, "The delays of the effect are not known.") }
    return delays
  }
}

extension FilmDescription {
  /// The time from one frame to the next, as the effect counts it.
  fileprivate var interval: ClockTime {
    guard let rate = try? VideoInfo(ratedCaps).frameRate, rate.numerator > 0 else {
      return .milliseconds(40)
    }
    return ClockTime(
      nanoseconds: UInt64(rate.denominator) * 1_000_000_000 / UInt64(rate.numerator))
  }
}

extension RenderRequest {
  /// The number of frames after its own that a part of the film needs: those of the future that `now` shows.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where a show changes how many.
  func lead(of scan: Element, _ film: FilmDescription) throws -> Int {
    let names: Set = ["now", "depth", "duration", "mode"]
    let values = timeline.entries.flatMap { entry -> [(name: String, value: Value?)] in
      switch entry.change {
      case .set(let values): values.map { ($0.key, $0.value) }
      case .move(let name, _): [(name, nil)]
      case .black: []
      }
    }
    let showsFuture =
      try scan.get("now", as: Double.self) > 0
      || values.contains { $0.name == "now" && $0.value != .double(0) }
    guard showsFuture else { return 0 }
    guard values.allSatisfy({ !names.contains($0.name) }) else {
      throw CaptureError(
        .badRequest,
        "With now, parts of a film need the frames after them, and the show changes how many. Render the whole "
          + "film, or leave now, depth, duration and mode as they are in the show.")
    }
    let latency: ClockTime = try scan.settledDelays(of: film).get("latency") ?? .zero
    return Int(latency.nanoseconds / film.interval.nanoseconds)
  }
}

extension SoundDelay {
  /// The delay as a time: that of the frame, once as much has come as the effect holds.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where the delay moves with the frame, or the sound would be early.
  func settled(for scan: ValidatedScan, of film: FilmDescription) throws -> ClockTime {
    guard let statistic else {
      if case .fixed(let delay) = self { return delay }
      return .zero
    }
    let element = try ValidatedScan.makeElement()
    scan.apply(to: element)
    guard let delay: Int = try element.settledDelays(of: film).get(statistic) else {
      throw CaptureError(
        .badRequest,
        "With map=\(try element.get("map", as: String.self)), the frame's delay changes all the "
          + "time. Say how many seconds the sound is to be delayed by.")
    }
    // The present is a whole frame.
    guard delay >= -Int(film.interval.nanoseconds) else {
      throw CaptureError(
        .badRequest,
        "The \(statistic.replacing("-", with: " ")) is before the present that now chooses, and sound is not moved "
          + "forward. Leave out --sound-delay, or choose a smaller now.")
    }
    return ClockTime(nanoseconds: UInt64(max(0, delay)))
  }
}
