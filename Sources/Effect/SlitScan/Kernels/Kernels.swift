// The Swift interface of CSlitScanKernels: spans and memory in, pointers out.
//
// Each checks that these are as long as the loop needs, and does nothing where they are not.

import CSlitScanKernels
import LibC

enum Kernels {
  // MARK: Formulas, a row of cells at a time

  /// f = slope·x + constant, within 0…1, at `first`, `first` + `step` and so on.
  static func linear(
    from first: Double, step: Double, slope: Double, constant: Double,
    into f: inout MutableSpan<Float>, at offset: Int, count: Int
  ) {
    guard offset >= 0, count >= 0, f.count - offset >= count else { return }
    unsafe f.withUnsafeMutableBufferPointer { f in
      guard let f = f.baseAddress else { return }
      unsafe slit_scan_linear_row(first, step, slope, constant, f + offset, count)
    }
  }

  /// f = `scale`·distance of (x, y) from 0, at most 1.
  static func radial(
    from first: Double, step: Double, y: Double, scale: Double,
    into f: inout MutableSpan<Float>, at offset: Int, count: Int
  ) {
    guard offset >= 0, count >= 0, f.count - offset >= count else { return }
    unsafe f.withUnsafeMutableBufferPointer { f in
      guard let f = f.baseAddress else { return }
      unsafe slit_scan_radial_row(first, step, y, scale, f + offset, count)
    }
  }

  /// f = the clockwise turn of (x, y) around 0 from 12 o'clock, plus `turns`·radial f.
  static func turns(
    from first: Double, step: Double, y: Double, scale: Double, turns: Double,
    into f: inout MutableSpan<Float>, at offset: Int, count: Int
  ) {
    guard offset >= 0, count >= 0, f.count - offset >= count else { return }
    unsafe f.withUnsafeMutableBufferPointer { f in
      guard let f = f.baseAddress else { return }
      unsafe slit_scan_turns_row(first, step, y, scale, turns, f + offset, count)
    }
  }

  // MARK: Rows of map values

  /// g of a row of cells, see ``SlitScanCurve``.
  static func bend(
    _ f: Span<Float>, into g: inout MutableSpan<Float>, at offset: Int, curve: SlitScanCurve
  ) {
    guard offset >= 0, g.count - offset >= f.count else { return }
    unsafe f.withUnsafeBufferPointer { f in
      unsafe g.withUnsafeMutableBufferPointer { g in
        guard let source = f.baseAddress, let target = g.baseAddress else { return }
        unsafe withUnsafePointer(to: curve) { curve in
          unsafe slit_scan_curve_row(source, target + offset, f.count, curve)
        }
      }
    }
  }

  /// Computes a component's part in the luma of one row of pixels, which `row` starts with.
  ///
  /// - Parameter adds: Whether it is added to what is there.
  static func luma(
    of row: RawSpan, part: SlitScanLumaPart, adds: Bool, into luma: inout MutableSpan<Float>,
    at offset: Int, count: Int
  ) {
    let end = Int(part.offset) + (count - 1) * Int(part.step) + Int(part.bytes)
    guard offset >= 0, count >= 1, luma.count - offset >= count, part.offset >= 0, part.step >= 1,
      1...2 ~= part.bytes, end <= row.byteCount
    else { return }
    unsafe row.withUnsafeBytes { row in
      unsafe luma.withUnsafeMutableBufferPointer { luma in
        guard let row = row.baseAddress, let target = luma.baseAddress else { return }
        unsafe slit_scan_luma_row(
          row.assumingMemoryBound(to: UInt8.self), part, adds, target + offset, count)
      }
    }
  }

  /// Copies values.
  static func copy(_ values: Span<Float>, into out: inout MutableSpan<Float>, at offset: Int) {
    guard offset >= 0, out.count - offset >= values.count else { return }
    unsafe values.withUnsafeBufferPointer { values in
      unsafe out.withUnsafeMutableBufferPointer { out in
        guard let source = values.baseAddress, let target = out.baseAddress else { return }
        unsafe (target + offset).update(from: source, count: values.count)
      }
    }
  }

  /// The samples of one byte of a row of pixels, `step` bytes apart.
  static func pick(
    _ row: RawSpan, step: Int, into samples: inout MutableRawSpan, at offset: Int, count: Int
  ) {
    guard step >= 1, offset >= 0, count >= 1, row.byteCount > (count - 1) * step,
      samples.byteCount - offset >= count
    else { return }
    unsafe row.withUnsafeBytes { row in
      unsafe samples.withUnsafeMutableBytes { samples in
        guard let source = row.baseAddress, let target = samples.baseAddress else { return }
        unsafe slit_scan_pick_row(
          source.assumingMemoryBound(to: UInt8.self), step,
          target.assumingMemoryBound(to: UInt8.self) + offset, count)
      }
    }
  }

  /// The values of samples: (sample − black)·scale, within 0…1.
  static func values(
    of samples: RawSpan, black: Float, scale: Float, into values: inout MutableSpan<Float>,
    at offset: Int
  ) {
    guard offset >= 0, values.count - offset >= samples.byteCount else { return }
    unsafe samples.withUnsafeBytes { samples in
      unsafe values.withUnsafeMutableBufferPointer { values in
        guard let source = samples.baseAddress, let target = values.baseAddress else { return }
        unsafe slit_scan_value_row(
          source.assumingMemoryBound(to: UInt8.self), black, scale, target + offset, samples.count)
      }
    }
  }

  /// A row of values read at taps, all of them within the row.
  static func sample(
    _ row: Span<Float>, at taps: Span<SlitScanTap>, into out: inout MutableSpan<Float>,
    at offset: Int
  ) {
    guard offset >= 0, out.count - offset >= taps.count else { return }
    unsafe row.withUnsafeBufferPointer { row in
      unsafe taps.withUnsafeBufferPointer { taps in
        unsafe out.withUnsafeMutableBufferPointer { out in
          guard let source = row.baseAddress, let first = taps.baseAddress,
            let target = out.baseAddress
          else { return }
          unsafe slit_scan_sample_row(source, row.count, first, target + offset, taps.count)
        }
      }
    }
  }

  /// The mean of each two values of a row.
  static func halve(
    _ row: Span<Float>, into out: inout MutableSpan<Float>, at offset: Int, count: Int
  ) {
    guard offset >= 0, count >= 0, row.count >= 2 * count, out.count - offset >= count else {
      return
    }
    unsafe row.withUnsafeBufferPointer { row in
      unsafe out.withUnsafeMutableBufferPointer { out in
        guard let row = row.baseAddress, let out = out.baseAddress else { return }
        unsafe slit_scan_halve_row(row, out + offset, count)
      }
    }
  }

  /// The mean of each two values of samples: (sample − black)·scale, within 0…1.
  static func halve(
    _ samples: RawSpan, black: Float, scale: Float, into out: inout MutableSpan<Float>,
    at offset: Int, count: Int
  ) {
    guard offset >= 0, count >= 0, samples.byteCount >= 2 * count, out.count - offset >= count
    else { return }
    unsafe samples.withUnsafeBytes { samples in
      unsafe out.withUnsafeMutableBufferPointer { out in
        guard let samples = samples.baseAddress, let out = out.baseAddress else { return }
        unsafe slit_scan_halve_samples(
          samples.assumingMemoryBound(to: UInt8.self), black, scale, out + offset, count)
      }
    }
  }

  /// upper + weight·(lower − upper).
  static func between(
    _ upper: Span<Float>, _ lower: Span<Float>, weight: Float,
    into out: inout MutableSpan<Float>, at offset: Int
  ) {
    guard offset >= 0, upper.count == lower.count, out.count - offset >= upper.count else { return }
    unsafe upper.withUnsafeBufferPointer { upper in
      unsafe lower.withUnsafeBufferPointer { lower in
        unsafe out.withUnsafeMutableBufferPointer { out in
          guard let first = upper.baseAddress, let second = lower.baseAddress,
            let target = out.baseAddress
          else { return }
          unsafe slit_scan_between_rows(first, second, weight, target + offset, upper.count)
        }
      }
    }
  }

  /// Smooths the values of a plane, which begin with value `start`: rows, and then columns, three times each.
  ///
  /// - Parameters:
  ///   - sigma: That of the Gaussian, in pixels.
  ///   - scratch: Has room for as many values, and a row more.
  static func smooth(
    _ memory: inout LineMemory, at start: Int, plane: FrameLayout.Plane, sigma: Double,
    scratch: inout LineMemory
  ) {
    let (width, height, count) = (plane.cellsWide, plane.cellsHigh, plane.cellCount)
    guard width >= 1, height >= 1, start >= 0, memory.floats.count - start >= count,
      scratch.floats.count >= count + width,
      let values = unsafe memory.start?.assumingMemoryBound(to: Float.self),
      let b = unsafe scratch.start?.assumingMemoryBound(to: Float.self)
    else { return }
    let across = SlitScanBox(sigma: sigma / Double(plane.pixelsWide))
    let down = SlitScanBox(sigma: sigma / Double(plane.pixelsHigh))
    let a = unsafe values + start
    unsafe slit_scan_smooth_across(a, b, width, height, across)
    unsafe slit_scan_smooth_across(b, a, width, height, across)
    unsafe slit_scan_smooth_across(a, b, width, height, across)
    unsafe slit_scan_smooth_down(b, a, width, height, down, b + count)
    unsafe slit_scan_smooth_down(a, b, width, height, down, b + count)
    unsafe slit_scan_smooth_down(b, a, width, height, down, b + count)
  }

  /// One row of a motion field; all rows are equally long.
  static func motion(
    luma: Span<Float>, before: Span<Float>, above: Span<Float>, row: Span<Float>,
    below: Span<Float>, threshold: Float, decay: Float, into out: inout MutableSpan<Float>,
    at offset: Int
  ) {
    let count = row.count
    guard luma.count == count, before.count == count, above.count == count, below.count == count,
      offset >= 0, out.count - offset >= count
    else { return }
    unsafe luma.withUnsafeBufferPointer { luma in
      unsafe before.withUnsafeBufferPointer { before in
        unsafe above.withUnsafeBufferPointer { above in
          unsafe row.withUnsafeBufferPointer { row in
            unsafe below.withUnsafeBufferPointer { below in
              unsafe out.withUnsafeMutableBufferPointer { out in
                guard let luma = luma.baseAddress, let before = before.baseAddress,
                  let above = above.baseAddress, let row = row.baseAddress,
                  let below = below.baseAddress, let out = out.baseAddress
                else { return }
                unsafe slit_scan_motion_row(
                  luma, before, above, row, below, threshold, decay, out + offset, count)
              }
            }
          }
        }
      }
    }
  }

  // MARK: Sweeps

  /// Marks the cells of a row that a sweep's line covers with 255, the others with 0.
  ///
  /// `rows` holds, `stride` apart, the row above, the row itself and the row below; a row that is not
  /// there is left out by `hasAbove` and `hasBelow`.
  static func lineCells(
    of rows: Span<Float>, stride: Int, hasAbove: Bool, hasBelow: Bool, count: Int, position: Float,
    halfAcross: Float, halfDown: Float, into mask: inout MutableSpan<UInt8>
  ) {
    guard count >= 1, stride >= count, rows.count >= 3 * stride, mask.count >= count else { return }
    unsafe rows.withUnsafeBufferPointer { rows in
      unsafe mask.withUnsafeMutableBufferPointer { mask in
        guard let above = rows.baseAddress, let mask = mask.baseAddress else { return }
        let row = unsafe above + stride
        unsafe slit_scan_line_row(
          hasAbove ? above : nil, row, hasBelow ? row + stride : nil, count, position, halfAcross,
          halfDown, mask)
      }
    }
  }

  // MARK: Bytes

  /// Copies bytes.
  static func copy(
    _ byteCount: Int, from source: RawSpan, at start: Int, to target: inout MutableRawSpan,
    at offset: Int
  ) {
    guard start >= 0, offset >= 0, byteCount >= 1, source.byteCount - start >= byteCount,
      target.byteCount - offset >= byteCount
    else { return }
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let into = target.baseAddress else {
          return
        }
        unsafe memcpy(into + offset, from + start, byteCount)
      }
    }
  }

  /// Copies bytes from one place to another that does not overlap with it.
  static func copy(
    _ byteCount: Int, within bytes: inout MutableRawSpan, from start: Int, to offset: Int
  ) {
    guard start >= 0, offset >= 0, byteCount >= 1, bytes.byteCount - start >= byteCount,
      bytes.byteCount - offset >= byteCount, abs(start - offset) >= byteCount
    else { return }
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe memcpy(base + offset, base + start, byteCount)
    }
  }

  /// Whether bytes are alike.
  static func areEqual(_ bytes: RawSpan, _ others: RawSpan) -> Bool {
    guard bytes.byteCount == others.byteCount else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe others.withUnsafeBytes { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
        return unsafe memcmp(first, second, bytes.count) == 0
      }
    }
  }

  /// The rounding of a blend.
  enum Rounding {
    /// To the nearest.
    case nearest
    /// Towards what is there, so that a blend with it again and again ends there.
    case towardsTarget
  }

  /// target + weight·(other − target), sample by sample, weight in 1/65536.
  static func blend(
    _ target: inout MutableRawSpan, at offset: Int, with other: RawSpan, at otherOffset: Int,
    byteCount: Int, weight: UInt32, samples: SlitScanSamples, rounding: Rounding
  ) {
    guard offset >= 0, otherOffset >= 0, byteCount >= 0, weight <= 65_536,
      target.byteCount - offset >= byteCount, other.byteCount - otherOffset >= byteCount
    else { return }
    unsafe target.withUnsafeMutableBytes { target in
      unsafe other.withUnsafeBytes { other in
        guard let target = target.baseAddress, let other = other.baseAddress else {
          return
        }
        let into = unsafe target.assumingMemoryBound(to: UInt8.self) + offset
        let from = unsafe other.assumingMemoryBound(to: UInt8.self) + otherOffset
        switch rounding {
        case .nearest: unsafe slit_scan_mix(into, from, byteCount, weight, samples)
        case .towardsTarget: unsafe slit_scan_feed(into, from, byteCount, weight, samples)
        }
      }
    }
  }

  /// Adds to the ages that memory holds, of 16 bits, as far as they go.
  static func age(_ ages: inout LineMemory, by steps: UInt16) {
    guard steps > 0 else { return }
    var bytes = ages.mutableBytes
    unsafe bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe slit_scan_age(base.assumingMemoryBound(to: UInt8.self), bytes.count, steps)
    }
  }
}

extension SlitScanSamples {
  /// The samples of a plane.
  init(_ plane: FrameLayout.Plane, isBigEndian: Bool) {
    let kind =
      switch (plane.sampleBytes, isBigEndian) {
      case (1, _): SLIT_SCAN_SAMPLES_BYTES
      case (_, false): SLIT_SCAN_SAMPLES_LITTLE_WORDS
      case (_, true): SLIT_SCAN_SAMPLES_BIG_WORDS
      }
    self.init(kind: Int32(kind), unused_bits: UInt32(plane.unusedBits))
  }
}
