// The motion field of the map `motion`: marks moving pixels, spreads from there and fades.

/// M of the frames so far: 1 where luma has just changed, and what became of earlier changes around.
///
/// After EffecTV's TimeDistortion (Kentaro Fukuchi), with the threshold and the decay as settings.
struct MotionField: ~Copyable {
  /// The luma of the frame before.
  private var before = Raster()
  /// M of the last frame, one value a pixel; empty before the first.
  private(set) var field = Raster()
  private var next = Raster()

  init() {}

  /// Starts anew with the next frame.
  mutating func restart() {
    field.clear()
    before.clear()
  }

  /// Takes in a frame's luma, which comes back as the one of the frame before.
  ///
  /// - Returns: false if the system refuses the memory.
  mutating func advance(_ luma: inout Raster, threshold: Float, decay: Float) -> Bool {
    let (width, height) = (luma.width, luma.height)
    guard next.resize(width: width, height: height, form: .values) else { return false }
    if field.width == width, field.height == height, before.width == width,
      before.height == height
    {
      Self.move(
        field, into: &next, luma: luma, before: before, threshold: threshold, decay: decay)
    } else {
      var values = next.mutableValues
      for index in values.indices { values[index] = 0 }
    }
    field.exchange(with: &next)
    before.exchange(with: &luma)
    return true
  }

  /// Goes on as if the last frame came again: nothing moves, and what has moved fades.
  ///
  /// - Returns: false if the system refuses the memory.
  mutating func fade(decay: Float) -> Bool {
    guard !field.isEmpty, before.width == field.width, before.height == field.height else {
      return true
    }
    guard next.resize(width: field.width, height: field.height, form: .values) else { return false }
    Self.move(field, into: &next, luma: before, before: before, threshold: 1, decay: decay)
    field.exchange(with: &next)
    return true
  }

  private static func move(
    _ field: borrowing Raster, into next: inout Raster, luma: borrowing Raster,
    before: borrowing Raster, threshold: Float, decay: Float
  ) {
    let (width, height) = (luma.width, luma.height)
    var values = next.mutableValues
    for y in 0..<height {
      Kernels.motion(
        luma: luma.row(y), before: before.row(y), above: field.row(max(y - 1, 0)),
        row: field.row(y), below: field.row(min(y + 1, height - 1)), threshold: threshold,
        decay: decay, into: &values, at: y * width)
    }
  }
}
