// The map inputs keep what a map is made from up to date: formulas, images, a live map or the frames themselves.

internal import CSlitScanSettings

/// The images that a map may be made from, and its values, laid over the planes.
package struct MapInputs: ~Copyable {
  package private(set) var surfaces: MapSurfaces?
  private var image = Raster()
  private var live = Raster()
  private var luma = Raster()
  private var motion = MotionField()
  private var frameReader: LumaReader?
  private var imageReader: LumaReader?
  /// The last frame's map.
  private var lastMap: ScanSettings.Map?

  package init() {}

  /// Begins anew what follows from frames.
  package mutating func forgetFrames() { motion.restart() }

  /// Forgets what was made for a layout of frames; the images from elsewhere stay.
  package mutating func release() {
    surfaces = nil
    luma = Raster()
    motion = MotionField()
    frameReader = nil
    imageReader = nil
  }

  // MARK: Images

  /// Takes the luma of an image from elsewhere.
  ///
  /// - Throws: ``ScanError`` when the planes are too small or there is no memory; the map is as before
  ///   in the one case, and empty in the other.
  package mutating func take(
    _ mapImage: borrowing FrameSpan, layout: FrameLayout, as role: MapImageRole
  ) throws(ScanError) {
    try mapImage.check(against: layout)
    let reader: LumaReader
    if let known = imageReader, known.reads(layout) {
      reader = known
    } else {
      reader = LumaReader(layout)
      imageReader = reader
    }
    let isRead =
      switch role {
      case .image: reader.read(mapImage, into: &image)
      case .live: reader.read(mapImage, into: &live)
      }
    guard isRead else { throw .refused(layout.width * layout.height) }
  }

  /// Forgets an image from elsewhere, and gives its memory back.
  package mutating func forget(_ role: MapImageRole) {
    switch role {
    case .image: image.forget()
    case .live: live.forget()
    }
  }

  /// Takes in a frame, where the map follows from those.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func follow(
    _ frame: borrowing FrameSpan, settings: ScanSettings, tiles: TiledLayout
  ) throws(ScanError) {
    if settings.map != lastMap { motion.restart() }
    lastMap = settings.map
    let source = settings.map.source
    guard source == SLIT_SCAN_SOURCE_FRAME || source == SLIT_SCAN_SOURCE_MOTION else { return }
    if frameReader == nil { frameReader = LumaReader(tiles.layout) }
    let isRead = frameReader?.read(
      frame, into: &luma, asValues: source == SLIT_SCAN_SOURCE_MOTION)
    guard isRead == true else { throw .refused(tiles.pixelPlane.cellCount) }
    guard source == SLIT_SCAN_SOURCE_MOTION else { return }
    let isMoved = motion.advance(
      &luma, threshold: Float(settings.motionThreshold), decay: Float(settings.motionDecay))
    guard isMoved else { throw .refused(tiles.pixelPlane.cellCount) }
  }

  /// Goes on as if the last frame came again.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func followAgain(settings: ScanSettings, tiles: TiledLayout) throws(ScanError) {
    guard settings.map.source == SLIT_SCAN_SOURCE_MOTION else { return }
    guard motion.fade(decay: Float(settings.motionDecay)) else {
      throw .refused(tiles.pixelPlane.cellCount)
    }
  }

  /// Counts the changes of what a map is made from; nil where that is expected to change:
  /// what comes through a pad will move, and an image that is not there yet will come.
  func revision(of settings: ScanSettings) -> Int? {
    switch settings.map.source {
    case SLIT_SCAN_SOURCE_IMAGE: image.isEmpty ? nil : image.revision
    case SLIT_SCAN_SOURCE_PAD: nil
    case SLIT_SCAN_SOURCE_FRAME: luma.revision
    case SLIT_SCAN_SOURCE_MOTION: motion.field.revision
    default: 0
    }
  }

  // MARK: Values

  /// Counts the changes of the values; nil before they are prepared for the first time.
  package var valuesRevision: Int? { surfaces.read { $0.revision } }

  /// Brings the map's values up to date.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package mutating func prepare(
    _ settings: ScanSettings, tiles: TiledLayout, for reader: MapSurfaces.Reader
  ) throws(ScanError) {
    if surfaces == nil { surfaces = MapSurfaces(tiles) }
    switch settings.map.source {
    case SLIT_SCAN_SOURCE_IMAGE: try surfaces?.prepare(settings, raster: image, for: reader)
    case SLIT_SCAN_SOURCE_PAD: try surfaces?.prepare(settings, raster: live, for: reader)
    case SLIT_SCAN_SOURCE_MOTION: try surfaces?.prepare(settings, raster: motion.field, for: reader)
    default: try surfaces?.prepare(settings, raster: luma, for: reader)
    }
  }

  /// Gives `body` the values, and the raster that they may be left to; not before they are prepared.
  func withValues<Failure: Error>(
    of settings: ScanSettings,
    _ body: (borrowing MapSurfaces, borrowing Raster) throws(Failure) -> Void
  ) throws(Failure) {
    try surfaces.read { surfaces throws(Failure) in
      switch settings.map.source {
      case SLIT_SCAN_SOURCE_IMAGE: try body(surfaces, image)
      case SLIT_SCAN_SOURCE_PAD: try body(surfaces, live)
      case SLIT_SCAN_SOURCE_MOTION: try body(surfaces, motion.field)
      default: try body(surfaces, luma)
      }
    }
  }
}

extension ScanError {
  /// There is no memory for the values of a map.
  fileprivate static func refused(_ valueCount: Int) -> ScanError {
    .refused(valueCount * MemoryLayout<Float>.size, for: "the map")
  }
}
