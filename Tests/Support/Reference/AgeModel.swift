// The reference of the pad `age`: the element's model, of a video whose pixels say when their frame was taken in.

/// A model of the pad `age`.
///
/// `take` a frame with the element's model, then ask which `mismatch` the ages have.
public struct AgeModel: Sendable {
  private var model: ReferenceModel
  /// The format of the frames that come in.
  private let format: FormatDescription
  private var start: UInt64 = 0
  private var last: UInt64 = 0
  /// The number of the newest frame that was taken in; nil before the first.
  private var newest: Double?
  private var unit: UInt64?
  /// Whether ages do not follow from the frames alone: they have another unit than before, or memory is short.
  private var isOpen = false

  private static let gray16 = FormatDescription(
    colors: .gray, isFullRange: true, lumaShares: (0.299, 0.114),
    components: [
      .init(
        plane: 0, offset: 0, step: 2, bytes: 2, isBigEndian: false, depth: 16, shift: 0,
        columnsPerSample: 1, rowsPerSample: 1)
    ])

  /// The ages of an element that has seen no frame yet.
  public init(
    format: FormatDescription, width: Int, height: Int, image: MapImage? = nil,
    frameDuration: Double? = 1e9 / 30
  ) {
    self.format = format
    model = ReferenceModel(
      format: Self.gray16, width: width, height: height, image: image, frameDuration: frameDuration)
    model.extendsFrames = true
  }

  /// The action signal `reset`.
  public mutating func reset() {
    model.reset()
    newest = nil
  }

  /// A frame comes through the pad `map`.
  public mutating func takeMap(_ image: MapImage, at time: UInt64) {
    model.takeMap(image, at: time)
  }

  /// A frame arrives at this running time, in nanoseconds, while the settings are these.
  public mutating func take(_ frame: Frame, at time: UInt64, settings: Settings) {
    if unit == nil { (unit, start) = (settings.ageUnit, time) }
    isOpen = isOpen || unit != settings.ageUnit || settings.maxMemory > 0
    last = max(last, time)
    // 0 is black: no frame.
    let number = 1 + (Double(last - start) / Double(settings.ageUnit)).rounded()
    isOpen = isOpen || number > 60_000
    guard !isOpen else { return }
    var plain = settings
    plain.mix = 1
    plain.feedback = 0
    plain.lineWidth = 0
    plain.warmup = .hold
    plain.history = .whole
    if settings.interpolation == .motion { plain.interpolation = .linear }
    let isNew = settings.mode == .sweep && model.sweep == nil
    let samples = [UInt16](repeating: UInt16(number), count: model.width * model.height)
    model.take(
      Frame(width: model.width, height: model.height, samples: [samples]), at: time,
      settings: plain, mapFrom: (frame, format))
    switch settings.mode {
    case .displace: newest = model.history.frames.first.map { Double($0.lowest[0][0]) }
    case .sweep: if isNew || !settings.freeze { newest = number }
    case .strip:
      let line = model.strip.flatMap { strip in strip.lines[model.place(ofAge: 0, strip)] }
      newest = line?.first?[0].first.map(Double.init)
    }
  }

  /// The first age that is not what it should be, or nil.
  public mutating func mismatch(in ages: [[UInt16]], of settings: Settings) -> Mismatch? {
    guard !isOpen, let unit else { return nil }
    let size = model.outputSize
    guard ages.count == size.height, ages.allSatisfy({ $0.count == size.width }) else {
      return Mismatch(description: "the ages have another size than \(size)")
    }
    model.computeDelays()
    for (row, line) in ages.enumerated() {
      for (column, age) in line.enumerated() {
        let expected = expectation(settings, column: column, row: row, unit: unit)
        guard !expected.allows(age) else { continue }
        return Mismatch(
          description:
            "the age of pixel (\(column), \(row)) is \(age), expected \(expected.values) ± \(expected.tolerance)"
        )
      }
    }
    return nil
  }

  private func expectation(
    _ settings: Settings, column: Int, row: Int, unit: UInt64
  ) -> Expectation {
    let shown = model.expectation(component: 0, column: column, row: row)
    let values = shown.values.map { words in
      words.upperBound == 0 ? ClosedRange(0.0) : -words + (newest ?? 0)
    }
    // Steps are rounded: those of frames, of their mean, and of what lies between.
    let rounding = 2 + Tolerance.weight * 100_000_000 / Double(unit)
    return Expectation(
      oneOf: values, tolerance: settings.hasView ? shown.tolerance + rounding : rounding)
  }
}

extension ClosedRange<Double> {
  fileprivate static prefix func - (range: Self) -> Self { -range.upperBound ... -range.lowerBound }
}
