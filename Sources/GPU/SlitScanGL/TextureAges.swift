// The texture ages are how old the pixels of an output are: drawn by the GPU, and read back.

import COpenGL
import CSlitScanKernels
import SlitScan

extension FrameShape {
  /// The shape of ages of frames, which are of 16 bits.
  fileprivate static func ages(of layout: FrameLayout) throws(ScanError) -> FrameShape {
    try FrameShape(
      .gray16(width: layout.width, height: layout.height),
      FrameTextures(
        names: .zero, formats: [UInt32(GL_R16), 0, 0, 0],
        widths: [Int32(clamping: layout.width), 0, 0, 0],
        heights: [Int32(clamping: layout.height), 0, 0, 0]))
  }
}

/// The texture that ages are drawn to, and the memory that it is read back into.
private struct AgeTarget: ~Copyable {
  private let gl: GL
  private let texture: Texture
  private let rowBytes: Int
  private var memory = LineMemory()

  init(_ gl: GL, _ layout: FrameLayout) throws(ScanError) {
    // Two pixels a texel, which every context can read.
    guard
      let texture = gl.makeTexture(
        .fourBytes, width: (layout.width + 1) / 2, height: layout.height)
    else { throw .refusedTexture(for: "ages") }
    self.gl = gl
    self.texture = texture
    rowBytes = 2 * layout.width
  }

  var byteCount: Int { texture.byteCount }

  /// Draws with the program in use, and reads back.
  mutating func draw(into target: inout MutableFrameSpan) throws(ScanError) {
    guard memory.grow(to: texture.byteCount) else { throw .refusedTexture(for: "ages") }
    let (gl, texture) = (gl, texture)
    gl.target(texture)
    gl.draw()
    var bytes = memory.mutableBytes
    gl.read(texture, into: &bytes)
    target.copyRows(
      texture.height, of: rowBytes, from: memory.bytes,
      stride: texture.width * texture.format.texelBytes)
  }
}

/// The ages of the pixels of a displaced frame.
struct TextureDelayAges: ~Copyable {
  private let gl: GL
  private let passes: Passes
  private let plane: FrameLayout.Plane
  private var delays: TextureDelays
  private var target: AgeTarget
  private var ages: [UInt16] = []
  /// The age of each level.
  private var table: Texture?

  init(_ gl: GL, _ passes: Passes, _ layout: FrameLayout) throws(ScanError) {
    let shape = try FrameShape.ages(of: layout)
    let delays = TextureDelays(gl, passes, shape)
    target = try AgeTarget(gl, layout)
    plane = shape.planes[0].plane
    self.gl = gl
    self.passes = passes
    self.delays = delays
  }

  /// Draws the ages.
  ///
  /// - Parameters:
  ///   - map: The map, with values for single pixels.
  ///   - shutter: The exposure, of whose ages the mean is drawn.
  ///   - depth: The frames that delays are parts of.
  mutating func draw(
    _ settings: ScanSettings, _ map: borrowing TextureMap, _ times: FrameTimes, _ shutter: Shutter,
    depth: Int, into frame: inout MutableFrameSpan
  ) throws(ScanError) {
    try delays.prepare(settings, map, times: times, depth: depth)
    let byMap = settings.shutterFollowsMap && shutter != .single
    times.listAges(
      inStepsOf: settings.ageUnit, exposed: byMap ? .single : shutter, in: &ages)
    guard let delays = delays.texture(ofPlane: 0), !ages.isEmpty,
      let values = map.values(of: plane)
    else { return frame.clear() }
    let table = try upload()
    let program = try passes.use(.ages(hasStamps: false, byMap: byMap))
    if byMap {
      program.set(SlitScanCurve(settings))
      program.set(.growth, Float(shutter.length - 1))
      gl.bind(values, to: .values)
    }
    program.set(.oldest, UInt32(ages.count - 1))
    gl.bind(delays, to: .delays)
    gl.bind(table, to: .ages)
    try target.draw(into: &frame)
  }

  private mutating func upload() throws(ScanError) -> Texture {
    let width = 1024
    let rows = (ages.count + width - 1) / width
    if table.map({ $0.height < rows }) ?? true {
      table = gl.makeTexture(.number, width: width, height: 2 * rows)
    }
    guard let table else { throw .refusedTexture(for: "ages") }
    var values = ages.map { UInt32($0) }
    values += Array(repeating: 0, count: rows * width - ages.count)
    gl.upload(values.span, to: table, rows: rows)
    return table
  }
}

/// The ages of the pixels of a sweep: of each, the step at which it was taken.
///
/// Pixels that were frozen before the ages were asked for count from then on.
struct TextureSweepAges: ~Copyable {
  private let gl: GL
  private let passes: Passes
  private let plane: FrameLayout.Plane
  private let stamps: Texture
  private var target: AgeTarget
  private var clock: AgeClock
  private var isEmpty = true

  /// - Parameter unit: The step of ages, in nanoseconds.
  init(
    _ gl: GL, _ passes: Passes, _ layout: FrameLayout, unit: UInt64
  ) throws(ScanError) {
    guard let stamps = gl.makeTexture(.fourBytes, width: layout.width, height: layout.height) else {
      throw .refusedTexture(for: "ages")
    }
    let plane = try FrameShape.ages(of: layout).planes[0].plane
    target = try AgeTarget(gl, layout)
    self.plane = plane
    self.gl = gl
    self.passes = passes
    self.stamps = stamps
    clock = AgeClock(unit: unit)
  }

  /// A step, in nanoseconds.
  var unit: UInt64 { clock.unit }

  var byteCount: Int { stamps.byteCount + target.byteCount }

  /// Goes on to a frame, which some cells become.
  ///
  /// - Parameter map: The map, with values for single pixels.
  mutating func advance(
    to time: UInt64, _ part: SweepState.Part, _ curve: SlitScanCurve, _ map: borrowing TextureMap
  ) throws(ScanError) {
    clock.advance(to: time)
    let frozen: Float
    switch part {
    case .everything: frozen = -1
    case .above(let limit): frozen = isEmpty ? -1 : limit
    case .nothing: frozen = isEmpty ? -1 : 1
    }
    guard frozen < 1, let values = map.values(of: plane) else { return }
    let steps = UInt32(truncatingIfNeeded: clock.steps)
    let program = try passes.use(.sweep(stamps: true))
    program.set(curve)
    program.set(.frozen, frozen)
    program.set(.cellShift, 0)
    program.set(
      .stamp, SIMD4<Float>(SIMD4(repeating: steps) &>> [0, 8, 16, 24] & 255) / 255)
    gl.bind(values, to: .values)
    gl.target(stamps)
    gl.draw()
    isEmpty = false
  }

  /// Draws the ages.
  mutating func draw(into frame: inout MutableFrameSpan) throws(ScanError) {
    guard !isEmpty else { return frame.clear() }
    let program = try passes.use(.ages(hasStamps: true, byMap: false))
    program.set(.now, UInt32(truncatingIfNeeded: clock.steps))
    gl.bind(stamps, to: .source)
    try target.draw(into: &frame)
  }
}
