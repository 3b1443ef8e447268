// The reference model of the whole element, by Sources/Effect/Definitions.md: the simplest code that can be right.

/// A model of the element, for a stream of frames of one format and size.
///
/// `take` a frame, then ask which `mismatch` an output frame has, and say what
/// `left`.
public struct ReferenceModel: Sendable {
  let format: FormatDescription
  /// Width of the input, pixels.
  public let width: Int
  /// Height of the input, pixels.
  public let height: Int
  /// The image at `map-location`.
  private let image: MapImage?
  /// Nanoseconds of a frame, as the caps say it; nil where they do not.
  let frameDuration: Double?

  /// Columns and rows of the frame that a cell of each plane covers.
  let cellSizes: [(columns: Int, rows: Int)]

  /// Whether pixels outside of a frame are like those inside.
  var extendsFrames = false

  /// The last frame.
  var input: Frame?
  /// Its settings, and their map.
  var settings = Settings()
  var map: DelayMap
  /// g of every cell of each plane, row by row, once asked for.
  private var planeDelays: [[Ranges]]?
  /// What came through the pad `map`, and when.
  private var liveMaps: [(time: UInt64, image: MapImage)] = []
  /// While the map is motion.
  private var motion: Motion?

  var history = History()
  /// What delays followed from when the last frame was taken in, and how many were before it.
  private var still: (settings: Settings, count: Int)?
  /// Whether there was a displaced frame or a reserve, from which on history is fed in all modes.
  private var fillsHistory = false
  /// The last frame that left, unless all is forgotten since.
  public private(set) var lastOutput: Frame?
  /// The times of the last three frames, and of those that have not left yet.
  var lastTimes: [UInt64] = []
  var waiting: [UInt64] = []
  /// What leaves up to this time is too late.
  var lateUntil: UInt64?
  var sweep: Sweep?
  var strip: Strip?

  /// An element that has seen no frame yet.
  ///
  /// - Parameters:
  ///   - image: the image at `map-location`, if there is one.
  ///   - frameDuration: nanoseconds of a frame, as the caps say it; nil where they do not.
  public init(
    format: FormatDescription, width: Int, height: Int, image: MapImage? = nil,
    frameDuration: Double? = 1e9 / 30
  ) {
    self.frameDuration = frameDuration
    self.format = format
    self.width = width
    self.height = height
    self.image = image
    cellSizes = (0..<format.planeCount).map { format.cellSize(ofPlane: $0) }
    map = DelayMap(settings, width: width, height: height)
  }

  /// The action signal `reset`: everything is forgotten.
  public mutating func reset() {
    history = History()
    still = nil
    motion = nil
    lastOutput = nil
    sweep = nil
    strip = nil
  }

  /// A frame comes through the pad `map`, for this running time and later.
  public mutating func takeMap(_ image: MapImage, at time: UInt64) {
    liveMaps.append((time, image))
  }

  /// A frame arrives at this running time, in nanoseconds, while the settings are these.
  public mutating func take(_ frame: Frame, at time: UInt64, settings: Settings) {
    take(frame, at: time, settings: settings, mapFrom: (frame, format))
  }

  /// The same.
  ///
  /// - Parameter source: What a map is made of that follows from frames.
  mutating func take(
    _ frame: Frame, at time: UInt64, settings: Settings,
    mapFrom source: (frame: Frame, format: FormatDescription)
  ) {
    let last = self.settings
    let fedBack = settings.mode == .displace && last.mode == .displace ? lastOutput : nil
    self.settings = settings
    input = frame
    lastTimes = lastTimes.suffix(2) + [time]
    let luma = settings.map.isMoving ? MapImage(source.frame, format: source.format) : nil
    takeMotion(luma)
    if settings != last || settings.map.isMoving {
      map = DelayMap(settings, width: width, height: height, image: mapImage(luma, at: time))
      planeDelays = nil
    }
    if settings.mode == .displace || settings.reserve > 0 { fillsHistory = true }
    if settings.mode != .sweep { sweep = nil }
    if settings.mode != .strip { strip = nil }

    history.arrive(at: time)
    if fillsHistory && (!settings.freeze || history.frames.isEmpty) {
      let isThinned = standsStill()
      if isThinned, !history.frames.contains(where: \.isThinned) { history.kept = needs() }
      history.insert(
        frame, fedBack: fedBack.map { MovedFrame($0, settings, format: format) },
        share: settings.feedback, isThinned: isThinned,
        isMoved: settings.interpolation == .motion,
        isOnFrames: isOnFrames(), format: format)
    }
    history.forget(settings, exposed: exposedFrames, whole: wholeFrames)

    switch settings.mode {
    case .displace: break
    case .sweep: takeSweep(frame, at: time)
    case .strip: takeStrip(frame)
    }
  }

  /// Whether the delays have been the same for as many frames as the history has, so that this one may
  /// be thinned out.
  private mutating func standsStill() -> Bool {
    let isMoving = settings.map.isMoving || settings.map == .image && image == nil
    guard settings.history == .needed, settings.duration == 0, settings.shutterDuration == 0,
      !isMoving,
      settings.interpolation != .motion
    else {
      still = nil
      return false
    }
    let delays = settings.delaysOnly.with(\.reserve, wholeFrames)
    let isSame = still?.settings == delays
    still = (delays, isSame ? (still?.count ?? 0) + 1 : 0)
    return (still?.count ?? 0) >= settings.depth + exposedFrames.upperBound
  }

  /// Whether no cell lies between two frames, as far as can be said.
  private mutating func isOnFrames() -> Bool {
    guard settings.interpolation == .motion, settings.duration == 0, settings.reserve == 0 else {
      return false
    }
    computeAllDelays()
    let longest = Double(settings.depth - 1)
    return format.components.indices.allSatisfy { component in
      let spread = settings.componentSpread * share(of: component)
      return planeDelays?[format.components[component].plane].joined().allSatisfy { g in
        let d = min(max((g.lowerBound + spread) * longest, 0), longest)
        return abs(d - d.rounded()) < Tolerance.weight
      } ?? false
    }
  }

  /// This frame left for the last input.
  public mutating func left(_ output: Frame) {
    lastOutput = settings.mode == .displace ? output : nil
  }

  /// The last frame was too late, and none left for it.
  public mutating func leftNothing() {
    guard settings.mode == .displace else { return lastOutput = nil }
    let hasNoPast =
      settings.depth == 1 && settings.duration == 0 && settings.shutter == 1
      && settings.shutterDuration == 0 && !settings.freeze
    if present == 0 && (settings.mix == 0 || settings.feedback == 0 && hasNoPast) {
      lastOutput = input
    } else if settings.feedback == 0 {
      lastOutput = nil
    }
  }

  /// Size of the output frame, pixels.
  public var outputSize: (width: Int, height: Int) {
    settings.hasView ? (width, height) : strip?.size ?? (width, height)
  }

  /// The first sample of the output that is not what it should be, or nil.
  public mutating func mismatch(in output: Frame) -> Mismatch? {
    guard (output.width, output.height) == outputSize else {
      return Mismatch(
        description: "\(output.width)×\(output.height) came out, expected \(outputSize)")
    }
    computeDelays()
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
    let scanned =
      switch settings.mode {
      case .displace: displaced(component: component, column: column, row: row)
      case .sweep: swept(component: component, column: column, row: row)
      case .strip: stripped(component: component, column: column, row: row)
      }
    guard settings.mode != .strip, let input else { return scanned }
    let at = index(component: component, column: column, row: row)
    let words =
      present > 0
      ? history.heldCounts.map { held in
        history.word(component: component, at: at, frame: min(present, held - 1))
      } : [ClosedRange(Double(input.samples[component][at]))]
    return scanned.mixed(
      settings.mix, into: words, step: Tolerance.blend * format.step(component: component))
  }

  /// The image that the map is made of.
  private func mapImage(_ luma: MapImage?, at time: UInt64) -> MapImage? {
    switch settings.map {
    case .image: image
    case .live: liveMaps.last { $0.time <= time }?.image
    case .luma: luma
    case .motion: motion?.image
    default: nil
    }
  }

  private mutating func takeMotion(_ luma: MapImage?) {
    guard settings.map == .motion, let luma else {
      motion = nil
      return
    }
    motion?.take(luma, threshold: settings.motionThreshold, decay: settings.motionDecay)
    motion = motion ?? Motion(luma)
  }

  /// What `delays` gives, once for a map.
  mutating func computeDelays() {
    guard planeDelays == nil && settings.mode != .strip else { return }
    computeAllDelays()
  }

  /// The same in all modes.
  mutating func computeAllDelays() {
    guard planeDelays == nil else { return }
    planeDelays = cellSizes.map { cell in
      map.visits(ofCells: cell, hasCurve: true).map(map.delays(of:))
    }
  }

  /// Place of the cell that a sample lies in: its plane, column and row.
  func cell(component: Int, column: Int, row: Int) -> Cell {
    let sample = format.components[component]
    let size = cellSizes[sample.plane]
    return Cell(
      plane: sample.plane, column: column * sample.columnsPerSample / size.columns,
      row: row * sample.rowsPerSample / size.rows)
  }

  /// g of a cell, the delay it may have, in 0…1; none beyond the border.
  func delays(_ cell: Cell) -> Ranges? {
    let size = cellSizes[cell.plane]
    let columns = (width + size.columns - 1) / size.columns
    let rows = (height + size.rows - 1) / size.rows
    guard (0..<columns).contains(cell.column), (0..<rows).contains(cell.row) else { return nil }
    return planeDelays?[cell.plane][cell.row * columns + cell.column]
  }

  /// Place of a sample among those of its component, in a frame of the input's size.
  func index(component: Int, column: Int, row: Int) -> Int {
    row * format.components[component].columns(ofWidth: width) + column
  }

  func black(component: Int) -> UInt16 {
    format.black(component: component, isTransparent: settings.warmup == .transparent)
  }
}

/// The place of a cell.
struct Cell {
  var plane: Int
  var column: Int
  var row: Int
}
