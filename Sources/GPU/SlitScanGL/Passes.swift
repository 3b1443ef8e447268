// The passes are the programs that all modes draw with.

import CSlitScanKernels
import SlitScan

/// Programs, made when they are needed first.
final class Passes {
  /// The purpose of a program.
  private enum Key: Hashable {
    case blend(words: Int)
    case feed(words: Int)
    case differs(words: Int)
    case older(isMixed: Bool)
    case delays(hasAges: Bool, isMixed: Bool)
    case displace(Displacing)
    case sweep(stamps: Bool)
    case ages(hasStamps: Bool, byMap: Bool)
    case line(words: Int)
    case luma(words: Int)
    case level(words: Int)
    case motion
    case image
    case smooth
    case trace
    case slit
    case strip
    case view(words: Int)
  }

  /// The way that frames of history are drawn.
  struct Displacing: Hashable {
    var words: Int
    var interpolation: ScanSettings.Interpolation
    var warmsUp: Bool
    /// Whether several frames are exposed.
    var exposes: Bool
    /// Whether they are as many as the map says.
    var byMap: Bool
    var isMixed: Bool
    /// Whether the channels of a texel are drawn one by one.
    var isApart: Bool
    var hasBlocks: Bool
    var isAtlas: Bool
  }

  let gl: GL
  private var programs: [Key: Program] = [:]

  init(_ gl: GL) { self.gl = gl }

  private func program(
    _ key: Key, _ files: () -> [[UInt8]], _ defines: () -> [String] = { [] }
  ) throws(ScanError) -> Program {
    if let program = programs[key] { return program }
    let program = try Program(gl, files(), defines())
    programs[key] = program
    return program
  }

  func blend(words: Int) throws(ScanError) -> Program {
    try program(
      .blend(words: words), { [PackageResources.samples_glsl, PackageResources.blend_glsl] },
      { ["WORDS \(words)"] })
  }

  func feed(words: Int) throws(ScanError) -> Program {
    try program(
      .feed(words: words),
      {
        [PackageResources.samples_glsl, PackageResources.between_glsl, PackageResources.feed_glsl]
      },
      { ["WORDS \(words)", "BLOCKS 1"] })
  }

  func differs(words: Int) throws(ScanError) -> Program {
    try program(
      .differs(words: words), { [PackageResources.samples_glsl, PackageResources.differs_glsl] },
      { ["WORDS \(words)"] })
  }

  func older(isMixed: Bool) throws(ScanError) -> Program {
    try program(
      .older(isMixed: isMixed), { [PackageResources.older_glsl] }, { isMixed ? ["MIXED"] : [] })
  }

  func delays(hasAges: Bool, isMixed: Bool) throws(ScanError) -> Program {
    try program(
      .delays(hasAges: hasAges, isMixed: isMixed),
      { [PackageResources.curve_glsl, PackageResources.delays_glsl] },
      { (hasAges ? ["AGES"] : []) + (isMixed ? ["MIXED"] : []) })
  }

  func displace(_ way: Displacing) throws(ScanError) -> Program {
    try program(
      .displace(way),
      {
        let isMotion = way.interpolation == .motion
        return [PackageResources.samples_glsl]
          + (isMotion ? [PackageResources.between_glsl] : []) + [PackageResources.history_glsl]
          + (isMotion ? [PackageResources.warp_glsl] : []) + Self.exposure(way.byMap)
          + [PackageResources.displace_glsl]
      },
      {
        ["WORDS \(way.words)", "BLOCKS \(way.hasBlocks ? TextureHistory.mostBlocks : 1)"]
          + (way.interpolation == .linear ? ["LINEAR"] : [])
          + (way.interpolation == .motion ? ["MOTION"] : [])
          + (way.warmsUp ? ["WARMUP"] : []) + (way.exposes ? ["SHUTTER"] : [])
          + (way.byMap ? ["BY_MAP"] : [])
          + (way.isMixed ? ["MIXED"] : [])
          + (way.isApart ? ["APART"] : [])
          + (way.isAtlas ? ["ATLAS"] : [])
      })
  }

  func sweep(stamps: Bool = false) throws(ScanError) -> Program {
    try program(
      .sweep(stamps: stamps), { [PackageResources.curve_glsl, PackageResources.sweep_glsl] },
      { stamps ? ["STAMPS"] : [] })
  }

  func ages(hasStamps: Bool = false, byMap: Bool = false) throws(ScanError) -> Program {
    try program(
      .ages(hasStamps: hasStamps, byMap: byMap),
      { Self.exposure(byMap) + [PackageResources.ages_glsl] },
      { (hasStamps ? ["STAMPS"] : []) + (byMap ? ["BY_MAP"] : []) })
  }

  private static func exposure(_ byMap: Bool) -> [[UInt8]] {
    byMap ? [PackageResources.curve_glsl, PackageResources.exposure_glsl] : []
  }

  func line(words: Int) throws(ScanError) -> Program {
    try program(
      .line(words: words),
      { [PackageResources.curve_glsl, PackageResources.samples_glsl, PackageResources.line_glsl] },
      { ["WORDS \(words)"] })
  }

  func luma(words: Int) throws(ScanError) -> Program {
    try program(
      .luma(words: words), { [PackageResources.samples_glsl, PackageResources.luma_glsl] },
      { ["WORDS \(words)"] })
  }

  func level(words: Int) throws(ScanError) -> Program {
    try program(
      .level(words: words), { [PackageResources.samples_glsl, PackageResources.level_glsl] },
      { ["WORDS \(words)"] })
  }

  func motion() throws(ScanError) -> Program {
    try program(.motion, { [PackageResources.motion_glsl] })
  }

  func image() throws(ScanError) -> Program {
    try program(.image, { [PackageResources.image_glsl] })
  }

  func smooth() throws(ScanError) -> Program {
    try program(.smooth, { [PackageResources.smooth_glsl] })
  }

  func trace() throws(ScanError) -> Program {
    try program(.trace, { [PackageResources.trace_glsl] })
  }

  func slit() throws(ScanError) -> Program {
    try program(.slit, { [PackageResources.slit_glsl] })
  }

  func strip() throws(ScanError) -> Program {
    try program(.strip, { [PackageResources.sheets_glsl, PackageResources.strip_glsl] })
  }

  func view(words: Int) throws(ScanError) -> Program {
    try program(
      .view(words: words),
      {
        [PackageResources.samples_glsl, PackageResources.sheets_glsl, PackageResources.view_glsl]
      },
      {
        [
          "WORDS \(words)", "MOST_LINES \(SLIT_SCAN_VIEW_MOST_LINES)", "MOST_POINTS 1024",
          "FARTHEST \(SLIT_SCAN_VIEW_FARTHEST)",
        ]
      })
  }

  /// Draws frames moved towards others.
  ///
  /// - Parameter weight: In 1/65536.
  func blend(
    _ shape: FrameShape, from source: FrameTextures, towards other: FrameTextures, weight: UInt32,
    isRounded: Bool, into target: FrameTextures
  ) throws(ScanError) {
    for index in shape.planes.indices {
      let plane = shape.planes[index]
      let program = try blend(words: plane.words)
      program.use()
      program.set(.weight, weight)
      program.set(.isRounded, isRounded)
      program.set(.unusedBits, UInt32(plane.plane.unusedBits))
      gl.bind(source.names[index], to: .source)
      gl.bind(other.names[index], to: .other)
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
  }
}

extension Program {
  /// Sets the curve by which a map changes the values of its shape.
  func set(_ curve: SlitScanCurve) {
    set(.inverts, curve.inverts)
    set(.gain, curve.gain)
    set(.offset, curve.offset)
    set(.edge, Int(curve.edge))
  }
}
