// The error type of this module: what happened and what to do about it.

/// An error of the effect: what kind, and a sentence that says what happened and what to do.
public struct ScanError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// More may come; treat an unknown one as a failure of the frame.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number that stands for the kind, in C, too.
    public let rawValue: Int32

    /// A kind by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The size or the format of the frame cannot be scanned.
    public static let unsupportedFormat = Code(rawValue: 1)
    /// A frame's bytes do not hold its planes: there are too few, or the strides and offsets are none that such a
    /// frame can have.
    public static let frameTooSmall = Code(rawValue: 2)
    /// The system gave no memory, or the limit allows too little.
    public static let outOfMemory = Code(rawValue: 3)
    /// A frame came before its layout was announced, or has another one.
    public static let notConfigured = Code(rawValue: 4)

    /// The name of the kind, as `frame-too-small`; its number where it has none.
    public var description: String {
      switch self {
      case .unsupportedFormat: "unsupported-format"
      case .frameTooSmall: "frame-too-small"
      case .outOfMemory: "out-of-memory"
      case .notConfigured: "not-configured"
      default: "\(rawValue)"
      }
    }
  }

  /// The kind.
  public let code: Code
  /// One or two sentences for a person.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension ScanError {
  /// A frame, or the place to draw it, is not as ``SlitScanner/configure(input:settings:)`` was
  /// told.
  package static var notConfigured: ScanError {
    ScanError(
      .notConfigured,
      "The frame, or the place to draw it, does not have the layout that was configured. Configure the scanner for "
        + "these frames and settings first.")
  }

  /// The system refused `bytes` of memory for `purpose`.
  package static func refused(_ bytes: Int, for purpose: String) -> ScanError {
    ScanError(
      .outOfMemory,
      "The system has no \(size(bytes)) of memory for \(purpose). Close other programs, or use "
        + "smaller frames."
    )
  }

  /// A canvas beyond what any frame may be.
  static func canvasTooLong(_ longest: Int) -> ScanError {
    ScanError(
      .unsupportedFormat,
      "A canvas can be \(longest) pixels long. Set the canvas length to at most that."
    )
  }

  /// A canvas of which each frame would take more than a quarter of memory; `fitting` is a length that would not.
  static func canvasTooLarge(_ output: FrameLayout, fitting: Int) -> ScanError {
    ScanError(
      .outOfMemory,
      "A frame of \(output.width)x\(output.height) pixels takes \(size(output.byteCount)), more than a "
        + "quarter of the memory of this machine. Set the canvas length to at most \(fitting).")
  }

  /// A number of bytes, in a unit of which it is not few.
  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case 10_000_000...: "\(bytes / 1_000_000) MB"
    case 10_000...: "\(bytes / 1000) kB"
    case 1: "1 byte"
    default: "\(bytes) bytes"
    }
  }
}
