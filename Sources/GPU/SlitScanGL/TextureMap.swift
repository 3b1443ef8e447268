// The texture map holds the values of a map in textures, whatever it is made from.

import CSlitScanKernels
import CSlitScanSettings
import SlitScan

/// The value f of every cell, smoothed but not yet inverted or bent.
///
/// Formulas and images in system memory are computed by the processor, as without a GPU, and uploaded when
/// they change. What follows from textures is drawn.
struct TextureMap: ~Copyable {
  private let gl: GL
  private let passes: Passes
  /// The inputs that the processor computes values from.
  private var inputs = MapInputs()
  /// Values drawn from textures: of the images that maps are, of the last frame, and the motion so far.
  private var image = Drawing()
  private var live = Drawing()
  private var luma = Drawing()
  private var before = Drawing()
  private var motion = Drawing()
  private var nextMotion = Drawing()
  /// The last frame's map.
  private var lastMap: ScanSettings.Map?

  /// Values for one of the planes of each kind.
  private var kinds: [(plane: FrameLayout.Plane, values: Texture)] = []
  private var scratch: [Texture] = []
  private var taps: [(key: TapsKey, texture: Texture)] = []
  private var key: Key?
  /// Counts the changes of the values.
  private(set) var revision = 0

  /// Numbers in a texture.
  private struct Drawing {
    var texture: Texture?
    /// Counts the changes.
    var revision = 0
  }

  private struct Key: Equatable {
    var shape: ScanSettings
    var source: Int
    var isDrawn: Bool
    var hasPixels: Bool
  }

  private struct TapsKey: Equatable {
    var cells: Int
    var step: Double
    var count: Int
  }

  init(_ gl: GL, _ passes: Passes) {
    self.gl = gl
    self.passes = passes
  }

  /// Begins anew what follows from frames.
  mutating func forgetFrames() {
    motion.texture = nil
    before.texture = nil
  }

  /// Forgets what was made for a layout of frames; the images from elsewhere stay.
  mutating func release() {
    inputs.release()
    forgetFrames()
    luma.texture = nil
    nextMotion.texture = nil
    kinds = []
    scratch = []
    taps = []
    key = nil
  }

  // MARK: Images

  /// Takes the luma of an image in system memory.
  mutating func take(
    _ mapImage: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try inputs.take(mapImage, layout: layout, as: role)
    forgetDrawing(role)
  }

  /// Takes the luma of an image in textures.
  mutating func take(
    _ mapImage: FrameTextures, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    let shape = try FrameShape(layout, mapImage)
    switch role {
    case .image: try Self.draw(mapImage, shape, into: &image, gl, passes)
    case .live: try Self.draw(mapImage, shape, into: &live, gl, passes)
    }
    inputs.forget(role)
  }

  /// Forgets an image.
  mutating func forget(_ role: MapImageRole) {
    inputs.forget(role)
    forgetDrawing(role)
  }

  private mutating func forgetDrawing(_ role: MapImageRole) {
    switch role {
    case .image: image.texture = nil
    case .live: live.texture = nil
    }
  }

  /// Takes in a frame, where the map follows from those.
  mutating func follow(
    _ frame: FrameTextures, _ shape: FrameShape, settings: ScanSettings
  ) throws(ScanError) {
    if settings.map != lastMap { forgetFrames() }
    lastMap = settings.map
    let source = settings.map.source
    guard source == SLIT_SCAN_SOURCE_FRAME || source == SLIT_SCAN_SOURCE_MOTION else { return }
    try Self.draw(
      frame, shape, into: &luma, gl, passes, isForMotion: source == SLIT_SCAN_SOURCE_MOTION)
    guard source == SLIT_SCAN_SOURCE_MOTION else { return }
    try move(settings, threshold: Float(settings.motionThreshold))
    swap(&before.texture, &luma.texture)
  }

  /// Goes on as if the last frame came again.
  mutating func followAgain(settings: ScanSettings) throws(ScanError) {
    guard settings.map.source == SLIT_SCAN_SOURCE_MOTION, motion.texture != nil else { return }
    luma.texture = before.texture
    try move(settings, threshold: 1)
    luma.texture = nil
  }

  /// Draws the next field of motion.
  private mutating func move(_ settings: ScanSettings, threshold: Float) throws(ScanError) {
    guard let luma = luma.texture else { return }
    guard let field = motion.texture, let before = before.texture else {
      let size = luma.width * luma.height
      let texture = try gl.values(width: luma.width, height: luma.height)
      gl.upload([UInt32](repeating: 0, count: size).span, to: texture, rows: luma.height)
      motion.texture = texture
      motion.revision += 1
      return
    }
    let next: Texture
    if let spare = nextMotion.texture, spare.width == luma.width, spare.height == luma.height {
      next = spare
    } else {
      next = try gl.values(width: luma.width, height: luma.height)
    }
    let program = try passes.use(.motion)
    program.set(.threshold, threshold)
    program.set(.decay, Float(settings.motionDecay))
    gl.bind(luma, to: .values)
    gl.bind(before, to: .ages)
    gl.bind(field, to: .delays)
    gl.target(next)
    gl.draw()
    motion.texture = next
    motion.revision += 1
    nextMotion.texture = field
  }

  /// Draws the luma of a frame's pixels.
  private static func draw(
    _ frame: FrameTextures, _ shape: FrameShape, into drawing: inout Drawing, _ gl: GL,
    _ passes: Passes, isForMotion: Bool = false
  ) throws(ScanError) {
    let layout = shape.layout
    // As the processor does it, to the last bit.
    let isScaled = !layout.isRGB && shape.planes.first?.plane.sampleBytes == 1 && !isForMotion
    if drawing.texture?.width != layout.width || drawing.texture?.height != layout.height {
      drawing.texture = try gl.values(width: layout.width, height: layout.height)
    }
    guard let texture = drawing.texture else { return }
    drawing.revision += 1
    var channel = SIMD4<Int32>.zero
    var black = SIMD4<Float>.zero
    var range = SIMD4<Float>(repeating: 1)
    var share = SIMD4<Float>.zero
    var count = 0
    var words = 0
    for component in layout.components where component.role == .colour && count < 3 {
      let plane = shape.planes[component.plane]
      words = plane.words
      channel[count] = Int32(
        plane.words > 1 ? 0 : component.offset / plane.format.channelBytes)
      black[count] = Float(component.black)
      range[count] =
        isScaled
        ? FrameLayout.lumaScale(black: Float(component.black), white: Float(component.white))
        : Float(component.white) - Float(component.black)
      share[count] = layout.lumaShare(ofComponent: count)
      let unit: TextureUnit = count == 0 ? .source : count == 1 ? .other : .third
      gl.bind(frame.names[component.plane], to: unit)
      count += 1
      if !layout.isRGB { break }
    }
    let program = try passes.use(.luma(words: words))
    program.set(.isScaled, isScaled)
    program.set(.partCount, count)
    program.set(.channel, channel)
    program.set(.black, black)
    program.set(.range, range)
    program.set(.share, share)
    gl.target(texture)
    gl.draw()
  }

  // MARK: Values

  /// f of a plane's cells, nil before it is prepared.
  func values(of plane: FrameLayout.Plane) -> Texture? {
    for kind in kinds where kind.plane.hasCells(of: plane) { return kind.values }
    return nil
  }

  /// Brings the values up to date.
  ///
  /// - Parameter hasPixels: Whether those of single pixels are wanted, too.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, _ shape: FrameShape, hasPixels: Bool = false
  ) throws(ScanError) {
    let drawing = drawing(of: settings)
    // Ages have a cell for each pixel.
    let hasPixels = hasPixels || settings.keepsAges
    if drawing?.texture == nil {
      try inputs.prepare(settings, tiles: shape.tiles, for: hasPixels ? .pixels : .cells)
    }
    let wanted = Key(
      shape: settings.ofShape, source: drawing?.revision ?? inputs.valuesRevision ?? 0,
      isDrawn: drawing?.texture != nil, hasPixels: hasPixels)
    guard wanted != key else { return }
    key = nil
    try layOut(shape, hasPixels: hasPixels)
    for index in kinds.indices {
      let (plane, values) = kinds[index]
      if let image = drawing?.texture {
        try sample(image, plane, layout: shape.layout, into: values)
        if settings.mapSmoothing > 0 { try smooth(values, plane, sigma: settings.mapSmoothing) }
      } else {
        withComputedValues(of: plane) { gl.upload($0, to: values, rows: values.height) }
      }
    }
    key = wanted
    revision += 1
  }

  /// The drawing of a map; nil where the processor computes it.
  private func drawing(of settings: ScanSettings) -> Drawing? {
    switch settings.map {
    case .luma: luma
    case .motion: motion
    case .image where image.texture != nil: image
    case .live where live.texture != nil: live
    default: nil
    }
  }

  /// Whether the processor has the values of a map.
  func isComputed(_ settings: ScanSettings) -> Bool { drawing(of: settings)?.texture == nil }

  /// Gives `body` the values that the processor has, of a plane or of single pixels.
  func withComputedValues(of plane: FrameLayout.Plane, _ body: (Span<Float>) -> Void) {
    inputs.surfaces.read { body($0.values(of: plane)) }
  }

  private mutating func layOut(_ shape: FrameShape, hasPixels: Bool) throws(ScanError) {
    for plane in shape.planes where values(of: plane.plane) == nil { try add(plane.plane) }
    if hasPixels && values(of: shape.tiles.pixelPlane) == nil { try add(shape.tiles.pixelPlane) }
  }

  private mutating func add(_ plane: FrameLayout.Plane) throws(ScanError) {
    kinds.append((plane, try gl.values(width: plane.cellsWide, height: plane.cellsHigh)))
  }

  /// Draws an image at the cells of a plane.
  private mutating func sample(
    _ image: Texture, _ plane: FrameLayout.Plane, layout: FrameLayout, into values: Texture
  ) throws(ScanError) {
    let columns = try taps(
      plane.cellsWide, pixels: plane.pixelsWide, of: layout.width, from: image.width)
    let rows = try taps(
      plane.cellsHigh, pixels: plane.pixelsHigh, of: layout.height, from: image.height)
    _ = try passes.use(.image)
    gl.bind(image, to: .values)
    gl.bind(columns, to: .ages)
    gl.bind(rows, to: .rows)
    gl.target(values)
    gl.draw()
  }

  /// The places of cells among the pixels of a frame, across or down.
  private mutating func taps(
    _ cells: Int, pixels: Int, of length: Int, from count: Int
  ) throws(ScanError) -> Texture {
    let key = TapsKey(
      cells: cells, step: Double(pixels) * Double(count) / Double(length), count: count)
    for known in taps where known.key == key { return known.texture }
    guard let texture = gl.makeTexture(.twoNumbers, width: cells, height: 1) else {
      throw .refusedTexture(for: "the map")
    }
    let numbers = (0..<cells).map { cell in
      let tap = SlitScanTap(cell: cell, step: key.step, count: count)
      return SIMD2(UInt32(bitPattern: tap.left), tap.weight.bitPattern)
    }
    gl.upload(numbers.span, to: texture, rows: 1)
    // Two for each kind of plane are in use.
    if taps.count >= 8 { taps.removeFirst() }
    taps.append((key, texture))
    return texture
  }

  /// Smooths values by three boxes across, and three down.
  private mutating func smooth(
    _ values: Texture, _ plane: FrameLayout.Plane, sigma: Double
  ) throws(ScanError) {
    let other: Texture
    if let known = scratch.first(where: {
      $0.width == values.width && $0.height == values.height
    }) {
      other = known
    } else {
      other = try gl.values(width: values.width, height: values.height)
      scratch.append(other)
    }
    let program = try passes.use(.smooth)
    for pass in 0..<6 {
      let isAcross = pass < 3
      let box = SlitScanBox(sigma: sigma / Double(isAcross ? plane.pixelsWide : plane.pixelsHigh))
      program.set(.way, isAcross ? 1 : 0, isAcross ? 0 : 1)
      program.set(.radius, Int(box.radius))
      program.set(.endWeight, box.end_weight)
      gl.bind(pass % 2 == 0 ? values : other, to: .values)
      gl.target(pass % 2 == 0 ? other : values)
      gl.draw()
    }
  }
}

extension GL {
  /// A texture of numbers.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  fileprivate func values(width: Int, height: Int) throws(ScanError) -> Texture {
    guard let texture = makeTexture(.number, width: width, height: height) else {
      throw .refusedTexture(for: "the map")
    }
    return texture
  }
}
