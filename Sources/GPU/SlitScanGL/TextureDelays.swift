// The texture delays are the delay of every cell in textures, drawn anew when a map, a depth or ages change.

import CSlitScanKernels
import SlitScan

/// For each plane a texture of delays; planes whose cells have the same share it.
struct TextureDelays {
  private let gl: GL
  private let passes: Passes
  private let shape: FrameShape
  private var planes: [Texture?] = []
  private var key: DelayKey?
  /// The ages of the frames held, as parts of the longest delay; none if delays count frames.
  private var ages: [Double] = []
  private var newAges: [Double] = []
  private var agesTexture: Texture?
  /// The source of the levels of the report: g of a sample of the cells, and the greatest.
  private var survey: (key: SurveyKey, values: Survey)?

  /// The largest level that any cell shows something of, at most.
  private(set) var deepest = 0
  /// Whether there may be no such cell: the processor does not know the values of maps that are drawn, nor which
  /// of them `component-spread` adds to most.
  private(set) var isDeepestOpen = false
  /// The level that the frame shows on average.
  private(set) var meanLevel: Double = 0
  /// The level that the centre of the frame shows.
  private(set) var centerLevel: Double = 0
  /// g, on average and at the centre of the frame.
  var mean: (all: Double, center: Double) {
    (survey?.values.mean ?? 0, survey?.values.center ?? 0)
  }

  private struct SurveyKey: Equatable {
    var map: ScanSettings
    var values: Int
  }

  /// g of some of the cells of the first plane.
  fileprivate struct Survey {
    var greatest: Float = 1
    var mean: Double = 0
    var center: Double = 0
  }

  init(_ gl: GL, _ passes: Passes, _ shape: FrameShape) {
    self.gl = gl
    self.passes = passes
    self.shape = shape
  }

  /// Whether the channels of a plane have delays of their own, as they were drawn.
  func isMixed(_ plane: Int) -> Bool { texture(ofPlane: plane)?.format == .fourNumbers }

  /// The interpolation that the delays were drawn for.
  var interpolation: ScanSettings.Interpolation? { key?.interpolation }

  /// The delays of a plane.
  func texture(ofPlane index: Int) -> Texture? { index < planes.count ? planes[index] : nil }

  /// Draws the delays anew, if they are not up to date.
  mutating func prepare(
    _ settings: ScanSettings, _ map: borrowing TextureMap, times: FrameTimes, depth: Int
  ) throws(ScanError) {
    times.listAges(asPartsOf: settings.duration, in: &newAges)
    let wanted = DelayKey(settings, values: map.revision, depth: depth)
    guard !wanted.isMet(by: key, ages: ages, others: newAges) else { return }
    key = nil
    swap(&ages, &newAges)
    try uploadAges()
    if planes.count != shape.planes.count {
      planes = Array(repeating: nil, count: shape.planes.count)
    }
    for index in shape.planes.indices { try draw(index, settings, map, depth, slack: wanted.slack) }
    lookOver(settings, map, depth: depth)
    key = wanted
  }

  private mutating func draw(
    _ index: Int, _ settings: ScanSettings, _ map: borrowing TextureMap, _ depth: Int, slack: Double
  ) throws(ScanError) {
    let plane = shape.planes[index]
    let isMixed = settings.componentSpread != 0 && plane.hasOwnShares
    if settings.componentSpread == 0, let twin = twin(of: index) {
      planes[index] = planes[twin]
      return
    }
    guard let values = map.values(of: plane.plane) else { return }
    let format: TexelFormat = isMixed ? .fourNumbers : .number
    let width = isMixed ? plane.width : plane.plane.cellsWide
    // A texture that was shared is left to the other plane.
    let isOwn = !planes[..<index].contains { $0 === planes[index] }
    if !isOwn || planes[index]?.format != format {
      guard let texture = gl.makeTexture(format, width: width, height: plane.height) else {
        throw .refusedTexture(for: "the delays of the map")
      }
      planes[index] = texture
    }
    guard let target = planes[index] else { return }
    let deepest: Float = settings.duration > 0 ? 1 : Float(depth - 1)
    let program = try passes.use(.delays(hasAges: settings.duration > 0, isMixed: isMixed))
    program.set(SlitScanCurve(settings))
    program.set(.deepest, deepest)
    program.set(.extra, plane.shares.even * Float(settings.componentSpread) * deepest)
    program.set(.oddExtra, plane.shares.odd * Float(settings.componentSpread) * deepest)
    program.set(.cellShift, plane.cellShift)
    program.set(.isLinear, settings.interpolation != .nearest)
    program.set(.steps, plane.plane.sampleBytes == 1 ? 256 as Float : 4096)
    if settings.duration > 0, let agesTexture {
      program.set(.ageCount, ages.count)
      program.set(.slack, Float(slack))
      gl.bind(agesTexture, to: .ages)
    }
    gl.bind(values, to: .values)
    gl.target(target)
    gl.draw()
  }

  /// An earlier plane with the same delays.
  private func twin(of index: Int) -> Int? {
    let plane = shape.planes[index].plane
    return (0..<index).first { other in
      shape.planes[other].plane.hasCells(of: plane)
        && shape.planes[other].plane.sampleBytes == plane.sampleBytes
    }
  }

  /// Brings in the ages, each in two floats, with the time to the next.
  private mutating func uploadAges() throws(ScanError) {
    guard !ages.isEmpty else { return }
    let width = 1024
    let rows = (ages.count + width - 1) / width
    if agesTexture.map({ $0.height < rows }) ?? true {
      // Twice as many, as streams that begin have more with each frame.
      guard let texture = gl.makeTexture(.fourNumbers, width: width, height: 2 * rows) else {
        throw .refusedTexture(for: "the times of frames")
      }
      agesTexture = texture
    }
    guard let agesTexture else { return }
    var table = [SIMD4<Float>](repeating: .zero, count: rows * width)
    for (level, age) in ages.enumerated() {
      let whole = Float(age)
      let next = level + 1 < ages.count ? ages[level + 1] : age
      table[level] = SIMD4(whole, Float(age - Double(whole)), Float(next - age), 0)
    }
    gl.upload(table.span, to: agesTexture, rows: rows)
  }

  // MARK: Levels

  /// Finds the levels of the report.
  private mutating func lookOver(
    _ settings: ScanSettings, _ map: borrowing TextureMap, depth: Int
  ) {
    let key = SurveyKey(map: settings.ofMap, values: map.revision)
    isDeepestOpen = !map.isComputed(settings) || settings.componentSpread != 0
    if survey.map({ $0.key != key }) ?? true {
      survey = (key, survey(settings, map))
    }
    guard let values = survey?.values else { return }
    let spread = settings.componentSpread
    let last = level(min(1, Double(values.greatest) + greatestExtra(spread)), settings, depth)
    deepest = Int(settings.interpolation == .nearest ? last + 0.5 : last.rounded(.up))
    // The levels of a plane's components lie around that.
    let middle = middleExtra(spread)
    meanLevel = level(min(max(values.mean + middle, 0), 1), settings, depth)
    centerLevel = level(min(max(values.center + middle, 0), 1), settings, depth)
  }

  /// The addition of `component-spread` to the greatest delay of all.
  private func greatestExtra(_ spread: Double) -> Double {
    shape.planes.reduce(0) { greatest, plane in
      max(greatest, Double(max(plane.shares.even.max(), plane.shares.odd.max())) * spread)
    }
  }

  /// Its addition to the delays of the first plane, in the middle.
  private func middleExtra(_ spread: Double) -> Double {
    guard let plane = shape.planes.first else { return 0 }
    let least = min(plane.shares.even.min(), plane.shares.odd.min())
    let most = max(plane.shares.even.max(), plane.shares.odd.max())
    return Double(least + most) / 2 * spread
  }

  /// The level of a delay that is a part of the longest.
  private func level(_ part: Double, _ settings: ScanSettings, _ depth: Int) -> Double {
    guard settings.duration > 0 else { return part * Double(depth - 1) }
    guard let next = ages.firstIndex(where: { $0 > part }), next > 0 else {
      return Double(ages.count)
    }
    return Double(next - 1) + (part - ages[next - 1]) / (ages[next] - ages[next - 1])
  }

  private func survey(_ settings: ScanSettings, _ map: borrowing TextureMap) -> Survey {
    var survey = Survey()
    guard map.isComputed(settings) else { return survey }
    let curve = SlitScanCurve(settings)
    for (index, plane) in shape.planes.enumerated() where index == 0 || twin(of: index) == nil {
      map.withComputedValues(of: plane.plane) { values in
        let other = Survey(values, plane.plane, curve)
        if index == 0 { survey = other }
        survey.greatest = max(survey.greatest, other.greatest)
      }
    }
    return survey
  }
}

extension TextureDelays.Survey {
  init(_ values: Span<Float>, _ plane: FrameLayout.Plane, _ curve: SlitScanCurve) {
    guard values.count == plane.cellCount else { return }
    greatest = 0
    var rows = CurvedRows()
    var sum = 0.0
    var count = 0.0
    // Odd, so that cells of all columns are looked at.
    let step = max(1, plane.cellCount / 1000) | 1
    for row in 0..<plane.cellsHigh {
      rows.load(
        row, count: 1, of: plane, cellsWide: plane.cellsWide, from: values, curve: curve)
      let bent = rows.values.span
      for cell in 0..<plane.cellsWide {
        greatest = max(greatest, bent[cell])
        guard (row * plane.cellsWide + cell) % step == 0 else { continue }
        sum += Double(bent[cell])
        count += 1
      }
      if row == plane.cellsHigh / 2 { center = Double(bent[plane.cellsWide / 2]) }
    }
    mean = sum / count
  }
}
