// The texture memory keeps frames in textures, and draws them with shaders.

import SlitScan

/// Memory of the GPU: frames in textures, and the shaders that draw them.
///
/// - Important: To be used on the thread of the context alone, where it is current.
struct TextureMemory: ~Copyable, ScanMemory {
  typealias Displace = TextureDisplace
  typealias Sweep = TextureSweep
  typealias Strip = TextureStrip

  let gl: GL
  let passes: Passes
  var map: TextureMap
  /// The threads that find motion.
  private(set) var workers = Workers(1)
  private var input: FrameShape?
  private(set) var output: FrameShape?

  init(_ gl: GL) {
    self.gl = gl
    passes = Passes(gl)
    map = TextureMap(gl, passes)
  }

  func check(_ layout: FrameLayout) throws(ScanError) {
    guard max(layout.width, layout.height) <= gl.longestSide else {
      throw .tooLong(layout, longest: gl.longestSide)
    }
  }

  /// The shape of a frame, whose textures may differ where the layout does not.
  mutating func shape(
    of frame: borrowing FrameTextures, _ layout: FrameLayout, isNew: inout Bool
  ) throws(ScanError) -> FrameShape {
    if let input, input.fits(frame) { return input }
    let shape = try FrameShape(layout, frame)
    guard shape.fits(frame) else { throw .notConfigured }
    map.release()
    input = shape
    isNew = true
    return shape
  }

  mutating func check(
    _ target: inout FrameTextures, _ layout: FrameLayout, hasInputLayout: Bool
  ) throws(ScanError) {
    guard output?.layout != layout || output?.fits(target) != true else { return }
    let shape = try FrameShape(layout, target)
    guard shape.fits(target), !hasInputLayout || input?.fits(target) == true else {
      throw .notConfigured
    }
    for index in shape.planes.indices {
      gl.target(
        target.names[index], width: shape.planes[index].width, height: shape.planes[index].height)
      guard gl.isTargetComplete else {
        throw ScanError(
          .unsupportedFormat,
          "The graphics driver does not draw into textures of this format. Put glcolorconvert "
            + "before glslitscan.")
      }
    }
    output = shape
  }

  mutating func follow(
    _ frame: borrowing FrameTextures, _ shape: FrameShape, settings: ScanSettings
  ) throws(ScanError) {
    if settings.interpolation == .motion && settings.threads != workers.wanted {
      workers = Workers(settings.threads)
    }
    try map.follow(frame, shape, settings: settings)
  }

  mutating func followAgain(_ layout: FrameLayout, settings: ScanSettings) throws(ScanError) {
    try map.followAgain(settings: settings)
  }

  mutating func forgetFrames() { map.forgetFrames() }

  mutating func release() {
    map.release()
    workers = Workers(1)
    input = nil
    output = nil
  }

  /// Bytes of texture memory that history or canvas may take.
  func limit(_ settings: ScanSettings) -> Int {
    guard settings.maxMemory == 0, let memory = gl.memory else { return settings.memoryLimit }
    return memory / 4
  }
}
