// The map surfaces hold the map value of every cell, whatever the map is made from.

import CSlitScanKernels

/// A map laid over the planes of a frame: a value f for every cell, in rows, smoothed but not yet
/// inverted or bent.
///
/// Planes whose cells lie alike share their values.
package struct MapSurfaces: ~Copyable {
  /// The reader of the values.
  package enum Reader {
    /// Delays, which are made of the map's raster where its values are those of the cells.
    case delays
    /// The sweep, which reads the values of all planes' cells.
    case cells
    /// The slit of a strip, which reads those of single pixels besides.
    case pixels
  }

  /// The key that the values were made for.
  private struct Key: Equatable {
    var shape: ScanSettings
    var rasterRevision: Int
    var reader: Reader
    var hasPixels: Bool
  }

  private let tiles: TiledLayout
  private var key: Key?
  /// Counts the changes of the values.
  package private(set) var revision = 0
  private var memory = LineMemory()
  private var scratch = LineMemory()
  private var sampler = MapImageSampler()
  /// One of the planes of each kind, and where its values start.
  private var kinds: [(plane: FrameLayout.Plane, start: Int)] = []
  /// Whether the values of planes with a cell for each pixel are left to the map's raster.
  private var usesRaster = false

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
  }

  /// Computes the values anew, if they are not up to date.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - raster: The raster of a map that is no formula; where it is empty, f is 0.
  ///   - reader: What the values are for.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, raster: borrowing Raster, for reader: Reader
  ) throws(ScanError) {
    // Ages have a cell for each pixel.
    let hasPixels = reader == .pixels || settings.keepsAges
    let wanted = Key(
      shape: settings.ofShape, rasterRevision: settings.map.isFormula ? 0 : raster.revision,
      reader: reader, hasPixels: hasPixels)
    guard wanted != key else { return }
    key = nil
    usesRaster =
      reader == .delays && !settings.map.isFormula && settings.mapSmoothing == 0
      && raster.width == tiles.layout.width && raster.height == tiles.layout.height
    try layOut(hasPixels: hasPixels, smooths: settings.mapSmoothing > 0)
    let field = MapField(settings, width: tiles.layout.width, height: tiles.layout.height)
    for (plane, start) in kinds {
      if settings.map.isFormula {
        field.fill(&memory, at: start, plane: plane)
      } else {
        sampler.fill(&memory, at: start, plane: plane, from: raster, layout: tiles.layout)
      }
      if settings.mapSmoothing > 0 {
        Kernels.smooth(
          &memory, at: start, plane: plane, sigma: settings.mapSmoothing, scratch: &scratch)
      }
    }
    key = wanted
    revision += 1
  }

  /// The start of f of a plane's cells: in ``allValues``, or in the map's raster.
  func place(of plane: FrameLayout.Plane) -> (start: Int, isFromRaster: Bool) {
    if usesRaster, plane.hasCells(of: tiles.pixelPlane) { return (0, true) }
    let kind = kinds.first { $0.plane.hasCells(of: plane) }
    return (kind?.start ?? 0, false)
  }

  /// f of all kinds of planes.
  var allValues: Span<Float> {
    @_lifetime(borrow self)
    get { memory.floats }
  }

  /// f of a plane's cells, row by row.
  @_lifetime(borrow self)
  package func values(of plane: FrameLayout.Plane) -> Span<Float> {
    for (kind, start) in kinds where kind.hasCells(of: plane) {
      return memory.floats.extracting(start..<(start + kind.cellCount))
    }
    return Span()
  }

  /// Finds a place for each kind of plane.
  private mutating func layOut(hasPixels: Bool, smooths: Bool) throws(ScanError) {
    kinds.removeAll(keepingCapacity: true)
    var end = 0
    func add(_ plane: FrameLayout.Plane, to kinds: inout [(plane: FrameLayout.Plane, start: Int)]) {
      guard !kinds.contains(where: { $0.plane.hasCells(of: plane) }),
        !usesRaster || !plane.hasCells(of: tiles.pixelPlane)
      else { return }
      kinds.append((plane, end))
      end += plane.cellCount
    }
    for grid in tiles.grids { add(grid.plane, to: &kinds) }
    if hasPixels { add(tiles.pixelPlane, to: &kinds) }

    let float = MemoryLayout<Float>.size
    let largest = kinds.map { $0.plane.cellCount + $0.plane.cellsWide }.max() ?? 0
    guard memory.grow(to: end * float), !smooths || scratch.grow(to: largest * float) else {
      throw .refused(end * float, for: "the map")
    }
  }
}

extension SlitScanBox {
  /// The box that makes a Gaussian of `sigma` in three passes.
  ///
  /// Gwosdek, Grewenig, Bruhn, Weickert: Theoretical foundations of Gaussian convolution by extended
  /// box filtering, SSVM 2011.
  package init(sigma: Double) {
    let variance = sigma * sigma / 3
    let radius = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
    let next = (radius + 1) * (radius + 1)
    let end =
      (2 * radius + 1) * (radius * (radius + 1) - 3 * variance) / (6 * (variance - next))
    self.init(radius: Int32(radius), end_weight: Float(end))
  }
}

extension FrameLayout.Plane {
  /// Cells of the plane.
  package var cellCount: Int { cellsWide * cellsHigh }

  /// Whether the cells of two planes lie at the same places.
  package func hasCells(of other: FrameLayout.Plane) -> Bool {
    cellsWide == other.cellsWide && cellsHigh == other.cellsHigh
      && pixelsWide == other.pixelsWide && pixelsHigh == other.pixelsHigh
  }
}
