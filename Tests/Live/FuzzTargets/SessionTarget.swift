// The fuzz target of capture configurations, for Tests/Live/FuzzProgram.

import GStreamer

@testable import SlitScanCapture

/// Bytes that are taken one after the other; zeros after the last.
private struct Dice {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  mutating func one<Thing>(of things: [Thing]) -> Thing { things[Int(byte()) % things.count] }

  /// Mostly a small one, else anything.
  mutating func number() -> Int {
    let first = byte()
    guard first >= 200 else { return Int(first) - 10 }
    return (0..<8).reduce(0) { number, _ in number << 8 | Int(byte()) }
  }

  /// A word that makes sense, or anything.
  mutating func word(_ sensible: String...) -> String {
    if flag() { return one(of: sensible) }
    let count = Int(byte() % 32)
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  mutating func request() -> VideoRequest {
    VideoRequest(
      width: flag() ? number() : nil, height: flag() ? number() : nil,
      frameRate: flag()
        ? Fraction(Int32(truncatingIfNeeded: number()), Int32(truncatingIfNeeded: number())) : nil)
  }

  mutating func record() -> Record {
    Record(
      to: word("a.mp4", "b.mkv", "c.webm"), container: one(of: [nil] + Container.allCases),
      video: flag()
        ? VideoSettings(
          codec: one(of: [nil] + VideoCodec.allCases), bitRate: flag() ? number() : nil,
          keyFrameInterval: number(), orientation: one(of: Orientation.allCases), isEncoded: flag())
        : nil,
      audio: flag()
        ? AudioSettings(
          codec: one(of: [nil] + AudioCodec.allCases), bitRate: number(), sampleRate: number(),
          channels: number()) : nil, isPaused: flag())
  }

  mutating func value() -> Value {
    switch byte() % 5 {
    case 0: .bool(flag())
    case 1: .int(Int64(number()))
    case 2: .uint(UInt64(truncatingIfNeeded: number()))
    case 3: .double(Double(bitPattern: UInt64(truncatingIfNeeded: number())))
    default: .string(word("radial", "mirror", "linear", "Vortex"))
    }
  }

  mutating func scan() -> Scan {
    var scan = Scan(preset: byte() % 8 == 0 ? word("Vortex", "Smear") : nil)
    for _ in 0..<byte() % 4 {
      scan.properties[word("map", "depth", "gain", "edge", "mode", "duration", "name")] = value()
    }
    return scan
  }

  mutating func part() -> any CapturePart {
    let delay = one(of: [SoundDelay.none, .mean, .center, .fixed(.seconds(Double(number())))])
    return switch byte() % 10 {
    case 0: Camera(.path(word("/dev/video0")), request())
    case 1: TestPattern(word("smpte", "ball"), request(), isLive: flag())
    case 2: VideoFile(word("film.mp4"), isPaced: flag())
    case 3: Microphone(delay: delay)
    case 4: Soundtrack(word("film.mp4"), isPaced: flag(), delay: delay)
    case 5: scan()
    case 6, 7: Preview(word("fakesink", "autovideosink"), id: flag() ? word("one", "two") : nil)
    default: record()
    }
  }

  mutating func configuration() -> CaptureConfiguration? {
    let parts = (0..<byte() % 8).map { _ in part() }
    return try? CaptureConfiguration(parts)
  }
}

/// One configuration after another, and what a file of any settings is made by.
@c(fuzz_session)
public func fuzzSession(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  var dice = unsafe Dice(array(bytes, count))
  var old = CaptureConfiguration()
  while !dice.isEmpty {
    guard let new = dice.configuration() else { continue }
    check(from: old, to: new)
    old = new
  }
  if let scan = old.scan { _ = try? ValidatedScan(scan) }
  for (path, record) in old.recordings {
    guard let plan = try? RecordingPlan(path: path, record.settings(hasSound: old.sound != nil))
    else {
      continue
    }
    _ = try? Pipeline(plan.launchLine(isStream: false))
  }
  if case .pattern(let pattern)? = old.video { _ = try? Caps(pattern.request.caps()) }
}

/// Opening and closing makes the one of the other, and does nothing for nothing.
private func check(from old: CaptureConfiguration, to new: CaptureConfiguration) {
  let change = CaptureDifference(from: old, to: new)
  let previews = Set(old.previews.keys).subtracting(change.closed).union(change.opened)
  precondition(previews == Set(new.previews.keys))
  precondition(Set(change.opened).isDisjoint(with: old.previews.keys))
  let recordings = Set(old.recordings.keys).subtracting(change.ended).union(change.begun)
  precondition(recordings == Set(new.recordings.keys))
  let none = CaptureDifference(from: new, to: new)
  precondition(none.opened.isEmpty && none.closed.isEmpty)
  precondition(none.begun.isEmpty && none.ended.isEmpty)
}
