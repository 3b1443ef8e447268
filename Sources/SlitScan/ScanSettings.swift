// The scan settings are all parameters of the effect as one value, applied at a frame boundary.

import CLinux
package import CSlitScanSettings

/// The settings of the effect.
///
/// A settings value goes along with every frame; what changed since the last one takes effect with
/// that frame. Numbers out of range, and numbers that are none, are brought into range by
/// ``sanitized()``.
///
/// The parameters of a mode are declared beside it.
public struct ScanSettings: Sendable, Equatable {
  /// The use of the map value of a pixel.
  public enum Mode: UInt32, Sendable {
    /// Each pixel is delayed by what the map says.
    case displace
    /// A slit moves over the frame and freezes what it has passed.
    case sweep
    /// The line of pixels at ``ScanSettings/position`` is appended to a canvas.
    case strip
  }

  /// The element's properties, those of ``map`` as well.
  var values: SlitScanSettings
  /// When the slit visits each pixel.
  public var map: MapSettings { didSet { map.write(to: &values) } }

  /// The default settings.
  public init() { self.init(slit_scan_settings_default()) }

  /// The settings in the element's properties; what is no choice is the first one.
  package init(_ values: SlitScanSettings) {
    self.values = values
    map = MapSettings(values)
  }

  /// Whether these are the same settings.
  public static func == (a: ScanSettings, b: ScanSettings) -> Bool {
    slit_scan_settings_equal(a.values, b.values)
  }

  /// These settings with every number in its range, and default values for those that are none.
  public func sanitized() -> ScanSettings {
    ScanSettings(slit_scan_settings_clamped(values))
  }

  /// The use of the map value of a pixel.
  public var mode: Mode {
    get { Mode(rawValue: values.mode.rawValue) ?? .displace }
    set { values.mode = SlitScanMode(newValue.rawValue) }
  }

  /// Whether to stop taking frames in; what is held stays, and the map may still move.
  public var freeze: Bool {
    get { values.freeze }
    set { values.freeze = newValue }
  }

  /// The share of the scanned frame in the output, 0…1; the rest is the input frame.
  ///
  /// It has no meaning for strips.
  public var mix: Double {
    get { values.mix }
    set { values.mix = newValue }
  }

  /// The content where history does not reach back far enough yet.
  public enum Warmup: UInt32, Sendable {
    /// The oldest frame there is.
    case hold
    /// The newest frame.
    case live
    /// Black.
    case black
    /// Nothing, where the format has alpha; else black.
    case transparent
  }

  /// The content where history does not reach back far enough yet, or the canvas is still empty.
  public var warmup: Warmup {
    get { Warmup(rawValue: values.warmup.rawValue) ?? .hold }
    set { values.warmup = SlitScanWarmup(newValue.rawValue) }
  }

  /// Threads that share the work of a frame, the caller's counted; 0 is one for each core.
  public var threads: Int {
    get { values.threads }
    set { values.threads = newValue }
  }

  /// The most bytes that history and canvas may take; 0 is a quarter of the memory that the
  /// machine, or the container that this runs in, has.
  public var maximumMemory: UInt64 {
    get { values.max_memory }
    set { values.max_memory = newValue }
  }

  /// Counts the requests to forget everything; a change is one.
  public var resetCount: UInt32 {
    get { values.reset_count }
    set { values.reset_count = newValue }
  }

  /// Whether the output is the frame as it came: nothing of the effect is mixed in, or there is no history
  /// to show.
  public var showsFrame: Bool {
    slit_scan_shows_frame(values)
  }

  /// The sides of the output that differ from the frame's; nil for those that do not.
  ///
  /// Only a strip whose canvas has a length differs from the frame, along its growth.
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
  /// A quarter of the memory that this machine, or the container, has.
  private static let quarterOfMemory = unsafe Int(clamping: linux_memory_limit("") / 4)

  /// Bytes that history or canvas may take.
  package var memoryLimit: Int {
    maximumMemory == 0 ? Self.quarterOfMemory : Int(clamping: maximumMemory)
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
