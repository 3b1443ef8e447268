// The passes are the programs that all modes draw with.

import CSlitScanKernels
import SlitScan

/// The purpose of a program.
enum Purpose: Hashable {
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

  /// The shader files that the program is made of.
  fileprivate var files: [[UInt8]] {
    typealias Files = PackageResources
    let exposure = [Files.curve_glsl, Files.exposure_glsl]
    return switch self {
    case .blend: [Files.samples_glsl, Files.blend_glsl]
    case .feed: [Files.samples_glsl, Files.between_glsl, Files.feed_glsl]
    case .differs: [Files.samples_glsl, Files.differs_glsl]
    case .older: [Files.older_glsl]
    case .delays: [Files.curve_glsl, Files.delays_glsl]
    case .displace(let way):
      [Files.samples_glsl] + (way.interpolation == .motion ? [Files.between_glsl] : [])
        + [Files.history_glsl] + (way.interpolation == .motion ? [Files.warp_glsl] : [])
        + (way.byMap ? exposure : []) + [Files.displace_glsl]
    case .sweep: [Files.curve_glsl, Files.sweep_glsl]
    case .ages(_, let byMap): (byMap ? exposure : []) + [Files.ages_glsl]
    case .line: [Files.curve_glsl, Files.samples_glsl, Files.line_glsl]
    case .luma: [Files.samples_glsl, Files.luma_glsl]
    case .level: [Files.samples_glsl, Files.level_glsl]
    case .motion: [Files.motion_glsl]
    case .image: [Files.image_glsl]
    case .smooth: [Files.smooth_glsl]
    case .trace: [Files.trace_glsl]
    case .slit: [Files.slit_glsl]
    case .strip: [Files.sheets_glsl, Files.strip_glsl]
    case .view: [Files.samples_glsl, Files.sheets_glsl, Files.view_glsl]
    }
  }

  /// The macros that are defined for the shaders.
  fileprivate var defines: [String] {
    func names(_ names: KeyValuePairs<String, Bool>) -> [String] {
      names.filter { $0.value }.map { $0.key }
    }
    return switch self {
    case .blend(let words), .differs(let words), .line(let words), .luma(let words),
      .level(let words):
      ["WORDS \(words)"]
    case .feed(let words): ["WORDS \(words)", "BLOCKS 1"]
    case .older(let isMixed): names(["MIXED": isMixed])
    case .delays(let hasAges, let isMixed): names(["AGES": hasAges, "MIXED": isMixed])
    case .displace(let way):
      ["WORDS \(way.words)", "BLOCKS \(way.hasBlocks ? TextureHistory.mostBlocks : 1)"]
        + names([
          "LINEAR": way.interpolation == .linear, "MOTION": way.interpolation == .motion,
          "WARMUP": way.warmsUp, "SHUTTER": way.exposes, "BY_MAP": way.byMap,
          "MIXED": way.isMixed, "APART": way.isApart, "ATLAS": way.isAtlas,
        ])
    case .sweep(let stamps): names(["STAMPS": stamps])
    case .ages(let hasStamps, let byMap): names(["STAMPS": hasStamps, "BY_MAP": byMap])
    case .motion, .image, .smooth, .trace, .slit, .strip: []
    case .view(let words):
      [
        "WORDS \(words)", "MOST_LINES \(SLIT_SCAN_VIEW_MOST_LINES)", "MOST_POINTS 1024",
        "FARTHEST \(SLIT_SCAN_VIEW_FARTHEST)",
      ]
    }
  }
}

/// Programs, made when they are needed first.
final class Passes {
  let gl: GL
  private var programs: [Purpose: Program] = [:]

  init(_ gl: GL) { self.gl = gl }

  /// The program of a purpose, which is in use from now on.
  func use(_ purpose: Purpose) throws(ScanError) -> Program {
    let program: Program
    if let known = programs[purpose] {
      program = known
    } else {
      program = try Program(gl, purpose.files, purpose.defines)
      programs[purpose] = program
    }
    program.use()
    return program
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
      let program = try use(.blend(words: plane.words))
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
