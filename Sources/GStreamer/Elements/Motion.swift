// A motion animates a property in stream time: a wave, or a path from point to point.

import CGStreamer
import CGStreamerController

/// The motion of a property, by the times of the stream: its value follows from a frame's time alone, so
/// the same frame has the same value again.
///
/// ```swift
/// try scan.move("angle", .wave(.saw, period: .seconds(4), from: 0, to: 360))
/// try scan.move("mix", .path([.init(.zero, 0), .init(.seconds(2), 1)]))
/// try scan.hold("angle")
/// ```
///
/// Built on GStreamer's controllers. Numbers are the property's own, and brought into its range.
public enum Motion: Sendable, Equatable {
  /// The form of a swing.
  public enum Wave: Sendable, Hashable, CaseIterable {
    /// Begins in the middle, towards `to`.
    case sine
    /// Half of the time at each end, `from` first.
    case square
    /// Straight from `from` to `to`, and back at once.
    case saw
    /// Straight from `to` to `from`, and back at once.
    case reverseSaw
    /// Straight there and back; begins in the middle, towards `to`.
    case triangle
  }

  /// Swings between two values.
  ///
  /// - Parameter start: A time of the stream at which a swing begins.
  case wave(Wave, period: ClockTime, start: ClockTime = .zero, from: Double, to: Double)
  /// Goes from point to point in straight lines; before the first and after the last it rests.
  case path([Point])

  /// A value at a time of the stream.
  public struct Point: Sendable, Hashable {
    /// The time.
    public var time: ClockTime
    /// The value.
    public var value: Double

    /// A value at a time.
    public init(_ time: ClockTime, _ value: Double) {
      self.time = time
      self.value = value
    }
  }
}

extension Element {
  /// Lets a property move by itself from now on, instead of whatever moved it before.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchProperty``; ``GStreamerError/Code/wrongType`` where it is no
  ///   number; ``GStreamerError/Code/notAccessible`` where it cannot be moved while it plays;
  ///   ``GStreamerError/Code/outOfRange`` where the motion has no period or no points.
  public func move(_ property: String, _ motion: Motion) throws(GStreamerError) {
    let range = try rangeForMotion(of: property)
    let source = unsafe try motion.makeSource(in: range)
    defer { unsafe gst_object_unref(source) }
    try hold(property)
    let isBound = unsafe object.with(GstObject.self) { element in
      let binding = unsafe gst_direct_control_binding_new(element, property, source)
      return unsafe gst_object_add_control_binding(element, binding) != 0
    }
    guard isBound else {
      throw GStreamerError(
        .notAccessible, "The property \(property) cannot be animated.", source: name)
    }
  }

  /// Ends the motion of a property, which stays what it is.
  ///
  /// - Throws: ``GStreamerError/Code/noSuchProperty``.
  public func hold(_ property: String) throws(GStreamerError) {
    guard hasProperty(property) else { throw noSuchProperty(property) }
    unsafe object.with(GstObject.self) { element in
      guard let binding = unsafe gst_object_get_control_binding(element, property) else { return }
      unsafe gst_object_remove_control_binding(element, binding)
      unsafe gst_object_unref(binding)
    }
  }

  /// Whether a property moves by itself.
  public func isMoving(_ property: String) -> Bool {
    unsafe object.with(GstObject.self) { element in
      guard let binding = unsafe gst_object_get_control_binding(element, property) else {
        return false
      }
      unsafe gst_object_unref(binding)
      return true
    }
  }

  /// Gives properties that move by themselves the values that they have at a time of the stream, as a
  /// frame of that time would.
  public func syncMotions(at time: ClockTime) {
    unsafe object.with(GstObject.self) { element in
      _ = unsafe gst_object_sync_values(element, GstClockTime(time.nanoseconds))
    }
  }

  private func rangeForMotion(of name: String) throws(GStreamerError) -> ClosedRange<Double> {
    guard let property = properties.first(where: { $0.name == name }) else {
      throw noSuchProperty(name)
    }
    guard property.isControllable else {
      throw GStreamerError(
        .notAccessible, "The property \(name) cannot be animated.", source: self.name)
    }
    switch property.kind {
    case .integer(let range): return Double(range.lowerBound)...Double(range.upperBound)
    case .natural(let range): return Double(range.lowerBound)...Double(range.upperBound)
    case .number(let range): return range
    default:
      throw GStreamerError(
        .wrongType, "The property \(name) is not a number and cannot be animated.",
        source: self.name)
    }
  }
}

extension Motion {
  /// The same, some time later.
  public func later(by time: ClockTime) -> Motion {
    switch self {
    case .wave(let wave, let period, let start, let from, let to):
      .wave(wave, period: period, start: start + time, from: from, to: to)
    case .path(let points): .path(points.map { Point($0.time + time, $0.value) })
    }
  }

  /// GStreamer's source of the motion, with values from 0 to 1 for the property's range.
  fileprivate func makeSource(
    in range: ClosedRange<Double>
  ) throws(GStreamerError) -> UnsafeMutablePointer<GstControlSource> {
    let width = range.upperBound - range.lowerBound
    let place = { (value: Double) -> Double in
      guard width > 0, !value.isNaN else { return 0 }
      return (min(max(value, range.lowerBound), range.upperBound) - range.lowerBound) / width
    }
    switch self {
    case .wave(let wave, let period, let start, let from, let to):
      guard period > .zero else {
        throw GStreamerError(.outOfRange, "The period of a wave must be longer than 0.")
      }
      guard let source = unsafe gst_lfo_control_source_new() else { throw Self.noMemory }
      let (first, last) = (place(from), place(to))
      // GStreamer's swings have no negative amplitude.
      let isMirrored = last < first
      let shift = isMirrored && !wave.isSaw ? period.nanoseconds / 2 : 0
      unsafe cgst_set_lfo(
        source, isMirrored ? wave.mirrored.raw : wave.raw, 1e9 / Double(period.nanoseconds),
        GstClockTime((start.nanoseconds % period.nanoseconds &+ shift) % period.nanoseconds),
        abs(last - first) / 2, (first + last) / 2)
      return unsafe source
    case .path(let points):
      guard !points.isEmpty else {
        throw GStreamerError(.outOfRange, "A path needs at least one point.")
      }
      guard let source = unsafe gst_interpolation_control_source_new() else { throw Self.noMemory }
      unsafe cgst_set_linear(source)
      for point in points {
        unsafe cgst_add_point(source, GstClockTime(point.time.nanoseconds), place(point.value))
      }
      return unsafe source
    }
  }

  private static var noMemory: GStreamerError {
    GStreamerError(.outOfMemory, "There is not enough memory for a motion.")
  }
}

extension Motion.Wave {
  fileprivate var isSaw: Bool { self == .saw || self == .reverseSaw }

  /// The same upside down; of those that are symmetric, themselves, half a period later.
  fileprivate var mirrored: Self {
    switch self {
    case .saw: .reverseSaw
    case .reverseSaw: .saw
    default: self
    }
  }

  fileprivate var raw: GstLFOWaveform {
    switch self {
    case .sine: GST_LFO_WAVEFORM_SINE
    case .square: GST_LFO_WAVEFORM_SQUARE
    // GStreamer's saw falls.
    case .saw: GST_LFO_WAVEFORM_REVERSE_SAW
    case .reverseSaw: GST_LFO_WAVEFORM_SAW
    case .triangle: GST_LFO_WAVEFORM_TRIANGLE
    }
  }
}
