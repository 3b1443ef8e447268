// A map image is the luma of an image or frame as a raster of map values.

import CSlitScanKernels

extension FrameLayout {
  /// The share in the luma of a component, counted among those that are colours.
  package func lumaShare(ofComponent index: Int) -> Float {
    guard isRGB else { return index == 0 ? 1 : 0 }
    return switch index {
    case 0: 54.0 / 256
    case 1: 183.0 / 256
    case 2: 19.0 / 256
    default: 0
    }
  }

  /// The factor for samples of one byte, less black.
  package static func lumaScale(black: Float, white: Float) -> Float {
    let range = white - black
    let scale = 1 / range
    // White must not become a little less than 1.
    return range * scale < 1 ? scale.nextUp : scale
  }
}

/// A reader of the luma of a frame's pixels: from one component, or from red, green and blue
/// with weights of 54, 183 and 19 in 256.
struct LumaReader {
  private let layout: FrameLayout
  private let parts: [(plane: Int, part: SlitScanLumaPart)]

  init(_ layout: FrameLayout) {
    self.layout = layout
    let components = layout.components.filter { $0.role == .colour }
    parts = components.prefix(layout.isRGB ? 3 : 1).enumerated().map { index, component in
      let part = SlitScanLumaPart(
        offset: Int32(component.offset), step: Int32(component.step),
        bytes: Int32(component.bytes), is_big_endian: layout.isBigEndian,
        black: Float(component.black), white: Float(component.white),
        weight: layout.lumaShare(ofComponent: index))
      return (component.plane, part)
    }
  }

  /// Whether frames of `layout` are what this reads.
  func reads(_ layout: FrameLayout) -> Bool { layout == self.layout }

  /// Fills `raster` with the luma of `frame`, one value a pixel.
  ///
  /// - Parameter asValues: Whether they must be numbers, and not a frame's samples.
  /// - Returns: false if the system refuses the memory.
  func read(
    _ frame: borrowing FrameSpan, into raster: inout Raster, asValues: Bool = false
  ) -> Bool {
    if !asValues, parts.count == 1, let (plane, part) = parts.first, part.bytes == 1 {
      return readSamples(part, ofPlane: plane, of: frame, into: &raster)
    }
    guard raster.resize(width: layout.width, height: layout.height, form: .values) else {
      return false
    }
    var values = raster.mutableValues
    for y in 0..<layout.height {
      for (index, (plane, part)) in parts.enumerated() {
        let rows = frame.bytes(ofPlane: plane)
        let start = y * frame.stride(ofPlane: plane)
        Kernels.luma(
          of: rows.extracting(start..<rows.byteCount), part: part, adds: index > 0, into: &values,
          at: y * layout.width, count: layout.width)
      }
    }
    return true
  }

  private func readSamples(
    _ part: SlitScanLumaPart, ofPlane plane: Int, of frame: borrowing FrameSpan,
    into raster: inout Raster
  ) -> Bool {
    let scale = FrameLayout.lumaScale(black: part.black, white: part.white)
    let form = Raster.Form.samples(black: part.black, scale: scale)
    guard raster.resize(width: layout.width, height: layout.height, form: form) else {
      return false
    }
    var samples = raster.mutableSamples
    let rows = frame.bytes(ofPlane: plane)
    for y in 0..<layout.height {
      let start = y * frame.stride(ofPlane: plane) + Int(part.offset)
      Kernels.pick(
        rows.extracting(start..<rows.byteCount), step: Int(part.step), into: &samples,
        at: y * layout.width, count: layout.width)
    }
    return true
  }
}
