// A frame of the reference: plain numbers, read from and written to the bytes of planes.

/// The bytes of one plane.
public struct Plane: Sendable {
  /// Bytes from one row to the next.
  public var stride: Int
  /// The rows, one after another; the last one may lack its padding.
  public var bytes: [UInt8]

  /// A plane that holds these bytes.
  public init(stride: Int, bytes: [UInt8]) {
    self.stride = stride
    self.bytes = bytes
  }
}

/// A frame as numbers: for each component its samples, row by row.
///
/// A sample is the whole word that lies in memory, unused low bits included.
public struct Frame: Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows of pixels.
  public let height: Int
  /// `samples[component][row * columns + column]`.
  public var samples: [[UInt16]]

  /// The frame that lies in these planes.
  public init(width: Int, height: Int, planes: [Plane], format: FormatDescription) {
    self.width = width
    self.height = height
    samples = format.components.map { component in
      let plane = planes[component.plane]
      let columns = component.columns(ofWidth: width)
      return (0..<component.rows(ofHeight: height) * columns).map { index in
        let at = Self.place(of: index, in: component, columns: columns, stride: plane.stride)
        guard component.bytes == 2 else { return UInt16(plane.bytes[at]) }
        let (first, second) = (UInt16(plane.bytes[at]), UInt16(plane.bytes[at + 1]))
        return component.isBigEndian ? first << 8 | second : second << 8 | first
      }
    }
  }

  /// Writes the samples where they belong and leaves all other bytes as they are.
  public func write(into planes: inout [Plane], format: FormatDescription) {
    for (component, words) in zip(format.components, samples) {
      let columns = component.columns(ofWidth: width)
      for (index, word) in words.enumerated() {
        let at = Self.place(
          of: index, in: component, columns: columns, stride: planes[component.plane].stride)
        let (high, low) = (UInt8(word >> 8), UInt8(truncatingIfNeeded: word))
        if component.bytes == 1 {
          planes[component.plane].bytes[at] = low
        } else {
          planes[component.plane].bytes[at] = component.isBigEndian ? high : low
          planes[component.plane].bytes[at + 1] = component.isBigEndian ? low : high
        }
      }
    }
  }

  /// Frames of these samples.
  public init(width: Int, height: Int, samples: [[UInt16]]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  private static func place(
    of index: Int, in component: FormatDescription.Component, columns: Int, stride: Int
  ) -> Int { index / columns * stride + component.offset + index % columns * component.step }
}
