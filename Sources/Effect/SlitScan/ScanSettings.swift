// The scan settings are all parameters of the effect as one value, applied at a frame boundary.

import CLinux
package import CSlitScanSettings

/// The settings of the effect.
///
/// A settings value goes along with every frame; what changed since the last one takes effect with
/// that frame. Numbers out of range, and numbers that are none, are brought into range by
/// ``sanitized()``.
///
/// Images for ``Map/image`` and ``Map/live`` are given to ``SlitScanner/setMapImage(_:layout:as:)``. A scanner sees
/// neither a mouse nor the end of a stream. For ``pointer``, move the centre; for ``drain``, call
/// ``SlitScanner/repeatLast(into:time:settings:)`` until ``FrameReport/hasCaughtUp``; for ``now``, set ``present``, and
/// show what is drawn at the time of that frame.
///
/// Its typed properties are written from the table of properties when this is built.
public struct ScanSettings: Sendable, Equatable {
  /// The element's properties.
  var values: SlitScanSettings

  /// The default settings.
  public init() { self.init(slit_scan_settings_default()) }

  /// The settings in the element's properties; what is no choice is the first one.
  package init(_ values: SlitScanSettings) { self.values = values }

  /// Whether these are the same settings.
  public static func == (a: ScanSettings, b: ScanSettings) -> Bool {
    slit_scan_settings_equal(a.values, b.values)
  }

  /// These settings with every number in its range, and default values for those that are none.
  public func sanitized() -> ScanSettings {
    ScanSettings(slit_scan_settings_clamped(values))
  }

  /// The defaults, with what the values of the map depend on as in these settings.
  package var ofMap: ScanSettings { ScanSettings(slit_scan_settings_of_map(values, true)) }

  /// The same before the map is inverted or bent: with its shape alone.
  package var ofShape: ScanSettings { ScanSettings(slit_scan_settings_of_map(values, false)) }

  /// These settings with the switches of presets on or off by the bits of a number.
  package func withSwitches(_ bits: UInt64) -> ScanSettings {
    ScanSettings(slit_scan_settings_with_switches(values, bits))
  }

  /// ``lineColor`` as a sample for each component of the frames, in their order; its alpha stays there.
  public var lineSamples: SIMD4<UInt16> {
    get {
      let samples = SIMD4(repeating: values.line_samples) &>> [0, 16, 32, 48]
      return SIMD4(truncatingIfNeeded: samples)
    }
    set {
      let samples = SIMD4<UInt64>(truncatingIfNeeded: newValue) &<< [0, 16, 32, 48]
      values.line_samples = samples.wrappedSum()
    }
  }

  /// Counts the requests to forget everything; a change is one.
  public var resetCount: UInt32 {
    get { values.reset_count }
    set { values.reset_count = newValue }
  }

  /// The present is the frame of so many ago: ``mix`` adds it in place of the newest one, and history keeps it whole.
  ///
  /// It does not change delays. What ``now`` asks for is this frame, if the output has its time.
  public var present: Int {
    get { values.present }
    set { values.present = newValue }
  }

  /// Whether ages of pixels are kept, off by default.
  ///
  /// ``SlitScanner/drawAges(into:)`` draws them.
  public var keepsAges: Bool {
    get { values.keeps_ages }
    set { values.keeps_ages = newValue }
  }

  /// The step of the ages that are kept, in nanoseconds; 0 where none are.
  package var keptAgeUnit: UInt64 { keepsAges ? ageUnit : 0 }

  /// The newest frames that history keeps whole in any case.
  package var wholeFrames: Int { max(reserve, present > 0 ? present + 1 : 0) }

  /// The level of history that is mixed in; 0 where none is.
  package var mixedLevel: Int { mix < 1 ? present : 0 }

  /// Whether the output is the frame as it came: nothing of the effect is mixed in, or there is no history
  /// to show.
  public var showsFrame: Bool {
    slit_scan_shows_frame(values)
  }

  /// The sides of the output that differ from the frame's; nil for those that do not.
  ///
  /// Only a strip whose canvas has a length, and is not seen in perspective, differs from the frame, along its growth.
  public var ownOutputSize: (width: Int?, height: Int?) {
    let size = slit_scan_output_size(values)
    return (size.width > 0 ? size.width : nil, size.height > 0 ? size.height : nil)
  }

  /// The size of the output for a frame of the given size, in pixels.
  public func outputSize(width: Int, height: Int) -> (width: Int, height: Int) {
    let own = ownOutputSize
    return (own.width ?? width, own.height ?? height)
  }
}

extension ScanSettings {
  /// The longest history, in frames.
  public static let deepest: Int = {
    var settings = ScanSettings()
    settings.depth = .max
    return settings.sanitized().depth
  }()

  /// Whether frames enter history from the first one on.
  package var fillsHistory: Bool { mode == .displace || reserve > 0 }

  /// A quarter of the memory that this machine, or the container, has.
  private static let quarterOfMemory = unsafe Int(clamping: linux_memory_limit("") / 4)

  /// Bytes that history or canvas may take.
  package var memoryLimit: Int {
    maxMemory == 0 ? Self.quarterOfMemory : Int(clamping: maxMemory)
  }

  /// The layout of the output for frames of a layout.
  ///
  /// - Throws: ``ScanError`` for a canvas that is longer than any frame, or a frame of it that would take
  ///   more than a quarter of memory.
  package func outputLayout(for input: FrameLayout) throws(ScanError) -> FrameLayout {
    guard mode == .strip else { return input }
    let size = outputSize(width: input.width, height: input.height)
    let longest = FrameLayout.longestSide
    guard canvasLength <= longest else { throw .canvasTooLong(longest) }
    let output = try input.resized(width: size.width, height: size.height)
    guard canvasLength == 0 || output.byteCount <= Self.quarterOfMemory else {
      let lineBytes = max(output.byteCount / canvasLength, 1)
      throw .canvasTooLarge(output, fitting: Self.quarterOfMemory / lineBytes)
    }
    return output
  }
}

// MARK: Maps

extension ScanSettings.Map {
  /// The source that the map follows from.
  package var source: SlitScanMapSource { slit_scan_map_source(SlitScanMap(rawValue)) }
  /// Whether it follows from a formula, not from pixels.
  package var isFormula: Bool { source == SLIT_SCAN_SOURCE_FORMULA }
}

/// Images that are maps: what ``SlitScanner/setMapImage(_:layout:as:)`` takes.
public enum MapImageRole: Sendable {
  /// The one that ``ScanSettings/Map/image`` shows.
  case image
  /// The one that ``ScanSettings/Map/live`` shows.
  case live
}
