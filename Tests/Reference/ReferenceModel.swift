// The whole element as Sources/SlitScan/Definitions.md defines it: the simplest code that can be right.

/// What the element should do with a stream of frames of one format and size.
///
/// `take` a frame, then ask which `mismatch` a picture has to what should come out.
public struct ReferenceModel: Sendable {
  let format: FormatDescription
  /// Width of the input, pixels.
  public let width: Int
  /// Height of the input, pixels.
  public let height: Int

  /// Columns and rows of the picture that a cell of each component covers.
  let cellSizes: [(columns: Int, rows: Int)]

  /// The settings of the last frame, and their map.
  var settings = Settings()
  var map: DelayMap
  /// The last frames, the newest first.
  var history: [Frame] = []
  /// Whether there was a displaced frame, from which on history is fed in all modes.
  var hasDisplaced = false
  var sweep: Sweep?
  var strip: Strip?

  /// An element that has seen no frame yet.
  public init(format: FormatDescription, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
    cellSizes = format.components.map { format.cellSize(ofPlane: $0.plane) }
    map = DelayMap(settings, width: width, height: height)
  }

  /// The action signal `reset`: everything is forgotten.
  public mutating func reset() {
    history = []
    sweep = nil
    strip = nil
  }

  /// A frame arrives at this running time, in nanoseconds, while the settings are these.
  public mutating func take(_ frame: Frame, at time: UInt64, settings: Settings) {
    self.settings = settings
    map = DelayMap(settings, width: width, height: height)
    if settings.mode == .displace { hasDisplaced = true }
    if settings.mode != .sweep { sweep = nil }
    if settings.mode != .strip { strip = nil }

    if hasDisplaced && (!settings.freeze || history.isEmpty) {
      history.insert(frame, at: 0)
    }
    history = Array(history.prefix(settings.depth))

    switch settings.mode {
    case .displace: break
    case .sweep: takeSweep(frame, at: time)
    case .strip: takeStrip(frame)
    }
  }

  /// Size of the picture that comes out, pixels.
  public var outputSize: (width: Int, height: Int) {
    strip?.size ?? (width, height)
  }

  /// The first sample of the output that is not what it should be, or nil.
  public func mismatch(in output: Frame) -> Mismatch? {
    guard (output.width, output.height) == outputSize else {
      return Mismatch(
        description: "\(output.width)×\(output.height) came out, expected \(outputSize)")
    }
    for (number, component) in format.components.enumerated() {
      let columns = component.columns(ofWidth: output.width)
      for j in 0..<component.rows(ofHeight: output.height) {
        for i in 0..<columns {
          let word = output.samples[number][j * columns + i]
          let expected = expectation(component: number, column: i, row: j)
          if word & ~component.mask == 0 && expected.allows(word) { continue }
          return Mismatch(
            description: """
              component \(number), sample (\(i), \(j)) is \(word), expected \
              \(expected.values) ± \(expected.tolerance)
              """)
        }
      }
    }
    return nil
  }

  /// What a sample of the output may be.
  func expectation(component: Int, column: Int, row: Int) -> Expectation {
    switch settings.mode {
    case .displace: displaced(component: component, column: column, row: row)
    case .sweep: swept(component: component, column: column, row: row)
    case .strip: stripped(component: component, column: column, row: row)
    }
  }

  /// Every delay, 0…1, that the cell of a sample may have.
  func delays(component: Int, column: Int, row: Int) -> [Double] {
    let sample = format.components[component]
    let cell = cellSizes[component]
    let cellColumn = column * sample.columnsPerSample / cell.columns
    let cellRow = row * sample.rowsPerSample / cell.rows
    return map.delays(
      x: (Double(cellColumn) + 0.5) * Double(cell.columns),
      y: (Double(cellRow) + 0.5) * Double(cell.rows))
  }

  /// Place of a sample among those of its component, in a picture of the input's size.
  func index(component: Int, column: Int, row: Int) -> Int {
    row * format.components[component].columns(ofWidth: width) + column
  }

  func black(component: Int) -> UInt16 {
    format.black(component: component, isTransparent: settings.warmup == .transparent)
  }
}
