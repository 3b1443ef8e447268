// How many bytes a frame must move: counted from what the modes are, not from what caches do.

import SlitScan

extension BenchCase {
  /// Bytes read and written for one frame, padding of rows not counted.
  ///
  /// With F the bytes of a frame:
  /// - displace: the frame in, its tiles written, the tiles of the delayed frames read (two for
  ///   each where neighbours are blended), the picture out: 4 F, or 5 F.
  /// - sweep, on average over a sweep of N frames: what the slit passes goes from the frame to the
  ///   canvas, 2 F/N; each pixel is read from the frame or from the canvas, F; the picture out, F.
  /// - strip: one of the lines of the canvas is taken from the frame, 2 F/lines; the canvas is read
  ///   and the picture written, 2 F.
  func bytesMoved(sweepFrames: Int) throws(ScanError) -> Int {
    let frame = try layout().planes.reduce(0) { $0 + $1.rowBytes * $1.cellsHigh }
    switch mode {
    case .displace: return (interpolation == .linear ? 5 : 4) * frame
    case .sweep: return 2 * frame + 2 * frame / sweepFrames
    case .strip:
      let lines = map == .columns ? size.width : size.height
      return 2 * frame + 2 * frame / lines
    }
  }
}
