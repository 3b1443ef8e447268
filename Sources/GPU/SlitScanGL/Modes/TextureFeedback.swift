// The texture feedback blends the last output, scaled, turned and moved, into the frames that enter history.

import SlitScan

/// The places of the samples of frames in the last output, in a texture.
struct TextureFeedback: ~Copyable {
  private let gl: GL
  private let passes: Passes
  private let shape: FrameShape
  private var places: FeedbackPlaces
  /// For each plane, the first row of the tables of each channel.
  private let firstTables: [SIMD4<Int32>]
  /// A row for each table of `places`.
  private var tables: Texture?

  init(_ gl: GL, _ passes: Passes, _ shape: FrameShape) {
    self.gl = gl
    self.passes = passes
    self.shape = shape
    places = FeedbackPlaces(shape.layout)
    firstTables = shape.planes.indices.map { plane in
      SIMD4(shape.planes[plane].lanes.map { shape.layout.firstTable(ofPlane: plane, lane: $0) })
    }
  }

  /// The bytes of memory, of textures and other, that the places take.
  var byteCount: Int { places.byteCount + (tables?.byteCount ?? 0) }

  /// Draws a frame moved towards the last output, as that moves.
  ///
  /// - Parameter weight: In 1/65536.
  mutating func feed(
    _ frame: FrameTextures, with output: FrameTextures, _ settings: ScanSettings, weight: UInt32,
    into target: FrameTextures
  ) throws(ScanError) {
    let tables = try upload(settings)
    for index in shape.planes.indices {
      let plane = shape.planes[index]
      let program = try passes.use(.feed(words: plane.words))
      program.set(.weight, weight)
      program.set(.unusedBits, UInt32(plane.plane.unusedBits))
      program.set(.tables, firstTables[index])
      program.set(.counts, shape.counted[index])
      program.set(.channels, plane.hasOwnPlaces ? plane.format.channels : 1)
      program.set(.lanes, plane.lanes)
      program.set(.ends, plane.ends)
      gl.bind(frame.names[index], to: .source)
      gl.bind(output.names[index], to: .other)
      gl.bind(tables, to: .ages)
      gl.target(target.names[index], width: plane.width, height: plane.height)
      gl.draw()
    }
  }

  private mutating func upload(_ settings: ScanSettings) throws(ScanError) -> Texture {
    let isNew = try places.prepare(settings)
    if !isNew, let tables { return tables }
    let rows = places.componentCount * FeedbackPlaces.Table.allCases.count
    guard let texture = tables ?? gl.makeTexture(.number, width: places.length, height: rows)
    else { throw .refusedTexture(for: "the places of feedback") }
    tables = texture
    gl.upload(places.tables, to: texture, x: 0, y: 0, width: places.length, rows: rows)
    return texture
  }
}

extension FrameLayout {
  /// The first row of the tables of a channel; those of components that are subsampled alike are alike.
  fileprivate func firstTable(ofPlane plane: Int, lane: SIMD4<Int32>) -> Int32 {
    let component = components.firstIndex {
      $0.plane == plane && $0.xShift == Int(lane.x) && $0.yShift == Int(lane.y)
    }
    return Int32((component ?? 0) * FeedbackPlaces.Table.allCases.count)
  }
}
